//! Context templates: `.beads/context-templates/NAME.md`.
//!
//! A template is Markdown. A list item that starts with a path, or a line that is only a path, names a file,
//! optionally with line numbers, or a file pattern. Text after the path in a list item is the reason. Front
//! matter can set `description` and `budget`. All other text is given to claude. A template that names a file
//! outside the repository is refused as a whole.

use super::mention::{self, Lines, Mention};
use crate::context::errors::chain;
use bc_wire::{ApiError, ErrorCode, session::PackTemplate};
use std::path::{Component, Path};

/// The templates' folder, in `.beads`.
const FOLDER: &str = "context-templates";
/// The maximum size of a template, in bytes.
const SIZE: u64 = 64 << 10;
/// The maximum number of templates.
const TEMPLATES: usize = 100;
/// The maximum number of files that a template names.
const FILES: usize = 100;

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Template {
    pub(super) name: String,
    /// The template's file, relative to `.beads`.
    pub(super) file: String,
    pub(super) description: Option<String>,
    pub(super) budget: Option<u32>,
    pub(super) files: Vec<TemplateFile>,
    /// The text for claude: the lines that do not name a file.
    pub(super) text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TemplateFile {
    /// A path, or a pattern with `*`, `?` or `[`.
    pub(super) path: String,
    pub(super) lines: Option<Lines>,
    pub(super) reason: Option<String>,
}

/// The template with this name. Fails if it does not exist, cannot be read or is refused.
pub(super) fn template(beads: &Path, name: &str) -> Result<Template, ApiError> {
    let names = names(beads)?;
    let Some(file) = names.iter().find(|file| stem(file) == name) else {
        let known: Vec<&str> = names.iter().map(|file| stem(file)).collect();
        let hint = match known.is_empty() {
            true => format!("create .beads/{FOLDER}/NAME.md"),
            false => format!("available: {}", known.join(", ")),
        };
        return Err(ApiError::new(ErrorCode::Usage, format!("unknown context template {name}")).hint(hint));
    };
    let path = beads.join(FOLDER).join(file);
    let unreadable = |why: String| {
        ApiError::new(ErrorCode::FileRefused, format!("the context template {name} cannot be read: {why}"))
            .hint(format!("check .beads/{FOLDER}/{file}"))
    };
    let bytes = bc_store::repository::read(&path, SIZE).map_err(|error| unreadable(chain(&error)))?;
    let text =
        String::from_utf8(bytes.unwrap_or_default()).map_err(|_| unreadable("it is not text".to_owned()))?;
    parse(file, &text)
}

/// All templates. A template that cannot be used has its error.
pub(super) fn all(beads: &Path) -> Vec<PackTemplate> {
    let names = names(beads).unwrap_or_default();
    let shown = names.iter().map(|file| match template(beads, stem(file)) {
        Ok(Template { name, description, budget, .. }) => {
            PackTemplate { name, description, budget, problem: None }
        }
        Err(problem) => PackTemplate {
            name: stem(file).to_owned(),
            description: None,
            budget: None,
            problem: Some(problem),
        },
    });
    shown.collect()
}

/// The names of the template files, sorted. If the folder is a link, it must not lead out of the repository.
fn names(beads: &Path) -> Result<Vec<String>, ApiError> {
    let folder = beads.join(FOLDER);
    bc_store::repository::check_folder(&folder)
        .map_err(|error| ApiError::new(ErrorCode::FileRefused, chain(&error)))?;
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| (name.ends_with(".md") || name.ends_with(".txt")) && !name.starts_with('.'))
        .filter(|name| bc_core::text::plain(name) == *name)
        .collect();
    names.sort();
    names.dedup_by(|a, b| stem(a) == stem(b));
    names.truncate(TEMPLATES);
    Ok(names)
}

fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn parse(file: &str, text: &str) -> Result<Template, ApiError> {
    let name = stem(file).to_owned();
    let mut template = Template { file: format!("{FOLDER}/{file}"), name, ..Template::default() };
    let mut lines = text.lines().peekable();
    if lines.peek().is_some_and(|line| line.trim() == "---") {
        lines.next();
        for line in lines.by_ref().take_while(|line| line.trim() != "---") {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim().trim_matches(['"', '\'']);
            match key.trim() {
                "description" => template.description = Some(bc_core::text::one_line(value)),
                "budget" => {
                    template.budget = Some(budget_of(value).map_err(|why| of_template(&template, &why))?)
                }
                _ => {}
            }
        }
    }
    for line in lines {
        match item(line) {
            Some((path, reason)) => {
                if leads_out(path) {
                    let text = format!(
                        "the context template {} names {}, which is outside the repository",
                        template.name,
                        bc_core::text::one_line(path)
                    );
                    return Err(ApiError::new(ErrorCode::FileRefused, text)
                        .hint(format!("remove that line from .beads/{}", template.file)));
                }
                if template.files.len() == FILES {
                    return Err(of_template(&template, &format!("it names more than {FILES} files")));
                }
                let Mention { path, lines } = mention::parse(path);
                template.files.push(TemplateFile { path, lines, reason });
            }
            None => {
                template.text.push_str(line);
                template.text.push('\n');
            }
        }
    }
    template.text = template.text.trim().to_owned();
    Ok(template)
}

fn of_template(template: &Template, why: &str) -> ApiError {
    ApiError::new(ErrorCode::FileRefused, format!("the context template {} is refused: {why}", template.name))
        .hint(format!("change .beads/{}", template.file))
}

/// The file that a line names, and the reason. The line is a path, or a list item that starts with a path.
fn item(line: &str) -> Option<(&str, Option<String>)> {
    let line = line.trim();
    let listed = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim);
    let (path, rest) = match (listed, line) {
        (Some(text), _) if text.starts_with('`') => text[1..].split_once('`')?,
        (Some(text), _) => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        (None, text) if !text.contains(char::is_whitespace) && is_path(text) => (text.trim_matches('`'), ""),
        (None, _) => return None,
    };
    // A list item that does not start with a path does not name a file.
    if !is_path(path) {
        return None;
    }
    let rest = rest.trim().trim_start_matches(['-', '–', '—', ':']).trim();
    Some((path, (!rest.is_empty()).then(|| bc_core::text::one_line(rest))))
}

fn is_path(word: &str) -> bool {
    let word = word.trim_matches('`');
    let inner = word.trim_end_matches(['.', ',', ':', ';', '!', '?']);
    !inner.is_empty() && !word.starts_with('#') && !word.contains("://") && inner.contains(['/', '.', '\\'])
}

/// Whether a path or pattern leads out of the folder, on any system.
pub(super) fn leads_out(path: &str) -> bool {
    let path = path.trim_matches('`').replace('\\', "/");
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    let out =
        Path::new(&path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
    drive || out || path.starts_with('~')
}

/// A budget in tokens: `10000`, `10,000` or `10k`.
pub(super) fn budget_of(text: &str) -> Result<u32, String> {
    let text = text.trim().replace([',', '_', '\''], "").to_lowercase();
    let (number, factor) = text.strip_suffix('k').map_or((text.as_str(), 1), |number| (number, 1_000));
    let tokens = number.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
    tokens.ok_or_else(|| format!("{} is not a number of tokens", bc_core::text::one_line(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::context_pack::fixture::Sandbox;

    fn parsed(text: &str) -> Result<Template, String> {
        parse("ui.md", text).map_err(|error| error.message)
    }

    #[test]
    fn a_template_names_files_with_reasons_and_has_a_text() {
        let text = "---\ndescription: Work on the UI\nbudget: 25k\n---\n# Rules\n\nUse the tokens.\n\n\
                    - `ui/src/styles/tokens.css`: colours and sizes\n* docs/STYLE.md:1-40\n- ui/src/features/start/*.svelte\n\
                    - Never invent a colour.\n\nui/src/app.css\n";
        let template = parsed(text).unwrap();
        assert_eq!(
            (template.description.as_deref(), template.budget),
            (Some("Work on the UI"), Some(25_000))
        );
        let files: Vec<_> = template.files.iter().map(|f| (f.path.as_str(), f.reason.as_deref())).collect();
        assert_eq!(
            files,
            [
                ("ui/src/styles/tokens.css", Some("colours and sizes")),
                ("docs/STYLE.md", None),
                ("ui/src/features/start/*.svelte", None),
                ("ui/src/app.css", None),
            ]
        );
        assert_eq!(template.files[1].lines, Some(Lines { first: 1, last: 40 }));
        assert_eq!(template.text, "# Rules\n\nUse the tokens.\n\n- Never invent a colour.");
    }

    #[test]
    fn a_template_that_leads_out_of_the_repository_is_refused_with_the_reason() {
        for path in [
            "../../etc/passwd",
            "/etc/passwd",
            "~/.ssh/id_rsa",
            "src/../../x.rs",
            "C:\\x.txt",
            "..\\..\\x.txt",
        ] {
            for line in [format!("- {path}"), format!("* `{path}` the users"), path.to_owned()] {
                let expect = format!("the context template ui names {path}, which is outside the repository");
                assert_eq!(parsed(&line), Err(expect), "{line}");
            }
        }
        assert!(parsed(&"- a.rs\n".repeat(FILES + 1)).unwrap_err().contains("more than 100 files"));
        assert!(parsed("---\nbudget: much\n---\n").unwrap_err().contains("much is not a number of tokens"));
    }

    #[test]
    fn templates_are_listed_with_their_problems_and_found_by_name_only() {
        let sandbox = Sandbox::new();
        sandbox.write(".beads/context-templates/ui.md", b"- ui/a.css\n");
        sandbox.write(".beads/context-templates/evil.md", b"- ../../etc/passwd\n");
        sandbox.write(".beads/context-templates/binary.md", b"\xff\xfe");
        sandbox.write(".beads/other.md", b"- a.rs\n");
        let beads = sandbox.root().join(".beads");
        let listed: Vec<_> = all(&beads).into_iter().map(|t| (t.name, t.problem.is_some())).collect();
        assert_eq!(listed, [("binary".into(), true), ("evil".into(), true), ("ui".into(), false)]);
        assert_eq!(template(&beads, "ui").unwrap().files[0].path, "ui/a.css");
        let error = template(&beads, "../other").unwrap_err();
        assert_eq!(
            (error.code, error.hint.as_deref()),
            (ErrorCode::Usage, Some("available: binary, evil, ui"))
        );
        assert_eq!(template(&beads, "evil").unwrap_err().code, ErrorCode::FileRefused);
        assert_eq!(all(&sandbox.root().join("missing")), []);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_repository_is_not_a_template() {
        let sandbox = Sandbox::new();
        sandbox.write("../secret.md", b"the secret\n");
        sandbox.write(".beads/context-templates/ui.md", b"x\n");
        sandbox.link(".beads/context-templates/out.md", "../../../secret.md");
        let error = template(&sandbox.root().join(".beads"), "out").unwrap_err();
        assert_eq!(error.code, ErrorCode::FileRefused, "{error}");
    }

    #[test]
    fn budgets_are_read_as_people_write_them() {
        for (text, expect) in [("2k", 2_000), (" 10,000 ", 10_000), ("25K", 25_000), ("800", 800)] {
            assert_eq!(budget_of(text), Ok(expect));
        }
        assert!(budget_of("k").is_err() && budget_of("-3").is_err() && budget_of("99999999k").is_err());
    }
}
