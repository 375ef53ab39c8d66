//! The context pack of a new session. The user can preview it before the start. The pack is saved as the
//! session's `context.json`, and a resumed session gets the same pack again.
//!
//! `mention` finds the file names in the bead, and `words` finds the words to search for. `code_search`
//! searches the files for these words, and `relevant_lines` selects the definitions around the matches.
//! `earlier` lists the files of earlier sessions, and `templates` reads the project's templates. `collect`
//! orders the candidates, `find` reads the allowed files, `choose` fits them into the budget, and `render`
//! formats the pack for claude. Deliberately elsewhere: recovery, memories and hooks.
//!
//! Invariants: only regular files of the session's working folder that git does not ignore are read, never
//! through a link that leads out of the folder. Repository text is passed to claude as data: without control
//! characters, in fenced blocks with headings. A start after a preview sends no piece that the preview did
//! not show.

mod choose;
mod code_search;
mod collect;
mod earlier;
mod find;
#[cfg(test)]
mod fixture;
mod language;
mod mention;
mod relevant_lines;
mod render;
mod templates;
mod words;

use crate::context::{
    Context, count,
    errors::{chain, git_error, store_error, tracker_error},
    now,
};
use bc_beads::ListFilter;
use bc_core::{
    bead::BeadDetail,
    context_pack::{ContextPack, GenerationMethod, PackSymbol},
    ids::{BeadId, SessionId},
    session::{Draft, Meta},
};
use bc_git::Repo;
use bc_host::ContextPiece;
use bc_store::{SessionDir, SessionLock};
use bc_wire::{ApiError, ErrorCode, session::*};
use choose::Chosen;
use collect::{Collected, Subject};
use find::FindError;
use mention::Mention;
use std::path::Path;
use templates::Template;
use uuid::Uuid;

/// The budget in tokens if neither the request nor the template specifies a budget.
const BUDGET: u32 = 10_000;
/// The allowed budgets, in tokens.
const BUDGETS: std::ops::RangeInclusive<u32> = 500..=40_000;
/// The maximum number of files that a user can add.
const ADDED: usize = 50;

/// A validated request, with the effective budget, the template and the added files.
struct Checked {
    budget: u32,
    template: Option<Template>,
    added: Vec<Mention>,
}

/// Validates a request before a start changes anything.
pub(super) fn check(ctx: &Context, request: &PackRequest) -> Result<(), ApiError> {
    checked(&ctx.project.beads_dir, request).map(drop)
}

fn checked(beads: &Path, request: &PackRequest) -> Result<Checked, ApiError> {
    let usage = |text: String| ApiError::new(ErrorCode::Usage, text);
    let template = request.template.as_deref().map(|name| templates::template(beads, name)).transpose()?;
    let budget = request.budget.or(template.as_ref().and_then(|template| template.budget)).unwrap_or(BUDGET);
    if !BUDGETS.contains(&budget) {
        let (least, most) = (BUDGETS.start(), BUDGETS.end());
        return Err(usage(format!("a context pack of {budget} tokens is not possible"))
            .hint(format!("choose {least} to {most} tokens")));
    }
    if request.add.len() > ADDED {
        return Err(usage(format!("more than {ADDED} files were added to the context pack")));
    }
    let added = request.add.iter().map(|text| {
        let shown = bc_core::text::one_line(text);
        match text.trim() {
            "" => Err(usage("the name of a file for the context pack is empty".to_owned())),
            path if templates::leads_out(path) => {
                let text = format!("{shown} is outside the repository");
                Err(ApiError::new(ErrorCode::FileRefused, text)
                    .hint("name a file relative to the working folder"))
            }
            path => Ok(mention::parse(path)),
        }
    });
    Ok(Checked { budget, added: added.collect::<Result<_, _>>()?, template })
}

/// The context pack that a start in the project's folder would send.
pub(crate) fn preview(ctx: &Context, params: PackParams) -> Result<PackPreview, ApiError> {
    let bead = params.bead_id.as_ref().map(|id| ctx.bead(id)).transpose()?;
    let meta = Meta::draft(Draft {
        bead_id: params.bead_id.clone(),
        title: params.title.clone(),
        objective: params.objective.clone().filter(|text| !text.trim().is_empty()),
        ..Draft::new(SessionId(Uuid::nil()), ctx.project_id()?, now())
    });
    let request = &params.pack;
    let checked = checked(&ctx.project.beads_dir, request)?;
    let budget = checked.budget;
    let built = build(ctx, &ctx.project.root, &meta, bead.as_ref(), checked, request)?;
    Ok(PackPreview {
        budget,
        tokens: count(built.chosen.total_tokens),
        pieces: built.chosen.pieces,
        templates: templates::all(&ctx.project.beads_dir),
        warnings: built.warnings,
    })
}

/// Creates and saves the context pack of a new session, and returns warnings. The working folder must be in its final
/// state.
///
/// # Errors
/// The pack could not be created or saved. The session can start without it, so the caller reports a warning.
pub(super) fn gather(
    ctx: &Context,
    lock: &SessionLock,
    meta: &Meta,
    bead: Option<&BeadDetail>,
    request: &PackRequest,
) -> Result<Vec<String>, ApiError> {
    let cwd = meta.cwd.as_deref().map_or(ctx.project.root.as_path(), Path::new);
    let checked = checked(&ctx.project.beads_dir, request)?;
    let built = build(ctx, cwd, meta, bead, checked, request)?;
    let mut warnings = built.warnings;
    if let Some(only) = &request.only {
        let sent: Vec<&String> =
            built.chosen.pieces.iter().filter(|p| p.state == PackState::Included).map(|p| &p.key).collect();
        let lost: Vec<&str> = only.iter().filter(|key| !sent.contains(key)).map(String::as_str).collect();
        if !lost.is_empty() {
            let lost = bc_core::text::one_line(&lost.join(", "));
            warnings
                .push(format!("the context pack lacks pieces that differ in the session's folder: {lost}"));
        }
    }
    lock.save_context(&pack(meta, built.chosen, built.symbols, request)).map_err(store_error)?;
    Ok(warnings)
}

/// A pack's content before it is saved.
struct Built {
    chosen: Chosen,
    symbols: Vec<PackSymbol>,
    warnings: Vec<String>,
}

fn build(
    ctx: &Context,
    cwd: &Path,
    meta: &Meta,
    bead: Option<&BeadDetail>,
    checked: Checked,
    request: &PackRequest,
) -> Result<Built, ApiError> {
    let repo = ctx.project.repo()?.at(cwd).map_err(git_error)?;
    let mut warnings = Vec::new();
    let earlier = match bead {
        Some(bead) => earlier_files(ctx, meta.id, bead).unwrap_or_else(|error| {
            warnings.push(format!("the files of earlier sessions could not be determined: {error}"));
            Vec::new()
        }),
        None => Vec::new(),
    };
    let subject =
        Subject { texts: texts(meta, bead), added: checked.added, template: checked.template, earlier };
    let mut built = build_for(cwd, &repo, subject, checked.budget, request)?;
    warnings.append(&mut built.warnings);
    Ok(Built { warnings, ..built })
}

fn build_for(
    cwd: &Path,
    repo: &Repo,
    subject: Subject<'_>,
    budget: u32,
    request: &PackRequest,
) -> Result<Built, ApiError> {
    let collected = collect::collect(cwd, repo, subject).map_err(|error| match error {
        FindError::Git(error) => git_error(error),
        FindError::Folder { .. } => ApiError::new(ErrorCode::Io, chain(&error)),
    })?;
    let Collected { mut found, symbols, mut warnings } = collected;
    for missing in std::mem::take(&mut found.missing) {
        let path = bc_core::text::one_line(&missing.path);
        if missing.role == PackKind::Added {
            let text = format!("{path} cannot be in the context pack");
            return Err(ApiError::new(ErrorCode::FileRefused, text)
                .hint("name a text file of the repository that git does not ignore; links out of it are not followed"));
        }
        warnings.push(format!("the template names {path}, which is not a readable file of the repository"));
    }
    if let Some(only) = &request.only {
        found.sources.retain(|source| only.iter().any(|key| key == choose::key(source)));
    }
    let chosen = choose::choose(&found, budget, &request.remove, &request.pin);
    Ok(Built { chosen, symbols, warnings })
}

fn earlier_files(ctx: &Context, own: SessionId, bead: &BeadDetail) -> Result<Vec<find::Wanted>, ApiError> {
    let metas = ctx.metas()?;
    let id = &bead.bead.id;
    // If the bead is itself an epic, its children count as siblings.
    let epic = bead.bead.parent.as_ref().unwrap_or(id);
    let in_epic = bead.bead.parent.is_some() || bead.bead.issue_type == "epic";
    let has_others = || metas.iter().any(|meta| meta.bead_id.as_ref().is_some_and(|other| other != id));
    let siblings: Vec<BeadId> = match in_epic && has_others() {
        true => {
            // One query for all beads, because a tracker may run a program per query.
            let listed = ctx.tracker()?.list(&ListFilter::board()).map_err(tracker_error)?;
            let beads = listed.beads.iter();
            let siblings = beads.filter(|other| other.id == *epic || other.parent.as_ref() == Some(epic));
            siblings.map(|other| other.id.clone()).collect()
        }
        false => Vec::new(),
    };
    Ok(earlier::files(&metas, own, id, &siblings))
}

fn pack(meta: &Meta, chosen: Chosen, mut symbols: Vec<PackSymbol>, request: &PackRequest) -> ContextPack {
    symbols.truncate(chosen.symbols);
    let has_choices = !(request.add.is_empty() && request.remove.is_empty() && request.pin.is_empty());
    ContextPack {
        id: Uuid::new_v4().to_string(),
        created_at: now(),
        project_id: meta.project_id.clone(),
        bead_id: meta.bead_id.clone(),
        query: None,
        files: chosen.files,
        symbols,
        dependencies: Vec::new(),
        config: chosen.config,
        docs: chosen.docs,
        commits: chosen.commits,
        generation_method: if has_choices { GenerationMethod::Manual } else { GenerationMethod::Heuristic },
        total_tokens: chosen.total_tokens,
        truncated: chosen.truncated,
    }
}

/// The rendered pieces of a session's saved pack; empty if it has none.
pub(super) fn stored(dir: &SessionDir) -> Result<Vec<ContextPiece>, ApiError> {
    let pack = dir.context().map_err(store_error)?;
    Ok(pack.map(|pack| render::pieces(&pack)).unwrap_or_default())
}

/// The strings in which files may be named, with the weights of their words, the most relevant first.
fn texts<'a>(meta: &'a Meta, bead: Option<&'a BeadDetail>) -> Vec<(&'a str, f64)> {
    let of_session = [(&meta.title, 3.0), (&meta.objective, 3.0)];
    let of_session = of_session.into_iter().filter_map(|(text, weight)| Some((text.as_deref()?, weight)));
    let of_bead = bead.into_iter().flat_map(|bead| {
        [
            (&bead.bead.title, 3.0),
            (&bead.description, 1.5),
            (&bead.design, 1.5),
            (&bead.acceptance_criteria, 1.0),
            (&bead.notes, 0.7),
        ]
    });
    of_session.chain(of_bead.map(|(text, weight)| (text.as_str(), weight))).collect()
}

#[cfg(test)]
mod tests {
    use super::{fixture::Sandbox, *};
    use bc_store::SessionStore;

    fn bead(description: &str, notes: &str) -> BeadDetail {
        let text = serde_json::json!({"id": "bc-1", "title": "Mend b.rs", "status": "open", "priority": 2,
            "issue_type": "bug", "description": description, "notes": notes});
        serde_json::from_value(text).unwrap()
    }

    fn meta() -> Meta {
        Meta::draft(Draft {
            bead_id: Some("bc-1".parse().unwrap()),
            objective: Some("as in d.rs".into()),
            ..Draft::new(SessionId(Uuid::from_u128(1)), "proj-1".parse().unwrap(), now())
        })
    }

    fn packed(sandbox: &Sandbox, bead: &BeadDetail, request: &PackRequest) -> Result<ContextPack, ApiError> {
        let checked = checked(&sandbox.root().join(".beads"), request)?;
        let meta = meta();
        let (added, template) = (checked.added, checked.template);
        let subject = Subject { texts: texts(&meta, Some(bead)), added, template, earlier: Vec::new() };
        let built = build_for(&sandbox.root(), &sandbox.repo(), subject, checked.budget, request)?;
        Ok(pack(&meta, built.chosen, built.symbols, request))
    }

    #[test]
    fn the_files_that_a_bead_names_and_the_conventions_are_in_the_pack() {
        let sandbox = Sandbox::new();
        for name in ["a.rs", "b.rs", "c.rs", "d.rs", "unnamed.rs", "AGENTS.md", "Cargo.toml"] {
            sandbox.write(name, b"one\ntwo\nthree\n");
        }
        let bead = bead("It is in `a.rs:2-3`.", "not c.rs");
        let pack = packed(&sandbox, &bead, &PackRequest::default()).unwrap();
        let files: Vec<_> = pack.files.iter().map(|f| (f.path.as_str(), f.content.as_str())).collect();
        let whole = "one\ntwo\nthree\n";
        assert_eq!(files, [("d.rs", whole), ("b.rs", whole), ("a.rs", "two\nthree\n"), ("c.rs", whole)]);
        assert_eq!((pack.files[2].line_start, pack.files[2].line_end), (Some(2), Some(3)));
        assert_eq!((pack.docs[0].path.as_str(), pack.config[0].path.as_str()), ("AGENTS.md", "Cargo.toml"));
        assert_eq!((pack.bead_id, pack.generation_method), (meta().bead_id, GenerationMethod::Heuristic));
        assert!(!pack.truncated && pack.total_tokens > 0);
    }

    #[test]
    fn the_stored_pack_is_the_injected_one() {
        let sandbox = Sandbox::new();
        sandbox.write("b.rs", b"fn b() {}");
        sandbox.write(".beads/config.yaml", b"");
        let store = SessionStore::open(&sandbox.root().join(".beads")).unwrap();
        let lock = store.create(&meta()).unwrap();
        assert_eq!(stored(&lock).unwrap(), []);
        let pack = packed(&sandbox, &bead("", ""), &PackRequest::default()).unwrap();
        lock.save_context(&pack).unwrap();
        sandbox.write("b.rs", b"changed meanwhile");
        assert_eq!(stored(&lock).unwrap(), render::pieces(&pack));
        assert!(stored(&lock).unwrap()[0].text.contains("fn b() {}"));
    }

    #[test]
    fn words_of_the_bead_find_definitions_and_a_template_its_files() {
        let sandbox = Sandbox::new();
        let filler: String = (0..200).map(|n| format!("// filler {n}\n")).collect();
        let code = format!("{filler}/// Parses.\nfn parse_token(text: &str) -> u32 {{\n    1\n}}\n{filler}");
        sandbox.write("src/lexer.rs", code.as_bytes());
        sandbox.write("src/other.rs", b"fn other() {}\n");
        sandbox
            .write(".beads/context-templates/parser.md", b"Mind the grammar.\n\n- docs/*.md: the grammar\n");
        sandbox.write("docs/grammar.md", b"token = word\n");
        let request = PackRequest { template: Some("parser".into()), ..PackRequest::default() };
        let pack = packed(&sandbox, &bead("`parse_token` fails on an empty text", ""), &request).unwrap();
        let files: Vec<_> = pack.files.iter().map(|f| (f.path.as_str(), f.line_start)).collect();
        assert_eq!(
            files,
            [
                ("docs/grammar.md", None),
                (".beads/context-templates/parser.md", None),
                ("src/lexer.rs", Some(199))
            ]
        );
        assert!(
            pack.files[2].content.contains("fn parse_token") && pack.files[2].content.lines().count() < 20
        );
        assert_eq!(
            pack.files[2].reason.as_deref(),
            Some("defines parse_token; contains “parse_token”, “text”")
        );
        assert_eq!((pack.symbols[0].name.as_str(), pack.symbols[0].line), ("parse_token", 202));
        let text = render::pieces(&pack).into_iter().map(|piece| piece.text).collect::<String>();
        assert!(text.contains("src/lexer.rs:202 fn parse_token(text: &str) -> u32"), "{text}");
    }

    #[test]
    fn the_users_choices_are_kept_and_bad_ones_refused() {
        let sandbox = Sandbox::new();
        sandbox.write("a.rs", b"one\ntwo\nthree\n");
        sandbox.write("b.rs", b"named by the title\n");
        sandbox.write(".beads/context-templates/evil.md", b"- ../../etc/passwd\n");
        let request = |add: &[&str], remove: &[&str]| PackRequest {
            add: add.iter().map(|text| (*text).to_owned()).collect(),
            remove: remove.iter().map(|text| (*text).to_owned()).collect(),
            ..PackRequest::default()
        };
        let pack = packed(&sandbox, &bead("", ""), &request(&["a.rs:2-3"], &["b.rs"])).unwrap();
        let files: Vec<_> = pack.files.iter().map(|f| (f.path.as_str(), f.content.as_str())).collect();
        assert_eq!(
            (files, pack.generation_method),
            (vec![("a.rs", "two\nthree\n")], GenerationMethod::Manual)
        );
        let refused = |request| packed(&sandbox, &bead("", ""), &request).unwrap_err();
        for outside in ["../outside.rs", "/etc/passwd", "~/x.rs", "gone.rs", ".git/config"] {
            assert_eq!(refused(request(&[outside], &[])).code, ErrorCode::FileRefused, "{outside}");
        }
        let evil = refused(PackRequest { template: Some("evil".into()), ..PackRequest::default() });
        assert!(evil.message.contains("names ../../etc/passwd, which is outside the repository"), "{evil}");
        let huge = refused(PackRequest { budget: Some(1_000_000), ..PackRequest::default() });
        assert_eq!(huge.hint.as_deref(), Some("choose 500 to 40000 tokens"));
    }

    #[test]
    fn only_text_that_the_user_saw_is_sent() {
        let sandbox = Sandbox::new();
        for name in ["a.rs", "b.rs", "AGENTS.md"] {
            sandbox.write(name, b"text\n");
        }
        let request =
            PackRequest { only: Some(vec!["a.rs".into(), "gone.rs".into()]), ..PackRequest::default() };
        let pack = packed(&sandbox, &bead("a.rs", ""), &request).unwrap();
        assert_eq!(pack.files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["a.rs"]);
        assert!(pack.docs.is_empty());
    }
}
