// The contract, written by `cargo xtask codegen` from src-tauri/crates/wire. Not edited by hand.

/** What claude is doing, as far as its hooks say. */
export type Activity =
/** It has not said anything yet. */
"starting" |
/** It asks something in its terminal before it begins: whether the folder is trusted, for a login. */
"asks_at_start" |
/** At its prompt. */
"idle" |
/** In a turn. */
"working" |
/** It asks for a permission. */
"waiting_permission" |
/** A dialog, or another view of claude's, is open in its terminal in the place of the input box. */
"dialog_open" |
/** Something was typed into its terminal, or a dialog may be open. */
"unknown" |
/** It has ended. */
"gone";

/** The files that can be installed. */
export type AgentFile =
/** The skill, in `.claude/skills/beads`. */
"skill" |
/** The agent prompt, `.claude/agents/beads.md`. */
"agent" |
/** A section of CLAUDE.md. */
"claude_md" |
/** A section of AGENTS.md. */
"agents_md" |
/** Rules in `.claude/settings.json` that let claude run these commands without asking. */
"permissions";

/** The change to a file, made or planned. */
export type AgentFileChange =
/** Nothing. */
"none" |
/** It is created. */
"create" |
/** It is changed. */
"change" |
/** It is removed. */
"delete";

/** One file. */
export type AgentFilePlan = {
	/** The kind of file. */
	file: AgentFile,
	/** Its path below the project's folder, with `/`. */
	path: string,
	/** Its state before the change. */
	state: AgentFileState,
	/** The change. */
	change: AgentFileChange,
	/** The changed lines with context, each prefixed with `+`, `-` or a blank. */
	diff: string,
	/** Why it cannot be changed. */
	problem: string | null,
};

/** The state of a file. */
export type AgentFileState =
/** It contains nothing of ours. */
"absent" |
/** It is up to date with this version. */
"current" |
/** It is incomplete, or has another text. */
"outdated" |
/** It was written by a newer version and is left unchanged. */
"newer" |
/** It cannot be read or changed; `problem` has the reason. */
"refused";

/** Parameters of `agent_files.install` and `agent_files.remove`. */
export type AgentFilesParams = {
	/** The files; if empty, as in the preview. */
	files?: AgentFile[],
};

/** The answer of `agent_files.preview`, `agent_files.install` and `agent_files.remove`. */
export type AgentFilesPlan = {
	/** The project's folder. */
	root: string,
	/** The files in display order. */
	files: AgentFilePlan[],
};

/** Parameters of `agent_files.preview`. */
export type AgentFilesPreviewParams = {
	/** The files; if empty, the usual ones, or for a removal all. */
	files?: AgentFile[],
	/** Preview a removal instead of an install. */
	remove?: boolean,
};

/** An agent's record. */
export type AgentIdentity = {
	/** Its id, also its file's name. */
	id: FleetAgentId,
	/** Its role. */
	role: AgentRole,
	/** Its project. */
	rig: string,
	/** The id of its hook, `hook-{agent}`. */
	hookId: string,
	/** Its last recorded state. */
	status: AgentStatus,
	/** Its session while it is active, of this or another program. */
	sessionId?: AgentSession,
};

/** One agent prompt. */
export type AgentInfo = {
	/** The stem of its file. */
	name: AgentName,
	/** Its own words. */
	description: string | null,
	/** Where it is from. */
	source: AgentSource,
};

/** The answer of `agent.list`. */
export type AgentList = {
	/** The project's first, then the user's. */
	agents: AgentInfo[],
};

/** The name of an agent prompt: its file's stem in `.claude/agents`. */
export type AgentName = string;

/** The role of an agent. */
export type AgentRole =
/** Creates work and assigns it. */
"mayor" |
/** Watches the others. */
"witness" |
/** Merges finished work. */
"refinery" |
/** Does one work item at a time. */
"polecat" |
/** Long-lived, works for the user. */
"crew";

/**
 * An agent's session in its record, of this or another program. A foreign name is kept and shown unchanged,
 * and never used to look up or open anything.
 */
export type AgentSession = string;

/** Where an agent prompt is from. */
export type AgentSource =
/** `.claude/agents` of the project. */
"project" |
/** `agents` of the user's claude folder. */
"user";

/** The state of an agent. */
export type AgentStatus =
/** It has no live session. */
"idle" |
/** It has a live session. */
"active" |
/** It has a live session without progress. */
"stalled" |
/** It is no longer used. */
"terminated";

/** Active time, tokens, cost and messages. */
export type Amount = {
	/** Active time in milliseconds. */
	duration_ms: number,
	/** Input + cache creation + output. */
	tokens: number,
	/** US dollars; a session's cost is distributed over its days in proportion to its tokens. */
	cost_usd: number | null,
	/** Messages. */
	messages: number,
};

/** An error on the wire. */
export type ApiError = {
	/** For programs. */
	code: ErrorCode,
	/** What happened, to what. */
	message: string,
	/** What to do about it. */
	hint?: string,
};

/** Claude tries a failed request again. */
export type ApiRetry = {
	/** The number of the next attempt. */
	attempt: number,
	/** How many attempts there are. */
	of: number,
	/** What failed, where claude says. */
	why: string | null,
};

/** The answer of `app.info`. */
export type AppInfo = {
	/** This program's version. */
	version: string,
	/** How claude is. */
	claude: ClaudeState,
	/** Whether the simulated agent can take claude's place. */
	simulated_available: boolean,
	/** What the person is called in conversations and as an assignee. */
	display_name: string,
	/** Whether it serves browsers, so that `app.link` has an answer. */
	serves_browsers: boolean,
};

/** One change of a bead. */
export type AuditEvent = {
	/** When. */
	at: string,
	/** Who, as the tracker names them. */
	actor: string,
	/** The session of this program, if one did it. */
	session?: SessionId,
	/** `created`, `claimed`, `status`, `closed`, `reopened`, `comment`, `field`, `dependency` … */
	kind: string,
	/** The changed field, for `field`. */
	field?: string,
	/** The value before, shortened to one line. */
	from?: string,
	/** The value after, shortened to one line. */
	to?: string,
};

/** How much there is of each. */
export type BackupCounts = {
	/** Beads. */
	beads: number,
	/** Memories, forgotten ones too. */
	memories: number,
	/** Records of sessions. */
	sessions: number,
	/** Of how many of them the conversation is there. */
	transcripts: number,
};

/** The answer of `backup.run`. */
export type BackupDone = {
	/** Whether anything changed since the last backup, so that there is a new commit. */
	changed: boolean,
	/** The branch's commit; absent if the settings disable the backup, or another backup is about to start. */
	commit: string | null,
	/** What is in it. */
	counts: BackupCounts,
	/** How many secrets were redacted. */
	secrets_removed: number,
	/** The result of the push. */
	push: BackupPush,
	/** What is not in it, and why. */
	warnings: string[],
};

/** The result of a push. */
export type BackupPush =
/** Not requested. */
{ state: "not_wanted" } |
/** There is no remote, or it is ambiguous. */
{ state: "no_remote" } |
/** Pushed. */
{ state: "done";
/** Its name. */
remote: string } |
/** It failed; the next backup retries it. */
{ state: "failed";
/** The remote's name. */
remote: string;
/** The error message. */
error: string };

/** Parameters of `backup.run`. Absent ones follow the settings. */
export type BackupRunParams = {
	/** Whether to push it to the remote. */
	push?: boolean | null,
	/** Whether conversations are in it. */
	transcripts?: boolean | null,
	/** Whether to keep possible secrets in titles and conversations. */
	keep_secrets?: boolean,
	/** Whether a session's end is the reason; then the settings decide whether to back up. */
	at_end?: boolean,
};

/** The three places where a project's beads, memories and sessions are. */
export type BackupStatus = {
	/** On this machine. */
	local: LocalTier,
	/** On a branch of the repository. */
	branch: BranchTier,
	/** Where the tracker itself sends its beads. */
	tracker: TrackerTier,
};

/** Parameters of `backup.status`. */
export type BackupStatusParams = {
	/** Whether the tracker's program is asked for its remotes, which takes seconds. */
	tracker?: boolean,
};

/** The kind of a time band. */
export type BandKind =
/** Claude ran; it was starting, or its activity is unknown. */
"active" |
/** Claude was in a turn. */
"working" |
/** Claude waited for the user. */
"waiting" |
/** Claude did not run. */
"paused";

/** A bead as in lists. */
export type Bead = {
	/** The tracker's id. */
	id: BeadId,
	/** One line. */
	title: string,
	/** Its state. */
	status: BeadStatus,
	/** 0 (most urgent) to 4. */
	priority: number,
	/** `bug`, `feature`, `task`, `epic`, `chore` or the tracker's own. */
	issue_type: string,
	/** The assignee. */
	assignee?: string,
	/** Labels in the tracker's order. */
	labels: string[],
	/** The target of its `parent-child` dependency. */
	parent?: BeadId,
	/** Open beads that block it. */
	blocked_by: BeadId[],
	/** Open beads that it blocks. */
	unblocks: BeadId[],
	/** Whether the tracker counts it as ready. */
	ready: boolean,
	/**
	 * Why an open bead is not ready, the most important reason first. Empty if it is ready, in progress or
	 * done, or if only the tracker knows.
	 */
	not_ready?: NotReady[],
	/** When it was created. */
	created_at?: string,
	/** When it last changed. */
	updated_at?: string,
	/** When it was closed. */
	closed_at?: string,
	/** When it is due. */
	due_at?: string,
	/** The end of its deferral. */
	defer_until?: string,
	/** The estimated work in minutes. */
	estimated_minutes?: number,
};

/** What happened to a bead. */
export type BeadAudit = {
	/** Which bead. */
	id: BeadId,
	/** Oldest first. */
	events: AuditEvent[],
	/** What is not included, for the user: changes by other programs that the tracker does not record. */
	note?: string,
};

/** What the project's tracker can do with beads. */
export type BeadCapabilities = {
	/** Why nothing can be changed; absent if beads can be changed. */
	read_only?: string,
	/** Fields of [`BeadChange`] that the tracker cannot store, with the reason. */
	unsupported: UnsupportedField[],
	/** Types for new beads, the tracker's own ones included. */
	types: string[],
	/** Statuses that a bead can be set to, custom ones included. */
	statuses: BeadStatus[],
	/** Kinds of dependencies. */
	dependency_kinds: string[],
	/** Whether beads can be deleted, and whether that can be undone. */
	delete: DeleteSupport,
	/** Whether `submit` must add a custom status first, which needs consent. */
	submit_needs_consent: boolean,
	/** Where the audit's events come from, for the user. */
	audit: string,
};

/** A change of a bead's fields. Absent fields stay as they are; an empty text clears a field that may be empty. */
export type BeadChange = {
	/** One line, 1 to 500 characters. */
	title?: string | null,
	/** Markdown. */
	description?: string | null,
	/** Markdown. */
	design?: string | null,
	/** Markdown. */
	acceptance_criteria?: string | null,
	/** Markdown. */
	notes?: string | null,
	/** The new status. `closed` and `in_review` have commands of their own. */
	status?: BeadStatus | null,
	/** 0 to 4. */
	priority?: number | null,
	/** One of the tracker's types. */
	issue_type?: string | null,
	/** Empty for none. */
	assignee?: string | null,
	/** Labels to add. */
	add_labels?: string[],
	/** Labels to remove. */
	remove_labels?: string[],
	/** The parent's id; empty for none. */
	parent?: string | null,
	/** `YYYY-MM-DD` or RFC 3339; empty for none. */
	due?: string | null,
	/** `YYYY-MM-DD` or RFC 3339; empty for none. */
	defer?: string | null,
	/** Minutes; 0 for none. */
	estimated_minutes?: number | null,
	/** A reference in another system; empty for none. */
	external_ref?: string | null,
};

/** Parameters of `bead.claim`. */
export type BeadClaimParams = {
	/** Which bead. */
	id: BeadId,
	/** For whom; the user unless given. */
	actor?: string | null,
};

/** Parameters of `bead.close`. */
export type BeadCloseParams = {
	/** Which bead. */
	id: BeadId,
	/** Why. */
	reason?: string | null,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** A comment on a bead. */
export type BeadComment = {
	/** The tracker's id, which may change: never a key. */
	id: string,
	/** The author. */
	author: string,
	/** Markdown. */
	text: string,
	/** The time, if known. */
	created_at?: string,
};

/** Parameters of `bead.comment`. */
export type BeadCommentParams = {
	/** Which bead. */
	id: BeadId,
	/** Markdown. */
	text: string,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** Parameters of `bead.create`. */
export type BeadCreateParams = {
	/** One line, 1 to 500 characters. */
	title: string,
	/** Markdown. */
	description?: string,
	/** Markdown. */
	acceptance_criteria?: string,
	/** `task` unless given. */
	issue_type?: string | null,
	/** 0 to 4; 2 unless given. */
	priority?: number | null,
	/** Labels. */
	labels?: string[],
	/** Its parent. */
	parent?: BeadId | null,
	/** Beads that block it. */
	blocked_by?: BeadId[],
	/** Markdown. */
	design?: string,
	/** Markdown. */
	notes?: string,
	/** The assignee; none unless given. */
	assignee?: string | null,
	/** `YYYY-MM-DD` or RFC 3339. */
	due?: string | null,
	/** `YYYY-MM-DD` or RFC 3339. */
	defer?: string | null,
	/** Minutes. */
	estimated_minutes?: number | null,
	/** A reference in another system. */
	external_ref?: string | null,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** Parameters of `bead.delete` and `bead.undelete`. */
export type BeadDeleteParams = {
	/** Which bead. */
	id: BeadId,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** The answer of `bead.delete`. */
export type BeadDeleted = {
	/** Which bead. */
	id: BeadId,
	/** Whether `bead.undelete` can bring it back. */
	can_undo: boolean,
};

/** Parameters of `bead.dep_add` and `bead.dep_remove`. */
export type BeadDependencyParams = {
	/** The bead that depends. */
	id: BeadId,
	/** The bead that it depends on. */
	depends_on: BeadId,
	/** `blocks` unless given. A removal ignores it. */
	kind?: string | null,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** A bead with all details. */
export type BeadDetail = {
	/** Markdown. */
	description: string,
	/** Markdown. */
	design: string,
	/** Markdown. */
	acceptance_criteria: string,
	/** Markdown. */
	notes: string,
	/** The reason for closing it. */
	close_reason?: string,
	/** Its reference in another system: an address, an issue number. */
	external_ref?: string,
	/** Its creator, if known. */
	created_by?: string,
	/** Its dependencies and dependents. */
	links: BeadLink[],
	/** Oldest first. */
	comments: BeadComment[],
} & Bead;

/** The dependencies among beads. */
export type BeadGraph = {
	/** The beads, in the tracker's order. */
	nodes: GraphNode[],
	/** The dependencies among them. */
	edges: GraphEdge[],
	/**
	 * Cycles of blocking dependencies: each a list of beads, every one depending on the next and the last on the
	 * first.
	 */
	cycles: BeadId[][],
	/** The longest chain of open beads, first to be done first; by estimates if all have them, else by number. */
	critical_path: BeadId[],
};

/** Parameters of `bead.graph`. */
export type BeadGraphParams = {
	/** Only beads that match this query, and the links among them. */
	query?: string,
	/** Only this bead and what it is connected with. */
	around?: BeadId | null,
	/** Include closed beads. */
	closed?: boolean,
};

/** A bead's id as its tracker wrote it, `BC-001` or `bd-a3f8.2`. */
export type BeadId = string;

/** One end of a dependency. */
export type BeadLink = {
	/** The other bead. */
	id: BeadId,
	/** Its title, empty if unknown. */
	title: string,
	/** Its state, if known. */
	status?: BeadStatus,
	/** The other bead's type, if known. */
	issue_type?: string,
	/** `blocks`, `parent-child`, `related`, `discovered-from` or the tracker's own. */
	kind: string,
	/** The direction of the dependency. */
	direction: LinkDirection,
};

/** Beads. */
export type BeadList = {
	/** In the tracker's order. */
	beads: Bead[],
	/** What could not be read. */
	warnings: string[],
	/** What to know of them all: that they are read-only here, why, and how old they are. */
	note?: string,
	/** Names this content, for `since`. Absent if the tracker has no cheap way to compare contents. */
	content?: string,
	/** Whether `beads` and `removed` are only the changes since the content that was asked for. */
	changes_only?: boolean,
	/** Beads that are gone since that content. */
	removed?: BeadId[],
	/** The number of all matching beads, if `beads` is only their first page. */
	total?: number,
};

/** Parameters of `bead.list`. */
export type BeadListParams = {
	/**
	 * Only what changed since this content, as an earlier answer named it. If that content is unknown, the answer is
	 * complete.
	 */
	since?: string | null,
	/** At most this many beads of each board column, the first ones; without it all. */
	page?: number | null,
	/** A query, as in `status:open label:ui -label:x priority<=1 text`. */
	query?: string,
	/** Only these states; empty means all. */
	status?: BeadStatus[],
	/**
	 * Also what a board does not show: pinned beads, and those of the tracker's own types (`event`, `message`, `gate`
	 * …). Never memories.
	 */
	all?: boolean,
};

/** Parameters of `bead.next`. */
export type BeadNextParams = {
	/** At most this many; 5 unless given. */
	limit?: number | null,
	/** The bead that was just closed: what it unblocked comes first. */
	after?: BeadId | null,
};

/** A session's bead as it is when the session is to be resumed. */
export type BeadNow = {
	/** Its id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its state. */
	status: BeadStatus,
	/** Who has it. */
	assignee: string | null,
};

/** The answer of `bead.query`: only ids, because clients have the beads. */
export type BeadQueryAnswer = {
	/** The matching beads, in the tracker's order. */
	ids: BeadId[],
	/** Problems in the query, such as an unknown field; such a part is searched as text. */
	problems: QueryProblem[],
};

/** Parameters of `bead.query`. */
export type BeadQueryParams = {
	/** The query line. */
	query: string,
};

/** Which bead. */
export type BeadRef = {
	/** Its id. */
	id: BeadId,
};

/** Parameters of `bead.reject`: the work in review needs changes. */
export type BeadRejectParams = {
	/** Which bead. */
	id: BeadId,
	/** What to change: a comment on the bead, which its session's agent also receives. */
	text: string,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** Parameters of `bead.reopen`. */
export type BeadReopenParams = {
	/** Which bead. */
	id: BeadId,
	/** Why; added as a comment. */
	reason?: string | null,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** One bead and its sessions. */
export type BeadShown = {
	/** The bead. */
	bead: BeadDetail,
	/** Its sessions, newest first. */
	sessions: SessionView[],
};

/** A bead's state. `ready` is not one of them; the tracker computes it. */
export type BeadStatus = string;

/** Parameters of `bead.submit`. */
export type BeadSubmitParams = {
	/** Which bead. */
	id: BeadId,
	/** Whether a missing custom status may be added to the tracker. */
	add_status?: boolean,
	/**
	 * Submit although no commit of the work exists. Without it, such a bead of a repository is refused with
	 * `commit_missing`.
	 */
	without_commit?: boolean,
	/** Whether the execution log of its latest session is saved in its notes. */
	log?: boolean,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** Parameters of `bead.update`. */
export type BeadUpdateParams = {
	/** Which bead. */
	id: BeadId,
	/** What changes. */
	change: BeadChange,
	/**
	 * The `updated_at` of the version that the user edited. If the bead has another one, the change is refused with
	 * `bead_changed`.
	 */
	expected?: string | null,
	/** In whose name; the user's unless given. */
	actor?: string | null,
};

/** How the bead of a recovery block was chosen. */
export type Because =
/** It was named. */
"named" |
/** It is the session's current one; or the session has none. */
"session" |
/** It is the caller's latest in progress. */
"latest" |
/** The caller has none in progress. */
"nothing";

/** A git branch that `git check-ref-format --branch` accepts. */
export type BranchName = string;

/** What is on the branch. */
export type BranchTier = {
	/** Whether a backup is made when a session ends. */
	at_end: boolean,
	/** Whether that one is pushed. */
	push: boolean,
	/** Whether conversations are in it. */
	transcripts: boolean,
	/** The branch's name. */
	branch: string,
	/** When a backup was last made from this clone, whether or not there was anything new. */
	last_at: string | null,
	/** The commit that the branch stands on. */
	commit: string | null,
	/** What is in it. */
	counts: BackupCounts | null,
	/** The remote that it is pushed to. */
	remote: string | null,
	/** Commits that the remote has not, as far as was seen last. */
	ahead: number,
	/** Commits of the remote that are not here. */
	behind: number,
	/** When it was last pushed from this clone. */
	last_push_at: string | null,
	/** Why the last push failed; it is tried again with the next backup. */
	push_error: string | null,
	/** Why the last backup failed, or what it had to leave out. */
	problem: string | null,
};

/** What is compared with what was before a session. */
export type ChangesOf =
/** Its folder, with what is in no commit. */
"folder" |
/** Its branch: the folder is not there, or has something else checked out. */
"branch" |
/** The commits that were recorded of it: it is closed. */
"commits";

/** How to treat a working tree that has the merge target checked out. */
export type CheckedOut =
/** Leave it: the queue waits for the user's decision. */
"ask" |
/** Update it if it has no uncommitted changes, as `git merge --ff-only` does. */
"follow";

/** One conversation of Claude Code within a session. */
export type ClaudeSession = {
	/** Claude's id of it. */
	id: ConversationId,
	/** Claude's transcript file, once known. */
	transcript_path?: string,
	/** When it began. */
	started_at: string,
	/** Whether a prompt was ever submitted: otherwise claude keeps no conversation to resume. */
	prompted?: boolean,
};

/** Whether sessions with the real claude can be started. */
export type ClaudeState =
/** They can. */
{ state: "ready";
/** Claude's version. */
version: string } |
/** It is not on the path. */
{ state: "missing";
/** How to get it. */
hint: string } |
/** It is older than what is needed. */
{ state: "too_old";
/** What is there. */
version: string;
/** What is needed. */
needed: string } |
/** A policy or setting switches its hooks off, so that nothing could be recorded. */
{ state: "hooks_disabled";
/** Claude's version. */
version: string;
/** What to do. */
hint: string } |
/** It has no account. */
{ state: "not_logged_in";
/** Claude's version. */
version: string };

/** The answer of `session.cleanup`. */
export type CleanedUp = {
	/** Drafts older than 24 hours that were closed. */
	closed_drafts: SessionId[],
	/** Sessions that were in the trash folder for longer than seven days and are gone now. */
	removed: SessionId[],
	/** The sessions that the user should decide about. */
	stale: StaleSessions,
	/** What could not be done. */
	warnings: string[],
};

/** Why a session is closed. */
export type CloseReason =
/** The user ended it. */
"user" |
/** Its bead moved to in review. */
"in_review" |
/** A draft that was never started. */
"abandoned";

/** The purpose of a command. */
export type CommandKind =
/** Tests. */
"test" |
/** A build. */
"build";

/** Whose a command is. */
export type CommandOrigin =
/** Claude's own. */
"claude" |
/** The project's. */
"project" |
/** The person's. */
"person";

/** Command lines, split into words. */
export type CommandWords = {
	/** One entry per line; `null` if a quote is not closed. */
	words: (string[] | null)[],
};

/** Parameters of `fleet.command_words`. */
export type CommandWordsParams = {
	/** Command lines as the user wrote them. */
	lines: string[],
};

/** A commit. */
export type CommitLine = {
	/** The full hash. */
	hash: string,
	/** The first line of its message, as written. */
	subject: string,
	/** The author's name, as written. */
	author: string,
	/** The commit date, if known. */
	at: string | null,
};

/** The answer of `session.completions`. */
export type Completions = {
	/** What may follow a `/` at the beginning, without it. */
	commands: SlashCommand[],
	/** What may follow an `@`: the files that git shows in the session's folder, relative to it. */
	files: string[],
	/** How many files there are beyond those. */
	more_files: number,
};

/** A file that both sides changed. */
export type ConflictFile = {
	/** Relative to the repository's root. */
	path: string,
	/** Number of conflicts; 1 for a file that is deleted on one side or not text. */
	conflicts: number,
};

/** The code context that a session receives at its start. */
export type ContextChoice =
/** Nothing beside the prompt. */
"none" |
/** Convention files and files that are named in the bead. */
"automatic";

/** How full the model's context is, as claude counts. */
export type ContextUse = {
	/** Tokens in it. */
	tokens: number,
	/** How many fit. */
	size: number,
};

/** A conversation of Claude Code (its `session_id`); one session may have several. */
export type ConversationId = string;

/** A group of beads. */
export type Convoy = {
	/** Its id, also its file's name. */
	id: ConvoyId,
	/** Its display name. */
	name: string,
	/** Its beads without duplicates, in the given order. */
	beadIds: BeadId[],
	/** The finished or merged part, 0 to 1. */
	progress: number | null,
	/** When it was created. */
	createdAt: string,
};

/** A convoy of the fleet. */
export type ConvoyId = string;

/** A project's figures over a range of days. */
export type Dashboard = {
	/** The range. */
	range: Range,
	/** When the figures were computed. */
	counted_at: string,
	/** Every day of the range, including empty ones. */
	days: Day[],
	/** Number of sessions created in the range. */
	sessions: number,
	/** Their mean active time, in milliseconds. */
	average_duration_ms: number,
	/** Mean number of sessions per bead worked on in the range; `None` without any. */
	sessions_per_bead: number | null,
	/** The totals of the range, over all sessions. */
	total: Amount,
	/** The same by bead, the most tokens first; `name` is empty for work without a bead. */
	beads: Share[],
	/** The same by agent, the most used first; `name` is empty for claude's default. */
	agents: Share[],
};

/** One day of a project, in this machine's time zone. */
export type Day = {
	/** `2026-01-19`. */
	date: string,
	/** Number of sessions created on it. */
	sessions: number,
} & Amount;

/** Parameters of `session.delete_many`: these sessions, or all closed ones of a range of dates. */
export type DeleteManyParams = {
	/** These; empty means by date. */
	ids?: SessionId[],
	/** Only those that were closed before this moment. */
	before?: string | null,
	/** Only those that were closed at this moment or later. */
	after?: string | null,
	/** Only says which they are. */
	dry_run?: boolean,
};

/** Whether beads can be deleted. */
export type DeleteSupport =
/** Not at all. */
"no" |
/** For good. */
"permanent" |
/** `bead.undelete` brings them back. */
"undoable";

/** The answer of `session.delete_many`. */
export type Deleted = {
	/** Those that are in the trash folder now, or would be. */
	sessions: SessionView[],
	/** Those that are not. */
	refused: NotDeleted[],
};

/** Whether a text reached claude. */
export type Delivery =
/** Claude has it. */
"sent" |
/** It waits, on disk, until claude is at its prompt. */
"held" |
/** It was typed but not confirmed by claude: check before retrying. */
"unconfirmed";

/** How a file differs. */
export type DiffChange =
/** It was not there. */
"added" |
/** It has other content. */
"modified" |
/** It is gone. */
"deleted" |
/** It has another name. */
"renamed";

/** The bead of a session that is to be ended. */
export type EndBead = {
	/** Its id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its state. */
	status: BeadStatus,
};

/** The answer of `session.end_preview`: what an end would ask. */
export type EndPreview = {
	/** The session's bead; absent if it has none or it cannot be read. */
	bead: EndBead | null,
	/** Whether to ask "Move to in review?": the bead is in progress. */
	suggest_review: boolean,
	/** Whether the tracker would get the custom status `in_review` for that: ask, then `add_status`. */
	needs_consent: boolean,
	/** The execution log as Markdown, for the person to edit. */
	log: string,
	/** What it was made from. */
	facts: ExecutionFacts,
	/** What could not be found out. */
	warnings: string[],
};

/** The kind of an error, for programs. Clients match codes, never text. */
export type ErrorCode =
/** Invalid argument. */
"usage" |
/** Invalid branch name. */
"branch_invalid" |
/** More text than may be sent. */
"text_too_large" |
/** The project folder is not there. */
"project_not_found" |
/** The folder has no beads. */
"no_beads" |
/** The bead is not there, or no longer. */
"bead_not_found" |
/** The session is not there. */
"session_not_found" |
/** The agent prompt is not there. */
"agent_not_found" |
/** The memory is not there. */
"memory_not_found" |
/** There is no backup of the project. */
"backup_not_found" |
/** The convoy is not there. */
"convoy_not_found" |
/** The request to merge is not in the queue. */
"merge_not_found" |
/** No server for browsers runs. */
"server_not_found" |
/** The worktree is not there. */
"worktree_not_found" |
/** The folder is not in a git repository. */
"not_a_repository" |
/** The repository has no commit to branch from. */
"no_commits" |
/** Tracked files are changed and the branch would have to change. */
"dirty_tree" |
/** The branch exists and is not the bead's. */
"branch_exists" |
/** The branch is checked out elsewhere. */
"branch_in_use" |
/** Another session works in that folder on another branch. */
"folder_in_use" |
/** The bead is claimed by another actor. */
"bead_claimed" |
/** The bead is in a state that does not allow it. */
"bead_state" |
/** The bead changed since the version that the user edited. */
"bead_changed" |
/** The dependency would close a cycle. */
"dependency_cycle" |
/** The tracker cannot store or do this. */
"tracker_unsupported" |
/** The session is in a state that does not allow it. */
"session_state" |
/** The hook, or its work, is in a state that does not allow it. */
"hook_state" |
/** The merge queue, or a request in it, is in a state that does not allow it. */
"queue_state" |
/** The user must consent first. */
"confirmation_needed" |
/** No commit of the work exists; the user may submit it anyway. */
"commit_missing" |
/** The repository's git settings name programs that the user has not allowed. */
"programs_not_allowed" |
/** The tracker can only be read. */
"tracker_read_only" |
/** Changing the file could destroy data. */
"file_refused" |
/** Claude Code is not installed. */
"claude_missing" |
/** Claude Code is older than what is needed. */
"claude_too_old" |
/** Claude Code has no account. */
"claude_not_logged_in" |
/** A policy or setting switches claude's hooks off. */
"hooks_disabled" |
/** Claude ended as soon as it was started. */
"claude_exited" |
/** git is not installed. */
"git_missing" |
/** The tracker's program is not installed. */
"tracker_missing" |
/** A program with the tracker's name is another one. */
"tracker_wrong_program" |
/** The tracker did not answer in time. */
"tracker_timeout" |
/** The tracker failed. */
"tracker_failed" |
/** git failed. */
"git_failed" |
/** The setup command of a new worktree failed. */
"setup_failed" |
/** The session's host could not be started or reached. */
"host_unreachable" |
/** Another process has the project open and does not answer. */
"engine_unreachable" |
/** The disk is full. */
"disk_full" |
/** The folder or disk cannot be written. */
"read_only" |
/** A file could not be read or written. */
"io" |
/** Anything else; the message says what. */
"internal";

/** What happened. */
export type Event =
/** Beads changed, by this program or another: reload the list. */
{ type: "beads_changed" } |
/** A session is new or changed. */
{ type: "session_changed";
/** It, whole. */
session: SessionView } |
/** A session is gone from the list. */
{ type: "session_deleted";
/** Which. */
id: SessionId } |
/** A message is new or has more in it. */
{ type: "message_upserted";
/** Whose conversation. */
session_id: SessionId;
/** It, whole; it replaces one with the same id. */
message: Message } |
/** A piece of an answer while the model writes it. What is recorded comes as a message. */
{ type: "stream_delta";
/** Whose conversation. */
session_id: SessionId;
/** Claude's id of the message being written; not the transcript's. */
message_id: string;
/** The number of the piece, from 0. One may overtake another. */
index: number;
/** The piece. */
text: string;
/** Whether it is the message's last one. */
final: boolean } |
/** The marks of viewed files changed: reload them. */
{ type: "viewed_changed";
/** Whose change. */
id: SessionId } |
/** The fleet changed, by this program or another: reload its overview. */
{ type: "fleet_changed" } |
/** The list of open projects changed. */
{ type: "projects_changed" } |
/** Events were lost: reload everything. */
{ type: "resync" };

/** One event with its place in the order. */
export type EventEnvelope = {
	/** Grows by one an event, at most 2^53. */
	seq: number,
	/** Which project it is about; absent when it is about the program. */
	project?: ProjectKey,
	/** What happened. */
	event: Event,
};

/** The recorded facts of a session. */
export type ExecutionFacts = {
	/** The session. */
	session: SessionId,
	/** When work began. */
	started_at: string | null,
	/** The agent prompt. */
	agent: AgentName | null,
	/** The branch. */
	branch: BranchName | null,
	/** Milliseconds of active time. */
	active_ms: number,
	/** Files that changed since the session started, committed or not. */
	files: FileLine[],
	/** Its commits, oldest first. */
	commits: CommitLine[],
	/** Commands that ran tests or builds, oldest first. */
	commands: RanCommand[],
	/** The agent's last text. */
	summary: string | null,
	/** Whether the built-in simulated agent ran instead of Claude Code. */
	simulated: boolean,
};

/** The kinds of exports. */
export type ExportFormat =
/** Markdown, readable in a plain viewer. */
"md" |
/** The record and its messages. */
"json";

/** A document. */
export type Exported = {
	/** A name for its file. */
	file_name: string,
	/** Its text. */
	text: string,
	/** How many secrets were struck out. */
	secrets_removed: number,
};

/** How a file changed. */
export type FileChange =
/** It is new. */
"new" |
/** Its content changed. */
"modified" |
/** It was deleted. */
"deleted";

/** A file that differs. */
export type FileDiff = {
	/** Relative to the repository's root. */
	path: string,
	/** Where it was, if it was moved. */
	from: string | null,
	/** How it changes. */
	change: DiffChange,
	/** Added lines; absent for binary files. */
	added: number | null,
	/** Removed lines; absent for binary files. */
	removed: number | null,
	/** The hunks of a unified diff, as git writes them, without the file's head. */
	diff: string,
	/** Whether there is more of it. */
	cut: boolean,
	/**
	 * Identifies both contents of the diff: equal for equal contents, committed or not, and different otherwise.
	 * Absent if unknown.
	 */
	content: string | null,
};

/** A changed file. */
export type FileLine = {
	/** Relative to the working folder if inside it. */
	path: string,
	/** The change. */
	change: FileChange,
};

/** Parameters of `fleet.agent_create`. */
export type FleetAgentCreateParams = {
	/** What it is there for. */
	role: AgentRole,
	/** The project that it works in; this one unless given. */
	rig?: string | null,
	/** What people call it; `Agent 1` and so on unless given. */
	name?: string | null,
};

/** An agent of the fleet, `polecat-0123456789`, or another program's name for one. */
export type FleetAgentId = string;

/** The current state of an agent. */
export type FleetAgentNow = {
	/** Who it is; its status is what is true of it and not what was written. */
	identity: AgentIdentity,
	/** What people call it. */
	name: string,
	/** Its state, in more detail than its status. */
	state: FleetAgentState,
	/** What blocks it, in one line; absent if nothing does. */
	reason: string | null,
	/** How the user can resolve that, in one sentence. */
	to_do: string | null,
	/** How its hook is. */
	hook: HookStatus,
	/** What hangs on it. */
	bead: BeadId | null,
	/** What that is called. */
	title: string | null,
	/** What the tracker says of it. */
	bead_status: BeadStatus | null,
	/** Its session: the one that lives, else the one that could be resumed. */
	session_id: SessionId | null,
	/** The branch that it works on. */
	branch: BranchName | null,
	/** Since when its state is what it is. */
	since: string | null,
	/** Milliseconds that its session was active. */
	active_ms: number,
	/** Tokens of its session. */
	tokens: number | null,
	/** What its session cost, as claude counts. */
	cost_usd: number | null,
	/** The last that it said or did, on one line. */
	last_line: string | null,
	/** When that was. */
	last_at: string | null,
	/** Where its program runs. */
	runner: string,
	/** Whether the simulated agent runs in its session, or would. */
	simulated: boolean,
};

/** Which agent. */
export type FleetAgentRef = {
	/** Its name. */
	id: FleetAgentId,
};

/** Parameters of `fleet.agent_rename`. */
export type FleetAgentRenameParams = {
	/** Which agent; its id stays. */
	id: FleetAgentId,
	/** What people call it; no other agent is called so. */
	name: string,
};

/** One agent, or none. */
export type FleetAgentShown = {
	/** The agent; its status is computed, not the recorded one. */
	agent: AgentIdentity | null,
	/** What people call it. */
	name: string | null,
	/** Its hook, if anything ever hung on it. */
	hook: HookState | null,
	/** What was found wrong with files. */
	warnings: string[],
};

/** The state of an agent. */
export type FleetAgentState =
/** It has no session and can take work. */
"idle" |
/** Its session is being opened. */
"starting" |
/** It is in a turn. */
"working" |
/** It is at its prompt. */
"at_prompt" |
/** It asks for a permission, for trust or for a login, or its session has a trouble. */
"needs_you" |
/** The model's service lets it wait. */
"rate_limited" |
/** No sign of activity for the configured time. */
"silent" |
/** Its session was paused, by a person or because it sat at its prompt. */
"paused" |
/** Its session died. */
"interrupted" |
/** It is not used any more. */
"terminated";

/** Parameters of `fleet.agent_status`. */
export type FleetAgentStatusParams = {
	/** Its name. */
	id: FleetAgentId,
	/** What it is about. */
	status: AgentStatus,
};

/** What became of one agent. */
export type FleetAgentSteered = {
	/** It, as it is now. */
	agent: FleetAgentNow,
	/** What was found wrong. */
	warnings: string[],
};

/** Agents. */
export type FleetAgents = {
	/** By name; their status is computed, not the recorded one. */
	agents: AgentIdentity[],
	/** What people call them, in the same order. */
	names: string[],
	/** The hooks of those that have one. */
	hooks: HookState[],
	/** What was found wrong with files. */
	warnings: string[],
};

/** Parameters of `fleet.agents`. Everything given must be true of an agent. */
export type FleetAgentsParams = {
	/** Of this role. */
	role?: AgentRole | null,
	/** Of this rig. */
	rig?: string | null,
};

/** Parameters of `fleet.approve`. */
export type FleetApproveParams = {
	/** Whose work. */
	bead: BeadId,
	/** The reviewed commit; refused if the branch has moved since. */
	tip?: string | null,
};

/** Parameters of `fleet.broadcast`. */
export type FleetBroadcastParams = {
	/** The agents; if empty, every agent with a live session. */
	agents?: FleetAgentId[],
	/** What. */
	text: string,
};

/** The result of a broadcast. */
export type FleetBroadcasted = {
	/** In the order in which they were named, else by name. */
	told: FleetTold[],
};

/** Parameters of `fleet.convoy_add` and `fleet.convoy_remove`. */
export type FleetConvoyBeadsParams = {
	/** Which convoy. */
	id: ConvoyId,
	/** Which beads. */
	beads: BeadId[],
};

/** Parameters of `fleet.convoy_close`. */
export type FleetConvoyCloseParams = {
	/** Which convoy. */
	id: ConvoyId,
	/** Whether it is opened again instead. */
	reopen?: boolean,
};

/** How many beads of a convoy are what. */
export type FleetConvoyCounts = {
	/** Part of the target branch. */
	merged: number,
	/** Closed in the tracker, but not merged by our queue. */
	done: number,
	/** Done by their agents, and not closed yet. */
	in_review: number,
	/** Done, and not to be merged as they are. */
	conflicted: number,
	/** An agent works on them. */
	in_progress: number,
	/** On a hook, and not begun. */
	hooked: number,
	/** Ready. */
	ready: number,
	/** Wait for others. */
	blocked: number,
	/** Deferred, or marked as blocked by a user. */
	put_off: number,
	/** The tracker does not have them. */
	missing: number,
};

/** Parameters of `fleet.convoy_create`. */
export type FleetConvoyCreateParams = {
	/** Its name for people. */
	name: string,
	/** What is in it. */
	beads: BeadId[],
};

/** A convoy as it is. */
export type FleetConvoyNow = {
	/** Its name for programs. */
	id: ConvoyId,
	/** Its name for people. */
	name: string,
	/** When it was made. */
	created_at: string,
	/** When it was closed, by a person or because all of it was done. */
	closed_at: string | null,
	/** How many beads are in it. */
	total: number,
	/** How much of it is done or merged, 0 to 1. */
	progress: number | null,
	/** Its beads by what they are; each is counted once. */
	counts: FleetConvoyCounts,
	/** Stranded beads, which cannot advance as things are; at most 100. */
	stranded: FleetStranded[],
	/** How many there are. */
	stranded_total: number,
};

/** Which convoy. */
export type FleetConvoyRef = {
	/** Its name for programs. */
	id: ConvoyId,
};

/** Parameters of `fleet.convoy_rename`. */
export type FleetConvoyRenameParams = {
	/** Which convoy. */
	id: ConvoyId,
	/** Its new name for people. */
	name: string,
};

/** One convoy, or none. */
export type FleetConvoyShown = {
	/** It. */
	convoy: Convoy | null,
	/** What happened to it, the oldest first. */
	events: FleetEvent[],
	/** What was found wrong with files. */
	warnings: string[],
};

/** Convoys. */
export type FleetConvoys = {
	/** By name. */
	convoys: Convoy[],
	/** What was found wrong with files. */
	warnings: string[],
};

/** How work is assigned. */
export type FleetDispatchNow = {
	/** Whether ready work is assigned to idle agents automatically. */
	auto: boolean,
	/** Whether the fleet is paused: no work is assigned and no session resumed. */
	paused: boolean,
	/** How many sessions are being opened. */
	starting: number,
	/** Agents with work whose sessions live or are being opened. */
	working: number,
	/** The maximum number of working agents. */
	max_agents: number,
	/** Agents that could take work. */
	idle: number,
	/** Free memory, MiB; absent where the system does not tell. */
	free_mib: number | null,
	/** The minimum of free memory for starting a session. */
	min_free_mib: number,
	/** What sessions of agents cost that were active today, USD. */
	cost_today_usd: number | null,
	/** The daily limit; no session starts once it is reached. */
	cost_per_day_usd: number | null,
	/** Why no more work is assigned now, in one sentence; absent if it would be. */
	why_not: string | null,
};

/** Parameters of `fleet.dispatch`. */
export type FleetDispatchParams = {
	/** These agents get these beads. */
	pairs?: FleetHookParams[],
	/** Whether idle agents get what is ready, as far as the limits allow. */
	all?: boolean,
};

/** The result of `fleet.dispatch`. */
export type FleetDispatched = {
	/** The assignments made. */
	given: FleetGiven[],
	/** Refused assignments. */
	refused: FleetRefused[],
	/** Why no more work was assigned. */
	why_not: string | null,
	/** What was found wrong. */
	warnings: string[],
};

/** An event in a log. */
export type FleetEvent = {
	/** Its id, a UUID; empty in lines of earlier builds. */
	id: string,
	/** The time in RFC 3339. Other programs compare it as text, so it is in UTC with milliseconds. */
	timestamp: string,
	/** `registry`, `routing`, `execution`, or another program's category. */
	category: string,
	/** `debug`, `info`, `warn`, `error` or `critical`. */
	severity: string,
	/** The event's agent. */
	agentId?: string,
	/** The convoy of the log. */
	convoyId?: string,
	/** A message for the user. */
	message: string,
	/** Data for programs: ours contain `event` (the kind) and the kind's fields. */
	details: { [key in string]: Value },
};

/** A piece of work that an agent got. */
export type FleetGiven = {
	/** Who. */
	agent: FleetAgentId,
	/** Got what. */
	bead: BeadId,
	/** The session that was opened for it. */
	session_id: SessionId,
};

/** Parameters of `fleet.go_on`. */
export type FleetGoOnParams = {
	/** Whether the sessions that were paused are resumed, too. */
	resume?: boolean,
};

/** Parameters of `fleet.hook_set`. */
export type FleetHookParams = {
	/** Who. */
	agent: FleetAgentId,
	/** Gets what. */
	bead: BeadId,
};

/** One hook, or none. */
export type FleetHookShown = {
	/** It. */
	hook: HookState | null,
	/** What was found wrong with files. */
	warnings: string[],
};

/** Which request. */
export type FleetMergeRef = {
	/** Its name. */
	id: MergeRequestId,
};

/** The answer of `fleet.overview`. */
export type FleetOverview = {
	/** What the project is called. */
	rig: string,
	/** By role, then by name. */
	agents: FleetAgentNow[],
	/** Those that are open, the oldest first, then those that are closed, the latest first. */
	convoys: FleetConvoyNow[],
	/** Unassigned ready beads in dispatch order; at most 500. */
	ready: FleetReady[],
	/** How many there are. */
	ready_total: number,
	/** How work is assigned. */
	dispatch: FleetDispatchNow,
	/** What was found wrong. */
	warnings: string[],
};

/** The result of pausing or resuming the fleet. */
export type FleetPaused = {
	/** Whether the fleet is paused now. */
	paused: boolean,
	/** Whose sessions were paused or resumed. */
	agents: FleetAgentId[],
	/** What did not work. */
	warnings: string[],
};

/** The merge queue. */
export type FleetQueue = {
	/** By name. */
	requests: MergeRequest[],
	/** What was found wrong with files. */
	warnings: string[],
};

/** Parameters of `fleet.queue_add`. */
export type FleetQueueAddParams = {
	/** Whose work is to be merged. */
	bead: BeadId,
	/** The branch, if not that of the bead's latest session. */
	source?: BranchName | null,
	/** What it is merged into, if not what the settings or its session say. */
	target?: BranchName | null,
};

/** Parameters of `fleet.queue_move`. */
export type FleetQueueMoveParams = {
	/** Which request. */
	id: MergeRequestId,
	/** Before which other one; behind all where none is given. */
	before?: MergeRequestId | null,
};

/** What a merge printed, or a part of it. */
export type FleetQueueOutput = {
	/** The part, without terminal escapes. Of much output the middle is left out, and says so. */
	text: string,
	/** Where the next part begins. */
	next: number,
	/** Whether there is more already. */
	more: boolean,
	/** Whether the request is being merged just now. */
	live: boolean,
};

/** Parameters of `fleet.queue_output`. */
export type FleetQueueOutputParams = {
	/** Which request's. */
	id: MergeRequestId,
	/** From where: 0, or what an earlier answer gave as `next`. */
	from?: number,
};

/** Parameters of `fleet.queue_retry`. */
export type FleetQueueRetryParams = {
	/** Which request. */
	id: MergeRequestId,
	/**
	 * Whether a working tree that has the target checked out is updated too, as `git merge --ff-only` does. That is kept as
	 * `merge_checked_out` of the project's settings.
	 */
	follow?: boolean,
};

/** A request to merge. */
export type FleetQueueRow = {
	/** Its name. */
	id: MergeRequestId,
	/** Whose work it is. */
	bead: BeadId,
	/** Its title; the bead's id if unknown. */
	title: string,
	/** What is merged. */
	source: BranchName,
	/** Into what. */
	target: BranchName,
	/** How far it is. */
	status: MergeStatus,
	/** What is just done, while it is being merged. */
	stage: MergeStage | null,
	/** When it came into the queue; absent for one that was merged long ago. */
	queued_at: string | null,
	/** Since when it is at its stage, or when it was merged. */
	since: string | null,
	/** Whether it was skipped. */
	skipped: boolean,
	/** What is in its way. */
	trouble: MergeTrouble | null,
	/** What the target became by it. */
	commit: string | null,
	/** What else the person should know: of a push that was refused, say. */
	note: string | null,
	/** The latest session that worked on it. */
	session: SessionId | null,
	/** The agent that worked on it. */
	agent: FleetAgentId | null,
};

/** The merge queue as it is. */
export type FleetQueueState = {
	/** What is not merged yet, in its order; then what is, the latest first. */
	rows: FleetQueueRow[],
	/** Whether nothing new is begun. */
	paused: boolean,
	/** The request that blocks the queue. */
	blocked: MergeRequestId | null,
	/** The request that is being merged. */
	merging: MergeRequestId | null,
	/** Whether a process works on the queue. */
	running: boolean,
	/** What was found wrong with files. */
	warnings: string[],
};

/** A ready bead. */
export type FleetReady = {
	/** Which. */
	bead: BeadId,
	/** What it is called. */
	title: string,
	/** The tracker's priority, 0 (most urgent) to 4. */
	priority: number,
	/** How urgent that is for the fleet. */
	class: Priority,
	/** `bug`, `feature`, `task` … */
	issue_type: string,
	/** When it was made. */
	created_at: string | null,
	/** Why dispatch skips it; absent if it does not. */
	held: string | null,
	/** The agent that would get it next. */
	agent: FleetAgentId | null,
};

/** Parameters of `fleet.recover`. */
export type FleetRecoverParams = {
	/** Whose work. */
	agent: FleetAgentId,
	/** What becomes of it. */
	action: FleetRecovery,
};

/** What to do with the work of a stuck agent. */
export type FleetRecovery =
/** Resume its session. */
"resume" |
/** End its session and let another agent continue on its branch, immediately if one is idle. */
"hand_on" |
/** End its session and leave the work unassigned until a user assigns it. */
"release";

/** A piece of work that an agent did not get. */
export type FleetRefused = {
	/** Who. */
	agent: FleetAgentId,
	/** Did not get what. */
	bead: BeadId,
	/** Why. */
	why: string,
};

/** Parameters of `fleet.request_changes`. */
export type FleetRequestChangesParams = {
	/** Whose work. */
	bead: BeadId,
	/** What is to be changed, for the agent. */
	text: string,
};

/** Finished work for review. */
export type FleetReview = {
	/** Whose work. */
	bead: BeadId,
	/** What it is, in a line. */
	title: string,
	/** The bead's state, where the tracker knows it. */
	bead_status: BeadStatus | null,
	/** The branch. */
	source: BranchName,
	/** The branch's commit. */
	tip: string,
	/** What it is compared with. */
	target: BranchName,
	/** What the branch has and the target has not, oldest first. */
	commits: CommitLine[],
	/** How many commits the target has that the branch has not. */
	behind: number,
	/** What the branch changed since it left the target. */
	files: FileDiff[],
	/** Whether files are left out because there are too many. */
	cut: boolean,
	/** Files with changes in the working tree of the branch that are in no commit, and so would not be merged. */
	uncommitted: string[],
	/** The latest session on it. */
	session: SessionId | null,
	/** The agent that worked on it. */
	agent: FleetAgentId | null,
	/** Its last request to merge, with what the check said. */
	request: FleetQueueRow | null,
};

/** Parameters of `fleet.review`. */
export type FleetReviewParams = {
	/** Whose work. */
	bead: BeadId,
	/** What it is compared with, if not what it would be merged into. */
	target?: BranchName | null,
	/** Whether white space alone is no difference. */
	ignore_space?: boolean,
};

/** The result of sending feedback to the agent of a bead. */
export type FleetSentBack = {
	/** The session that has it. */
	session: SessionId,
	/** How it got there. */
	how: SentBackBy,
};

/**
 * A project's fleet settings. They are stored beside the user's settings and never in the repository, which
 * must not run programs or raise limits for a user who opens it.
 */
export type FleetSettings = {
	/** The folder of the fleet's state, relative to the project or absolute. */
	state_dir: string,
	/** Whether ready work is assigned to idle agents automatically. */
	auto_dispatch: boolean,
	/** Maximum number of working agents. */
	max_agents: number,
	/** Minimum of free memory on the machine to start an agent, in MiB. */
	min_free_mib: number,
	/** Cost of today's agent sessions above which no agent starts, in USD; `null` for no limit. */
	cost_per_day_usd: number | null,
	/** Minutes without activity after which an agent counts as stalled. */
	stalled_minutes: number,
	/** The agent prompt of the agents' sessions; claude's own by default. */
	agent: AgentName | null,
	/** Their permission mode. */
	mode: PermissionMode,
	/** Their model; claude's default if not set. */
	model: string | null,
	/** Whether the simulated agent runs instead of claude. */
	simulated: boolean,
	/**
	 * The folder for worktrees, relative to the project or absolute; `null` for `<project>-worktrees` beside
	 * it.
	 */
	worktree_dir: string | null,
	/** The branch or revision from which agents' branches start; `null` for HEAD. */
	worktree_base: string | null,
	/** Files and folders that are copied into a new worktree, relative to the project. */
	worktree_copy: string[],
	/** Files and folders that a new worktree links to. */
	worktree_link: string[],
	/** The program, with its arguments, that runs in a new worktree before the agent does; empty for none. */
	worktree_setup: string[],
	/** Its timeout, in minutes. */
	worktree_setup_minutes: number,
	/** The target for finished work; `null` for the branch from which the work started. */
	merge_target: BranchName | null,
	/** The method of merging. */
	merge_method: MergeMethod,
	/** The program, with its arguments, that must succeed on the merged result; empty for none. */
	merge_check: string[],
	/** Its timeout, in minutes. */
	merge_check_minutes: number,
	/** The remote to which the target is pushed after it moved; `null` for none. */
	merge_push: string | null,
	/** How to treat a working tree that has the target checked out. */
	merge_checked_out: CheckedOut,
	/** Whether the user approves finished work before it is merged. */
	merge_review: boolean,
	/** The runners by name; `local` always exists. */
	runners: { [key in string]: Runner },
	/** The runner for these agents. */
	runner: string,
};

/**
 * A project's fleet settings. They are stored beside the user's settings and never in the repository, which
 * must not run programs or raise limits for a user who opens it.
 */
export type FleetSettingsInput = {
	/** The folder of the fleet's state, relative to the project or absolute. */
	state_dir?: string,
	/** Whether ready work is assigned to idle agents automatically. */
	auto_dispatch?: boolean,
	/** Maximum number of working agents. */
	max_agents?: number,
	/** Minimum of free memory on the machine to start an agent, in MiB. */
	min_free_mib?: number,
	/** Cost of today's agent sessions above which no agent starts, in USD; `null` for no limit. */
	cost_per_day_usd?: number | null,
	/** Minutes without activity after which an agent counts as stalled. */
	stalled_minutes?: number,
	/** The agent prompt of the agents' sessions; claude's own by default. */
	agent?: AgentName | null,
	/** Their permission mode. */
	mode?: PermissionMode,
	/** Their model; claude's default if not set. */
	model?: string | null,
	/** Whether the simulated agent runs instead of claude. */
	simulated?: boolean,
	/**
	 * The folder for worktrees, relative to the project or absolute; `null` for `<project>-worktrees` beside
	 * it.
	 */
	worktree_dir?: string | null,
	/** The branch or revision from which agents' branches start; `null` for HEAD. */
	worktree_base?: string | null,
	/** Files and folders that are copied into a new worktree, relative to the project. */
	worktree_copy?: string[],
	/** Files and folders that a new worktree links to. */
	worktree_link?: string[],
	/** The program, with its arguments, that runs in a new worktree before the agent does; empty for none. */
	worktree_setup?: string[],
	/** Its timeout, in minutes. */
	worktree_setup_minutes?: number,
	/** The target for finished work; `null` for the branch from which the work started. */
	merge_target?: BranchName | null,
	/** The method of merging. */
	merge_method?: MergeMethod,
	/** The program, with its arguments, that must succeed on the merged result; empty for none. */
	merge_check?: string[],
	/** Its timeout, in minutes. */
	merge_check_minutes?: number,
	/** The remote to which the target is pushed after it moved; `null` for none. */
	merge_push?: string | null,
	/** How to treat a working tree that has the target checked out. */
	merge_checked_out?: CheckedOut,
	/** Whether the user approves finished work before it is merged. */
	merge_review?: boolean,
	/** The runners by name; `local` always exists. */
	runners?: { [key in string]: RunnerInput },
	/** The runner for these agents. */
	runner?: string,
};

/** A stranded bead, which cannot advance as things are. */
export type FleetStranded = {
	/** Which. */
	bead: BeadId,
	/** What it is called; empty where the tracker does not have it. */
	title: string,
	/** Why. */
	why: string,
};

/** The result of a broadcast for one agent. */
export type FleetTold = {
	/** Who. */
	agent: FleetAgentId,
	/** Whether the agent received it; absent if it could not be sent. */
	delivery: Delivery | null,
	/** Why not, or why it waits. */
	reason: string | null,
};

/** Pieces of work. */
export type FleetWork = {
	/** By their beads, as the hooks say they are. */
	work: WorkItem[],
	/** What was found wrong with files. */
	warnings: string[],
};

/** Parameters of `fleet.work_create`. */
export type FleetWorkCreateParams = {
	/** What it is, in a line. */
	title: string,
	/** What is to be done. */
	description?: string,
	/** How urgent it is. */
	priority?: Priority,
};

/** Which piece of work. */
export type FleetWorkRef = {
	/** The bead. */
	bead: BeadId,
};

/** One piece of work, or none. */
export type FleetWorkShown = {
	/** It, as the hooks and the tracker say it is. */
	work: WorkItem | null,
	/** What was found wrong with files. */
	warnings: string[],
};

/** Parameters of `fleet.work_status`. */
export type FleetWorkStatusParams = {
	/** The bead. */
	bead: BeadId,
	/** How far it is. */
	status: WorkStatus,
};

/** Where a session works. */
export type FolderChoice =
/** The repository itself while no other active session uses it on another branch, else a worktree. */
"auto" |
/** A git worktree beside the repository. */
"worktree" |
/** The repository itself, or an error. */
"repository";

/** The answer of `app.folders`: at most 50, in order. */
export type FolderSuggestions = {
	/** Folders whose name starts with the last part of the path; hidden ones only if that starts with a dot. */
	folders: SuggestedFolder[],
	/** Whether there are more. */
	more: boolean,
};

/** A session that was found. */
export type FoundSession = {
	/** It. */
	session: SessionView,
	/** Some of the places; empty where no text was asked for. */
	hits: Hit[],
	/** How many places there are; counted up to a hundred. */
	hit_count: number,
};

/** A dependency: `from` depends on `to`. */
export type GraphEdge = {
	/** The bead that depends. */
	from: BeadId,
	/** The bead that it depends on. */
	to: BeadId,
	/** `blocks`, `parent-child`, `related` … */
	kind: string,
};

/** A bead in the graph. */
export type GraphNode = {
	/** Which bead. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its status. */
	status: BeadStatus,
	/** Whether it can be started. */
	ready: boolean,
	/** 0 to 4. */
	priority: number,
	/** Its type. */
	issue_type: string,
	/** The number of open beads that wait for it, directly or through others. */
	unblocks_all: number,
};

/** Why claude does not have a text yet. */
export type HeldState =
/** It waits for claude's prompt and is then typed. */
"waiting" |
/** It was typed but not confirmed by claude; it is never typed again automatically. */
"unconfirmed" |
/**
 * Claude returned it because the turn was stopped before the first word of a reply. It is never typed again
 * automatically.
 */
"returned";

/** A text that waits for claude's prompt. */
export type HeldText = {
	/** Ours. */
	id: string,
	/** The text. */
	text: string,
	/** Since when. */
	at: string,
	/** What is the matter with it. */
	state: HeldState,
};

/** Parameters of `session.retry` and `session.forget`. */
export type HeldTextRef = {
	/** Which session. */
	id: SessionId,
	/** Which text. */
	text: string,
};

/** A match in a session. */
export type Hit = {
	/** The message; `None` if the match is in the title or objective. */
	message: string | null,
	/** The message's position in the conversation, from 0. */
	place: number | null,
	/** The message's author. */
	role: Role | null,
	/** When it was said. */
	at: string,
	/** The tool, if the match is in a tool's input or output. */
	tool: string | null,
	/** The text around the match. */
	snippet: Piece[],
};

/** Parameters of `hooks.allow`. */
export type HookAllowParams = {
	/** Whether hooks of workspaces run at all, once allowed. */
	workspace: boolean,
};

/** A hook's decision on a tool call; the greatest one takes effect. */
export type HookDecision =
/** It may run without asking. */
"allow" |
/** The user is asked. */
"ask" |
/** It may not run. */
"deny";

/** One hook. */
export type HookEntry = {
	/** What for. */
	event: HookEvent,
	/** Its command for /bin/bash. */
	bash: string | null,
	/** Its command for PowerShell. */
	powershell: string | null,
	/** Its working folder, relative to the file's. */
	cwd: string,
	/** How long it may run, in milliseconds. */
	timeout_ms: number,
	/** Additional environment variables. */
	env: { [key in string]: string },
	/** Whether it is switched on. */
	enabled: boolean,
};

/** The events of hooks. */
export type HookEvent =
/** A conversation started, resumed or was cleared. */
"sessionStart" |
/** A run of the agent ended, or its conversation was cleared. */
"sessionEnd" |
/** A prompt was submitted. */
"userPromptSubmitted" |
/** A tool is about to be used; the answer may refuse it. */
"preToolUse" |
/** A tool was used. */
"postToolUse" |
/** A tool failed, or a turn did. */
"errorOccurred";

/** A place where hooks can be. */
export type HookFile = {
	/** Its absolute path. */
	path: string,
	/** Whose it is. */
	scope: HookScope,
	/** Whether it runs. */
	state: HookFileState,
	/** One digest of it and of its scripts: what is allowed, and what is saved over, is named by it. */
	fingerprint: string | null,
	/** Its text. */
	text: string | null,
	/** Its hooks. */
	hooks: HookEntry[],
	/** The files of the repository that its commands run. */
	scripts: HookScript[],
	/** What changed since it was allowed, file by file; empty where nothing did or nothing was. */
	change: string,
	/** What was passed over in it, and why it cannot be allowed. */
	warnings: string[],
};

/** Whether a file's hooks run. */
export type HookFileState =
/** There is none. */
"absent" |
/** Active: it is the user's own. */
"own" |
/** Active: the user allowed its current content. */
"trusted" |
/** The person allowed it, and hooks of workspaces are switched off. */
"off" |
/** The user has not been asked yet. */
"new" |
/** It, or one of its scripts, changed since the user allowed it. */
"changed" |
/** It cannot be allowed; the warnings say why. */
"refused";

/** The answer of `hooks.list` and of what changes them. */
export type HookFiles = {
	/** Whether hooks of workspaces run at all, once allowed. */
	workspace_allowed: boolean,
	/** Every place where hooks can be, in the order in which they run. */
	files: HookFile[],
	/** What is wrong besides. */
	warnings: string[],
};

/** One line of `hooks.jsonl`: one run of one hook. */
export type HookRun = {
	/** [`HOOK_RUN_VERSION`] of the build that wrote it. */
	version: number,
	/** When it started. */
	at: string,
	/** Its event. */
	event: HookEvent,
	/** The reason: the source of a start, the cause of an end, the tool's name. */
	reason: string | null,
	/** The file that defines the hook. */
	file: string,
	/** The command, as written in the file. */
	command: string,
	/** Its duration in milliseconds. */
	duration_ms: number,
	/** Its exit code; `None` if it did not run, timed out, or was ended by a signal. */
	exit: number | null,
	/** Its standard output, cut. */
	stdout: string,
	/** Its standard error, cut. */
	stderr: string,
	/** The problem: it did not run, timed out, failed, or printed invalid JSON. */
	warning: string | null,
	/** Its decision on the tool call. */
	decision: HookDecision | null,
	/** Size of its context for the agent, in bytes. */
	context_bytes: number,
};

/** A run, and where it was. */
export type HookRunOf = {
	/** The session. */
	session_id: SessionId,
	/** What came of it. */
	run: HookRun,
};

/** Parameters of `hooks.runs`. Everything given must be true of a run. */
export type HookRunsParams = {
	/** In this session. */
	session?: SessionId | null,
	/** For this event. */
	event?: HookEvent | null,
	/** Only those with which something was wrong. */
	failed?: boolean,
	/** The maximum number of results; default 200. */
	limit?: number | null,
};

/** The answer of `hooks.runs`. */
export type HookRunsShown = {
	/** The latest first. */
	runs: HookRunOf[],
	/** How many there are, whatever the limit. */
	total: number,
	/** What could not be read. */
	warnings: string[],
};

/** Parameters of `hooks.save`. */
export type HookSaveParams = {
	/** The file, as the list has it. */
	path: string,
	/** Its new text. */
	text: string,
	/** What it was when it was shown; absent where it was not there. Another one is not saved over. */
	fingerprint?: string | null,
};

/** Whose file it is. */
export type HookScope =
/** The user's own. */
"user" |
/** The repository's. */
"workspace" |
/** No hooks: the git settings of the repository that name programs, such as filters. Git runs them. */
"git";

/** A file that hooks run. */
export type HookScript = {
	/** Its absolute path. */
	path: string,
	/** The SHA-256 of its content, in hexadecimal digits. */
	sha256: string,
	/** Its text; broken bytes replaced. */
	text: string,
};

/** An agent's hook. */
export type HookState = {
	/** Its agent. */
	agentId: FleetAgentId,
	/** Its state. */
	status: HookStatus,
	/** The work, while it is pending or active. */
	workItem?: WorkItem,
	/** The last change, or the agent's last sign of life. */
	lastActivity: string,
};

/** The state of a hook. */
export type HookStatus =
/** No work. */
"empty" |
/** Work that the agent has not started. */
"pending" |
/** Work in progress. */
"active" |
/** Completed work; the hook must be cleared before it takes other work. */
"completed";

/** What hooks came to that were tried out: nothing of it is recorded or told to an agent. */
export type HookTest = {
	/** What they were given. */
	payload: Value,
	/** Each run, in order. */
	runs: HookRun[],
	/** What an agent would be told. */
	context: string[],
	/** What would become of the tool's use. */
	decision: HookDecision | null,
	/** Why. */
	reason: string | null,
	/** Files whose hooks were not run, and why. */
	warnings: string[],
};

/** Parameters of `hooks.test`. */
export type HookTestParams = {
	/** What for. */
	event: HookEvent,
	/** The event's own fields, an object; a sample unless given. */
	payload?: Value | null,
};

/** Parameters of `hooks.trust`. */
export type HookTrustParams = {
	/** The file, as the list has it. */
	path: string,
	/** Whether it may run. */
	trusted: boolean,
	/** What was shown to the person; needed for allowing it. A file that is not that any more is refused. */
	fingerprint?: string | null,
};

/** The answer of `hooks.reload`. */
export type HooksReloaded = {
	/** Number of live sessions that reloaded their hooks. */
	sessions: number,
};

/** A point of a Markdown file. */
export type ImportPoint = {
	/** The key that it gets. */
	key: string,
	/** What it says. */
	text: string,
	/** The heading that it stands below; a tag. */
	section: string | null,
	/** It is remembered already, or was forgotten. */
	known: boolean,
	/** The kinds of secrets that it seems to hold. */
	secrets: string[],
};

/** Parameters of `project.init`. */
export type InitParams = {
	/** What bead ids begin with; the folder's name unless given. */
	prefix?: string | null,
};

/** One line of `injections.jsonl`: one text, exactly as the agent received it. */
export type Injection = {
	/** [`INJECTION_VERSION`] of the build that wrote it. */
	version: number,
	/** When it was passed to claude. */
	at: string,
	/** The reason. */
	reason: Reason,
	/** Its source: `recovery`, `context pack`, `reminder` … */
	source: string,
	/** The text. */
	text: string,
	/** Its length in bytes of UTF-8. */
	bytes: number,
	/** The conversation. */
	conversation: ConversationId | null,
	/** Whether it is an older text, because the current one was not available in time. */
	stale: boolean,
};

/** The answer of `session.injections`. */
export type Injections = {
	/** In order. */
	injections: Injection[],
	/** What could not be read. */
	warnings: string[],
};

/** An interval in which the session was active. */
export type Interval = {
	/** When the session became active. */
	start: string,
	/** When it stopped being active; `None` while it is. A crash ends it at the last heartbeat. */
	end?: string,
};

/** A permission beyond a single use. */
export type LastingRule = {
	/** The rule: `Bash(git push *)`, `Accept edits mode`, `access to /tmp/x`. */
	rule: string,
	/** Its duration and scope. */
	holds: string,
};

/** The time to the first part of an answer. */
export type Latency = {
	/** The median, in milliseconds. */
	median_ms: number,
	/** The 90th percentile, in milliseconds. */
	p90_ms: number,
	/** Number of measurements. */
	answers: number,
};

/** Parameters of `app.keep_layout`. */
export type LayoutKept = {
	/** The project of the window. */
	project: ProjectKey,
	/** The state for reopening the window, at most 16 KiB. Only the window interprets it. */
	layout: Value,
};

/** A way in for one more browser. */
export type Link = {
	/** It works once, on this machine. */
	url: string,
};

/** The direction of a dependency relative to a bead. */
export type LinkDirection =
/** The bead depends on the other one (blocker, parent). */
"depends_on" |
/** The other one depends on the bead (a bead that it blocks, a child). */
"depended_on_by";

/** A memory at the other end of a link. */
export type LinkedMemory = {
	/** Its id. */
	id: BeadId,
	/** Its key. */
	key: string,
	/** Its title. */
	title: string,
	/** How they belong together. */
	kind: Relation,
	/** Whether the one that was asked for is the parent. */
	is_child: boolean,
};

/** What a running session's host says. */
export type Live = {
	/** The host's process. */
	host_pid: number,
	/** Claude's process; absent once it has ended. */
	agent_pid: number | null,
	/** What claude is doing. */
	activity: Activity,
	/** The model's name, once claude has said it. */
	model: string | null,
	/** How full the model's context is, once claude has said it. */
	context: ContextUse | null,
	/** Claude's retries of a failed request, while it makes them. */
	retry: ApiRetry | null,
	/** Permission requests that wait for an answer. */
	permissions: PermissionRequest[],
	/** Texts that wait for claude's prompt, oldest first. */
	held: HeldText[],
	/** Whether claude's hooks were ever heard; without them prompts and permissions are not known. */
	hooks_seen: boolean,
	/** Why a text would be held now; absent when it would be typed. */
	hold: string | null,
	/** Since when the activity is what it is. */
	activity_since: string,
	/** What went wrong and still is. */
	troubles: string[],
};

/** What is on this machine. */
export type LocalTier = {
	/** The tracker's word: `bd`, `br`, `embedded`, `read_only`. */
	tracker: string,
	/** How many sessions have a record. */
	sessions: number,
	/** What is wrong with it. */
	problem: string | null,
};

/** How much the diagnostic logs contain. */
export type LogLevel =
/** Nothing. */
"off" |
/** Failures. */
"error" |
/** Also what was recovered from. */
"warn" |
/** Also the steps of sessions and projects. */
"info" |
/** Also every command, hook event and program run. */
"debug" |
/** Everything. */
"trace";

/** The result of storing a memory. */
export type MemoryAction =
/** It is new. */
"remembered" |
/** It took the place of an older one. */
"updated";

/** One memory. */
export type MemoryEntry = {
	/** The id of its row in the tracker. */
	id: BeadId,
	/** Its key for users and agents; unique among those that are not forgotten. */
	key: string,
	/** The session in which it was stored. */
	session_id: string | null,
	/** The agent that stored it. */
	agent_id: string | null,
	/** Its type. */
	memory_type: MemoryType,
	/** One line. */
	title: string,
	/** The text; only loaded on request. */
	content: string | null,
	/** The beginning of the text, on one line. */
	excerpt: string,
	/** The length of the text in bytes of UTF-8. */
	bytes: number,
	/** The stored metadata, and `beads_issue_id`, `beads_priority`, `beads_status`, `workstream`. */
	metadata: { [key in string]: Value },
	/** When it was first stored. */
	created_at: string | null,
	/** When it last changed. */
	updated_at: string | null,
	/** When it was last requested, or else when it last changed. */
	accessed_at: string | null,
	/** Tags for finding it. */
	tags: string[],
	/** 1 (low) to 10 (always relevant). */
	importance: number,
	/** Always `None`: trackers do not support expiry. */
	expires_at: string | null,
	/** Its first dependency. */
	parent_id: BeadId | null,
	/** The bead on which it was learned. */
	bead_id: BeadId | null,
	/** Its links. */
	links: MemoryLink[],
	/** Whether it was forgotten: kept for the record, shown only on request. */
	forgotten: boolean,
};

/** What memories can be chosen by. */
export type MemoryFacets = {
	/** Agents. */
	agents: string[],
	/** Sessions, the newest first. */
	sessions: string[],
	/** Tags. */
	tags: string[],
};

/** Parameters of `memory.get`. */
export type MemoryGetParams = {
	/** Its key, or its id. */
	key: string,
	/** Whether the memory is used, not only viewed: the use is recorded and counts as recent. */
	used?: boolean,
};

/** Parameters of `memory.import`. */
export type MemoryImportParams = {
	/** The Markdown file, from the project's folder; `MEMORY.md` unless given. */
	path?: string | null,
	/** Only the points with these keys. */
	only?: string[] | null,
	/** Look at its points; nothing is stored. */
	preview?: boolean,
	/** Although it looks as if there were secrets in it. */
	anyway?: boolean,
};

/** What came of an import. */
export type MemoryImported = {
	/** The keys of the memories that were made, in the order of the file. */
	keys: string[],
	/** How many were there already. */
	known: number,
	/** The points of the file, where it was only looked at. */
	points: ImportPoint[],
	/** What to know. */
	warnings: string[],
};

/** A link from a memory to what it depends on. */
export type MemoryLink = {
	/** The other memory, or a bead. */
	id: BeadId,
	/** The relation. */
	kind: Relation,
};

/** Parameters of `memory.link`. */
export type MemoryLinkParams = {
	/** The memory that depends on the other. */
	child: string,
	/** The other one; a bead's id too. */
	parent: string,
	/** How they belong together; `related` unless given. */
	kind?: Relation | null,
};

/** Memories, without their texts. */
export type MemoryList = {
	/** The last changed first; what is found, the best first. */
	memories: MemoryEntry[],
	/** How many there are, whatever the limit. */
	total: number,
	/** Where they are kept. */
	kept_in: MemoryPlace,
	/** Every agent, session and tag that any memory has, for choosing. */
	facets: MemoryFacets,
	/** Keys of memories that say nearly the same, one list for each group, the oldest first. */
	duplicates: string[][],
	/** What could not be read, and what is kept elsewhere for now. */
	warnings: string[],
};

/** Parameters of `memory.list`. Everything given must be true of a memory. */
export type MemoryListParams = {
	/** Stored by this agent. */
	agent?: string | null,
	/** Of this type. */
	memory_type?: MemoryType | null,
	/** With at least one of these. */
	tags?: string[],
	/** Stored in this session. */
	session?: string | null,
	/** Learned on this bead. */
	bead?: BeadId | null,
	/** Forgotten ones too. */
	forgotten?: boolean,
	/** The maximum number of results; default all. */
	limit?: number | null,
};

/** Parameters of `memory.merge`. */
export type MemoryMergeParams = {
	/** Two or more; the first absorbs the others, which are forgotten. */
	keys: string[],
};

/** Where memories are kept. */
export type MemoryPlace =
/** Pinned beads of bd, and bd's own memories. */
"bd" |
/** Pinned beads of br. */
"br" |
/** `.beads/memories.jsonl`. */
"file";

/** Which memory. */
export type MemoryRef = {
	/** Its key, or its id. */
	key: string,
};

/** Parameters of `memory.save`. Absent ones leave an existing memory's values unchanged. */
export type MemorySaveParams = {
	/** Its name; made from the text unless given. */
	key?: string | null,
	/** One line; made from the text unless given. */
	title?: string | null,
	/** Markdown, at most 2 MiB. */
	content: string,
	/** What kind of thing it is; `learning` unless given. */
	memory_type?: MemoryType | null,
	/** Words to find it by. */
	tags?: string[] | null,
	/** 1 to 10. */
	importance?: number | null,
	/** Who remembers it; the caller unless given. */
	agent?: string | null,
	/** In which session; the caller's unless given. */
	session?: string | null,
	/** The bead that it was learned on; the session's unless given. */
	bead?: BeadId | null,
	/** It was learned on no bead: the one that it has is taken off. */
	no_bead?: boolean,
	/** More about it. */
	metadata?: { [key in string]: Value },
	/** Although it looks as if there were a secret in it. */
	anyway?: boolean,
};

/** A memory that was stored; it is on disk. */
export type MemorySaved = {
	/** The id of its row. */
	id: BeadId,
	/** Its key. */
	key: string,
	/** What became of it. */
	action: MemoryAction,
	/** Where it is. */
	kept_in: MemoryPlace,
	/** What to know: the tracker failed and it is kept in the file until it works again. */
	warnings: string[],
};

/** Parameters of `memory.search`. */
export type MemorySearchParams = {
	/** Words that must all occur in a memory, ignoring case. */
	query: string,
	/** Further filters; their limit defaults to 10. */
	filter?: MemoryListParams,
};

/** A memory with its text and what is around it. */
export type MemoryShown = {
	/** It. */
	memory: MemoryEntry,
	/** Other memories that it is linked to, either way, without their texts. */
	linked: LinkedMemory[],
	/** Where agents were told it, the latest first. */
	uses: MemoryUse[],
	/** What could not be read. */
	warnings: string[],
};

/** The type of a memory. */
export type MemoryType =
/** A conversation. */
"conversation" |
/** A decision and its reason. */
"decision" |
/** An established practice. */
"pattern" |
/** Background needed to continue. */
"context" |
/** A finding. */
"learning" |
/** A created artifact. */
"artifact";

/** Parameters of `memory.unlink`. Which way the link goes makes no difference. */
export type MemoryUnlinkParams = {
	/** The memory. */
	key: string,
	/** What it is linked to; a bead's id too. */
	other: string,
};

/** A place where an agent was told a memory. */
export type MemoryUse = {
	/** The session. */
	session_id: SessionId,
	/** When. */
	at: string,
	/** Why. */
	reason: Reason,
};

/** The method of merging a branch. */
export type MergeMethod =
/** Rebase its commits onto the target. */
"rebase" |
/** Create a merge commit. */
"merge";

/** A request to merge a branch into another. */
export type MergeRequest = {
	/** Its id, also its file's name. */
	id: MergeRequestId,
	/** The branch to merge. */
	sourceBranch: BranchName,
	/** The target. */
	targetBranch: BranchName,
	/** Its state. */
	status: MergeStatus,
	/** Its bead. */
	beadId: BeadId,
};

/** A merge request. */
export type MergeRequestId = string;

/** The name of a step. */
export type MergeStage =
/** Prepare the queue's worktree. */
"prepare" |
/** Rebase the branch onto the target, or merge the two. */
"combine" |
/** Run the user's check. */
"check" |
/** Move the target. */
"move" |
/** Push the target. */
"push" |
/** Close the bead. */
"finish";

/** The state of a merge. */
export type MergeStatus =
/** Waiting for its turn. */
"pending" |
/** Being merged. */
"merging" |
/** Part of the target branch. */
"merged" |
/** Not mergeable as it is; requests behind it wait for a decision. */
"conflicted";

/** An obstacle, described for the user. */
export type MergeTrouble = {
	/** Its kind. */
	kind: TroubleKind,
	/** The problem in one line. */
	text: string,
	/** The remedy. */
	hint?: string,
	/** The files in conflict. */
	files: ConflictFile[],
	/** The end of git's or the check's output, unchanged. */
	output: string,
	/** When it occurred. */
	at: string,
};

/**
 * A message. One per `message.id` of the API, at the position of the first; a line with a known id replaces
 * the earlier one when the file is read.
 */
export type Message = {
	/** The API's `message.id` for the assistant, the transcript line's uuid otherwise. */
	id: string,
	/** The author. */
	role: Role,
	/** The text; blocks of one message are joined by an empty line. */
	content: string,
	/** When the first part of it was written. */
	timestamp: string,
	/** Tools that the message called, in order. */
	tool_calls?: ToolCall[],
	/** Input + cache creation + output tokens of the request that made it. */
	tokens?: number,
	/** Milliseconds from the model's input to the first part of the answer. */
	latency_ms?: number,
	/** The subagent that wrote it; `None` for the main conversation. Ours. */
	subagent?: string,
	/** The kind of a system or special message. Ours. */
	kind?: MessageKind,
	/** The model's thinking before the answer, if claude keeps it. Ours. */
	thinking?: string,
	/** Whether claude ended before the message was complete; this is the displayed part. Ours. */
	partial?: boolean,
	/** The partial message that this one replaces. Ours. */
	replaces?: string,
};

/** The kind of a special message. */
export type MessageKind =
/** The conversation was compacted here. */
"compaction" |
/** The summary after a compaction. */
"compaction_summary" |
/** The API failed; the content is claude's message about it. */
"api_error" |
/** The user interrupted the turn. */
"interrupted" |
/** A slash command or its output, processed by claude without the model. */
"local_command" |
/** Content that claude attached to the conversation, such as a mentioned file. */
"attachment" |
/** A summary of an earlier conversation, as older versions of claude wrote it into a file. */
"earlier_summary";

/** One session, as in its `meta.json`. */
export type Meta = {
	/** The format's version. */
	schema_version: number,
	/** Its id. */
	id: SessionId,
	/** The project. */
	project_id: ProjectId,
	/** The linked bead. */
	bead_id?: BeadId,
	/** The agent prompt. */
	agent_id?: AgentName,
	/** Its state. */
	status: Status,
	/** When it was created. */
	created_at: string,
	/** When work began. */
	started_at?: string,
	/** When it was last paused; `None` while active. */
	paused_at?: string,
	/** When it ended. */
	closed_at?: string,
	/** Set by the user, or made from the objective or the first prompt. */
	title?: string,
	/** The objective. */
	objective?: string,
	/** Files read or written; relative to the working folder if inside it. */
	files_touched: string[],
	/** Hashes of the commits made in it, oldest first. */
	commits: string[],
	/** Input + cache creation + output tokens, each message once. */
	total_tokens?: number,
	/** Active time in milliseconds, without the open interval. */
	total_duration_ms?: number,
	/** Its branch. Ours, like all following fields. */
	branch?: BranchName,
	/** The branch's commit when the session started. */
	base_commit?: string,
	/** The branch from which its branch started, if it was created for the session. */
	base_branch?: BranchName,
	/** The absolute working folder of claude. */
	cwd?: string,
	/** Whether `cwd` is a git worktree created for this session. */
	worktree?: boolean,
	/** The permission mode. */
	mode: PermissionMode,
	/** The requested model; `None` for claude's default. */
	model?: string,
	/** The tracker's actor: `{user}/{first 8 of the id}`. */
	actor?: string,
	/** Whether the built-in simulated agent runs instead of Claude Code. */
	simulated?: boolean,
	/** The fleet's agent with this session. */
	fleet_agent?: FleetAgentId,
	/** The runner of its program, if not this machine. */
	runner?: string,
	/** Every conversation it had, oldest first. */
	claude_sessions: ClaudeSession[],
	/** Why it is paused; `None` while it is not. */
	pause_reason?: PauseReason,
	/** Why it was closed. */
	close_reason?: CloseReason,
	/** When it was active. */
	active_intervals: Interval[],
	/** When it was last started or resumed. */
	last_activated_at?: string,
	/** The parts of `total_tokens`, and the tokens that it omits. */
	tokens: TokenSplit,
	/** Cost in US dollars as claude counts it. */
	cost_usd?: number | null,
	/** Number of messages in `messages.jsonl`, each id once. */
	message_count: number,
	/** Number of lines in claude's transcript that this build could not parse. */
	unknown_transcript_lines?: number,
	/** The same by kind: the line's type, or that it could not be parsed at all. */
	unknown_kinds?: { [key in string]: number },
};

/** A ready bead and why it is ranked here. */
export type NextBead = {
	/** The bead. */
	bead: Bead,
	/** Its score, for comparison only. */
	score: number | null,
	/** Short reasons: "P1", "unblocks 3", "open for 12 days". */
	reasons: string[],
};

/** Ready beads, the best to start next first. */
export type NextBeads = {
	/** Best first. */
	beads: NextBead[],
};

/** A session that was started automatically after another one ended. */
export type NextStarted = {
	/** Its bead. */
	bead: BeadId,
	/** The session. */
	session: SessionId,
	/** The number of beads that are still started automatically. */
	left: number,
};

/** A session that was not deleted. */
export type NotDeleted = {
	/** Which. */
	id: SessionId,
	/** Why. */
	error: ApiError,
};

/** One reason why a bead is not ready. */
export type NotReady =
/** Its status is not `open`: `blocked`, `deferred`, or a tracker's own such as `hooked`. */
{ reason: "status";
/** The status. */
status: BeadStatus } |
/** An open bead blocks it. */
{ reason: "blocked_by";
/** The blocker; for a `waits-for` the bead whose children must be done. */
id: BeadId;
/** Its title, if known. */
title: string;
/** Its type: a `gate` is opened, not worked on. */
issue_type: string;
/** The dependency: `blocks`, `conditional-blocks` or `waits-for`. */
kind: string;
/** The blocked ancestor, if it is not the bead itself. */
parent?: BeadId } |
/** It is deferred. */
{ reason: "deferred";
/** The end of the deferral. */
until: string;
/** The deferred parent, if it is not the bead itself. */
parent?: BeadId } |
/** It has an assignee. Only together with another reason: an assigned open bead is ready. */
{ reason: "assigned";
/** The assignee. */
to: string } |
/** The tracker reserves it: a gate, a molecule, a template. */
{ reason: "kind";
/** Its type. */
issue_type: string };

/** No parameters, or nothing to say. */
export type Nothing = Record<string, never>;

/** Something that has to be decided before a session is resumed. */
export type Obstacle = {
	/** What it is, for programs. */
	kind: ObstacleKind,
	/** What it is, for people. */
	message: string,
	/** What can be done, the usual one first. */
	choices: ResumeChoice[],
};

/** What stands in the way of a resume. */
export type ObstacleKind =
/** The bead was closed. */
"bead_closed" |
/** The bead is in review. */
"bead_in_review" |
/** The bead is in another state that is not in progress. */
"bead_moved" |
/** The bead is assigned to another actor. */
"bead_reassigned" |
/** The tracker has no such bead any more. */
"bead_gone" |
/** The session's folder has another branch checked out and it cannot just be changed. */
"other_branch" |
/** The session's branch is not there any more. */
"branch_gone";

/** One open project. */
export type OpenProject = {
	/** What commands and events name it by. */
	key: ProjectKey,
	/** The folder's name. */
	name: string,
	/** The folder's absolute path. */
	root: string,
	/** Whether the folder is still there. */
	available: boolean,
	/** Whether it is the sample that the program made. */
	sample: boolean,
	/** The last layout of its window, from `app.keep_layout`. */
	layout: Value | null,
};

/** Parameters of `app.open_project`. */
export type OpenProjectParams = {
	/** The folder, absolute or beginning with `~/`. */
	path: string,
};

/** What changed outside a session since it was paused. */
export type OutsideChanges = {
	/** Why the changes are unknown; the lists are then empty. */
	unknown: string | null,
	/** Commits on the session's branch that the session did not make, oldest first. */
	commits: CommitLine[],
	/** The hashes of those `commits` whose author is the user (git's `user.name`). */
	user_commits: string[],
	/** The branch that the session's one began from, where that is known. */
	base: BranchName | null,
	/** Commits on it since the pause, oldest first. */
	base_commits: CommitLine[],
	/** Files that the session read or wrote and that are different now. */
	files: FileLine[],
	/** Files of the working tree that are not committed. */
	tree: TreeFile[],
};

/** Why a session is paused. */
export type PauseReason =
/** The user paused it. */
"user" |
/** Claude was idle at its prompt for too long. */
"inactivity" |
/** Claude exited, for example after `/exit`. */
"exited" |
/** The process died without a pause. */
"interrupted" |
/** Another session started, and only one may be active. */
"superseded";

/** The answer to a permission request. */
export type PermissionAnswer =
/** This once. */
"allow" |
/** From now on, as far as claude's own suggestion goes. */
"always" |
/** No. */
"deny";

/**
 * The permission mode. The default is [`PermissionMode::Manual`]: claude's own default became `auto`, so a
 * mode is always passed.
 */
export type PermissionMode =
/** Asks before every edit and command. Claude's hooks report it as `default`. */
"manual" |
/** Edits inside the working folder are allowed. */
"acceptEdits" |
/** Reads and plans without changes. */
"plan" |
/** Claude's classifier decides. */
"auto" |
/** Everything is allowed. */
"bypassPermissions";

/** Parameters of `session.permission`. */
export type PermissionParams = {
	/** Which session. */
	id: SessionId,
	/** Which request. */
	request: string,
	/** Yes or no. */
	answer: PermissionAnswer,
	/** Why not; the model reads it. */
	message?: string | null,
	/** The answers to claude's questions, with [`PermissionAnswer::Allow`]; one for each question. */
	answers?: QuestionAnswer[],
};

/** A permission request that waits. */
export type PermissionRequest = {
	/** Ours; answers name it. */
	id: string,
	/** Which tool. */
	tool: string,
	/** The tool's input. */
	input: Value,
	/** What the subagent that asks is called, if it is one. */
	subagent: string | null,
	/** What claude suggests to allow for longer; empty where it suggests nothing. */
	lasting: LastingRule[],
	/** Since when. */
	asked_at: string,
};

/** A piece of a snippet: a match or the text around it. */
export type Piece = {
	/** The text. */
	text: string,
	/** Whether it is a match. */
	found: boolean,
};

/** Parameters of `memory.prime`. */
export type PrimeParams = {
	/** How many characters memories may take; 4,000 unless given. */
	budget?: number | null,
	/** For work on this bead. */
	bead?: BeadId | null,
	/** Of this session. */
	session?: SessionId | null,
	/** The folder whose uncommitted files are listed. */
	cwd?: string | null,
};

/** The text that an agent receives before it starts. */
export type PrimeText = {
	/** All of it: rules and commands, where the work stands, what is known. */
	text: string,
	/** The part with the memories; empty where there are none. */
	memories: string,
	/** The keys of the memories in it. */
	keys: string[],
	/** How many memories found no room. */
	left_out: number,
	/** The bead that it is about. */
	bead_id: BeadId | null,
	/** What could not be read. */
	warnings: string[],
};

/** The priority of a work item. */
export type Priority =
/** High. */
"P1" |
/** Normal. */
"P2" |
/** Low. */
"P3";

/** An archive to attach to a bug report. Nothing is sent anywhere. */
export type ProblemReport = {
	/** What to call the archive: `beads-console-report-….zip`. */
	file_name: string,
	/** What is in it. */
	entries: ReportEntry[],
	/** How many secrets were removed. */
	secrets_removed: number,
	/** The archive, in base64. */
	archive: string,
};

/** A project's id: bd's if it exists, or a UUID of ours. */
export type ProjectId = string;

/** What a project is. */
export type ProjectInfo = {
	/** bd's id where there is one, else ours. */
	project_id: ProjectId,
	/** The folder's name. */
	name: string,
	/** The main tree's absolute path. */
	root: string,
	/** Which tracker keeps the beads. */
	tracker: TrackerInfo,
	/** The current branch of the main tree, where there is one. */
	branch: string | null,
};

/** Names an open project on this server: short, safe in an address, the same for the same folder. */
export type ProjectKey = string;

/** The answer of `app.projects`. */
export type ProjectList = {
	/** Open ones in the order of opening. */
	projects: OpenProject[],
	/** Absolute paths of folders that were open before, newest first. */
	recent: string[],
};

/** The answer of `project.metrics`. */
export type ProjectMetrics = {
	/** The figures. */
	dashboard: Dashboard,
	/** The days as comma-separated values. */
	days_csv: string,
	/** Beads and agents as comma-separated values. */
	shares_csv: string,
};

/** Parameters of `project.metrics`. */
export type ProjectMetricsParams = {
	/** Which days. */
	range?: Range,
};

/** Which open project. */
export type ProjectRef = {
	/** Its key. */
	project: ProjectKey,
};

/** Names one of [`ProjectSettings`]. */
export type ProjectSetting = "single_active" | "inactivity_minutes" | "comment_commits" | "comment_files" | "checkpoint_comments" | "remind_after_turns" | "backup_at_end" | "backup_push" | "backup_transcripts" | "reviews" | "auto_next";

/** The project's own settings; absent ones follow the user's. */
export type ProjectSettings = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean | null,
	/**
	 * Minutes that claude sits at its prompt, with nothing pending, after which its session is paused;
	 * 0 never.
	 */
	inactivity_minutes: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean | null,
	/** Whether a bead that is done gets a comment with the files that were edited for it. */
	comment_files: boolean | null,
	/** Whether a comment says where the session stands before its conversation is compacted. */
	checkpoint_comments: boolean | null,
	/** After how many turns without a commit or a comment the agent is reminded; 0 never. */
	remind_after_turns: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean | null,
	/** Whether that backup is pushed. */
	backup_push: boolean | null,
	/** Whether conversations are in it, their secrets struck out. */
	backup_transcripts: boolean | null,
	/**
	 * Whether finished work goes to review; else agents close their beads themselves. A project's alone:
	 * it does unless this says otherwise.
	 */
	reviews: boolean | null,
	/**
	 * The number of beads to start automatically, each when the session of the bead before it has ended with its
	 * bead closed. Every start counts it down; a failed one sets it to 0. A project's alone: 0 unless set.
	 */
	auto_next: number | null,
};

/** Parameters of `project.set_settings`. */
export type ProjectSettingsChange = {
	/** What is set from now on; what is absent stays. */
	set?: ProjectSettingsInput,
	/** Settings that follow the user's again. */
	unset?: ProjectSetting[],
};

/** The project's own settings; absent ones follow the user's. */
export type ProjectSettingsInput = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active?: boolean | null,
	/**
	 * Minutes that claude sits at its prompt, with nothing pending, after which its session is paused;
	 * 0 never.
	 */
	inactivity_minutes?: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits?: boolean | null,
	/** Whether a bead that is done gets a comment with the files that were edited for it. */
	comment_files?: boolean | null,
	/** Whether a comment says where the session stands before its conversation is compacted. */
	checkpoint_comments?: boolean | null,
	/** After how many turns without a commit or a comment the agent is reminded; 0 never. */
	remind_after_turns?: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end?: boolean | null,
	/** Whether that backup is pushed. */
	backup_push?: boolean | null,
	/** Whether conversations are in it, their secrets struck out. */
	backup_transcripts?: boolean | null,
	/**
	 * Whether finished work goes to review; else agents close their beads themselves. A project's alone:
	 * it does unless this says otherwise.
	 */
	reviews?: boolean | null,
	/**
	 * The number of beads to start automatically, each when the session of the bead before it has ended with its
	 * bead closed. Every start counts it down; a failed one sets it to 0. A project's alone: 0 unless set.
	 */
	auto_next?: number | null,
};

/** The answer of `project.settings`. */
export type ProjectSettingsShown = {
	/** What is set for the project. */
	own: ProjectSettings,
	/** The effective settings. */
	in_force: SettingsInForce,
};

/** A proposed memory. */
export type Proposal = {
	/** Its key if stored. */
	key: string,
	/** The text. */
	content: string,
	/** Its probable type. */
	memory_type: MemoryType,
	/** Its probable importance. */
	importance: number,
	/** The message that contains it. */
	message_id: string,
};

/** Proposals drawn from a session. */
export type Proposals = {
	/** What matters most first; nothing that is known already. */
	proposals: Proposal[],
};

/** A search. A session must match all given conditions. */
export type Query = {
	/**
	 * Words as typed: all must occur in one place, the last may be a prefix, "…" is a phrase. There is no
	 * other syntax. If empty, only the other conditions apply.
	 */
	text?: string,
	/** Only sessions created or active at or after this time. */
	since?: string | null,
	/** Only sessions created or active before this time; with both, in the time between. */
	until?: string | null,
	/** Only sessions on this bead. */
	bead?: BeadId | null,
	/** Only sessions of this agent. */
	agent?: AgentName | null,
	/** Only these states; empty means all. */
	status?: Status[],
	/** Only sessions that read or wrote a file whose path contains this text, ignoring case. */
	file?: string | null,
	/** Only sessions with a commit whose hash starts with this text. */
	commit?: string | null,
	/** Number of sessions to skip, for the next page. */
	skip?: number,
	/** Maximum number of sessions; 50 by default, at most 500. */
	limit?: number | null,
	/** Time limit in milliseconds for updating the index before the search; none by default. */
	within_ms?: number | null,
};

/** A part of a query that was not understood. */
export type QueryProblem = {
	/** The part. */
	part: string,
	/** What is wrong with it, and what is expected. */
	why: string,
};

/** The answer to one question. */
export type QuestionAnswer = {
	/** The question's text. */
	question: string,
	/** The chosen labels, or the user's own words. */
	chosen: string[],
};

/** A command that ran tests or builds. */
export type RanCommand = {
	/** The command as passed to the shell. */
	command: string,
	/** Its purpose. */
	kind: CommandKind,
	/**
	 * Its exit code; `None` if unknown: it was stopped, still runs, or the exit code is that of a pipe's
	 * last part.
	 */
	exit: number | null,
	/** When it ran. */
	at: string,
};

/** The days of a dashboard, ending with today. */
export type Range =
/** This day. */
"today" |
/** Seven days. */
"week" |
/** Thirty days. */
"month" |
/** Since the first session. */
"all";

/** The reason for an injection. */
export type Reason =
/** The conversation started. */
"start" |
/** It resumed after a pause. */
"resume" |
/** It was compacted: only a summary is left of its earlier part. */
"compaction" |
/** It was cleared. */
"clear" |
/** A prompt was submitted. */
"prompt";

/** A recovery block. */
export type RecoveryBlock = {
	/** It, at most 2,048 bytes. */
	text: string,
	/** Its length in bytes of UTF-8. */
	bytes: number,
	/** The bead; absent where it is the text without one. */
	bead_id: BeadId | null,
	/** Why that one. */
	because: Because,
};

/** Parameters of `recovery.show`. */
export type RecoveryParams = {
	/** Of this bead. */
	bead?: BeadId | null,
	/** Of this session's bead, where none is named. */
	session?: SessionId | null,
	/** The folder whose uncommitted files are listed; the session's or the project's unless given. */
	cwd?: string | null,
};

/** The relation between two memories, or a memory and a bead. */
export type Relation =
/** They are related. */
"related" |
/** The child waits for the parent. */
"blocks" |
/** The child was discovered while working on the parent. */
"discovered-from";

/** One file of a report's archive. */
export type ReportEntry = {
	/** Its name in the archive. */
	name: string,
	/** Its size in bytes before compression. */
	bytes: number,
	/** Its last lines, for the user to check before it is shared; at most 16 KiB. */
	tail: string,
};

/** Parameters of `app.report`. */
export type ReportParams = {
	/** The project that the problem is about, for its checks and sessions. */
	project?: ProjectKey | null,
	/** Errors that the page has seen, oldest first. */
	page_errors?: string[],
};

/** What a restore does, or did. */
export type Restore = {
	/** The commits that it is from. */
	from: string[],
	/** When the last of them was made. */
	made_at: string | null,
	/** What is in the backup. */
	counts: BackupCounts,
	/** Beads, memories and sessions that are not as they are in the backup; at most 500 of them. */
	items: RestoreItem[],
	/** How many of each there are. */
	beads: RestoreCounts,
	/** Of memories. */
	memories: RestoreCounts,
	/** Of sessions. */
	sessions: RestoreCounts,
	/** Whether the tracker has no database on this machine yet: it makes one first. */
	fresh_tracker: boolean,
	/** What could not be read, and what was not done. */
	warnings: string[],
};

/** What becomes of it. */
export type RestoreChange =
/** It is not here yet. */
"added" |
/** It is here in an earlier state. */
"changed" |
/** It is later here, and stays. */
"kept";

/** What becomes of how many. */
export type RestoreCounts = {
	/** Not here yet. */
	added: number,
	/** Later in the backup than here. */
	changed: number,
	/** Later here than in the backup: left alone. */
	kept: number,
	/** The same. */
	same: number,
};

/** One of them. */
export type RestoreItem = {
	/** What it is. */
	kind: RestoreKind,
	/** A bead's or a session's id, a memory's key. */
	key: string,
	/** Its title in the backup. */
	title: string,
	/** What becomes of it. */
	change: RestoreChange,
};

/** What something is. */
export type RestoreKind =
/** A bead. */
"bead" |
/** A memory. */
"memory" |
/** A session. */
"session";

/** Parameters of `backup.preview` and `backup.restore`. */
export type RestoreParams = {
	/** A branch, tag or commit with a backup; the branch of this clone and the remote's, in one, unless given. */
	from?: string | null,
	/** Whether the remote is asked first. */
	fetch?: boolean,
};

/** What can be done about an obstacle. */
export type ResumeChoice =
/** `anyway`: resume; the bead stays unchanged. */
"anyway" |
/** `reclaim`: the bead is in progress again, for this session. */
"reclaim" |
/** `place: restore`: the branch is made or checked out again. */
"restore" |
/** `place: stay`: the session continues with the current branch. */
"stay" |
/** `place: worktree`: the branch is checked out in its own worktree. */
"worktree" |
/** `session.end`: the session is closed instead. */
"end";

/** What becomes of the conversation. */
export type ResumeConversation =
/** Claude still has it and continues it. */
"continues" |
/** Nothing was said yet: it begins now. */
"begins" |
/** Claude no longer has it: a new one starts, and its prompt contains the record. */
"primed";

/** Where a resumed session works. */
export type ResumeFolder = {
	/** The absolute working folder. */
	cwd: string,
	/** The branch that will be checked out there. */
	branch: string | null,
	/** Whether it is a worktree. */
	worktree: boolean,
	/** What is done to make it so; absent where everything is as it was left. */
	action: string | null,
};

/** Where a session continues whose folder has changed. */
export type ResumePlace =
/** In its folder, with its branch made or checked out again. */
"restore" |
/** In its folder as that is; the branch that is checked out is the session's from now on. */
"stay" |
/** In a worktree with its branch. */
"worktree";

/** The answer of `session.resume_preview`. */
export type ResumePreview = {
	/** What would be sent. */
	prompt: string,
	/** The bead's state, where there is a bead and it is still there. */
	bead_status: BeadStatus | null,
	/** What should be known and needs no decision. */
	warnings: string[],
	/**
	 * What has to be decided: while there is any, `session.resume` is refused unless its parameters
	 * make a choice.
	 */
	obstacles: Obstacle[],
	/** The current bead; absent if the session has none or it cannot be read. */
	bead: BeadNow | null,
	/** What changed outside the session since it was paused. */
	changes: OutsideChanges,
	/** Where it would go on. */
	folder: ResumeFolder,
	/** What becomes of the conversation. */
	conversation: ResumeConversation,
};

/** The author of a message. */
export type Role =
/** The user, or a program on the user's behalf. */
"user" |
/** The model. */
"assistant" |
/** The program: a compaction, an error, a note. */
"system";

/**
 * A way to run a program elsewhere, as words of a command line. In each word, `{name}` stands for a value. A
 * word with `{args}` or `{env}` is repeated for each of their values.
 */
export type Runner = {
	/**
	 * The command that runs the agent. `{program}` and `{args}` are its command line, `{cwd}` its folder,
	 * `{env}` its variables as `NAME=value`. `{line}` is all of these as one line for a remote shell.
	 * `{socket}` is the local socket of its session's host, `{remote_socket}` a remote path to forward it
	 * to. `{session}` and `{agent}` are names.
	 */
	command: string[],
	/** A command that succeeds if agents can run; empty for no check. */
	probe: string[],
	/** The remote path of claude, if different. */
	program: string | null,
	/** The remote path of Beads Console, which connects claude's hooks to the session's host, if different. */
	console: string | null,
};

/** What a session may have elsewhere. */
export type RunnerHas =
/** A terminal. */
"terminal" |
/** The project's folders, at the same place. */
"folder" |
/** Claude. */
"program" |
/** Claude's hooks, heard by the session's host. */
"hooks" |
/** Claude's transcript, read by the session's host. */
"transcript" |
/** Prompts that only the user can read. A runner's command line shows them to every user of this machine. */
"private_prompts";

/**
 * A way to run a program elsewhere, as words of a command line. In each word, `{name}` stands for a value. A
 * word with `{args}` or `{env}` is repeated for each of their values.
 */
export type RunnerInput = {
	/**
	 * The command that runs the agent. `{program}` and `{args}` are its command line, `{cwd}` its folder,
	 * `{env}` its variables as `NAME=value`. `{line}` is all of these as one line for a remote shell.
	 * `{socket}` is the local socket of its session's host, `{remote_socket}` a remote path to forward it
	 * to. `{session}` and `{agent}` are names.
	 */
	command?: string[],
	/** A command that succeeds if agents can run; empty for no check. */
	probe?: string[],
	/** The remote path of claude, if different. */
	program?: string | null,
	/** The remote path of Beads Console, which connects claude's hooks to the session's host, if different. */
	console?: string | null,
};

/** Something that a session may have, or not, where a runner runs it. */
export type RunnerPart = {
	/** What. */
	what: RunnerHas,
	/** Whether it does. */
	there: boolean,
	/** What that means, and where it is not there what to do. */
	means: string,
};

/** The capabilities of a runner. */
export type RunnerProbe = {
	/** Its name. */
	name: string,
	/** The command line that an agent would be started with there, its arguments left out. */
	command: string[],
	/** Whether its probe succeeded; `null` where it has none. */
	probe: boolean | null,
	/** Whether a command ran there. */
	reached: boolean,
	/** The output of a failed probe. */
	said: string,
	/** What a session there has. */
	parts: RunnerPart[],
};

/** Parameters of `fleet.runner_probe`. */
export type RunnerProbeParams = {
	/** Which runner; `local` is this machine. */
	name: string,
};

/** The answer of `session.search`. */
export type SearchAnswer = {
	/** Those with the words in their title or objective first, then the newest. */
	sessions: FoundSession[],
	/** Whether there are more after them. */
	more: boolean,
	/** How many sessions were not searched yet because `within_ms` ran out: repeat the query to continue. */
	behind: number,
	/** What to know of the search: what was left out of it, what was not understood. */
	notes: string[],
};

/** The result of sending a text. */
export type Sent = {
	/** Typed or held. */
	delivery: Delivery,
	/** Why it is held. */
	reason: string | null,
};

/** How feedback reached the agent of a bead. */
export type SentBackBy =
/** Its running session received it. */
"told" |
/** Its paused session was resumed. */
"resumed" |
/** A new session was started on its branch. */
"started";

/** What a session changed. */
export type SessionChanges = {
	/** What is compared. */
	of: ChangesOf,
	/** The commit that it is compared with; absent where there was none. */
	base: string | null,
	/** The branch on which that commit is, where the session's own was made from one. */
	base_branch: BranchName | null,
	/** Its commits since then, oldest first. */
	commits: CommitLine[],
	/** The files that differ, in the order of their names. */
	files: FileDiff[],
	/** Whether files are left out because there are too many. */
	cut: boolean,
	/** Those of them with something in them that is in no commit. */
	uncommitted: string[],
	/** Files that are left out because they were changed before it began and it never touched them. */
	before: string[],
	/** What cannot be told, and what is in it that is not the session's. */
	notes: string[],
};

/** Parameters of `session.changes`. */
export type SessionChangesParams = {
	/** Which session. */
	id: SessionId,
	/** Whether white space alone is no difference. */
	ignore_space?: boolean,
};

/** Parameters of `session.end`. */
export type SessionEndParams = {
	/** Which session. */
	id: SessionId,
	/** Whether to move its bead to in review. */
	review?: boolean,
	/** Whether a missing custom status may be added to the tracker for that. */
	add_status?: boolean,
	/**
	 * What is saved in the bead's notes under `## Execution Log`. Absent: with `review` what the
	 * preview would have, else nothing. Empty: nothing.
	 */
	log?: string | null,
};

/** A session that was ended. */
export type SessionEnded = {
	/** It. */
	session: SessionView,
	/** Its bead's state now, where it has one that is still there. */
	bead_status: BeadStatus | null,
	/** Whether the execution log is in the bead's notes. */
	log_saved: boolean,
	/** The session that was started automatically on the next bead. */
	next?: NextStarted,
	/** What to know. */
	warnings: string[],
};

/** Parameters of `session.export`. */
export type SessionExportParams = {
	/** Which session. */
	id: SessionId,
	/** As what. */
	format?: ExportFormat,
	/** Whether what tools answered is left out. */
	no_tool_output?: boolean,
	/** Whether secrets stay in it; they are struck out otherwise. */
	keep_secrets?: boolean,
};

/** Parameters of `session.find`. */
export type SessionFindParams = {
	/** Which session. */
	id: SessionId,
	/** A literal text, matched case-insensitively; spaces at its ends are ignored. */
	text: string,
	/** How many results to skip. */
	skip?: number,
	/** The maximum number of results; 50 by default, at most 500. */
	limit?: number | null,
};

/** The answer of `session.find`. */
export type SessionFound = {
	/** The places, from 0, of all messages that have the text, in order. */
	places: number[],
	/** Some of them with the text around it. */
	hits: Hit[],
};

/** The answer of `session.hook_runs`. */
export type SessionHookRuns = {
	/** In the order of their ends. */
	runs: HookRun[],
	/** What could not be read. */
	warnings: string[],
};

/** A session of this program. */
export type SessionId = string;

/** Sessions. */
export type SessionList = {
	/** Newest first. */
	sessions: SessionView[],
	/** What could not be read. */
	warnings: string[],
};

/** Parameters of `session.list`. */
export type SessionListParams = {
	/** Only these states; empty means all. */
	status?: Status[],
};

/** One session's figures. */
export type SessionMetrics = {
	/** The session. */
	id: SessionId,
	/** Active time in milliseconds, without pauses. */
	duration_ms: number,
	/** Number of messages, each id once. */
	message_count: number,
	/** Tokens by kind. */
	tokens: TokenSplit,
	/** Input + cache creation + output. */
	total_tokens: number,
	/** Cost in US dollars as claude counts it; `None` if unknown. */
	cost_usd: number | null,
	/** Files read or written, each once. */
	files_touched: number,
	/** Commits made in it. */
	commits: number,
	/** Tool calls by tool, the most used first. */
	tools: ToolCount[],
	/** Number of all tool calls. */
	tool_calls: number,
	/** Tool calls that failed or were refused, and API failures. */
	errors: number,
	/** Time to the first part of an answer; `None` without measurements. */
	latency: Latency | null,
};

/** Parameters of `session.mode`. */
export type SessionModeParams = {
	/** Which session. */
	id: SessionId,
	/** The mode that is wanted; without one it is claude's next, as with Shift+Tab, but never Bypass. */
	mode?: PermissionMode | null,
};

/** Parameters of `session.page`. */
export type SessionPageParams = {
	/** Which session. */
	id: SessionId,
	/** The messages before this place, from 0; the last ones unless given. */
	before?: number | null,
	/** The messages around the first one that was said at this moment or later, in place of `before`. */
	at?: string | null,
	/** The messages around this one, in place of `before`. */
	message?: string | null,
	/** At most how many; 200 unless given, never over 2,000. */
	limit?: number | null,
};

/** What a start would do. */
export type SessionPlan = {
	/** The branch; `null` where the session would stay on whatever is checked out. */
	branch: string | null,
	/** Whether the branch exists already. */
	branch_exists: boolean,
	/** The absolute working folder. */
	cwd: string,
	/** Whether that is a worktree to be made or used. */
	worktree: boolean,
	/** The opening prompt. */
	prompt: string,
	/** What would make the start fail, if anything. */
	problems: ApiError[],
};

/** Parameters of `session.plan`. */
export type SessionPlanParams = {
	/** For this bead. */
	bead_id?: BeadId | null,
	/** On this branch, if not on the default one. */
	branch?: string | null,
	/** Where. */
	folder?: FolderChoice,
};

/** Which session. */
export type SessionRef = {
	/** Its id. */
	id: SessionId,
};

/** Parameters of `session.resume`. */
export type SessionResumeParams = {
	/** Which session. */
	id: SessionId,
	/** The prompt, if not the one of the preview. An empty one opens claude without. */
	prompt?: string | null,
	/** The terminal's size, columns and rows. */
	size?: [number, number] | null,
	/**
	 * Whether to resume although something has to be decided: the first choice that leaves the bead
	 * as it is.
	 */
	anyway?: boolean,
	/** Whether to take the bead again: in progress, for this session. */
	reclaim?: boolean,
	/** Where, if the folder is not as it was left. */
	place?: ResumePlace | null,
};

/** Parameters of `session.send`. */
export type SessionSendParams = {
	/** Which session. */
	id: SessionId,
	/** The text, at most 256 KiB. */
	text: string,
};

/** Parameters of `session.start`. */
export type SessionStartParams = {
	/** The bead to claim; absent for an ad-hoc session. */
	bead_id?: BeadId | null,
	/** A title for it. */
	title?: string | null,
	/** What it tries to accomplish. */
	objective?: string | null,
	/** The branch, if not the default one. */
	branch?: string | null,
	/** The agent prompt. */
	agent?: AgentName | null,
	/** How much claude may do unasked. */
	mode?: PermissionMode,
	/** The model, if not claude's default. */
	model?: string | null,
	/** The opening prompt, if not the one made from the bead. An empty one opens claude without. */
	prompt?: string | null,
	/** Where. */
	folder?: FolderChoice,
	/** The code context that claude receives at its start. */
	context?: ContextChoice,
	/** The simulated agent in claude's place. */
	simulated?: boolean,
	/** The terminal's size, columns and rows. */
	size?: [number, number] | null,
	/** The runner of the fleet's settings that its program runs by; this machine unless given. */
	runner?: string | null,
	/** Return as soon as the session's host listens; `session.started` has the result. */
	at_once?: boolean,
};

/** A session that was started or resumed. */
export type SessionStarted = {
	/** It. */
	session: SessionView,
	/** What to know: claude asks for trust, hooks are silent … */
	warnings: string[],
};

/** What a session is doing, as users see it. */
export type SessionState =
/** It was never started. */
"draft" |
/** Claude is starting. */
"starting" |
/** Claude works, or what it does is not known. */
"active" |
/** A dialog is open in claude's terminal. */
"dialog_open" |
/** The turn is over and claude waits for the user's next message. */
"your_turn" |
/** Claude asks for a permission or for an answer in its terminal. */
"needs_you" |
/** Claude has ended and the session is being paused. */
"ending" |
/** The user paused it, it was idle for too long, or another session took its place. */
"paused" |
/** Claude exited, and the session is paused. */
"exited" |
/** The session's process died. */
"interrupted" |
/** It has ended. */
"closed";

/** A session as clients see it: its record, and what is live of it. */
export type SessionView = {
	/** Active milliseconds, the open interval counted up to now. */
	duration_ms: number,
	/** Its state in one word, from its record and what its host says. `active` where the engine is older than that. */
	state: SessionState,
	/** What its host says; absent when none runs. */
	live: Live | null,
} & Meta;

/** The marks of a session. */
export type SessionViewed = {
	/** By file name, the `content` that was viewed. If the file has another one now, it has changed since. */
	files: { [key in string]: string },
};

/** Parameters of `session.set_viewed`. */
export type SetViewedParams = {
	/** Which session. */
	id: SessionId,
	/** Which file, as `session.changes` names it. */
	path: string,
	/** Its `content` as it was looked at; none takes the mark away. */
	content?: string | null,
};

/** The user's settings. */
export type Settings = {
	/** Dark, light or as the system. */
	theme: Theme,
	/** Whether Enter sends and Shift+Enter breaks the line; else Ctrl+Enter sends. */
	enter_sends: boolean,
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean,
	/** Idle minutes at claude's prompt after which a session is paused; 0 never. */
	inactivity_minutes: number,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean,
	/** Whether a bead that is done gets a comment with the files that were edited for it. */
	comment_files: boolean,
	/** Whether a comment says where the session stands before its conversation is compacted. */
	checkpoint_comments: boolean,
	/** After how many turns without a commit or a comment the agent is reminded; 0 never. */
	remind_after_turns: number,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean,
	/** Whether that backup is pushed. */
	backup_push: boolean,
	/** Whether it includes conversations, with secrets redacted. */
	backup_transcripts: boolean,
	/** How much the diagnostic logs contain. */
	log_level: LogLevel,
};

/** Parameters of `app.set_settings`: what is absent stays. */
export type SettingsChange = {
	/** Dark, light or as the system. */
	theme?: Theme | null,
	/** Whether Enter sends. */
	enter_sends?: boolean | null,
	/** Whether a start pauses the session that is active. */
	single_active?: boolean | null,
	/** Minutes at the prompt after which a session is paused; 0 never. */
	inactivity_minutes?: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits?: boolean | null,
	/** Whether a bead that is done gets a comment with its files. */
	comment_files?: boolean | null,
	/** Whether a comment is left before a compaction. */
	checkpoint_comments?: boolean | null,
	/** After how many turns without a commit or a comment the agent is reminded; 0 never. */
	remind_after_turns?: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end?: boolean | null,
	/** Whether that backup is pushed. */
	backup_push?: boolean | null,
	/** Whether conversations are in it. */
	backup_transcripts?: boolean | null,
	/** How much the diagnostic logs contain. */
	log_level?: LogLevel | null,
};

/** The effective settings of a project. */
export type SettingsInForce = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean,
	/** Minutes at the prompt after which a session is paused; 0 never. */
	inactivity_minutes: number,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean,
	/** Whether a bead that is done gets a comment with its files. */
	comment_files: boolean,
	/** Whether a comment is left before a compaction. */
	checkpoint_comments: boolean,
	/** After how many turns without a commit or a comment the agent is reminded; 0 never. */
	remind_after_turns: number,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean,
	/** Whether that backup is pushed. */
	backup_push: boolean,
	/** Whether conversations are in it. */
	backup_transcripts: boolean,
	/** Whether finished work goes to review. */
	reviews: boolean,
	/** The number of beads that are still started automatically; 0 none. */
	auto_next: number,
};

/** Whether the setup command of new worktrees may run. */
export type SetupState =
/** There is none. */
"none" |
/** It names no file of the repository. */
"own" |
/** The user allowed its current content. */
"allowed" |
/** The user has not allowed its current content. */
"asks";

/** The part of a bead or an agent. */
export type Share = {
	/** The name of the bead or agent. */
	name: string,
	/** Number of its sessions. */
	sessions: number,
} & Amount;

/** One of claude's commands. */
export type SlashCommand = {
	/** Without the slash. */
	name: string,
	/** What it does; may be empty. */
	about: string,
	/** Whose it is. */
	origin: CommandOrigin,
};

/** A bead without activity for too long. */
export type StaleBead = {
	/** Which bead. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its status. */
	status: BeadStatus,
	/** Its last activity: its last change, or that of its live session. */
	since: string,
	/** How serious it is. */
	level: StaleLevel,
};

/** Beads without activity for too long. */
export type StaleBeads = {
	/** The longest first. */
	beads: StaleBead[],
};

/** How long a bead has been without activity. */
export type StaleLevel =
/** In progress for 2 hours, or in review for 24. */
"warning" |
/** In progress for 8 hours, or in review for 72. */
"critical";

/** The answer of `session.stale`. */
export type StaleSessions = {
	/** Paused longer than `days`, the longest first: to be closed or resumed. */
	sessions: SessionView[],
	/** After how many days a pause is a long one. */
	days: number,
};

/** The four states of a session. */
export type Status =
/** Created, not started. */
"draft" |
/** Claude runs. */
"active" |
/** Stopped; it can be resumed. */
"paused" |
/** Ended and read-only. */
"closed";

/** A folder that a path can become. */
export type SuggestedFolder = {
	/** The path, as far as it was typed in the form in which it was typed. */
	path: string,
	/** The folder's name. */
	name: string,
	/** Whether it is a git repository. */
	repository: boolean,
	/** Whether it has beads. */
	beads: boolean,
};

/** Which way beads go. */
export type SyncDirection =
/** To the tracker's remote. */
"push" |
/** From there. */
"pull";

/** Parameters of `backup.sync_tracker`. */
export type SyncTrackerParams = {
	/** Which way. */
	direction: SyncDirection,
};

/** Which colours. */
export type Theme =
/** As the system says. */
"system" |
/** Light on dark. */
"dark" |
/** Dark on light. */
"light";

/** A session's timeline. */
export type Timeline = {
	/**
	 * In order, without gaps from start to end. If a clock was set back, a band may start before its
	 * predecessor's end.
	 */
	bands: TimelineBand[],
	/** In order. */
	events: TimelineEvent[],
	/** Parts that could not be read. */
	warnings: string[],
};

/** A time band. */
export type TimelineBand = {
	/** Its kind. */
	kind: BandKind,
	/** Its start. */
	from: string,
	/** Its end; `None` while it lasts. */
	to: string | null,
	/**
	 * What it waited for (`prompt`, `permission`, `dialog`), or why it was paused (`user`, `inactivity`,
	 * `exited`, `interrupted`, `superseded`); `None` if unknown.
	 */
	reason: string | null,
};

/** An event. */
export type TimelineEvent = {
	/** Its time. */
	at: string,
	/** Its kind. */
	kind: TimelineEventKind,
	/** A description on one line. */
	label: string,
	/**
	 * The message that contains it or precedes it (for a start, the one that follows it); `None` without
	 * any.
	 */
	message: string | null,
};

/** The kinds of events. */
export type TimelineEventKind =
/** The session started. */
"start" |
/** It resumed. */
"resume" |
/** It was paused; the label says why. */
"pause" |
/** It was closed; the label says why. */
"end" |
/** A prompt of the user, or of a program for the user. */
"prompt" |
/** A tool failed or was refused. */
"tool_failed" |
/** Claude asked for a permission. */
"permission_asked" |
/** It was answered; the label says how. */
"permission_answered" |
/** A commit was made. */
"commit" |
/** The conversation was compacted. */
"compaction" |
/** The conversation was cleared. */
"clear" |
/** Context was injected. */
"injection" |
/** The API failed. */
"error" |
/** A turn was stopped. */
"interrupted" |
/** A lifecycle hook ran. */
"hook" |
/** A hook failed, timed out or did not run; the label says why. */
"hook_failed";

/** Tokens by kind. */
export type TokenSplit = {
	/** Sent, not cached. */
	input: number,
	/** Written to the cache. */
	cache_creation: number,
	/** Read from the cache; not part of the total. */
	cache_read: number,
	/** Written by the model. */
	output: number,
};

/** One tool call. */
export type ToolCall = {
	/** `Read`, `Write`, `Bash` … */
	tool: string,
	/** The tool's input as the model gave it. */
	input: { [key in string]: Value },
	/** The tool's output; `None` while it runs. */
	output?: string,
	/** Milliseconds; `None` while it runs or if unknown. */
	duration_ms?: number,
	/** The API's `tool_use` id. Ours. */
	id?: string,
	/** Whether the tool failed or was refused. Ours. */
	is_error?: boolean,
};

/** The number of calls of a tool. */
export type ToolCount = {
	/** `Bash` … */
	tool: string,
	/** Number of calls. */
	calls: number,
	/** Number of calls that failed or were refused. */
	errors: number,
};

/** Which tracker keeps the beads. */
export type TrackerInfo = {
	/** Whose program. */
	kind: TrackerKind,
	/** Its version, where it is a program. */
	version: string | null,
	/** Whether beads can be changed. */
	writable: boolean,
	/** Why not, or what to know. */
	note: string | null,
	/** Whether `submit` has to add a custom status first, which asks. */
	submit_needs_consent: boolean,
};

/** The kinds of trackers. */
export type TrackerKind =
/** bd. */
"bd" |
/** br. */
"br" |
/** Our own store, where the project has none. */
"embedded" |
/** A project whose tracker's program is missing. */
"read_only";

/** A remote of the tracker. */
export type TrackerRemote = {
	/** Its name. */
	name: string,
	/** Where it is. */
	url: string,
};

/** What the tracker's program said. */
export type TrackerSynced = {
	/** On one line. */
	said: string,
};

/** What the tracker can do without Beads Console. */
export type TrackerTier = {
	/** Whether the tracker has such a thing as remotes. */
	possible: boolean,
	/** Its remotes; absent where it was not asked. */
	remotes: TrackerRemote[] | null,
	/** Why they are not known. */
	problem: string | null,
};

/** The answer of `session.transcript`. */
export type Transcript = {
	/** In order. */
	messages: Message[],
	/** What could not be read. */
	warnings?: string[],
};

/** A part of a conversation. */
export type TranscriptPage = {
	/** The first message's place, from 0. */
	first: number,
	/** In order. */
	messages: Message[],
	/** How many the conversation has. */
	total: number,
	/**
	 * The place, from 0, of the message that was asked for by `at` or `message`; absent where none was,
	 * or there is none.
	 */
	place: number | null,
	/** What of the conversation cannot be read, in words. */
	warnings: string[],
};

/** The answer of `session.trash`. */
export type Trash = {
	/** The last deleted first. */
	sessions: Trashed[],
	/** What could not be read. */
	warnings: string[],
};

/** A session in the trash folder. */
export type Trashed = {
	/** Its record. */
	meta: Meta,
	/** When it was deleted. */
	deleted_at: string,
	/** When it is removed for good at the earliest: it must have been seen there on seven days, too. */
	removed_at: string,
};

/** A file that is not committed. */
export type TreeFile = {
	/** Whether it was like that already when the session was paused. */
	before_pause: boolean,
} & FileLine;

/** The kind of obstacle, for programs. */
export type TroubleKind =
/** Both sides changed the same lines. */
"conflict" |
/** The check failed. */
"check_failed" |
/** The check timed out. */
"check_timed_out" |
/** The check could not run. */
"check_not_run" |
/** A working tree has the target checked out, and updating it was not permitted. */
"checked_out" |
/** A working tree has the target checked out, and git refused to update it. */
"not_followed" |
/** The branch to merge is gone. */
"no_source" |
/** The target is gone. */
"no_target" |
/** The branch has other commits than the approved ones. */
"not_approved" |
/** The two have no common history, as far as this clone knows. */
"unrelated" |
/** The target or the branch kept moving. */
"target_moves" |
/** There is no space for the queue's worktree, or it cannot be created. */
"no_worktree" |
/** Git failed. */
"git" |
/** The merge is complete, but its bead could not be closed. */
"not_closed";

/** A field that the tracker cannot store. */
export type UnsupportedField = {
	/** Its name in [`BeadChange`]. */
	field: string,
	/** A short reason: "br does not store estimates". */
	why: string,
};

/** Any JSON. */
export type Value = unknown;

/** A work item. The state of its bead in the tracker takes precedence over this one. */
export type WorkItem = {
	/** The bead, also its file's name. */
	beadId: BeadId,
	/** Its title, in one line. */
	title: string,
	/** Its description. */
	description: string,
	/** Its status. */
	status: WorkStatus,
	/** The agent that has it. */
	assignee?: FleetAgentId,
	/** The state of its hook. */
	hookStatus: HookStatus,
	/** Its priority. */
	priority: Priority,
};

/** The status of a work item. */
export type WorkStatus =
/** Not assigned. */
"open" |
/** On an agent's hook. */
"hooked" |
/** In progress. */
"in_progress" |
/** Completed by the agent. */
"done" |
/** It is part of the target branch. */
"merged";

/** A commit in a few words. */
export type WorktreeCommit = {
	/** Its hash. */
	hash: string,
	/** Its first line. */
	subject: string,
};

/** What the removal of a worktree would lose. What git ignores goes with it and is not in here. */
export type WorktreeLoss = {
	/** Its folder. */
	path: string,
	/** What is checked out in it. */
	branch: string | null,
	/** Whether nothing would be lost. */
	clean: boolean,
	/** Files that are not committed. */
	uncommitted: FileLine[],
	/** Files and folders that git does not know, and copies of the project's files that were changed. */
	untracked: string[],
	/** Submodules with repositories of their own in it. */
	submodules: string[],
	/** Commits that are on no other branch, the newest first, 200 at most. With a branch they stay on it. */
	commits: WorktreeCommit[],
	/** Identifies these losses; consent covers only them. */
	fingerprint: string,
};

/** Which worktree. */
export type WorktreeRef = {
	/** Its folder, the last part of that, or its branch. */
	path: string,
};

/** Parameters of `worktree.remove`. */
export type WorktreeRemoveParams = {
	/** As in [`WorktreeRef`]. */
	path: string,
	/** Whether it is removed although something is lost. */
	force?: boolean,
	/** The fingerprint of the confirmed losses; if it differs now, nothing is removed. */
	seen?: string | null,
};

/** A worktree that was removed. */
export type WorktreeRemoved = {
	/** Where it was. */
	path: string,
	/** The branch that stays. */
	branch: string | null,
};

/** Which session's worktree is made again. */
export type WorktreeRestoreParams = {
	/** The session. */
	session: SessionId,
};

/** A worktree that a session can go on in. */
export type WorktreeRestored = {
	/** Its folder. */
	path: string,
	/** What is checked out in it. */
	branch: string | null,
	/** What was done; `null` where it was there. */
	action: string | null,
	/** What to know besides. */
	warnings: string[],
};

/** The session of a worktree. */
export type WorktreeSession = {
	/** Its id. */
	id: SessionId,
	/** What it is called. */
	title: string | null,
	/** How it stands. */
	status: Status,
};

/** The setup command of new worktrees. */
export type WorktreeSetup = {
	/** Its words. */
	command: string[],
	/** Whether it may run. */
	state: SetupState,
	/** The repository's files that it names, and those that these name. */
	files: string[],
	/** How they differ from what was allowed last; all of them where nothing was. */
	change: string,
	/** What stands for the command with these files. */
	fingerprint: string | null,
};

/** Parameters of `worktree.allow_setup`. */
export type WorktreeSetupAllowParams = {
	/** The fingerprint that the user confirmed. */
	fingerprint: string,
};

/** One worktree. */
export type WorktreeShown = {
	/** Its folder. */
	path: string,
	/** Whether it is there. */
	state: WorktreeState,
	/** Where it is, if it was moved. */
	moved_to: string | null,
	/** What is checked out in it; `null` without a branch. */
	branch: string | null,
	/** Whether it is locked against removal. */
	locked: boolean,
	/** The session that works, or worked last, in it. */
	session: WorktreeSession | null,
	/** That session's bead. */
	bead_id: BeadId | null,
	/** What it takes, in bytes; `null` where it is not there. */
	bytes: number | null,
	/** Whether the count is complete; counting stops in very large folders. */
	counted: boolean,
	/** Whether its removal would lose nothing. */
	clean: boolean,
	/** Files that are not committed. */
	uncommitted: number,
	/** Files and folders that git does not know. */
	untracked: number,
	/** Commits that are on no other branch. */
	commits: number,
	/** Why it could not be looked into. */
	trouble: string | null,
};

/** Whether a worktree is where it was made. */
export type WorktreeState =
/** It is. */
"here" |
/** It was moved. */
"moved" |
/** Its folder is gone; its branch has what was committed. */
"gone";

/** Every linked worktree of the repository. */
export type Worktrees = {
	/** Where new ones are made. */
	folder: string,
	/** They, as git lists them; then those of paused sessions that git knows no more. */
	worktrees: WorktreeShown[],
	/** What they take together, in bytes, as far as it was counted. */
	bytes: number,
	/** What was found wrong. */
	warnings: string[],
};

/** Every method with what goes in and what comes out. */
export type Api = {
	"app.info": { params: Nothing; result: AppInfo };
	"app.projects": { params: Nothing; result: ProjectList };
	"app.open_project": { params: OpenProjectParams; result: OpenProject };
	"app.folders": { params: OpenProjectParams; result: FolderSuggestions };
	"app.close_project": { params: ProjectRef; result: ProjectList };
	"app.settings": { params: Nothing; result: Settings };
	"app.set_settings": { params: SettingsChange; result: Settings };
	"app.keep_layout": { params: LayoutKept; result: Nothing };
	"app.link": { params: Nothing; result: Link };
	"app.report": { params: ReportParams; result: ProblemReport };
	"project.init": { params: InitParams; result: ProjectInfo };
	"project.info": { params: Nothing; result: ProjectInfo };
	"project.settings": { params: Nothing; result: ProjectSettingsShown };
	"project.set_settings": { params: ProjectSettingsChange; result: ProjectSettingsShown };
	"agent.list": { params: Nothing; result: AgentList };
	"agent_files.preview": { params: AgentFilesPreviewParams; result: AgentFilesPlan };
	"agent_files.install": { params: AgentFilesParams; result: AgentFilesPlan };
	"agent_files.remove": { params: AgentFilesParams; result: AgentFilesPlan };
	"bead.list": { params: BeadListParams; result: BeadList };
	"bead.ready": { params: Nothing; result: BeadList };
	"bead.blocked": { params: Nothing; result: BeadList };
	"bead.show": { params: BeadRef; result: BeadShown };
	"bead.create": { params: BeadCreateParams; result: BeadShown };
	"bead.claim": { params: BeadClaimParams; result: BeadShown };
	"bead.comment": { params: BeadCommentParams; result: BeadShown };
	"bead.submit": { params: BeadSubmitParams; result: BeadShown };
	"bead.close": { params: BeadCloseParams; result: BeadShown };
	"bead.update": { params: BeadUpdateParams; result: BeadShown };
	"bead.approve": { params: BeadCloseParams; result: BeadShown };
	"bead.reject": { params: BeadRejectParams; result: BeadShown };
	"bead.reopen": { params: BeadReopenParams; result: BeadShown };
	"bead.delete": { params: BeadDeleteParams; result: BeadDeleted };
	"bead.undelete": { params: BeadDeleteParams; result: BeadShown };
	"bead.dep_add": { params: BeadDependencyParams; result: BeadShown };
	"bead.dep_remove": { params: BeadDependencyParams; result: BeadShown };
	"bead.capabilities": { params: Nothing; result: BeadCapabilities };
	"bead.query": { params: BeadQueryParams; result: BeadQueryAnswer };
	"bead.next": { params: BeadNextParams; result: NextBeads };
	"bead.stale": { params: Nothing; result: StaleBeads };
	"bead.audit": { params: BeadRef; result: BeadAudit };
	"bead.graph": { params: BeadGraphParams; result: BeadGraph };
	"hooks.list": { params: Nothing; result: HookFiles };
	"hooks.trust": { params: HookTrustParams; result: HookFiles };
	"hooks.allow": { params: HookAllowParams; result: HookFiles };
	"hooks.save": { params: HookSaveParams; result: HookFiles };
	"hooks.test": { params: HookTestParams; result: HookTest };
	"hooks.reload": { params: Nothing; result: HooksReloaded };
	"hooks.runs": { params: HookRunsParams; result: HookRunsShown };
	"recovery.show": { params: RecoveryParams; result: RecoveryBlock };
	"memory.list": { params: MemoryListParams; result: MemoryList };
	"memory.search": { params: MemorySearchParams; result: MemoryList };
	"memory.get": { params: MemoryGetParams; result: MemoryShown };
	"memory.save": { params: MemorySaveParams; result: MemorySaved };
	"memory.link": { params: MemoryLinkParams; result: MemoryShown };
	"memory.unlink": { params: MemoryUnlinkParams; result: MemoryShown };
	"memory.merge": { params: MemoryMergeParams; result: MemoryShown };
	"memory.unmerge": { params: MemoryRef; result: MemoryShown };
	"memory.forget": { params: MemoryRef; result: MemoryShown };
	"memory.restore": { params: MemoryRef; result: MemoryShown };
	"memory.proposals": { params: SessionRef; result: Proposals };
	"memory.prime": { params: PrimeParams; result: PrimeText };
	"memory.import": { params: MemoryImportParams; result: MemoryImported };
	"backup.status": { params: BackupStatusParams; result: BackupStatus };
	"backup.run": { params: BackupRunParams; result: BackupDone };
	"backup.preview": { params: RestoreParams; result: Restore };
	"backup.restore": { params: RestoreParams; result: Restore };
	"backup.sync_tracker": { params: SyncTrackerParams; result: TrackerSynced };
	"fleet.settings": { params: Nothing; result: FleetSettings };
	"fleet.set_settings": { params: FleetSettingsInput; result: FleetSettings };
	"fleet.agent_create": { params: FleetAgentCreateParams; result: FleetAgentShown };
	"fleet.agent": { params: FleetAgentRef; result: FleetAgentShown };
	"fleet.agent_rename": { params: FleetAgentRenameParams; result: FleetAgentShown };
	"fleet.agent_status": { params: FleetAgentStatusParams; result: FleetAgentShown };
	"fleet.agents": { params: FleetAgentsParams; result: FleetAgents };
	"fleet.work_create": { params: FleetWorkCreateParams; result: FleetWorkShown };
	"fleet.work": { params: FleetWorkRef; result: FleetWorkShown };
	"fleet.work_list": { params: Nothing; result: FleetWork };
	"fleet.work_status": { params: FleetWorkStatusParams; result: FleetWorkShown };
	"fleet.hook": { params: FleetAgentRef; result: FleetHookShown };
	"fleet.hook_set": { params: FleetHookParams; result: FleetHookShown };
	"fleet.hook_activate": { params: FleetAgentRef; result: FleetHookShown };
	"fleet.hook_complete": { params: FleetAgentRef; result: FleetHookShown };
	"fleet.hook_clear": { params: FleetAgentRef; result: FleetHookShown };
	"fleet.convoy_create": { params: FleetConvoyCreateParams; result: FleetConvoyShown };
	"fleet.convoy": { params: FleetConvoyRef; result: FleetConvoyShown };
	"fleet.convoys": { params: Nothing; result: FleetConvoys };
	"fleet.convoy_progress": { params: FleetConvoyRef; result: FleetConvoyShown };
	"fleet.queue": { params: Nothing; result: FleetQueue };
	"fleet.queue_state": { params: Nothing; result: FleetQueueState };
	"fleet.queue_add": { params: FleetQueueAddParams; result: FleetQueueState };
	"fleet.queue_run": { params: Nothing; result: FleetQueueState };
	"fleet.queue_output": { params: FleetQueueOutputParams; result: FleetQueueOutput };
	"fleet.queue_send_back": { params: FleetMergeRef; result: FleetSentBack };
	"fleet.review": { params: FleetReviewParams; result: FleetReview };
	"fleet.approve": { params: FleetApproveParams; result: FleetQueueState };
	"fleet.request_changes": { params: FleetRequestChangesParams; result: FleetSentBack };
	"fleet.queue_pause": { params: Nothing; result: FleetQueueState };
	"fleet.queue_go_on": { params: Nothing; result: FleetQueueState };
	"fleet.queue_retry": { params: FleetQueueRetryParams; result: FleetQueueState };
	"fleet.queue_skip": { params: FleetMergeRef; result: FleetQueueState };
	"fleet.queue_cancel": { params: FleetMergeRef; result: FleetQueueState };
	"fleet.queue_move": { params: FleetQueueMoveParams; result: FleetQueueState };
	"fleet.overview": { params: Nothing; result: FleetOverview };
	"fleet.dispatch": { params: FleetDispatchParams; result: FleetDispatched };
	"fleet.agent_start": { params: FleetAgentRef; result: FleetAgentSteered };
	"fleet.agent_stop": { params: FleetAgentRef; result: FleetAgentSteered };
	"fleet.agent_retire": { params: FleetAgentRef; result: FleetAgentSteered };
	"fleet.recover": { params: FleetRecoverParams; result: FleetAgentSteered };
	"fleet.pause_all": { params: Nothing; result: FleetPaused };
	"fleet.go_on": { params: FleetGoOnParams; result: FleetPaused };
	"fleet.broadcast": { params: FleetBroadcastParams; result: FleetBroadcasted };
	"fleet.convoy_add": { params: FleetConvoyBeadsParams; result: FleetConvoyShown };
	"fleet.convoy_remove": { params: FleetConvoyBeadsParams; result: FleetConvoyShown };
	"fleet.convoy_rename": { params: FleetConvoyRenameParams; result: FleetConvoyShown };
	"fleet.convoy_close": { params: FleetConvoyCloseParams; result: FleetConvoyShown };
	"fleet.command_words": { params: CommandWordsParams; result: CommandWords };
	"fleet.runner_probe": { params: RunnerProbeParams; result: RunnerProbe };
	"worktree.list": { params: Nothing; result: Worktrees };
	"worktree.loss": { params: WorktreeRef; result: WorktreeLoss };
	"worktree.remove": { params: WorktreeRemoveParams; result: WorktreeRemoved };
	"worktree.restore": { params: WorktreeRestoreParams; result: WorktreeRestored };
	"worktree.setup": { params: Nothing; result: WorktreeSetup };
	"worktree.allow_setup": { params: WorktreeSetupAllowParams; result: WorktreeSetup };
	"session.plan": { params: SessionPlanParams; result: SessionPlan };
	"session.start": { params: SessionStartParams; result: SessionStarted };
	"session.started": { params: SessionRef; result: SessionStarted };
	"session.list": { params: SessionListParams; result: SessionList };
	"session.show": { params: SessionRef; result: SessionView };
	"session.transcript": { params: SessionRef; result: Transcript };
	"session.injections": { params: SessionRef; result: Injections };
	"session.hook_runs": { params: SessionRef; result: SessionHookRuns };
	"session.page": { params: SessionPageParams; result: TranscriptPage };
	"session.find": { params: SessionFindParams; result: SessionFound };
	"session.timeline": { params: SessionRef; result: Timeline };
	"session.changes": { params: SessionChangesParams; result: SessionChanges };
	"session.viewed": { params: SessionRef; result: SessionViewed };
	"session.set_viewed": { params: SetViewedParams; result: SessionViewed };
	"session.search": { params: Query; result: SearchAnswer };
	"session.metrics": { params: SessionRef; result: SessionMetrics };
	"project.metrics": { params: ProjectMetricsParams; result: ProjectMetrics };
	"session.export": { params: SessionExportParams; result: Exported };
	"session.send": { params: SessionSendParams; result: Sent };
	"session.retry": { params: HeldTextRef; result: SessionView };
	"session.forget": { params: HeldTextRef; result: SessionView };
	"session.completions": { params: SessionRef; result: Completions };
	"session.permission": { params: PermissionParams; result: SessionView };
	"session.mode": { params: SessionModeParams; result: SessionView };
	"session.interrupt": { params: SessionRef; result: SessionView };
	"session.pause": { params: SessionRef; result: SessionView };
	"session.resume_preview": { params: SessionRef; result: ResumePreview };
	"session.resume": { params: SessionResumeParams; result: SessionStarted };
	"session.end_preview": { params: SessionRef; result: EndPreview };
	"session.end": { params: SessionEndParams; result: SessionEnded };
	"session.delete": { params: SessionRef; result: Nothing };
	"session.delete_many": { params: DeleteManyParams; result: Deleted };
	"session.trash": { params: Nothing; result: Trash };
	"session.restore": { params: SessionRef; result: SessionView };
	"session.stale": { params: Nothing; result: StaleSessions };
	"session.cleanup": { params: Nothing; result: CleanedUp };
};
