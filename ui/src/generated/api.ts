// The contract, written by `cargo xtask codegen` from src-tauri/crates/wire. Not edited by hand.

/** Claude's activity, as reported by its hooks. */
export type Activity =
/** Not reported yet. */
"starting" |
/** Asks for trust in the folder or for a login in its terminal before it starts. */
"asks_at_start" |
/** At its prompt. */
"idle" |
/** In a turn. */
"working" |
/** Asks for a permission. */
"waiting_permission" |
/** A dialog or another view covers the input box in its terminal. */
"dialog_open" |
/** The user typed in its terminal, or a dialog may be open. */
"unknown" |
/** Exited. */
"gone";

/** Parameters of `session.adopt`. */
export type AdoptParams = {
	/** The conversation. */
	conversation: ConversationId,
	/** The bead to link and claim. */
	bead_id?: BeadId | null,
	/** The title, if not the conversation's. */
	title?: string | null,
	/** Whether to adopt it although a running claude seems to write it. */
	anyway?: boolean,
};

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
	/** The name of its file without the extension. */
	name: AgentName,
	/** The description in its file. */
	description: string | null,
	/** Its origin. */
	source: AgentSource,
};

/** The answer of `agent.list`. */
export type AgentList = {
	/** The project's agent prompts, then the user's. */
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

/** The origin of an agent prompt. */
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
	/** The code, for programs. */
	code: ErrorCode,
	/** The failure and its object, for users. */
	message: string,
	/** The next step. */
	hint?: string,
};

/** Claude's retry of a failed request. */
export type ApiRetry = {
	/** The number of the next attempt. */
	attempt: number,
	/** The maximum number of attempts. */
	of: number,
	/** The failure, if reported by claude. */
	why: string | null,
};

/** The answer of `app.info`. */
export type AppInfo = {
	/** This program's version. */
	version: string,
	/** Whether claude can be used. */
	claude: ClaudeState,
	/** Whether the simulated agent is available. */
	simulated_available: boolean,
	/** The user's name in conversations and as an assignee. */
	display_name: string,
	/** Whether it serves browsers, so that `app.link` has an answer. */
	serves_browsers: boolean,
};

/** Parameters of `session.attach`. */
export type AttachParams = {
	/** The session. */
	id: SessionId,
	/** The file's name, without a folder. */
	name: string,
	/** The file's bytes in base64. */
	data: string,
};

/** A file that a prompt can mention. */
export type Attached = {
	/** The text that makes claude read the file: `@` and its path. */
	mention: string,
	/** Its path. */
	path: string,
	/** The number of bytes. */
	bytes: number,
};

/** A change of a bead. */
export type AuditEvent = {
	/** The time of the change. */
	at: string,
	/** The actor, as named by the tracker. */
	actor: string,
	/** The session that made the change, if it was one of this program's. */
	session?: SessionId,
	/** The kind: `created`, `claimed`, `status`, `closed`, `reopened`, `comment`, `field`, `dependency` … */
	kind: string,
	/** The name of the changed field, for the kind `field`. */
	field?: string,
	/** The previous value, shortened to one line. */
	from?: string,
	/** The new value, shortened to one line. */
	to?: string,
};

/** The number of records of each kind. */
export type BackupCounts = {
	/** Beads. */
	beads: number,
	/** Memories, including forgotten ones. */
	memories: number,
	/** Session records. */
	sessions: number,
	/** Session records with a conversation. */
	transcripts: number,
};

/** The answer of `backup.run`. */
export type BackupDone = {
	/** Whether there is a new commit, because data changed since the last backup. */
	changed: boolean,
	/** The branch's commit; absent if the settings disable the backup, or another backup is about to start. */
	commit: string | null,
	/** The contents of the backup. */
	counts: BackupCounts,
	/** The number of redacted secrets. */
	secrets_removed: number,
	/** The result of the push. */
	push: BackupPush,
	/** Data that is missing from the backup, with the reasons. */
	warnings: string[],
};

/** The result of a push. */
export type BackupPush =
/** Not requested. */
{ state: "not_wanted" } |
/** There is no remote, or it is ambiguous. */
{ state: "no_remote" } |
/** It succeeded. */
{ state: "done";
/** The remote's name. */
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
	/** Whether to include conversations. */
	transcripts?: boolean | null,
	/** Whether to keep possible secrets in titles and conversations. */
	keep_secrets?: boolean,
	/** Whether a session's end is the reason; then the settings decide whether to back up. */
	at_end?: boolean,
};

/** The three places that store a project's beads, memories and sessions. */
export type BackupStatus = {
	/** This machine. */
	local: LocalTier,
	/** The branch of the repository. */
	branch: BranchTier,
	/** The tracker's own remote. */
	tracker: TrackerTier,
};

/** Parameters of `backup.status`. */
export type BackupStatusParams = {
	/** Whether to ask the tracker's program for its remotes, which takes seconds. */
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

/** The history of a bead. */
export type BeadAudit = {
	/** The bead's id. */
	id: BeadId,
	/** The changes, oldest first. */
	events: AuditEvent[],
	/** A notice for the user about missing events: changes by other programs that the tracker does not record. */
	note?: string,
};

/** The capabilities of the project's tracker. */
export type BeadCapabilities = {
	/** Why the beads are read-only; absent if they can be changed. */
	read_only?: string,
	/** Fields of [`BeadChange`] that the tracker cannot store, with the reason. */
	unsupported: UnsupportedField[],
	/** Types for new beads, including custom ones. */
	types: string[],
	/** Statuses that a bead can be set to, including custom ones. */
	statuses: BeadStatus[],
	/** Kinds of dependencies. */
	dependency_kinds: string[],
	/** Whether beads can be deleted, and whether a deletion can be undone. */
	delete: DeleteSupport,
	/** Whether `bead.submit` must add a custom status first, which needs the user's consent. */
	submit_needs_consent: boolean,
	/** The source of the audit's events, as text for the user. */
	audit: string,
};

/** A change of a bead's fields. Absent fields stay as they are; an empty text clears a field that may be empty. */
export type BeadChange = {
	/** The title: one line, 1 to 500 characters. */
	title?: string | null,
	/** The description, as Markdown. */
	description?: string | null,
	/** The design, as Markdown. */
	design?: string | null,
	/** The acceptance criteria, as Markdown. */
	acceptance_criteria?: string | null,
	/** The notes, as Markdown. */
	notes?: string | null,
	/** The new status. `closed` and `in_review` have separate commands. */
	status?: BeadStatus | null,
	/** The priority, 0 (most urgent) to 4. */
	priority?: number | null,
	/** The type, one of the tracker's. */
	issue_type?: string | null,
	/** The assignee; empty for none. */
	assignee?: string | null,
	/** Labels to add. */
	add_labels?: string[],
	/** Labels to remove. */
	remove_labels?: string[],
	/** The parent's id; empty for none. */
	parent?: string | null,
	/** The due date, as `YYYY-MM-DD` or RFC 3339; empty for none. */
	due?: string | null,
	/** The end of the deferral, as `YYYY-MM-DD` or RFC 3339; empty for none. */
	defer?: string | null,
	/** The estimate in minutes; 0 for none. */
	estimated_minutes?: number | null,
	/** A reference in another system; empty for none. */
	external_ref?: string | null,
};

/** Parameters of `bead.claim`. */
export type BeadClaimParams = {
	/** The bead's id. */
	id: BeadId,
	/** The actor to assign the bead to; the user by default. */
	actor?: string | null,
};

/** Parameters of `bead.close`. */
export type BeadCloseParams = {
	/** The bead's id. */
	id: BeadId,
	/** The reason. */
	reason?: string | null,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** A closed bead, and what followed. */
export type BeadClosed = {
	/** The session that was started automatically on the next bead. */
	next?: NextStarted,
	/** Warnings. */
	warnings?: string[],
} & BeadShown;

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
	/** The bead's id. */
	id: BeadId,
	/** The comment, as Markdown. */
	text: string,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** Parameters of `bead.create`. */
export type BeadCreateParams = {
	/** The title: one line, 1 to 500 characters. */
	title: string,
	/** The description, as Markdown. */
	description?: string,
	/** The acceptance criteria, as Markdown. */
	acceptance_criteria?: string,
	/** The type; `task` by default. */
	issue_type?: string | null,
	/** The priority, 0 (most urgent) to 4; 2 by default. */
	priority?: number | null,
	/** The labels. */
	labels?: string[],
	/** The parent bead. */
	parent?: BeadId | null,
	/** The beads that block it. */
	blocked_by?: BeadId[],
	/** The design, as Markdown. */
	design?: string,
	/** The notes, as Markdown. */
	notes?: string,
	/** The assignee; none by default. */
	assignee?: string | null,
	/** The due date, as `YYYY-MM-DD` or RFC 3339. */
	due?: string | null,
	/** The end of the deferral, as `YYYY-MM-DD` or RFC 3339. */
	defer?: string | null,
	/** The estimate in minutes. */
	estimated_minutes?: number | null,
	/** A reference in another system. */
	external_ref?: string | null,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** Parameters of `bead.delete` and `bead.undelete`. */
export type BeadDeleteParams = {
	/** The bead's id. */
	id: BeadId,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** The answer of `bead.delete`. */
export type BeadDeleted = {
	/** The bead's id. */
	id: BeadId,
	/** Whether `bead.undelete` can restore it. */
	can_undo: boolean,
};

/** Parameters of `bead.dep_add` and `bead.dep_remove`. */
export type BeadDependencyParams = {
	/** The bead that depends. */
	id: BeadId,
	/** The bead that it depends on. */
	depends_on: BeadId,
	/** The kind; `blocks` by default. A removal ignores it. */
	kind?: string | null,
	/** The actor who makes the change; the user by default. */
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
	/** Cycles of blocking dependencies. In each list, every bead depends on the next one, and the last on the first. */
	cycles: BeadId[][],
	/**
	 * The longest chain of open beads, in the order of work. Its length is the sum of estimates if all beads have one,
	 * otherwise the number of beads.
	 */
	critical_path: BeadId[],
};

/** Parameters of `bead.graph`. */
export type BeadGraphParams = {
	/** A query line; only matching beads and the dependencies among them are returned. */
	query?: string,
	/** A bead; only it and the beads connected with it are returned. */
	around?: BeadId | null,
	/** Whether to include closed beads. */
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

/** A list of beads. */
export type BeadList = {
	/** The beads, in the tracker's order. */
	beads: Bead[],
	/** Unreadable data. */
	warnings: string[],
	/** A notice about the whole list, for example why it is read-only and how old it is. */
	note?: string,
	/** Identifies this content, for `since`. Absent if the tracker has no cheap way to compare contents. */
	content?: string,
	/** Whether `beads` and `removed` are only the changes since the requested content. */
	changes_only?: boolean,
	/** Beads that were removed since that content. */
	removed?: BeadId[],
	/** The number of all matching beads, if `beads` is only their first page. */
	total?: number,
};

/** Parameters of `bead.list`. */
export type BeadListParams = {
	/**
	 * Return only the changes since this `content` of an earlier answer with the same `status` and `all`. If that
	 * content is unknown, or with a query, the answer is complete.
	 */
	since?: string | null,
	/** The maximum number of beads per board column, the first ones; absent, or with a query, all are returned. */
	page?: number | null,
	/** A query line such as `status:open label:ui -label:x priority<=1 text`. */
	query?: string,
	/** The statuses to include; empty for all. */
	status?: BeadStatus[],
	/**
	 * Whether to include beads that a board does not show: pinned ones, and those of the tracker's own types
	 * (`event`, `message`, `gate` …). Memories are never included.
	 */
	all?: boolean,
};

/** Parameters of `bead.next`. */
export type BeadNextParams = {
	/** The maximum number of beads; 5 by default. */
	limit?: number | null,
	/** A bead that was just closed; the beads that it unblocked come first. */
	after?: BeadId | null,
};

/** The current state of a paused session's bead. */
export type BeadNow = {
	/** Its id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its state. */
	status: BeadStatus,
	/** Its assignee. */
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

/** Identifies a bead. */
export type BeadRef = {
	/** The bead's id. */
	id: BeadId,
};

/** Parameters of `bead.reject`: the work in review needs changes. */
export type BeadRejectParams = {
	/** The bead's id. */
	id: BeadId,
	/** The requested changes, as Markdown: added as a comment and sent to the agent of the bead's session. */
	text: string,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** Parameters of `bead.reopen`. */
export type BeadReopenParams = {
	/** The bead's id. */
	id: BeadId,
	/** The reason, which is added as a comment. */
	reason?: string | null,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** The number of sessions of a bead. */
export type BeadSessions = {
	/** The bead. */
	bead: string,
	/** All its sessions, at any time. */
	sessions: number,
};

/** A bead and its sessions. */
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
	/** The bead's id. */
	id: BeadId,
	/** Whether a missing custom status may be added to the tracker. */
	add_status?: boolean,
	/**
	 * Whether to submit the bead even if no commit of its work exists. Otherwise, a bead of a repository is refused
	 * with `commit_missing`.
	 */
	without_commit?: boolean,
	/** Whether to save the execution log of its latest session in its notes. */
	log?: boolean,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** Parameters of `bead.update`. */
export type BeadUpdateParams = {
	/** The bead's id. */
	id: BeadId,
	/** The changed fields. */
	change: BeadChange,
	/**
	 * The `updated_at` of the version that the user edited. If the bead has another one, the change is refused with
	 * `bead_changed`.
	 */
	expected?: string | null,
	/** The actor who makes the change; the user by default. */
	actor?: string | null,
};

/** How the bead of a recovery block was chosen. */
export type Because =
/** It was given. */
"named" |
/** It is the session's current bead; or the session has none. */
"session" |
/** It is the caller's latest bead in progress. */
"latest" |
/** The caller has no bead in progress. */
"nothing";

/** A git branch that `git check-ref-format --branch` accepts. */
export type BranchName = string;

/** The data on the branch. */
export type BranchTier = {
	/** Whether a backup is made when a session ends. */
	at_end: boolean,
	/** Whether that backup is pushed. */
	push: boolean,
	/** Whether it includes conversations. */
	transcripts: boolean,
	/** The branch's name. */
	branch: string,
	/** The time of the last backup from this clone, even if nothing had changed. */
	last_at: string | null,
	/** The branch's commit. */
	commit: string | null,
	/** The contents of the branch. */
	counts: BackupCounts | null,
	/** The remote to push to. */
	remote: string | null,
	/** The number of commits missing on the remote, as of the last fetch or push. */
	ahead: number,
	/** The number of the remote's commits missing here. */
	behind: number,
	/** The time of the last push from this clone. */
	last_push_at: string | null,
	/** The error of the last push; the next backup retries it. */
	push_error: string | null,
	/** Why the last backup failed or is incomplete. */
	problem: string | null,
};

/** A comment on a line of a change. It stays until it is resolved. */
export type ChangeComment = {
	/** Its id, chosen by the client. */
	comment: string,
	/** The file. */
	path: string,
	/** The line's number. */
	line: number,
	/** The version that the number is of. */
	side: CommentSide,
	/** The line's text when the comment was written. */
	code: string,
	/** The comment. */
	text: string,
	/** When it was sent to the agent; absent until then. */
	sent_at: string | null,
};

/** A comment on a line of a change. It stays until it is resolved. */
export type ChangeCommentInput = {
	/** Its id, chosen by the client. */
	comment: string,
	/** The file. */
	path: string,
	/** The line's number. */
	line: number,
	/** The version that the number is of. */
	side: CommentSide,
	/** The line's text when the comment was written. */
	code: string,
	/** The comment. */
	text: string,
	/** When it was sent to the agent; absent until then. */
	sent_at?: string | null,
};

/** The unresolved comments of a session, oldest first. */
export type ChangeComments = {
	/** The comments. */
	comments: ChangeComment[],
};

/** The state that is compared with the state before a session. */
export type ChangesOf =
/** The session's folder, including uncommitted changes. */
"folder" |
/** The session's branch, because its folder is missing or has another branch checked out. */
"branch" |
/** The recorded commits of a closed session. */
"commits";

/** How to treat a working tree that has the merge target checked out. */
export type CheckedOut =
/** Leave it: the queue waits for the user's decision. */
"ask" |
/** Update it if it has no uncommitted changes, as `git merge --ff-only` does. */
"follow";

/** The differences between two states. */
export type CheckpointChanges = {
	/** The changed files, sorted by name. */
	files: FileDiff[],
	/** Whether the list is cut off. */
	cut: boolean,
	/** The listed files with uncommitted changes now. */
	uncommitted: string[],
};

/** Parameters of `session.compare`. */
export type CheckpointCompareParams = {
	/** The session. */
	id: SessionId,
	/** The earlier checkpoint. */
	from: number,
	/** The later one; absent: the session's folder now. */
	to?: number | null,
	/** Whether to ignore changes in white space. */
	ignore_space?: boolean,
};

/** The size of a change. */
export type CheckpointCounts = {
	/** Changed files. */
	files: number,
	/** Added lines. */
	added: number,
	/** Removed lines. */
	removed: number,
};

/** A file that a checkpoint or a restore leaves out. */
export type CheckpointFile = {
	/** Its path, relative to the repository's root. */
	path: string,
	/** Why. */
	why: string,
};

/** A kept state. */
export type CheckpointLine = {
	/** Its number in the session. */
	number: number,
	/** Its reference in the repository. */
	reference: string,
	/** When it was made, or for which prompt last. */
	at: string,
	/** The commit that was checked out; absent before the first commit. */
	head: string | null,
	/** The branch that was checked out. */
	branch: string | null,
	/** The prompts for which it was made: several, if no file changed in between. Empty before a restore. */
	turns: CheckpointTurn[],
	/** The restore before which it was made. */
	restore: CheckpointRestore | null,
	/** What changed afterwards, up to the next checkpoint or to now; absent if unknown. */
	changed: CheckpointCounts | null,
	/** Files that are not in it, and that no restore touches. */
	left_out: CheckpointFile[],
	/** The number of further such files. */
	left_out_more: number,
	/** The number of submodules; they are never restored. */
	submodules: number,
};

/** A restore. */
export type CheckpointRestore = {
	/** The restored checkpoint. */
	checkpoint: number,
	/** The restored files, if not all; folders end in `/`. */
	files: string[],
};

/** A prompt with a checkpoint. */
export type CheckpointTurn = {
	/** Its number in the session, from 1. */
	turn: number,
	/** When it was sent. */
	at: string,
	/** Its first words. */
	words: string,
};

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
/** Claude is ready. */
{ state: "ready";
/** Claude's version. */
version: string } |
/** Claude is not on the path. */
{ state: "missing";
/** How to install it. */
hint: string } |
/** Claude is older than the required version. */
{ state: "too_old";
/** The installed version. */
version: string;
/** The required version. */
needed: string } |
/** A policy or setting disables claude's hooks, so sessions could not be recorded. */
{ state: "hooks_disabled";
/** Claude's version. */
version: string;
/** The next step. */
hint: string } |
/** Claude has no account. */
{ state: "not_logged_in";
/** Claude's version. */
version: string };

/** The answer of `session.cleanup`. */
export type CleanedUp = {
	/** Drafts older than 24 hours that were closed. */
	closed_drafts: SessionId[],
	/** Sessions deleted permanently after seven days in the trash folder. */
	removed: SessionId[],
	/** The sessions that the user should decide about. */
	stale: StaleSessions,
	/** Failed steps. */
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

/** The origin of a command. */
export type CommandOrigin =
/** Claude Code. */
"claude" |
/** The project. */
"project" |
/** The user. */
"person";

/** Command lines, split into words. */
export type CommandWords = {
	/** One entry per line; `null` if a quote is not closed. */
	words: (string[] | null)[],
};

/** Parameters of `fleet.command_words`. */
export type CommandWordsParams = {
	/** The command lines as entered. */
	lines: string[],
};

/** The version of a file that a comment's line number is of. */
export type CommentSide =
/** The version before the change. */
"old" |
/** The version after it. */
"new";

/** The author of a commit. */
export type CommitAuthor = {
	/** The name. */
	name: string,
	/** The e-mail address. */
	email: string,
};

/** A file that a commit can include. */
export type CommitFile = {
	/** Relative to the repository's root. */
	path: string,
	/** The uncommitted change. */
	change: FileChange,
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

/** Parameters of `session.commit`. */
export type CommitParams = {
	/** The session. */
	id: SessionId,
	/** The message, at most 64 KiB. */
	message: string,
	/** The files, named as in `session.commit_preview`; empty for all. */
	paths?: string[],
};

/** The answer of `session.commit_preview`. */
export type CommitPreview = {
	/** A proposed message. */
	message: string,
	/** The branch; absent if HEAD is detached. */
	branch: BranchName | null,
	/** The author's name; absent if git has none. */
	author: string | null,
	/** The session's uncommitted files. */
	files: CommitFile[],
	/** Hooks of the repository that do not run. */
	skipped_hooks: string[],
	/** Whether the user's settings ask for a signature, which is not made. */
	unsigned: boolean,
};

/** A new commit. */
export type Committed = {
	/** The full hash. */
	hash: string,
	/** The first line of its message. */
	subject: string,
	/** The number of its files. */
	files: number,
};

/** The answer of `session.completions`. */
export type Completions = {
	/** Completions after a `/` at the start, without the slash. */
	commands: SlashCommand[],
	/** Completions after an `@`: the files that git lists in the session's folder, relative to it. */
	files: string[],
	/** The number of omitted files. */
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
/** No additional context. */
"none" |
/** A context pack: convention files, files that the bead names or is about, recent commits. */
"automatic";

/** The usage of the model's context, as counted by claude. */
export type ContextUse = {
	/** The tokens in use. */
	tokens: number,
	/** The capacity in tokens. */
	size: number,
};

/** One of claude's conversations that belongs to no session. */
export type Conversation = {
	/** Claude's id of it. */
	id: ConversationId,
	/** Its title: claude's or the user's, or else the beginning of the first prompt. */
	title: string,
	/** The folder in which it began. */
	cwd: string,
	/** The branch at its latest message. */
	branch: string | null,
	/** When it began. */
	started_at: string,
	/** When it was last written. */
	last_at: string,
	/** The size of its file. */
	bytes: number,
	/** The version of claude that wrote it last. */
	version: string | null,
	/** Whether a running claude seems to write it. */
	in_use: boolean,
	/** The first places with the searched text. */
	found: string[],
};

/** A conversation of Claude Code (its `session_id`); one session may have several. */
export type ConversationId = string;

/** The answer of `session.conversations`. */
export type Conversations = {
	/** The conversations, latest first. */
	conversations: Conversation[],
	/** What could not be read. */
	warnings: string[],
};

/** Parameters of `session.conversations`. */
export type ConversationsParams = {
	/** Only conversations with this text, regardless of case. */
	text?: string | null,
};

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
	/** The same figures for as many days before the range; absent for all days. */
	previous: Period | null,
	/** Number of beads closed in the range; absent if the tracker does not say. */
	beads_closed: number | null,
	/** The beads worked on in the range with the number of all their sessions, most first. */
	bead_sessions: BeadSessions[],
	/** The agents of all sessions, for a filter; the name is empty for claude's default. */
	agent_names: string[],
};

/** One day of a project, in this machine's time zone. */
export type Day = {
	/** `2026-01-19`. */
	date: string,
	/** Number of sessions created on it. */
	sessions: number,
	/** Its tokens by kind. */
	kinds: TokenKinds,
} & Amount;

/** Parameters of `session.delete_many`: these sessions, or all closed ones of a range of dates. */
export type DeleteManyParams = {
	/** The sessions; if empty, selected by date. */
	ids?: SessionId[],
	/** Only sessions closed before this time. */
	before?: string | null,
	/** Only sessions closed at or after this time. */
	after?: string | null,
	/** Whether to only list the sessions. */
	dry_run?: boolean,
};

/** The tracker's support for deleting beads. */
export type DeleteSupport =
/** Beads cannot be deleted. */
"no" |
/** A deletion is permanent. */
"permanent" |
/** `bead.undelete` can restore deleted beads. */
"undoable";

/** The answer of `session.delete_many`. */
export type Deleted = {
	/** The sessions that were moved to the trash folder, or would be. */
	sessions: SessionView[],
	/** The sessions that were not. */
	refused: NotDeleted[],
};

/** Whether a text reached claude. */
export type Delivery =
/** It was typed and confirmed. */
"sent" |
/** It is queued on disk until claude is at its prompt. */
"held" |
/** It was typed but not confirmed by claude: check before retrying. */
"unconfirmed";

/** The kind of change to a file. */
export type DiffChange =
/** The file is new. */
"added" |
/** Its content changed. */
"modified" |
/** It was deleted. */
"deleted" |
/** It was renamed. */
"renamed";

/** The bead of a session that is about to end. */
export type EndBead = {
	/** Its id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its state. */
	status: BeadStatus,
};

/** The answer of `session.end_preview`: the decisions of an end. */
export type EndPreview = {
	/** The session's bead; absent if it has none or it cannot be read. */
	bead: EndBead | null,
	/** Whether to offer "Move to in review", because the bead is in progress. */
	suggest_review: boolean,
	/** Whether the tracker needs the custom status `in_review` for that: ask, then set `add_status`. */
	needs_consent: boolean,
	/** Whether no commit of the work exists: ask, then set `without_commit`. */
	no_commit: boolean,
	/** The execution log as Markdown, for the user to edit. */
	log: string,
	/** The facts in the log. */
	facts: ExecutionFacts,
	/** Missing information. */
	warnings: string[],
};

/** The kind of an error, for programs. Clients match codes, never text. */
export type ErrorCode =
/** Invalid argument. */
"usage" |
/** Invalid branch name. */
"branch_invalid" |
/** The text is too large. */
"text_too_large" |
/** The project folder does not exist. */
"project_not_found" |
/** The folder has no beads. */
"no_beads" |
/** The bead does not exist. */
"bead_not_found" |
/** The session does not exist. */
"session_not_found" |
/** The agent prompt does not exist. */
"agent_not_found" |
/** The memory does not exist. */
"memory_not_found" |
/** The project has no backup. */
"backup_not_found" |
/** The convoy does not exist. */
"convoy_not_found" |
/** The merge request is not in the queue. */
"merge_not_found" |
/** No server for browsers is running. */
"server_not_found" |
/** The worktree does not exist. */
"worktree_not_found" |
/** The session has no such checkpoint. */
"checkpoint_not_found" |
/** The folder is not in a git repository. */
"not_a_repository" |
/** The repository has no commit to branch from. */
"no_commits" |
/** The branch cannot be changed because tracked files have uncommitted changes. */
"dirty_tree" |
/** Files changed while a command used them. */
"files_changed" |
/** The branch exists and belongs to other work. */
"branch_exists" |
/** The branch is checked out elsewhere. */
"branch_in_use" |
/** Another session works in that folder on another branch. */
"folder_in_use" |
/** The bead is claimed by another actor. */
"bead_claimed" |
/** The bead's state does not allow the command. */
"bead_state" |
/** The bead changed since the version that the user edited. */
"bead_changed" |
/** The dependency would close a cycle. */
"dependency_cycle" |
/** The tracker cannot store or do this. */
"tracker_unsupported" |
/** The session's state does not allow the command. */
"session_state" |
/** The state of the hook or its work does not allow the command. */
"hook_state" |
/** The state of the merge queue or the request does not allow the command. */
"queue_state" |
/** The user must consent first. */
"confirmation_needed" |
/** No commit of the work exists; the user may submit it anyway. */
"commit_missing" |
/** The repository's git settings name programs that the user has not allowed. */
"programs_not_allowed" |
/** The tracker is read-only. */
"tracker_read_only" |
/** Changing the file could destroy data. */
"file_refused" |
/** Claude Code is not installed. */
"claude_missing" |
/** Claude Code is older than the required version. */
"claude_too_old" |
/** Claude Code has no account. */
"claude_not_logged_in" |
/** A policy or setting disables claude's hooks. */
"hooks_disabled" |
/** Claude exited immediately after its start. */
"claude_exited" |
/** git is not installed. */
"git_missing" |
/** The user has chosen no editor, or it is not installed. */
"editor_missing" |
/** The program `gh` is not installed. */
"gh_missing" |
/** The tracker's program is not installed. */
"tracker_missing" |
/** The program with the tracker's name is a different one. */
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
/** The folder or disk is read-only. */
"read_only" |
/** A file could not be read or written. */
"io" |
/** Any other error, described by the message. */
"internal";

/** The kinds of events. */
export type Event =
/** Beads changed, by this program or another: reload the list. */
{ type: "beads_changed" } |
/** A session was created or changed. */
{ type: "session_changed";
/** The complete session. */
session: SessionView } |
/** A session was removed from the list. */
{ type: "session_deleted";
/** The session. */
id: SessionId } |
/** A message was created or extended. */
{ type: "message_upserted";
/** The session. */
session_id: SessionId;
/** The complete message; it replaces the one with the same id. */
message: Message } |
/** A piece of an answer that the model is writing. The recorded answer follows as a message. */
{ type: "stream_delta";
/** The session. */
session_id: SessionId;
/** Claude's id of the unfinished message; not the transcript's. */
message_id: string;
/** The index of the piece, from 0. Pieces may arrive out of order. */
index: number;
/** The text of the piece. */
text: string;
/** Whether it is the message's last piece. */
final: boolean } |
/** The marks of viewed files, or the comments on changes, changed: reload them. */
{ type: "viewed_changed";
/** The session. */
id: SessionId } |
/** The fleet changed, by this program or another: reload its overview. */
{ type: "fleet_changed" } |
/** The list of open projects changed. */
{ type: "projects_changed" } |
/** People connected or left, or their access changed: see `app.people`. */
{ type: "people_changed" } |
/** Events were lost: reload everything. */
{ type: "resync" };

/** An event with its sequence number. */
export type EventEnvelope = {
	/** Grows by one per event, at most 2^53. */
	seq: number,
	/** The project; absent for events of the whole program. */
	project?: ProjectKey,
	/** The event. */
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
/** JSON with the record and the messages. */
"json" |
/** One HTML file without scripts or remote content. */
"html";

/** The answer of `session.export`. */
export type Exported = {
	/** A name for its file. */
	file_name: string,
	/** Its text. */
	text: string,
	/** The number of redacted secrets. */
	secrets_removed: number,
};

/** The kinds of API failures. */
export type FailureKind =
/** A usage or rate limit, or an overload. */
"rate_limit" |
/** Claude has no account, or it was refused. */
"login" |
/** Anything else. */
"other";

/** How a file changed. */
export type FileChange =
/** It is new. */
"new" |
/** Its content changed. */
"modified" |
/** It was deleted. */
"deleted";

/** A changed file. */
export type FileDiff = {
	/** The path relative to the repository's root. */
	path: string,
	/** The previous path of a renamed file. */
	from: string | null,
	/** The kind of change. */
	change: DiffChange,
	/** Added lines; absent for binary files. */
	added: number | null,
	/** Removed lines; absent for binary files. */
	removed: number | null,
	/** The hunks of a unified diff, as git writes them, without the file's head. */
	diff: string,
	/** Whether the diff was cut off. */
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

/** Lines of a changed file in its new version. */
export type FileLines = {
	/** The lines, without their ends. */
	lines: string[],
	/** The number of lines in the file. */
	total: number,
};

/** Parameters of `session.file_lines`. */
export type FileLinesParams = {
	/** The session. */
	id: SessionId,
	/** The file, named as in `session.changes`. */
	path: string,
	/** The first line, from 1. */
	from: number,
	/** The last line. */
	to: number,
};

/** The result of a restore. */
export type FilesRestored = {
	/** The checkpoint of the state before: restoring it undoes this restore. Absent: nothing had to change. */
	undo: number | null,
	/** The reference of that checkpoint. */
	reference: string | null,
	/** Files with other content than before, new ones included. */
	written: string[],
	/** Deleted files. */
	deleted: string[],
	/** Files that differ and stayed as they are. */
	skipped: CheckpointFile[],
	/** The number of submodules, which stayed as they are. */
	submodules: number,
};

/** The first commit of a repository. */
export type FirstCommit = {
	/** The content. */
	content: FirstCommitContent,
	/** The author; the user from git's settings by default. */
	author?: CommitAuthor | null,
};

/** The content of a first commit. */
export type FirstCommitContent =
/** Every file that git does not ignore. */
"all" |
/** Only the files of the beads. */
"beads";

/** Parameters of `fleet.agent_create`. */
export type FleetAgentCreateParams = {
	/** Its role. */
	role: AgentRole,
	/** Its project; this one by default. */
	rig?: string | null,
	/** Its display name; `Agent 1` and so on by default. */
	name?: string | null,
};

/** An agent of the fleet, `polecat-0123456789`, or another program's name for one. */
export type FleetAgentId = string;

/** The current state of an agent. */
export type FleetAgentNow = {
	/** Its identity, with the computed status instead of the recorded one. */
	identity: AgentIdentity,
	/** Its display name. */
	name: string,
	/** Its state, in more detail than its status. */
	state: FleetAgentState,
	/** The state of its session, which users see as the agent's; absent without a session. */
	session_state: SessionState | null,
	/** When a limit of its session ends. */
	limited_until: string | null,
	/** What blocks it, in one line; absent if nothing does. */
	reason: string | null,
	/** How the user can resolve that, in one sentence. */
	to_do: string | null,
	/** The status of its hook. */
	hook: HookStatus,
	/** The bead on its hook. */
	bead: BeadId | null,
	/** The bead's title. */
	title: string | null,
	/** The bead's state in the tracker. */
	bead_status: BeadStatus | null,
	/** Its live session, otherwise the one that can be resumed. */
	session_id: SessionId | null,
	/** Its branch. */
	branch: BranchName | null,
	/** The time of its last change of state. */
	since: string | null,
	/** Its session's active time in milliseconds. */
	active_ms: number,
	/** Its session's tokens. */
	tokens: number | null,
	/** Its session's cost, as counted by claude. */
	cost_usd: number | null,
	/** Its last message or action, on one line. */
	last_line: string | null,
	/** The time of that line. */
	last_at: string | null,
	/** Its runner. */
	runner: string,
	/** Whether its session uses or would use the simulated agent. */
	simulated: boolean,
};

/** Identifies an agent. */
export type FleetAgentRef = {
	/** The agent's id. */
	id: FleetAgentId,
};

/** Parameters of `fleet.agent_rename`. */
export type FleetAgentRenameParams = {
	/** The agent; its id does not change. */
	id: FleetAgentId,
	/** The new display name, unique in the fleet. */
	name: string,
};

/** An agent, if it exists. */
export type FleetAgentShown = {
	/** The agent; its status is computed, not the recorded one. */
	agent: AgentIdentity | null,
	/** Its display name. */
	name: string | null,
	/** Its hook, if it was ever used. */
	hook: HookState | null,
	/** Problems with files. */
	warnings: string[],
};

/** The state of an agent. */
export type FleetAgentState =
/** Without a session; can take work. */
"idle" |
/** Its session is starting. */
"starting" |
/** In a turn. */
"working" |
/** At its prompt. */
"at_prompt" |
/** Asks for a permission, trust or a login, or its session has a problem. */
"needs_you" |
/** Waiting for the model's rate limit. */
"rate_limited" |
/** No sign of activity for the configured time. */
"silent" |
/** Its session was paused by a user or after idle time. */
"paused" |
/** Its session's process died. */
"interrupted" |
/** Retired. */
"terminated";

/** Parameters of `fleet.agent_status`. */
export type FleetAgentStatusParams = {
	/** The agent's id. */
	id: FleetAgentId,
	/** The new recorded status. */
	status: AgentStatus,
};

/** The result of a command on one agent. */
export type FleetAgentSteered = {
	/** Its current state. */
	agent: FleetAgentNow,
	/** Problems found. */
	warnings: string[],
};

/** The answer of `fleet.agents`. */
export type FleetAgents = {
	/** The agents, sorted by id; their status is computed, not the recorded one. */
	agents: AgentIdentity[],
	/** Their display names, in the same order. */
	names: string[],
	/** The existing hooks. */
	hooks: HookState[],
	/** Problems with files. */
	warnings: string[],
};

/** Parameters of `fleet.agents`. An agent must match all given filters. */
export type FleetAgentsParams = {
	/** Only agents with this role. */
	role?: AgentRole | null,
	/** Only agents of this rig. */
	rig?: string | null,
};

/** Parameters of `fleet.approve`. */
export type FleetApproveParams = {
	/** The bead. */
	bead: BeadId,
	/** The reviewed commit; refused if the branch has moved since. */
	tip?: string | null,
};

/** Parameters of `fleet.broadcast`. */
export type FleetBroadcastParams = {
	/** The agents; if empty, every agent with a live session. */
	agents?: FleetAgentId[],
	/** The text. */
	text: string,
};

/** The result of a broadcast. */
export type FleetBroadcasted = {
	/** The results in the order of the request, otherwise sorted by agent. */
	told: FleetTold[],
};

/** Parameters of `fleet.convoy_add` and `fleet.convoy_remove`. */
export type FleetConvoyBeadsParams = {
	/** The convoy. */
	id: ConvoyId,
	/** The beads. */
	beads: BeadId[],
};

/** Parameters of `fleet.convoy_close`. */
export type FleetConvoyCloseParams = {
	/** The convoy. */
	id: ConvoyId,
	/** Whether to reopen it instead. */
	reopen?: boolean,
};

/** Numbers of a convoy's beads by state. */
export type FleetConvoyCounts = {
	/** Part of the target branch. */
	merged: number,
	/** Closed in the tracker, but not merged by our queue. */
	done: number,
	/** Finished by their agents, not closed yet. */
	in_review: number,
	/** Finished, but with a merge conflict. */
	conflicted: number,
	/** In progress by an agent. */
	in_progress: number,
	/** Assigned, not started. */
	hooked: number,
	/** Ready. */
	ready: number,
	/** Blocked by other beads. */
	blocked: number,
	/** Deferred, or marked as blocked by a user. */
	put_off: number,
	/** Missing in the tracker. */
	missing: number,
};

/** Parameters of `fleet.convoy_create`. */
export type FleetConvoyCreateParams = {
	/** Its display name. */
	name: string,
	/** Its beads. */
	beads: BeadId[],
};

/** A convoy's current state. */
export type FleetConvoyNow = {
	/** Its id. */
	id: ConvoyId,
	/** Its display name. */
	name: string,
	/** The time of its creation. */
	created_at: string,
	/** The time at which it was closed, by a user or because all its beads were done. */
	closed_at: string | null,
	/** The number of its beads. */
	total: number,
	/** The share of beads that are done or merged, 0 to 1. */
	progress: number | null,
	/** Its beads by state; each is counted once. */
	counts: FleetConvoyCounts,
	/** Stranded beads, which cannot advance as things are; at most 100. */
	stranded: FleetStranded[],
	/** The total number. */
	stranded_total: number,
};

/** Identifies a convoy. */
export type FleetConvoyRef = {
	/** The convoy's id. */
	id: ConvoyId,
};

/** Parameters of `fleet.convoy_rename`. */
export type FleetConvoyRenameParams = {
	/** The convoy. */
	id: ConvoyId,
	/** Its new display name. */
	name: string,
};

/** A convoy, if it exists. */
export type FleetConvoyShown = {
	/** The convoy. */
	convoy: Convoy | null,
	/** Its history, oldest first. */
	events: FleetEvent[],
	/** Problems with files. */
	warnings: string[],
};

/** The answer of `fleet.convoys`. */
export type FleetConvoys = {
	/** The convoys, sorted by id. */
	convoys: Convoy[],
	/** Problems with files. */
	warnings: string[],
};

/** The state of dispatch. */
export type FleetDispatchNow = {
	/** Whether ready work is assigned to idle agents automatically. */
	auto: boolean,
	/** Whether the fleet is paused: no work is assigned and no session resumed. */
	paused: boolean,
	/** The number of starting sessions. */
	starting: number,
	/** Agents with work and a live or starting session. */
	working: number,
	/** The maximum number of working agents. */
	max_agents: number,
	/** The number of idle agents. */
	idle: number,
	/** Free memory in MiB; absent if the system does not report it. */
	free_mib: number | null,
	/** The minimum of free memory for starting a session, in MiB. */
	min_free_mib: number,
	/** The cost in USD of today's active agent sessions. */
	cost_today_usd: number | null,
	/** The daily limit in USD; no session starts once it is reached. */
	cost_per_day_usd: number | null,
	/** Why no more work is assigned now, in one sentence. */
	why_not: string | null,
};

/** Parameters of `fleet.dispatch`. */
export type FleetDispatchParams = {
	/** The requested assignments. */
	pairs?: FleetHookParams[],
	/** Whether idle agents get ready beads, within the limits. */
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
	/** Problems found. */
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

/** A new assignment. */
export type FleetGiven = {
	/** The agent. */
	agent: FleetAgentId,
	/** Its bead. */
	bead: BeadId,
	/** The session opened for it. */
	session_id: SessionId,
};

/** Parameters of `fleet.go_on`. */
export type FleetGoOnParams = {
	/** Whether to resume the paused sessions, too. */
	resume?: boolean,
};

/** Parameters of `fleet.hook_set`. */
export type FleetHookParams = {
	/** The agent. */
	agent: FleetAgentId,
	/** The bead to assign. */
	bead: BeadId,
};

/** A hook, if it exists. */
export type FleetHookShown = {
	/** The hook. */
	hook: HookState | null,
	/** Problems with files. */
	warnings: string[],
};

/** Identifies a merge request. */
export type FleetMergeRef = {
	/** The request's id. */
	id: MergeRequestId,
};

/** The answer of `fleet.overview`. */
export type FleetOverview = {
	/** The project's name. */
	rig: string,
	/** The agents by role and name. */
	agents: FleetAgentNow[],
	/** Open convoys, oldest first, then closed ones, latest first. */
	convoys: FleetConvoyNow[],
	/** Unassigned ready beads in dispatch order; at most 500. */
	ready: FleetReady[],
	/** The total number. */
	ready_total: number,
	/** The state of dispatch. */
	dispatch: FleetDispatchNow,
	/** Problems found. */
	warnings: string[],
};

/** The result of pausing or resuming the fleet. */
export type FleetPaused = {
	/** Whether the fleet is paused now. */
	paused: boolean,
	/** The agents whose sessions were paused or resumed. */
	agents: FleetAgentId[],
	/** Failed steps. */
	warnings: string[],
};

/** Parameters of `fleet.queue_add`. */
export type FleetQueueAddParams = {
	/** The bead. */
	bead: BeadId,
	/** The branch, if not that of the bead's latest session. */
	source?: BranchName | null,
	/** The target branch, if not the one from the settings or the session. */
	target?: BranchName | null,
};

/** Parameters of `fleet.queue_move`. */
export type FleetQueueMoveParams = {
	/** The request. */
	id: MergeRequestId,
	/** The request to move it before; absent for the end of the queue. */
	before?: MergeRequestId | null,
};

/** The output of a merge, or a part of it. */
export type FleetQueueOutput = {
	/** The text without terminal escapes. A long output is shortened in the middle, with a notice. */
	text: string,
	/** The offset of the next part. */
	next: number,
	/** Whether more is available now. */
	more: boolean,
	/** Whether the request is being merged. */
	live: boolean,
};

/** Parameters of `fleet.queue_output`. */
export type FleetQueueOutputParams = {
	/** The request. */
	id: MergeRequestId,
	/** The start offset: 0, or `next` of an earlier answer. */
	from?: number,
};

/** Parameters of `fleet.queue_retry`. */
export type FleetQueueRetryParams = {
	/** The request. */
	id: MergeRequestId,
	/**
	 * Whether to also update a working tree that has the target checked out, as `git merge --ff-only` does.
	 * Saved as `merge_checked_out` in the project's settings.
	 */
	follow?: boolean,
};

/** A merge request. */
export type FleetQueueRow = {
	/** Its id. */
	id: MergeRequestId,
	/** Its bead. */
	bead: BeadId,
	/** Its title; the bead's id if unknown. */
	title: string,
	/** The branch to merge. */
	source: BranchName,
	/** The target branch. */
	target: BranchName,
	/** Its status. */
	status: MergeStatus,
	/** The current stage of a running merge. */
	stage: MergeStage | null,
	/** The time at which it was queued; absent for old merged requests. */
	queued_at: string | null,
	/** The start of its current stage, or the time of its merge. */
	since: string | null,
	/** Whether it was skipped. */
	skipped: boolean,
	/** The obstacle. */
	trouble: MergeTrouble | null,
	/** The target's commit after the merge. */
	commit: string | null,
	/** A notice for the user, for example of a refused push. */
	note: string | null,
	/** Its latest session. */
	session: SessionId | null,
	/** Its agent. */
	agent: FleetAgentId | null,
};

/** The merge queue's current state. */
export type FleetQueueState = {
	/** Unmerged requests in queue order, then merged ones, latest first. */
	rows: FleetQueueRow[],
	/** Whether new merges are paused. */
	paused: boolean,
	/** The request that blocks the queue. */
	blocked: MergeRequestId | null,
	/** The running merge. */
	merging: MergeRequestId | null,
	/** Whether a process works on the queue. */
	running: boolean,
	/** Problems with files. */
	warnings: string[],
};

/** A ready bead. */
export type FleetReady = {
	/** The bead. */
	bead: BeadId,
	/** Its title. */
	title: string,
	/** The tracker's priority, 0 (most urgent) to 4. */
	priority: number,
	/** The fleet's priority class. */
	class: Priority,
	/** The type: `bug`, `feature`, `task` and so on. */
	issue_type: string,
	/** The time of its creation. */
	created_at: string | null,
	/** Why dispatch skips it; absent if it does not. */
	held: string | null,
	/** The agent that would get it next. */
	agent: FleetAgentId | null,
};

/** Parameters of `fleet.recover`. */
export type FleetRecoverParams = {
	/** The agent with the work. */
	agent: FleetAgentId,
	/** The action. */
	action: FleetRecovery,
};

/** What to do with the work of a stuck agent. */
export type FleetRecovery =
/** Resume its session. */
"resume" |
/** End its session and let another agent continue on its branch, immediately if one is idle. */
"reassign" |
/** End its session and leave the work unassigned until a user assigns it. */
"release";

/** A refused assignment. */
export type FleetRefused = {
	/** The agent. */
	agent: FleetAgentId,
	/** The bead. */
	bead: BeadId,
	/** The reason. */
	why: string,
};

/** Parameters of `fleet.request_changes`. */
export type FleetRequestChangesParams = {
	/** The bead. */
	bead: BeadId,
	/** The feedback for the agent. */
	text: string,
};

/** Finished work for review. */
export type FleetReview = {
	/** The bead. */
	bead: BeadId,
	/** Its title. */
	title: string,
	/** Its state, if the tracker knows it. */
	bead_status: BeadStatus | null,
	/** The branch. */
	source: BranchName,
	/** The branch's commit. */
	tip: string,
	/** The branch that it is compared with. */
	target: BranchName,
	/** Commits of the branch that the target does not have, oldest first. */
	commits: CommitLine[],
	/** The number of the target's commits that the branch does not have. */
	behind: number,
	/** Files changed on the branch since it left the target. */
	files: FileDiff[],
	/** Whether the list is cut off. */
	cut: boolean,
	/** Files with uncommitted changes in the branch's working tree, which would not be merged. */
	uncommitted: string[],
	/** Its latest session. */
	session: SessionId | null,
	/** Its agent. */
	agent: FleetAgentId | null,
	/** Its last merge request, with the check's output. */
	request: FleetQueueRow | null,
};

/** Parameters of `fleet.review`. */
export type FleetReviewParams = {
	/** The bead. */
	bead: BeadId,
	/** The branch to compare with, if not the merge target. */
	target?: BranchName | null,
	/** Whether to ignore changes in white space. */
	ignore_space?: boolean,
};

/** The result of sending feedback to the agent of a bead. */
export type FleetSentBack = {
	/** The session that received it. */
	session: SessionId,
	/** How the session received it. */
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
	/** The bead. */
	bead: BeadId,
	/** Its title; empty if the tracker does not have it. */
	title: string,
	/** The reason. */
	why: string,
};

/** The result of a broadcast for one agent. */
export type FleetTold = {
	/** The agent. */
	agent: FleetAgentId,
	/** Whether the agent received it; absent if it could not be sent. */
	delivery: Delivery | null,
	/** Why it was not sent, or why it is queued. */
	reason: string | null,
};

/** The answer of `fleet.work_list`. */
export type FleetWork = {
	/** The work items, sorted by bead, with the state from the hooks. */
	work: WorkItem[],
	/** Problems with files. */
	warnings: string[],
};

/** Parameters of `fleet.work_create`. */
export type FleetWorkCreateParams = {
	/** A one-line title. */
	title: string,
	/** The task. */
	description?: string,
	/** Its priority. */
	priority?: Priority,
};

/** Identifies a work item. */
export type FleetWorkRef = {
	/** The work item's bead id. */
	bead: BeadId,
};

/** A work item, if it exists. */
export type FleetWorkShown = {
	/** The work item, with the state from the hooks and the tracker. */
	work: WorkItem | null,
	/** Problems with files. */
	warnings: string[],
};

/** Parameters of `fleet.work_status`. */
export type FleetWorkStatusParams = {
	/** The work item's bead id. */
	bead: BeadId,
	/** The new status. */
	status: WorkStatus,
};

/** The choice of a session's folder. */
export type FolderChoice =
/** The main tree if no active session uses it on another branch, otherwise a worktree. */
"auto" |
/** A git worktree beside the main tree. */
"worktree" |
/** The main tree; an error if it is in use. */
"repository";

/** The answer of `app.folders`: at most 50 folders, sorted. */
export type FolderSuggestions = {
	/** Folders whose name starts with the last part of the path; hidden ones only if that starts with a dot. */
	folders: SuggestedFolder[],
	/** Whether there are more. */
	more: boolean,
};

/** A search result. */
export type FoundSession = {
	/** The session. */
	session: SessionView,
	/** Some of the matches; empty for a search without text. */
	hits: Hit[],
	/** The number of matches, counted up to a hundred. */
	hit_count: number,
};

/** The state of git in a folder. */
export type GitSetup =
/** git is not installed. */
"missing" |
/** The folder is in no repository. */
"no_repository" |
/** The repository has no commit. */
"no_commit" |
/** There is a commit to branch from. */
"ready";

/** A dependency between two beads: `from` depends on `to`. */
export type GraphEdge = {
	/** The bead that depends. */
	from: BeadId,
	/** The bead that it depends on. */
	to: BeadId,
	/** The kind: `blocks`, `parent-child`, `related` … */
	kind: string,
};

/** A bead of the graph. */
export type GraphNode = {
	/** The bead's id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its status. */
	status: BeadStatus,
	/** Whether it is ready. */
	ready: boolean,
	/** Its priority, 0 (most urgent) to 4. */
	priority: number,
	/** Its type. */
	issue_type: string,
	/** The number of open beads that wait for it, directly or through others. */
	unblocks_all: number,
};

/** The state of a queued text. */
export type HeldState =
/** It is typed when claude is at its prompt. */
"waiting" |
/** It was typed but not confirmed by claude; it is never typed again automatically. */
"unconfirmed" |
/**
 * Claude returned it because the turn was stopped before the first word of a reply. It is never typed again
 * automatically.
 */
"returned";

/** A queued text. */
export type HeldText = {
	/** Our id. */
	id: string,
	/** The text. */
	text: string,
	/** The time at which it was queued. */
	at: string,
	/** Its state. */
	state: HeldState,
};

/** Parameters of `session.retry` and `session.forget`. */
export type HeldTextRef = {
	/** The session. */
	id: SessionId,
	/** The text's id. */
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
	/** Whether allowed hooks of workspaces run. */
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
	/** The event that triggers it. */
	event: HookEvent,
	/** Its command for /bin/bash. */
	bash: string | null,
	/** Its command for PowerShell. */
	powershell: string | null,
	/** Its working folder, relative to the file's. */
	cwd: string,
	/** Its timeout in milliseconds. */
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

/** A file that can define hooks. */
export type HookFile = {
	/** Its absolute path. */
	path: string,
	/** Its owner. */
	scope: HookScope,
	/** Whether it runs. */
	state: HookFileState,
	/** A digest of the file and its scripts. Permissions and saves refer to this version. */
	fingerprint: string | null,
	/** Its text. */
	text: string | null,
	/** The hooks. */
	hooks: HookEntry[],
	/** The repository's files that the hooks run. */
	scripts: HookScript[],
	/** The diff since the user allowed it, by file; empty without changes or permission. */
	change: string,
	/** Ignored parts of the file, and why it cannot be allowed. */
	warnings: string[],
};

/** Whether a file's hooks run. */
export type HookFileState =
/** The file does not exist. */
"absent" |
/** Active: it belongs to the user. */
"own" |
/** Active: the user allowed its current content. */
"trusted" |
/** Allowed by the user, but hooks of workspaces are switched off. */
"off" |
/** The user has not been asked yet. */
"new" |
/** The file or one of its scripts changed since the user allowed it. */
"changed" |
/** It cannot be allowed; the warnings have the reasons. */
"refused";

/** The answer of `hooks.list` and of the commands that change hooks. */
export type HookFiles = {
	/** Whether allowed hooks of workspaces run. */
	workspace_allowed: boolean,
	/** All files that can define hooks, in the order of execution. */
	files: HookFile[],
	/** Other problems. */
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

/** A run with its session. */
export type HookRunOf = {
	/** The session. */
	session_id: SessionId,
	/** The run. */
	run: HookRun,
};

/** Parameters of `hooks.runs`. A run must match all given filters. */
export type HookRunsParams = {
	/** Only runs of this session. */
	session?: SessionId | null,
	/** Only runs for this event. */
	event?: HookEvent | null,
	/** Only failed runs. */
	failed?: boolean,
	/** The maximum number of results; default 200. */
	limit?: number | null,
};

/** The answer of `hooks.runs`. */
export type HookRunsShown = {
	/** The runs, latest first. */
	runs: HookRunOf[],
	/** The total number, regardless of the limit. */
	total: number,
	/** Unreadable data. */
	warnings: string[],
};

/** Parameters of `hooks.save`. */
export type HookSaveParams = {
	/** The file's path from the list. */
	path: string,
	/** Its new text. */
	text: string,
	/**
	 * The fingerprint of the edited version; absent for a new file. If it differs now, the command is
	 * refused.
	 */
	fingerprint?: string | null,
};

/** The owner of a hook file. */
export type HookScope =
/** The user. */
"user" |
/** The repository. */
"workspace" |
/** The repository's git settings that name programs, such as filters. Git runs these programs. */
"git";

/** A file that hooks run. */
export type HookScript = {
	/** Its absolute path. */
	path: string,
	/** The SHA-256 of its content, in hexadecimal digits. */
	sha256: string,
	/** Its text; invalid bytes are replaced. */
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

/** The result of a test run. It is not recorded or sent to an agent. */
export type HookTest = {
	/** The hooks' input. */
	payload: Value,
	/** The runs in order. */
	runs: HookRun[],
	/** The context that an agent would receive. */
	context: string[],
	/** The decision on the tool call. */
	decision: HookDecision | null,
	/** The reason for the decision. */
	reason: string | null,
	/** Files whose hooks were not run, with the reasons. */
	warnings: string[],
};

/** Parameters of `hooks.test`. */
export type HookTestParams = {
	/** The event. */
	event: HookEvent,
	/** The event's own fields, an object; a sample by default. */
	payload?: Value | null,
};

/** Parameters of `hooks.trust`. */
export type HookTrustParams = {
	/** The file's path from the list. */
	path: string,
	/** Whether it may run. */
	trusted: boolean,
	/**
	 * The fingerprint that the user saw; required to allow the file. If it differs now, the command is
	 * refused.
	 */
	fingerprint?: string | null,
};

/** The answer of `hooks.reload`. */
export type HooksReloaded = {
	/** Number of live sessions that reloaded their hooks. */
	sessions: number,
};

/** Parameters of `session.image`. */
export type ImageParams = {
	/** The session. */
	id: SessionId,
	/** The name, from a message or a tool call. */
	name: string,
};

/** An image, whose bytes are a file in the session's folder `images`. */
export type ImageRef = {
	/** The file's name: a hash of the bytes, and the type. */
	name: string,
	/** The number of bytes. */
	bytes: number,
};

/** An item of a Markdown file. */
export type ImportPoint = {
	/** Its key as a memory. */
	key: string,
	/** Its text. */
	text: string,
	/** Its heading, used as a tag. */
	section: string | null,
	/** Whether a memory with this text exists or was forgotten. */
	known: boolean,
	/** The kinds of suspected secrets in it. */
	secrets: string[],
};

/** Parameters of `project.init`. */
export type InitParams = {
	/** The prefix of bead ids; the folder's name by default. */
	prefix?: string | null,
	/** The tracker; `embedded` by default. */
	tracker?: InitTracker | null,
	/** Whether to create a git repository first, if the folder is in none. */
	git_init?: boolean,
	/** The first commit, if the repository has none. */
	first_commit?: FirstCommit | null,
};

/** The tracker of a new project. */
export type InitTracker =
/** Our own store: a file that bd and br can take over. */
"embedded" |
/** bd with its database. */
"bd" |
/** The existing beads; only git is set up. */
"keep";

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
	/** The injections in order. */
	injections: Injection[],
	/** Unreadable data. */
	warnings: string[],
};

/** An interval in which the session was active. */
export type Interval = {
	/** When the session became active. */
	start: string,
	/** When it stopped being active; `None` while it is. A crash ends it at the last heartbeat. */
	end?: string,
};

/** A revert that can be undone. */
export type KeptRevert = {
	/** Its name for `session.undo_revert`. */
	revert: string,
	/** The file. */
	path: string,
	/** The head of the reverted hunk; absent for a whole file. */
	hunk: string | null,
	/** Its time. */
	at: string,
	/** Whether the file still is as the revert left it, so that an undo loses nothing. */
	undoable: boolean,
};

/** The reverts of a session, newest first. */
export type KeptReverts = {
	/** The reverts. */
	reverts: KeptRevert[],
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

/** The answer of `app.licences`. */
export type Licences = {
	/** The parts, each with its version and licence, and all licence texts. Empty if this build does not contain them. */
	text: string,
};

/** An access link for another browser. */
export type Link = {
	/** The address. It works once. */
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
	/** The kind of link. */
	kind: Relation,
	/** Whether the requested memory is the parent. */
	is_child: boolean,
};

/** Live data from a session's host. */
export type Live = {
	/** The host's process id. */
	host_pid: number,
	/** Claude's process id; absent once claude has exited. */
	agent_pid: number | null,
	/** Claude's activity. */
	activity: Activity,
	/** The model's name, once reported by claude. */
	model: string | null,
	/** The context usage, once reported by claude. */
	context: ContextUse | null,
	/** Claude's current retry of a failed request. */
	retry: ApiRetry | null,
	/** The API failure that ended the last turn, until claude works again. */
	failure: TurnFailure | null,
	/** What claude asks before it starts, with `asks_at_start`; absent if unknown. */
	start_question: StartQuestion | null,
	/** Open permission requests. */
	permissions: PermissionRequest[],
	/** Queued texts, oldest first. */
	held: HeldText[],
	/** Whether claude's hooks have reported; without hooks, prompts and permissions are unknown. */
	hooks_seen: boolean,
	/** Why a text would be queued now; absent if it would be typed. */
	hold: string | null,
	/** The start of the current activity. */
	activity_since: string,
	/** Current problems. */
	troubles: string[],
};

/** The data on this machine. */
export type LocalTier = {
	/** The kind of tracker: `bd`, `br`, `embedded` or `read_only`. */
	tracker: string,
	/** The number of session records. */
	sessions: number,
	/** A problem with the data. */
	problem: string | null,
};

/** The level of the diagnostic logs. */
export type LogLevel =
/** Nothing. */
"off" |
/** Failures. */
"error" |
/** Also recovered failures. */
"warn" |
/** Also the steps of sessions and projects. */
"info" |
/** Also every command, hook event and program run. */
"debug" |
/** Everything. */
"trace";

/** The result of storing a memory. */
export type MemoryAction =
/** A new memory was stored. */
"remembered" |
/** It replaced an older memory. */
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

/** Values for filters. */
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
	/** The Markdown file, relative to the project's folder; `MEMORY.md` by default. */
	path?: string | null,
	/** Imports only the items with these keys. */
	only?: string[] | null,
	/** Whether to only list the file's items and store nothing. */
	preview?: boolean,
	/** Whether to import despite suspected secrets. */
	anyway?: boolean,
};

/** The answer of `memory.import`. */
export type MemoryImported = {
	/** The keys of the new memories, in the order of the file. */
	keys: string[],
	/** The number of known items. */
	known: number,
	/** The items of the file, in a preview. */
	points: ImportPoint[],
	/** Warnings. */
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
	/** The dependent memory. */
	child: string,
	/** The other memory, or a bead's id. */
	parent: string,
	/** The kind of link; `related` by default. */
	kind?: Relation | null,
};

/** The answer of `memory.list` and `memory.search`, without texts. */
export type MemoryList = {
	/** The memories, last changed first; search results, best match first. */
	memories: MemoryEntry[],
	/** The total number, regardless of the limit. */
	total: number,
	/** The storage of the memories. */
	kept_in: MemoryPlace,
	/** All agents, sessions and tags of memories, for filters. */
	facets: MemoryFacets,
	/** Keys of nearly identical memories, one list per group, oldest first. */
	duplicates: string[][],
	/** Unreadable data, and memories that are temporarily stored elsewhere. */
	warnings: string[],
};

/** Parameters of `memory.list`. A memory must match all given filters. */
export type MemoryListParams = {
	/** Only memories stored by this agent. */
	agent?: string | null,
	/** Only memories of this type. */
	memory_type?: MemoryType | null,
	/** Only memories with at least one of these tags. */
	tags?: string[],
	/** Only memories stored in this session. */
	session?: string | null,
	/** Only memories of this bead. */
	bead?: BeadId | null,
	/** Whether to include forgotten memories. */
	forgotten?: boolean,
	/** The maximum number of results; default all. */
	limit?: number | null,
};

/** Parameters of `memory.merge`. */
export type MemoryMergeParams = {
	/** Two or more; the first absorbs the others, which are forgotten. */
	keys: string[],
};

/** The storage of memories. */
export type MemoryPlace =
/** Pinned beads of bd, and bd's own memories. */
"bd" |
/** Pinned beads of br. */
"br" |
/** `.beads/memories.jsonl`. */
"file";

/** Identifies a memory. */
export type MemoryRef = {
	/** Its key, or its id. */
	key: string,
};

/** Parameters of `memory.save`. Absent ones leave an existing memory's values unchanged. */
export type MemorySaveParams = {
	/** Its key; made from the text by default. */
	key?: string | null,
	/** A one-line title; made from the text by default. */
	title?: string | null,
	/** Markdown, at most 2 MiB. */
	content: string,
	/** Its type; `learning` by default. */
	memory_type?: MemoryType | null,
	/** Its tags. */
	tags?: string[] | null,
	/** Its importance, 1 to 10. */
	importance?: number | null,
	/** The agent that stores it; the caller by default. */
	agent?: string | null,
	/** The session in which it is stored; the caller's by default. */
	session?: string | null,
	/** Its bead; the session's by default. */
	bead?: BeadId | null,
	/** Whether to remove the memory's bead. */
	no_bead?: boolean,
	/** Additional data. */
	metadata?: { [key in string]: Value },
	/** Whether to store it despite a suspected secret. */
	anyway?: boolean,
};

/** The answer of `memory.save`; the memory is on disk. */
export type MemorySaved = {
	/** The id. */
	id: BeadId,
	/** The key. */
	key: string,
	/** Whether it is new. */
	action: MemoryAction,
	/** Its storage. */
	kept_in: MemoryPlace,
	/**
	 * Warnings, for example that the tracker failed and the memory is in the file until the tracker works
	 * again.
	 */
	warnings: string[],
};

/** Parameters of `memory.search`. */
export type MemorySearchParams = {
	/** Words that must all occur in a memory, ignoring case. */
	query: string,
	/** Further filters; their limit defaults to 10. */
	filter?: MemoryListParams,
};

/** A memory with its text, links and uses. */
export type MemoryShown = {
	/** The memory. */
	memory: MemoryEntry,
	/** Linked memories in both directions, without their texts. */
	linked: LinkedMemory[],
	/** The sessions that received it, latest first. */
	uses: MemoryUse[],
	/** Unreadable data. */
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

/** Parameters of `memory.unlink`. The direction of the link does not matter. */
export type MemoryUnlinkParams = {
	/** The memory. */
	key: string,
	/** The other end of the link; may be a bead's id. */
	other: string,
};

/** A session that received a memory. */
export type MemoryUse = {
	/** The session. */
	session_id: SessionId,
	/** The time. */
	at: string,
	/** The reason. */
	reason: Reason,
};

/** The method of merging a branch. */
export type MergeMethod =
/** Rebase its commits onto the target. */
"rebase" |
/** Create a merge commit. */
"merge";

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
	/** Images of a prompt or an attachment. Ours. */
	images?: ImageRef[],
	/** Bytes of long texts that are left out in a view; never in the file. Ours. */
	left_out?: number,
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

/** One thing that waits for the user. */
export type Need = {
	/** Stays the same until it is dealt with, and is never reused. */
	id: string,
	/** Its kind. */
	kind: NeedKind,
	/** The session. */
	session: SessionId | null,
	/** The bead. */
	bead: BeadId | null,
	/** The title of the session or bead. */
	title: string,
	/** The command, the question, claude's last words or the error, on one line; empty if unknown. */
	text: string,
	/** Since when. */
	since: string,
	/** When a limit ends. */
	until: string | null,
	/** The request to answer. */
	request: PermissionRequest | null,
	/** The stopped merge. */
	merge: MergeRequestId | null,
};

/** The kinds of things that wait for the user, in the order in which they are listed. */
export type NeedKind =
/** Claude asks for a permission. */
"permission" |
/** Claude asks a question. */
"question" |
/** Claude proposes a plan. */
"plan" |
/** Claude asks for a login, or its account was refused. */
"login" |
/** Claude asks for trust in the folder. */
"trust" |
/** A dialog is open in claude's terminal. */
"dialog" |
/** A turn failed, a session was interrupted, or a session has a problem. */
"error" |
/** A limit stopped a turn. */
"limit" |
/** The turn has ended. */
"turn" |
/** A merge is stopped. */
"merge" |
/** Finished work waits for a review. */
"review";

/** The answer of `session.needs`. */
export type Needs = {
	/** By kind, and the oldest first within a kind. */
	items: Need[],
	/** What could not be read. */
	warnings: string[],
};

/** A ready bead with its rank. */
export type NextBead = {
	/** The bead. */
	bead: Bead,
	/** The score; only its order has a meaning. */
	score: number | null,
	/** Short reasons for the rank: "P1", "unblocks 3", "open for 12 days". */
	reasons: string[],
};

/** Ready beads in the recommended order. */
export type NextBeads = {
	/** The beads, best first. */
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
	/** The session. */
	id: SessionId,
	/** The reason. */
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

/** No parameters, or an empty result. */
export type Nothing = Record<string, never>;

/** A decision that is required before a resume. */
export type Obstacle = {
	/** Its kind, for programs. */
	kind: ObstacleKind,
	/** Its description, for users. */
	message: string,
	/** The choices, the recommended one first. */
	choices: ResumeChoice[],
};

/** The kinds of obstacles to a resume. */
export type ObstacleKind =
/** The bead was closed. */
"bead_closed" |
/** The bead is in review. */
"bead_in_review" |
/** The bead is in another state than in progress. */
"bead_moved" |
/** The bead is assigned to another actor. */
"bead_reassigned" |
/** The bead no longer exists in the tracker. */
"bead_gone" |
/** The session's folder has another branch checked out, which cannot be changed safely. */
"other_branch" |
/** The session's branch no longer exists. */
"branch_gone";

/** Parameters of `session.open_file`. */
export type OpenFileParams = {
	/** The session. */
	id: SessionId,
	/** The file, named as in `session.changes`. */
	path: string,
	/** The line to show. */
	line?: number | null,
};

/** One open project. */
export type OpenProject = {
	/** The key that commands and events use for it. */
	key: ProjectKey,
	/** The folder's name. */
	name: string,
	/** The folder's absolute path. */
	root: string,
	/** Whether the folder exists. */
	available: boolean,
	/** Whether it is the sample project. */
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
	/** The hashes of those `commits` whose author is the user, as git would name the author of a commit now. */
	user_commits: string[],
	/** The branch that the session's branch was created from, if known. */
	base: BranchName | null,
	/** Commits on it since the pause, oldest first. */
	base_commits: CommitLine[],
	/** Files that the session read or wrote and that have changed since. */
	files: FileLine[],
	/** Uncommitted files in the working tree. */
	tree: TreeFile[],
};

/** Consecutive lines of a piece. */
export type PackExcerpt = {
	/** The first line, from 1. */
	first: number,
	/** The last line. */
	last: number,
	/** Whether these are all lines of the file. */
	whole: boolean,
	/** The text. */
	text: string,
};

/** The origin of a piece. */
export type PackKind =
/** The user added it. */
"added" |
/** The bead names it. */
"named" |
/** The template names it. */
"template" |
/** It contains or defines the bead's words. */
"match" |
/** An earlier session on the bead or its epic touched it. */
"earlier" |
/** It describes how to work on the project. */
"convention" |
/** It configures the project's tools. */
"config" |
/** Definitions with the bead's words in their names. */
"symbols" |
/** The latest commits. */
"commits";

/** Parameters of `session.context_pack`. */
export type PackParams = {
	/** The bead. */
	bead_id?: BeadId | null,
	/** The session's title. */
	title?: string | null,
	/** The session's objective. */
	objective?: string | null,
	/** The choices. */
	pack?: PackRequest,
};

/** A piece of a context pack: a file or parts of it, or a list. */
export type PackPiece = {
	/** Identifies it in a [`PackRequest`]. */
	key: string,
	/** Its kind. */
	kind: PackKind,
	/** The file, relative to the repository; the title of a list. */
	path: string,
	/** Why it was found. */
	reason: string,
	/** 0 to 1. */
	relevance: number | null,
	/** The size of its included text in tokens; of the whole piece if it is not included. */
	tokens: number,
	/** Whether it is sent. */
	state: PackState,
	/** Whether the user pinned it. */
	pinned: boolean,
	/** Its text as it is sent, or as it would be. */
	excerpts: PackExcerpt[],
};

/** A context pack before it is sent. */
export type PackPreview = {
	/** Its maximum size in tokens. */
	budget: number,
	/** The size of the included pieces in tokens, their headings included. */
	tokens: number,
	/** Every piece found: first the included ones in their order, then the others. */
	pieces: PackPiece[],
	/** The project's templates. */
	templates: PackTemplate[],
	/** What could not be searched or read. */
	warnings: string[],
};

/** The choices of a context pack. */
export type PackRequest = {
	/** Its size in tokens; 10,000 by default. */
	budget?: number | null,
	/** The template, by its name in `.beads/context-templates`. */
	template?: string | null,
	/** Files that the user adds: `path` or `path:first-last`, relative to the working folder. */
	add?: string[],
	/** Pieces that the user removed, by key. */
	remove?: string[],
	/** Pieces that come first, by key. */
	pin?: string[],
	/** The pieces that the user saw, by key: no other piece is sent. Without it, every piece that fits is. */
	only?: string[] | null,
};

/** Whether a piece is sent. */
export type PackState =
/** It is sent. */
"included" |
/** It does not fit into the budget. */
"left_out" |
/** The user removed it. */
"removed";

/** A template for context packs. */
export type PackTemplate = {
	/** Its name. */
	name: string,
	/** Its description. */
	description: string | null,
	/** Its budget, if it sets one. */
	budget: number | null,
	/** Why it cannot be used. */
	problem: ApiError | null,
};

/** Consecutive lines of an edit. */
export type PatchHunk = {
	/** The first line's number before the edit, from 1. */
	old_start: number,
	/** The first line's number after the edit, from 1. */
	new_start: number,
	/** The lines, each with ` `, `-` or `+` in front. */
	lines: string[],
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

/** The answer of `app.people`: the user first, then the others by name. Empty in the window, which serves no browsers. */
export type People = {
	/** The people. */
	people: PersonAccess[],
};

/** The figures of a period before a dashboard's range. */
export type Period = {
	/** Its first day, `2026-01-19`. */
	first: string,
	/** Its last day. */
	last: string,
	/** Number of sessions created in it. */
	sessions: number,
	/** Their mean active time, in milliseconds. */
	average_duration_ms: number,
	/** Mean number of sessions per bead worked on in it; `None` without any. */
	sessions_per_bead: number | null,
	/** Its totals. */
	total: Amount,
	/** Number of beads closed in it; absent if the tracker does not say. */
	beads_closed: number | null,
};

/** The answer to a permission request. */
export type PermissionAnswer =
/** Allow once. */
"allow" |
/** Allow from now on, according to claude's suggestion. */
"always" |
/** Deny. */
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
	/** The session. */
	id: SessionId,
	/** The request's id. */
	request: string,
	/** The answer. */
	answer: PermissionAnswer,
	/** The reason of a denial, for the model. */
	message?: string | null,
	/** The answers to claude's questions, one per question, with [`PermissionAnswer::Allow`]. */
	answers?: QuestionAnswer[],
	/** The mode in which claude carries out an approved plan, with [`PermissionAnswer::Allow`]; Manual by default. */
	mode?: PermissionMode | null,
};

/** An open permission request. */
export type PermissionRequest = {
	/** Our id, used in answers. */
	id: string,
	/** The tool. */
	tool: string,
	/** The tool's input. */
	input: Value,
	/** The name of the requesting subagent, if any. */
	subagent: string | null,
	/** Claude's suggestions for lasting rules. */
	lasting: LastingRule[],
	/** The time of the request. */
	asked_at: string,
};

/** A person with access to the server. */
export type PersonAccess = {
	/** The name. */
	name: string,
	/** The number of open tabs; 0 if the person is not connected. */
	tabs: number,
	/** Whether the person has an unused link. */
	unused_link: boolean,
	/** Whether it is the user who runs the server, who alone gives and revokes access. */
	owner: boolean,
	/** Whether it is the person who asks. */
	you: boolean,
};

/** A person by name. */
export type PersonRef = {
	/** The name. */
	name: string,
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
	/** The maximum length of the memories in characters; 4,000 by default. */
	budget?: number | null,
	/** The bead to work on. */
	bead?: BeadId | null,
	/** The session. */
	session?: SessionId | null,
	/** The folder whose uncommitted files are listed. */
	cwd?: string | null,
};

/** The text that an agent receives before it starts. */
export type PrimeText = {
	/** The complete text: rules and commands, the state of the work, and memories. */
	text: string,
	/** The part with the memories; empty without memories. */
	memories: string,
	/** The keys of the memories in it. */
	keys: string[],
	/** The number of memories omitted for lack of space. */
	left_out: number,
	/** The text's bead. */
	bead_id: BeadId | null,
	/** Unreadable data. */
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

/** An archive to attach to a bug report. It is not sent anywhere. */
export type ProblemReport = {
	/** A name for the archive: `beads-console-report-….zip`. */
	file_name: string,
	/** The contents of the archive. */
	entries: ReportEntry[],
	/** The number of redacted secrets. */
	secrets_removed: number,
	/** The archive, in base64. */
	archive: string,
};

/** A project's id: bd's if it exists, or a UUID of ours. */
export type ProjectId = string;

/** A project's facts. */
export type ProjectInfo = {
	/** bd's id of the project, or ours without bd. */
	project_id: ProjectId,
	/** The folder's name. */
	name: string,
	/** The main tree's absolute path. */
	root: string,
	/** The project's tracker. */
	tracker: TrackerInfo,
	/** The branch that is checked out in the main tree. */
	branch: string | null,
	/** Whether there is a commit to branch from. */
	has_commit: boolean,
};

/** Names an open project on this server: short, safe in an address, the same for the same folder. */
export type ProjectKey = string;

/** The answer of `app.projects`. */
export type ProjectList = {
	/** Open projects in the order of opening. */
	projects: OpenProject[],
	/** Absolute paths of recently opened folders, newest first. */
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
	/** The range of days. */
	range?: Range,
	/** Only sessions of this agent; empty for claude's default. */
	agent?: string | null,
	/** Only sessions of beads with this label. */
	label?: string | null,
};

/** An open project. */
export type ProjectRef = {
	/** Its key. */
	project: ProjectKey,
};

/** The names of [`ProjectSettings`]. */
export type ProjectSetting = "single_active" | "inactivity_minutes" | "comment_commits" | "comment_files" | "checkpoint_comments" | "remind_after_turns" | "backup_at_end" | "backup_push" | "backup_transcripts" | "reviews" | "auto_next";

/** The project's own settings; absent ones follow the user's. */
export type ProjectSettings = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean | null,
	/** The idle time in minutes at claude's prompt after which a session is paused; 0 for never. */
	inactivity_minutes: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean | null,
	/** Whether a finished bead gets a comment with the files edited for it. */
	comment_files: boolean | null,
	/** Whether a comment on the bead describes the state of the work before each compaction. */
	checkpoint_comments: boolean | null,
	/** The number of turns without a commit or a comment after which the agent is reminded; 0 for never. */
	remind_after_turns: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean | null,
	/** Whether that backup is pushed. */
	backup_push: boolean | null,
	/** Whether backups include conversations, with secrets redacted. */
	backup_transcripts: boolean | null,
	/**
	 * Whether finished work goes to review, the default; otherwise, agents close their beads. Users have no
	 * such setting.
	 */
	reviews: boolean | null,
	/**
	 * The number of beads to start automatically, each after the previous bead's session has ended with its bead
	 * closed. Every start decrements it; a failed one sets it to 0. Only a project has this setting; 0 by default.
	 */
	auto_next: number | null,
};

/** Parameters of `project.set_settings`. */
export type ProjectSettingsChange = {
	/** The settings to set; absent ones stay unchanged. */
	set?: ProjectSettingsInput,
	/** The settings to reset to the user's. */
	unset?: ProjectSetting[],
};

/** The project's own settings; absent ones follow the user's. */
export type ProjectSettingsInput = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active?: boolean | null,
	/** The idle time in minutes at claude's prompt after which a session is paused; 0 for never. */
	inactivity_minutes?: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits?: boolean | null,
	/** Whether a finished bead gets a comment with the files edited for it. */
	comment_files?: boolean | null,
	/** Whether a comment on the bead describes the state of the work before each compaction. */
	checkpoint_comments?: boolean | null,
	/** The number of turns without a commit or a comment after which the agent is reminded; 0 for never. */
	remind_after_turns?: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end?: boolean | null,
	/** Whether that backup is pushed. */
	backup_push?: boolean | null,
	/** Whether backups include conversations, with secrets redacted. */
	backup_transcripts?: boolean | null,
	/**
	 * Whether finished work goes to review, the default; otherwise, agents close their beads. Users have no
	 * such setting.
	 */
	reviews?: boolean | null,
	/**
	 * The number of beads to start automatically, each after the previous bead's session has ended with its bead
	 * closed. Every start decrements it; a failed one sets it to 0. Only a project has this setting; 0 by default.
	 */
	auto_next?: number | null,
};

/** The answer of `project.settings`. */
export type ProjectSettingsShown = {
	/** The project's own settings. */
	own: ProjectSettings,
	/** The effective settings. */
	in_force: SettingsInForce,
};

/** The answer of `project.setup`: what a folder lacks for work on beads. */
export type ProjectSetup = {
	/** The folder's absolute path. */
	root: string,
	/** Whether it has beads. */
	has_beads: boolean,
	/** The prefix of bead ids, from the folder's name. */
	prefix: string,
	/** The trackers to choose from. */
	trackers: TrackerOffer[],
	/** The state of git. */
	git: GitSetup,
	/** The author of commits in git's settings, `Ana <ana@example.org>`; `null` if they name none. */
	author: string | null,
	/**
	 * The number of files in the folder, without git's and the beads', ignored ones included; counting stops at
	 * 10,000.
	 */
	files: number,
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
	/** The proposals, most important first; known memories are excluded. */
	proposals: Proposal[],
};

/** The answer of `session.publish_preview`. */
export type PublishPreview = {
	/** The session's branch. */
	branch: BranchName,
	/** The remote; absent if there is none, or several without a default. */
	remote: string | null,
	/** The branch that a pull request is for; absent if unknown. */
	base: BranchName | null,
	/** Commits that the remote's branch lacks, as far as is known here. */
	unpushed: number,
	/** Files of the session that are not committed. */
	uncommitted: number,
	/** Whether the program `gh` is installed. */
	gh: boolean,
	/** A proposed title. */
	title: string,
	/** A proposed description. */
	body: string,
};

/** A pull request. */
export type PullRequest = {
	/** Its page. */
	url: string,
	/** Whether it existed before. */
	existed: boolean,
};

/** Parameters of `session.pull_request`. */
export type PullRequestParams = {
	/** The session. */
	id: SessionId,
	/** The title. */
	title: string,
	/** The description, Markdown. */
	body?: string,
	/** The branch to merge into; absent for the remote's default. */
	base?: BranchName | null,
	/** Whether it is a draft. */
	draft?: boolean,
};

/** A pushed branch. */
export type Pushed = {
	/** The remote. */
	remote: string,
	/** The branch. */
	branch: BranchName,
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
	/** The problem, and the expected form. */
	why: string,
};

/** The answer to one question. */
export type QuestionAnswer = {
	/** The question's text. */
	question: string,
	/** The chosen labels, or the user's own words. */
	chosen: string[],
};

/** Parameters of `session.edit_queued`. */
export type QueuedEditParams = {
	/** The session. */
	id: SessionId,
	/** The queued text's id. */
	text: string,
	/** The new text, at most 256 KiB. */
	content: string,
};

/** Parameters of `session.move_queued`. */
export type QueuedMoveParams = {
	/** The session. */
	id: SessionId,
	/** The queued text's id. */
	text: string,
	/** The queued text before which it is placed; absent: to the end. */
	before?: string | null,
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
/** Ninety days. */
"quarter" |
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
	/** The text, at most 2,048 bytes. */
	text: string,
	/** The length in bytes of UTF-8. */
	bytes: number,
	/** The bead; absent in the text for agents without a bead. */
	bead_id: BeadId | null,
	/** How the bead was chosen. */
	because: Because,
};

/** Parameters of `recovery.show`. */
export type RecoveryParams = {
	/** The bead. */
	bead?: BeadId | null,
	/** The session whose bead is used if none is given. */
	session?: SessionId | null,
	/** The folder whose uncommitted files are listed; the session's or the project's by default. */
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
	/** Its last lines, for the user to check before sharing; at most 16 KiB. */
	tail: string,
};

/** Parameters of `app.report`. */
export type ReportParams = {
	/** The project that the problem is about, for its checks and sessions. */
	project?: ProjectKey | null,
	/** Errors that the page has seen, oldest first. */
	page_errors?: string[],
};

/** The planned or completed changes of a restore. */
export type Restore = {
	/** The commits that are restored. */
	from: string[],
	/** The time of the latest of these commits. */
	made_at: string | null,
	/** The contents of the backup. */
	counts: BackupCounts,
	/** Beads, memories and sessions that differ from the backup; at most 500. */
	items: RestoreItem[],
	/** Counts of beads. */
	beads: RestoreCounts,
	/** Counts of memories. */
	memories: RestoreCounts,
	/** Counts of sessions. */
	sessions: RestoreCounts,
	/** Whether the restore creates the tracker's database on this machine first. */
	fresh_tracker: boolean,
	/** Unreadable data and omitted steps. */
	warnings: string[],
};

/** The change to a record. */
export type RestoreChange =
/** It is missing here and added. */
"added" |
/** It is older here and replaced. */
"changed" |
/** It is newer here and left unchanged. */
"kept";

/** Counts by change. */
export type RestoreCounts = {
	/** Missing here. */
	added: number,
	/** Newer in the backup. */
	changed: number,
	/** Newer here; left unchanged. */
	kept: number,
	/** Identical. */
	same: number,
};

/** Parameters of `session.restore_files`. */
export type RestoreFilesParams = {
	/** The session. */
	id: SessionId,
	/** The checkpoint. */
	checkpoint: number,
	/** Only these files, relative to the repository's root; folders end in `/`. Empty: all. */
	files?: string[],
	/** Restore although claude is working, another session uses the folder, or another branch is checked out. */
	anyway?: boolean,
};

/** One record. */
export type RestoreItem = {
	/** The kind of record. */
	kind: RestoreKind,
	/** A bead's or a session's id, a memory's key. */
	key: string,
	/** Its title in the backup. */
	title: string,
	/** The change to it. */
	change: RestoreChange,
};

/** The kind of a record. */
export type RestoreKind =
/** A bead. */
"bead" |
/** A memory. */
"memory" |
/** A session. */
"session";

/** Parameters of `backup.preview` and `backup.restore`. */
export type RestoreParams = {
	/** A branch, tag or commit with a backup; by default, this clone's branch merged with the remote's. */
	from?: string | null,
	/** Whether to fetch from the remote first. */
	fetch?: boolean,
};

/** A choice for an obstacle. */
export type ResumeChoice =
/** `anyway`: resume; the bead stays unchanged. */
"anyway" |
/** `reclaim`: the session claims the bead again. */
"reclaim" |
/** `place: restore`: the branch is created or checked out again. */
"restore" |
/** `place: stay`: the session continues with the current branch. */
"stay" |
/** `place: worktree`: the branch is checked out in its own worktree. */
"worktree" |
/** `session.end`: the session is closed instead. */
"end";

/** How the conversation continues. */
export type ResumeConversation =
/** Claude still has it and continues it. */
"continues" |
/** Nothing was said before: it starts now. */
"begins" |
/** Claude no longer has it: a new one starts, and its prompt contains the record. */
"primed";

/** The folder of a resumed session. */
export type ResumeFolder = {
	/** The absolute working folder. */
	cwd: string,
	/** The branch that will be checked out there. */
	branch: string | null,
	/** Whether it is a worktree. */
	worktree: boolean,
	/** The preparation of the folder; absent if nothing needs to be done. */
	action: string | null,
};

/** The choice of folder for a session whose folder has changed. */
export type ResumePlace =
/** Its folder, with its branch created or checked out again. */
"restore" |
/** Its folder, unchanged; the session moves to the branch that is checked out. */
"stay" |
/** A worktree with its branch. */
"worktree";

/** The answer of `session.resume_preview`. */
export type ResumePreview = {
	/** The prompt for claude. */
	prompt: string,
	/** The bead's state, if the session has a bead and it exists. */
	bead_status: BeadStatus | null,
	/** Notices that need no decision. */
	warnings: string[],
	/** The required decisions: while there are any, `session.resume` is refused unless its parameters decide. */
	obstacles: Obstacle[],
	/** The current bead; absent if the session has none or it cannot be read. */
	bead: BeadNow | null,
	/** What changed outside the session since it was paused. */
	changes: OutsideChanges,
	/** The folder. */
	folder: ResumeFolder,
	/** Whether the conversation continues. */
	conversation: ResumeConversation,
};

/** Parameters of `session.revert`. */
export type RevertParams = {
	/** The session. */
	id: SessionId,
	/** The file, named as in `session.changes`. */
	path: string,
	/** The number of one hunk in its diff, from 0; absent for the whole file. */
	hunk?: number | null,
	/** Its `content` as displayed. If the file has changed since, nothing is reverted. */
	content?: string | null,
};

/** Parameters of `session.undo_revert`. */
export type RevertRef = {
	/** The session. */
	id: SessionId,
	/** The revert. */
	revert: string,
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

/** The capabilities that a runner may lack. */
export type RunnerHas =
/** A terminal. */
"terminal" |
/** The project's folders, at the same path. */
"folder" |
/** Claude. */
"program" |
/** Claude's hooks, received by the session's host. */
"hooks" |
/** Claude's transcript, read by the session's host. */
"transcript" |
/** Private prompts. A runner's command line shows them to every user of this machine. */
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

/** A capability of a session with a runner. */
export type RunnerPart = {
	/** The capability. */
	what: RunnerHas,
	/** Whether it is available. */
	there: boolean,
	/** The consequence, and the remedy if it is missing. */
	means: string,
};

/** The capabilities of a runner. */
export type RunnerProbe = {
	/** Its name. */
	name: string,
	/** The command line for an agent there, without its arguments. */
	command: string[],
	/** Whether its probe succeeded; `null` if it has none. */
	probe: boolean | null,
	/** Whether a command could run there. */
	reached: boolean,
	/** The output of a failed probe. */
	said: string,
	/** The capabilities of a session there. */
	parts: RunnerPart[],
};

/** Parameters of `fleet.runner_probe`. */
export type RunnerProbeParams = {
	/** The runner; `local` is this machine. */
	name: string,
};

/** The answer of `session.search`. */
export type SearchAnswer = {
	/** Sessions with a match in the title or objective first, then newest first. */
	sessions: FoundSession[],
	/** Whether there are more results. */
	more: boolean,
	/** The number of sessions not searched yet because `within_ms` ran out: repeat the query to continue. */
	behind: number,
	/** Notices about the search, such as skipped sessions and unknown filters. */
	notes: string[],
};

/** The result of sending a text. */
export type Sent = {
	/** Whether it was typed. */
	delivery: Delivery,
	/** Why it is queued. */
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

/** The changes of a session. */
export type SessionChanges = {
	/** The compared state. */
	of: ChangesOf,
	/** The base commit; absent if there was none. */
	base: string | null,
	/** The branch that the session's branch was created from. */
	base_branch: BranchName | null,
	/** The session's commits, oldest first. */
	commits: CommitLine[],
	/** The changed files, sorted by name. */
	files: FileDiff[],
	/** Whether the list is cut off. */
	cut: boolean,
	/** The listed files with uncommitted changes. */
	uncommitted: string[],
	/** Omitted files: changed before the session and not touched by it. */
	before: string[],
	/** Missing information, and changes that are not the session's. */
	notes: string[],
};

/** Parameters of `session.changes`. */
export type SessionChangesParams = {
	/** The session. */
	id: SessionId,
	/** Whether to ignore changes in white space. */
	ignore_space?: boolean,
};

/** The checkpoints of a session, oldest first. */
export type SessionCheckpoints = {
	/** The kept states. */
	checkpoints: CheckpointLine[],
	/** Whether the session's folder exists, so that files can be compared with it and restored. */
	has_folder: boolean,
	/** Missing data, and why. */
	notes: string[],
};

/** An unsent text. */
export type SessionDraft = {
	/** The text; may be empty. */
	text: string,
};

/** Parameters of `session.end`. */
export type SessionEndParams = {
	/** The session. */
	id: SessionId,
	/** Whether to move its bead to in review. */
	review?: boolean,
	/** Whether a missing custom status may be added to the tracker for that. */
	add_status?: boolean,
	/** Whether to move it although no commit of its work exists. */
	without_commit?: boolean,
	/**
	 * The text for the bead's notes below `## Execution Log`. If absent, with `review` the log of the
	 * preview, otherwise none; if empty, none.
	 */
	log?: string | null,
};

/** The answer of `session.end`. */
export type SessionEnded = {
	/** The session. */
	session: SessionView,
	/** Its bead's current state, if the bead exists. */
	bead_status: BeadStatus | null,
	/** Whether the execution log is in the bead's notes. */
	log_saved: boolean,
	/** The session that was started automatically on the next bead. */
	next?: NextStarted,
	/** Warnings. */
	warnings: string[],
};

/** Parameters of `session.export`. */
export type SessionExportParams = {
	/** The session. */
	id: SessionId,
	/** The format. */
	format?: ExportFormat,
	/** Whether to omit the output of tools. */
	no_tool_output?: boolean,
	/** Whether to keep secrets; otherwise, they are redacted. */
	keep_secrets?: boolean,
};

/** Parameters of `session.find`. */
export type SessionFindParams = {
	/** The session. */
	id: SessionId,
	/** A literal text, matched case-insensitively; spaces at its ends are ignored. */
	text: string,
	/** The number of results to skip. */
	skip?: number,
	/** The maximum number of results; 50 by default, at most 500. */
	limit?: number | null,
};

/** Parameters of `session.fork`. */
export type SessionForkParams = {
	/** The session. */
	id: SessionId,
	/** The checkpoint whose files the new session starts with. */
	checkpoint: number,
	/** The prompt before which the conversation is continued; by default the checkpoint's first one. */
	turn?: number | null,
	/** The new branch; by default the session's branch with a number. */
	branch?: string | null,
	/** The first prompt; without one, claude waits. */
	prompt?: string | null,
	/** The terminal's size, columns and rows. */
	size?: [number, number] | null,
};

/** The answer of `session.find`. */
export type SessionFound = {
	/** The positions, from 0, of all messages with a match, in order. */
	places: number[],
	/** Some of the matches with their context. */
	hits: Hit[],
};

/** The answer of `session.hook_runs`. */
export type SessionHookRuns = {
	/** The runs, ordered by their end. */
	runs: HookRun[],
	/** Unreadable data. */
	warnings: string[],
};

/** A session of this program. */
export type SessionId = string;

/** An image of a conversation. */
export type SessionImage = {
	/** The type, such as `image/png`. */
	media: string,
	/** The bytes in base64. */
	data: string,
};

/** The answer of `session.list`. */
export type SessionList = {
	/** The sessions, newest first. */
	sessions: SessionView[],
	/** Unreadable data. */
	warnings: string[],
};

/** Parameters of `session.list`. */
export type SessionListParams = {
	/** Only sessions in these states; empty means all. */
	status?: Status[],
};

/** Parameters of `session.message`. */
export type SessionMessageParams = {
	/** The session. */
	id: SessionId,
	/** The message's id. */
	message: string,
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
	/** The session. */
	id: SessionId,
	/** The mode; by default claude's next one, as with Shift+Tab, but never Bypass. */
	mode?: PermissionMode | null,
};

/** Parameters of `session.page`. */
export type SessionPageParams = {
	/** The session. */
	id: SessionId,
	/** Returns the messages before this position, from 0; by default, the last messages. */
	before?: number | null,
	/** Returns the messages around the first one at or after this time, instead of `before`. */
	at?: string | null,
	/** Returns the messages around this one, instead of `before`. */
	message?: string | null,
	/** The maximum number of messages; 200 by default, at most 2,000. */
	limit?: number | null,
};

/** The effects of a start. */
export type SessionPlan = {
	/** The branch; `null` if the session uses the checked-out one. */
	branch: string | null,
	/** Whether the branch exists. */
	branch_exists: boolean,
	/** The absolute working folder. */
	cwd: string,
	/** Whether the folder is a new or existing worktree. */
	worktree: boolean,
	/** The opening prompt. */
	prompt: string,
	/** The errors that a start would report. */
	problems: ApiError[],
};

/** Parameters of `session.plan`. */
export type SessionPlanParams = {
	/** The bead. */
	bead_id?: BeadId | null,
	/** The branch, if not the default one. */
	branch?: string | null,
	/** The choice of folder. */
	folder?: FolderChoice,
};

/** Identifies a session. */
export type SessionRef = {
	/** The session's id. */
	id: SessionId,
};

/** Parameters of `session.resume`. */
export type SessionResumeParams = {
	/** The session. */
	id: SessionId,
	/** The prompt, if not the one of the preview. An empty one resumes claude without a prompt. */
	prompt?: string | null,
	/** The terminal's size, columns and rows. */
	size?: [number, number] | null,
	/** Whether to resume despite open decisions: the first choice that leaves the bead unchanged. */
	anyway?: boolean,
	/** Whether to claim the bead again for this session. */
	reclaim?: boolean,
	/** The choice of folder, if the folder has changed. */
	place?: ResumePlace | null,
};

/** Parameters of `session.send`. */
export type SessionSendParams = {
	/** The session. */
	id: SessionId,
	/** The text, at most 256 KiB. */
	text: string,
};

/** Parameters of `session.start`. */
export type SessionStartParams = {
	/** The bead to claim; absent for an ad-hoc session. */
	bead_id?: BeadId | null,
	/** The title. */
	title?: string | null,
	/** The objective. */
	objective?: string | null,
	/** The branch, if not the default one. */
	branch?: string | null,
	/** The agent prompt. */
	agent?: AgentName | null,
	/** Claude's permission mode. */
	mode?: PermissionMode,
	/** The model, if not claude's default. */
	model?: string | null,
	/** The opening prompt, if not the one made from the bead. An empty one starts claude without a prompt. */
	prompt?: string | null,
	/** The choice of folder. */
	folder?: FolderChoice,
	/** The code context that claude receives at its start. */
	context?: ContextChoice,
	/** The choices of the context pack, with [`ContextChoice::Automatic`]. */
	pack?: PackRequest,
	/** Whether to use the simulated agent instead of claude. */
	simulated?: boolean,
	/** The terminal's size, columns and rows. */
	size?: [number, number] | null,
	/** The runner from the fleet's settings; this machine by default. */
	runner?: string | null,
	/** Return as soon as the session's host listens; `session.started` has the result. */
	at_once?: boolean,
};

/** The answer of `session.start` and `session.resume`. */
export type SessionStarted = {
	/** The session. */
	session: SessionView,
	/** Notices, for example that claude asks for trust or that hooks do not report. */
	warnings: string[],
};

/** The state of a session, as shown to users. */
export type SessionState =
/** Never started. */
"draft" |
/** Claude is starting. */
"starting" |
/** Claude is working, or its activity is unknown. */
"active" |
/** Claude is at its prompt, and a text waits for its input box. */
"queued" |
/** The API failed, and claude retries. */
"retrying" |
/** A limit stopped the turn. */
"rate_limited" |
/** A dialog is open in claude's terminal: the user must close it. */
"dialog_open" |
/** The turn is over and claude waits for the user's next message. */
"your_turn" |
/** Claude asks for a permission, an answer, trust or a login, or the API refused its last turn. */
"needs_you" |
/** Claude has ended and the session is being paused. */
"ending" |
/** Paused by the user, after idle time, or because another session took its place. */
"paused" |
/** Claude exited, and the session is paused. */
"exited" |
/** The session's process died. */
"interrupted" |
/** Ended. */
"closed";

/** A session as clients see it: its record, and live data from its host. */
export type SessionView = {
	/** The active time in milliseconds; an open interval counts up to now. */
	duration_ms: number,
	/** Its state, computed from its record and live data; `active` from older engines that do not send it. */
	state: SessionState,
	/** Live data from its host; absent without a running host. */
	live: Live | null,
} & Meta;

/** A session's viewed files. */
export type SessionViewed = {
	/** The viewed `content` by file name. If the file's content differs now, the file has changed since. */
	files: { [key in string]: string },
};

/** Parameters of `session.set_comments`. */
export type SetCommentsParams = {
	/** The session. */
	id: SessionId,
	/** Comments to add, or to replace by their id. */
	put?: ChangeCommentInput[],
	/** Ids of comments to remove: discarded or resolved. */
	remove?: string[],
};

/** Parameters of `session.set_draft`. */
export type SetDraftParams = {
	/** The session. */
	id: SessionId,
	/** The text, at most 1 MiB; an empty one removes the draft. */
	text: string,
};

/** Parameters of `session.set_viewed`. */
export type SetViewedParams = {
	/** The session. */
	id: SessionId,
	/** The file, named as in `session.changes`. */
	path: string,
	/** Its viewed `content`; absent to remove the mark. */
	content?: string | null,
};

/** The user's settings. */
export type Settings = {
	/** Dark, light, or the system's theme. */
	theme: Theme,
	/** Whether Enter sends and Shift+Enter breaks the line; otherwise, Ctrl+Enter sends. */
	enter_sends: boolean,
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean,
	/** The idle time in minutes at claude's prompt after which a session is paused; 0 for never. */
	inactivity_minutes: number,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean,
	/** Whether a finished bead gets a comment with the files edited for it. */
	comment_files: boolean,
	/** Whether a comment on the bead describes the state of the work before each compaction. */
	checkpoint_comments: boolean,
	/** The number of turns without a commit or a comment after which the agent is reminded; 0 for never. */
	remind_after_turns: number,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean,
	/** Whether that backup is pushed. */
	backup_push: boolean,
	/** Whether it includes conversations, with secrets redacted. */
	backup_transcripts: boolean,
	/** What the user is notified about on the desktop. */
	notify: NeedKind[],
	/** Whether a notification plays a sound. */
	notify_sound: boolean,
	/** The level of the diagnostic logs. */
	log_level: LogLevel,
	/** The command line of the user's editor; `{file}` and `{line}` are replaced. Empty for none. */
	editor: string,
	/** Whether an open window asks for the newest version once a day. */
	update_check: boolean,
	/** The git repository to ask for it: an https address or a folder. Empty for none. */
	update_source: string,
};

/** Parameters of `app.set_settings`. Absent settings stay unchanged. */
export type SettingsChange = {
	/** Dark, light, or the system's theme. */
	theme?: Theme | null,
	/** Whether Enter sends. */
	enter_sends?: boolean | null,
	/** Whether a start pauses the active session. */
	single_active?: boolean | null,
	/** The idle time in minutes at the prompt after which a session is paused; 0 for never. */
	inactivity_minutes?: number | null,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits?: boolean | null,
	/** Whether a finished bead gets a comment with its files. */
	comment_files?: boolean | null,
	/** Whether a comment is added before each compaction. */
	checkpoint_comments?: boolean | null,
	/** The number of turns without a commit or a comment after which the agent is reminded; 0 for never. */
	remind_after_turns?: number | null,
	/** Whether a backup is made when a session ends. */
	backup_at_end?: boolean | null,
	/** Whether that backup is pushed. */
	backup_push?: boolean | null,
	/** Whether backups include conversations. */
	backup_transcripts?: boolean | null,
	/** What the user is notified about. */
	notify?: NeedKind[] | null,
	/** Whether a notification plays a sound. */
	notify_sound?: boolean | null,
	/** The level of the diagnostic logs. */
	log_level?: LogLevel | null,
	/** The command line of the user's editor; empty for none. */
	editor?: string | null,
	/** Whether an open window asks for the newest version once a day. */
	update_check?: boolean | null,
	/** The git repository to ask for it; empty for none. */
	update_source?: string | null,
};

/** The effective settings of a project. */
export type SettingsInForce = {
	/** Whether a start or a resume pauses the other active sessions. */
	single_active: boolean,
	/** The idle time in minutes at the prompt after which a session is paused; 0 for never. */
	inactivity_minutes: number,
	/** Whether a commit becomes a comment on the session's bead. */
	comment_commits: boolean,
	/** Whether a finished bead gets a comment with its files. */
	comment_files: boolean,
	/** Whether a comment is added before each compaction. */
	checkpoint_comments: boolean,
	/** The number of turns without a commit or a comment after which the agent is reminded; 0 for never. */
	remind_after_turns: number,
	/** Whether a backup is made when a session ends. */
	backup_at_end: boolean,
	/** Whether that backup is pushed. */
	backup_push: boolean,
	/** Whether backups include conversations. */
	backup_transcripts: boolean,
	/** Whether finished work goes to review. */
	reviews: boolean,
	/** The number of beads that are still started automatically; 0 for none. */
	auto_next: number,
};

/** Whether the setup command of new worktrees may run. */
export type SetupState =
/** There is no setup command. */
"none" |
/** It runs no file of the repository. */
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

/** The output so far of a command that claude runs. */
export type ShellOutput = {
	/** The last part of the output; absent if claude keeps none that belongs to this command alone. */
	text: string | null,
	/** The number of bytes before it. */
	omitted: number,
};

/** Parameters of `session.shell_output`. */
export type ShellOutputParams = {
	/** The session. */
	id: SessionId,
	/** A background command's id; absent: the command that runs now. */
	background?: string | null,
};

/** One of claude's commands. */
export type SlashCommand = {
	/** The name without the slash. */
	name: string,
	/** A description; may be empty. */
	about: string,
	/** Its origin. */
	origin: CommandOrigin,
};

/** A bead without activity for too long. */
export type StaleBead = {
	/** The bead's id. */
	id: BeadId,
	/** Its title. */
	title: string,
	/** Its status. */
	status: BeadStatus,
	/** The time of its last activity: of its last change, or of its live session's. */
	since: string,
	/** The level. */
	level: StaleLevel,
};

/** Beads without activity for too long. */
export type StaleBeads = {
	/** The beads, longest inactive first. */
	beads: StaleBead[],
};

/** The level of a stale bead, by the time without activity. */
export type StaleLevel =
/** 2 hours in progress, or 24 hours in review. */
"warning" |
/** 8 hours in progress, or 72 hours in review. */
"critical";

/** The answer of `session.stale`. */
export type StaleSessions = {
	/** Sessions paused for more than `days`, the longest first. */
	sessions: SessionView[],
	/** The number of days after which a pause is long. */
	days: number,
};

/** What claude asks before it starts. */
export type StartQuestion =
/** Whether it may work in the folder. */
"trust" |
/** With which account. */
"login";

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

/** A completion of a folder path. */
export type SuggestedFolder = {
	/** The path; its typed part is unchanged. */
	path: string,
	/** The folder's name. */
	name: string,
	/** Whether it is a git repository. */
	repository: boolean,
	/** Whether it has beads. */
	beads: boolean,
};

/** The direction of a synchronization. */
export type SyncDirection =
/** To the tracker's remote. */
"push" |
/** From the tracker's remote. */
"pull";

/** Parameters of `backup.sync_tracker`. */
export type SyncTrackerParams = {
	/** The direction. */
	direction: SyncDirection,
};

/** The colour theme. */
export type Theme =
/** The system's theme. */
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

/** Counted tokens by kind. A day's part of a session has the kinds in the session's proportion. */
export type TokenKinds = {
	/** Input without the cache. */
	input: number,
	/** Written to the cache. */
	cache_creation: number,
	/** Output. */
	output: number,
};

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
	/** Facts about the run. Ours. */
	details?: ToolDetails,
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

/** What claude recorded about the run of a tool, beside its output. */
export type ToolDetails = {
	/** The changed lines of an edit, with their places in the file. */
	patch?: PatchHunk[],
	/** The subagent that the call started. */
	subagent?: string,
	/** The id of the background command that the call started. */
	background?: string,
	/** Images in the output. */
	images?: ImageRef[],
};

/** The tracker of a project. */
export type TrackerInfo = {
	/** The kind of tracker. */
	kind: TrackerKind,
	/** The version of the tracker's program; absent for the embedded store. */
	version: string | null,
	/** Whether beads can be changed. */
	writable: boolean,
	/** Why it is read-only, or another notice. */
	note: string | null,
	/** Whether `submit` must add a custom status first, which requires the user's consent. */
	submit_needs_consent: boolean,
};

/** The kinds of trackers. */
export type TrackerKind =
/** bd. */
"bd" |
/** br. */
"br" |
/** The embedded store, for projects without bd or br. */
"embedded" |
/** Read-only, because the tracker's program is missing. */
"read_only";

/** A tracker for a new project. */
export type TrackerOffer = {
	/** The tracker. */
	tracker: InitTracker,
	/** Its version, if it is an installed program. */
	version: string | null,
	/** Why it cannot be used. */
	problem: string | null,
};

/** A remote of the tracker. */
export type TrackerRemote = {
	/** Its name. */
	name: string,
	/** Its address. */
	url: string,
};

/** The answer of `backup.sync_tracker`. */
export type TrackerSynced = {
	/** The program's message, on one line. */
	said: string,
};

/** The tracker's own synchronization. */
export type TrackerTier = {
	/** Whether the tracker supports remotes. */
	possible: boolean,
	/** Its remotes; absent if the tracker was not asked. */
	remotes: TrackerRemote[] | null,
	/** Why the remotes are unknown. */
	problem: string | null,
};

/** The answer of `session.transcript`. */
export type Transcript = {
	/** The messages in order. */
	messages: Message[],
	/** Unreadable data. */
	warnings?: string[],
};

/** A part of a conversation. Long texts are shortened, and their message says so in `left_out`. */
export type TranscriptPage = {
	/** The position of the first message, from 0. */
	first: number,
	/** The messages in order. */
	messages: Message[],
	/** The number of messages in the conversation. */
	total: number,
	/** The position, from 0, of the message selected by `at` or `message`; absent if there is none. */
	place: number | null,
	/** Unreadable parts of the conversation. */
	warnings: string[],
};

/** The answer of `session.trash`. */
export type Trash = {
	/** The sessions, last deleted first. */
	sessions: Trashed[],
	/** Unreadable data. */
	warnings: string[],
};

/** A session in the trash folder. */
export type Trashed = {
	/** Its record. */
	meta: Meta,
	/** The time of its deletion. */
	deleted_at: string,
	/** The earliest time of its permanent deletion, which also requires that it was seen there on seven days. */
	removed_at: string,
};

/** An uncommitted file. */
export type TreeFile = {
	/** Whether it had this change before the pause. */
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

/** An API failure that ended a turn. */
export type TurnFailure = {
	/** Its kind. */
	kind: FailureKind,
	/** Claude's message. */
	message: string,
	/** When the turn ended. */
	at: string,
	/** When a limit ends, if the message says so. */
	until: string | null,
};

/** A field that the tracker cannot store. */
export type UnsupportedField = {
	/** The field's name in [`BeadChange`]. */
	field: string,
	/** A short reason, such as "br does not store estimates". */
	why: string,
};

/** Any JSON. */
export type Value = unknown;

/** The answer of `app.check_version`. */
export type VersionCheck = {
	/** This program's version. */
	version: string,
	/** The newest released version; none if the address has no released version. */
	latest: string | null,
	/** Whether that version is newer than this one. */
	newer: boolean,
	/** The address that was asked. */
	source: string,
};

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

/** A commit in short form. */
export type WorktreeCommit = {
	/** Its hash. */
	hash: string,
	/** Its first line. */
	subject: string,
};

/** The losses of a worktree's removal. Ignored files are removed, too, and not listed. */
export type WorktreeLoss = {
	/** Its folder. */
	path: string,
	/** The checked-out branch. */
	branch: string | null,
	/** Whether nothing is lost. */
	clean: boolean,
	/** Files with uncommitted changes. */
	uncommitted: FileLine[],
	/** Untracked files and folders, and changed copies of the project's files. */
	untracked: string[],
	/** Submodules with separate repositories. */
	submodules: string[],
	/**
	 * Commits that are on no other branch, newest first, at most 200. If the worktree has a branch, they
	 * stay on it.
	 */
	commits: WorktreeCommit[],
	/** Identifies these losses; consent covers only them. */
	fingerprint: string,
};

/** Identifies a worktree. */
export type WorktreeRef = {
	/** Its path, the last part of its path, or its branch. */
	path: string,
};

/** Parameters of `worktree.remove`. */
export type WorktreeRemoveParams = {
	/** The worktree, as in [`WorktreeRef`]. */
	path: string,
	/** Whether to remove it despite losses. */
	force?: boolean,
	/** The fingerprint of the confirmed losses; if it differs now, nothing is removed. */
	seen?: string | null,
};

/** The answer of `worktree.remove`. */
export type WorktreeRemoved = {
	/** Its former path. */
	path: string,
	/** Its branch, which stays. */
	branch: string | null,
};

/** Parameters of `worktree.restore`. */
export type WorktreeRestoreParams = {
	/** The session. */
	session: SessionId,
};

/** The answer of `worktree.restore`. */
export type WorktreeRestored = {
	/** Its folder. */
	path: string,
	/** The checked-out branch. */
	branch: string | null,
	/** The action; `null` if it existed. */
	action: string | null,
	/** Warnings. */
	warnings: string[],
};

/** The session of a worktree. */
export type WorktreeSession = {
	/** Its id. */
	id: SessionId,
	/** Its title. */
	title: string | null,
	/** Its status. */
	status: Status,
};

/** The setup command of new worktrees. */
export type WorktreeSetup = {
	/** The command's words. */
	command: string[],
	/** Whether it may run. */
	state: SetupState,
	/** The repository's files that it names, and the files that those name. */
	files: string[],
	/** The diff to the files allowed last; all of them if none were. */
	change: string,
	/** Identifies the command with these files. */
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
	/** Whether it exists. */
	state: WorktreeState,
	/** Its new path, if it was moved. */
	moved_to: string | null,
	/** The checked-out branch; `null` without one. */
	branch: string | null,
	/** Whether it is locked against removal. */
	locked: boolean,
	/** The session that uses it, or used it last. */
	session: WorktreeSession | null,
	/** That session's bead. */
	bead_id: BeadId | null,
	/** Its size in bytes; `null` if it does not exist. */
	bytes: number | null,
	/** Whether the count is complete; counting stops in very large folders. */
	counted: boolean,
	/** Whether its removal loses nothing. */
	clean: boolean,
	/** The number of files with uncommitted changes. */
	uncommitted: number,
	/** The number of untracked files and folders. */
	untracked: number,
	/** The number of commits that are on no other branch. */
	commits: number,
	/** Why it could not be examined. */
	trouble: string | null,
};

/** Whether a worktree exists at its path. */
export type WorktreeState =
/** It exists. */
"here" |
/** It was moved. */
"moved" |
/** Its folder is gone; its branch still has the commits. */
"gone";

/** The answer of `worktree.list`. */
export type Worktrees = {
	/** The folder of new worktrees. */
	folder: string,
	/** Worktrees as listed by git, then those of paused sessions that git no longer lists. */
	worktrees: WorktreeShown[],
	/** Their total size in bytes, as far as counted. */
	bytes: number,
	/** Problems found. */
	warnings: string[],
};

/** Every method with what goes in and what comes out. */
export type Api = {
	"app.info": { params: Nothing; result: AppInfo };
	"app.projects": { params: Nothing; result: ProjectList };
	"app.open_project": { params: OpenProjectParams; result: OpenProject };
	"app.open_sample": { params: Nothing; result: OpenProject };
	"app.folders": { params: OpenProjectParams; result: FolderSuggestions };
	"app.close_project": { params: ProjectRef; result: ProjectList };
	"app.settings": { params: Nothing; result: Settings };
	"app.set_settings": { params: SettingsChange; result: Settings };
	"app.keep_layout": { params: LayoutKept; result: Nothing };
	"app.link": { params: Nothing; result: Link };
	"app.people": { params: Nothing; result: People };
	"app.add_person": { params: PersonRef; result: Link };
	"app.revoke_person": { params: PersonRef; result: People };
	"app.report": { params: ReportParams; result: ProblemReport };
	"app.check_version": { params: Nothing; result: VersionCheck };
	"app.licences": { params: Nothing; result: Licences };
	"project.setup": { params: Nothing; result: ProjectSetup };
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
	"bead.close": { params: BeadCloseParams; result: BeadClosed };
	"bead.update": { params: BeadUpdateParams; result: BeadShown };
	"bead.approve": { params: BeadCloseParams; result: BeadClosed };
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
	"session.context_pack": { params: PackParams; result: PackPreview };
	"session.start": { params: SessionStartParams; result: SessionStarted };
	"session.started": { params: SessionRef; result: SessionStarted };
	"session.list": { params: SessionListParams; result: SessionList };
	"session.show": { params: SessionRef; result: SessionView };
	"session.needs": { params: Nothing; result: Needs };
	"session.transcript": { params: SessionRef; result: Transcript };
	"session.injections": { params: SessionRef; result: Injections };
	"session.hook_runs": { params: SessionRef; result: SessionHookRuns };
	"session.page": { params: SessionPageParams; result: TranscriptPage };
	"session.message": { params: SessionMessageParams; result: Message };
	"session.find": { params: SessionFindParams; result: SessionFound };
	"session.timeline": { params: SessionRef; result: Timeline };
	"session.changes": { params: SessionChangesParams; result: SessionChanges };
	"session.checkpoints": { params: SessionRef; result: SessionCheckpoints };
	"session.compare": { params: CheckpointCompareParams; result: CheckpointChanges };
	"session.restore_files": { params: RestoreFilesParams; result: FilesRestored };
	"session.fork": { params: SessionForkParams; result: SessionStarted };
	"session.file_lines": { params: FileLinesParams; result: FileLines };
	"session.revert": { params: RevertParams; result: KeptRevert };
	"session.reverts": { params: SessionRef; result: KeptReverts };
	"session.undo_revert": { params: RevertRef; result: KeptReverts };
	"session.commit_preview": { params: SessionRef; result: CommitPreview };
	"session.commit": { params: CommitParams; result: Committed };
	"session.publish_preview": { params: SessionRef; result: PublishPreview };
	"session.push": { params: SessionRef; result: Pushed };
	"session.pull_request": { params: PullRequestParams; result: PullRequest };
	"session.open_file": { params: OpenFileParams; result: Nothing };
	"session.comments": { params: SessionRef; result: ChangeComments };
	"session.set_comments": { params: SetCommentsParams; result: ChangeComments };
	"session.viewed": { params: SessionRef; result: SessionViewed };
	"session.set_viewed": { params: SetViewedParams; result: SessionViewed };
	"session.search": { params: Query; result: SearchAnswer };
	"session.metrics": { params: SessionRef; result: SessionMetrics };
	"project.metrics": { params: ProjectMetricsParams; result: ProjectMetrics };
	"session.export": { params: SessionExportParams; result: Exported };
	"session.send": { params: SessionSendParams; result: Sent };
	"session.retry": { params: HeldTextRef; result: SessionView };
	"session.forget": { params: HeldTextRef; result: SessionView };
	"session.edit_queued": { params: QueuedEditParams; result: SessionView };
	"session.move_queued": { params: QueuedMoveParams; result: SessionView };
	"session.send_now": { params: HeldTextRef; result: SessionView };
	"session.draft": { params: SessionRef; result: SessionDraft };
	"session.set_draft": { params: SetDraftParams; result: SessionDraft };
	"session.attach": { params: AttachParams; result: Attached };
	"session.image": { params: ImageParams; result: SessionImage };
	"session.shell_output": { params: ShellOutputParams; result: ShellOutput };
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
	"session.conversations": { params: ConversationsParams; result: Conversations };
	"session.adopt": { params: AdoptParams; result: SessionStarted };
	"session.stale": { params: Nothing; result: StaleSessions };
	"session.cleanup": { params: Nothing; result: CleanedUp };
};
