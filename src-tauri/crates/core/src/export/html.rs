//! Renders the document as one HTML file without scripts, forms or external resources. All text from the
//! session is escaped; an answer's Markdown becomes elements from a fixed list.

use super::{
    document::{Block, Fact, Pause, moment, pause_words},
    sanitize::is_safe_address,
    session::Document,
    tool_block::{FOLD, Output, Part, ToolBlock},
};
use crate::{
    message::Message,
    text::{cut, one_line, plain},
};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Colours and sizes, for the light and the dark theme.
const STYLE: &str = include_str!("style.css");
/// The maximum length of a heading, in characters.
const HEADING: usize = 160;

/// Renders the session as a self-contained HTML file.
pub fn html(document: &Document<'_>) -> String {
    let files = document.files();
    let title = escaped(&document.title());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header>\n<h1>{title}</h1>\n<dl>\n"
    );
    for (label, fact) in document.facts(&files) {
        let value = match fact {
            Fact::Text(text) => text,
            Fact::Number(shown, _) => shown,
            Fact::Time(at) => moment(at),
        };
        let label = label.replace("_usd", "").replace('_', " ");
        out.push_str(&format!("<div><dt>{label}</dt><dd>{}</dd></div>\n", escaped(&one_line(&value))));
    }
    out.push_str("</dl>\n</header>\n");
    if let Some(objective) = document.objective() {
        out.push_str(&format!("<h2>Objective</h2>\n<div class=\"prompt\">{}</div>\n", paragraphs(objective)));
    }
    let path = |path: &String| format!("<code>{}</code>", escaped(path));
    list(&mut out, "Changed files", files.changed.iter().map(path));
    list(&mut out, "Files read", files.read.iter().map(path));
    let commit = |commit: &crate::work::CommitLine| {
        let subject = escaped(&cut(&one_line(&commit.subject), 200));
        format!("<code>{}</code> {subject}", escaped(commit.short()))
    };
    list(&mut out, "Commits", document.commits.iter().map(commit));
    out.push_str("<h2>Conversation</h2>\n");
    if document.messages.is_empty() {
        out.push_str("<p>No messages.</p>\n");
    }
    for part in document.rendered(|range, pauses| conversation(document, range, pauses)) {
        out.push_str(&part);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn conversation(document: &Document<'_>, range: Range<usize>, pauses: &[Pause]) -> String {
    let agent = if document.meta.simulated { "Simulated agent" } else { "Claude" };
    let mut out = String::new();
    document.blocks(range, pauses, |block| match block {
        Block::Prompt(message) => prompt(&mut out, message),
        Block::Answer(message) => answer(&mut out, message, agent),
        Block::Note(message, words) => note(&mut out, message, words),
        Block::Tool(tool) => tool_block(&mut out, &tool),
        Block::Pause(from, to) => {
            out.push_str(&format!("<p class=\"pause\">{}</p>\n", escaped(&pause_words(from, to))));
        }
    });
    out
}

fn list(out: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let lines: Vec<String> = items.map(|item| format!("<li>{item}</li>\n")).collect();
    if !lines.is_empty() {
        out.push_str(&format!("<h2>{heading}</h2>\n<ul class=\"list\">\n{}</ul>\n", lines.concat()));
    }
}

fn prompt(out: &mut String, message: &Message) {
    let text = message.content.trim();
    let first = one_line(text.lines().next().unwrap_or_default());
    let who = match &message.subagent {
        Some(subagent) => format!("To subagent {}", escaped(&cut(&one_line(subagent), 80))),
        None => "User".to_owned(),
    };
    out.push_str(&format!("<h3>{}</h3>\n", escaped(&cut(&first, HEADING))));
    out.push_str(&format!("<p class=\"time\">{who}, {}</p>\n", moment(message.timestamp)));
    if text.lines().count() > 1 || first.chars().count() > HEADING {
        out.push_str(&format!("<div class=\"prompt\">{}</div>\n", paragraphs(text)));
    }
}

fn answer(out: &mut String, message: &Message, agent: &str) {
    if let Some(subagent) = &message.subagent {
        let name = escaped(&cut(&one_line(subagent), 80));
        out.push_str(&format!(
            "<p class=\"time\">{agent}, subagent {name}, {}</p>\n",
            moment(message.timestamp)
        ));
    }
    out.push_str("<div class=\"answer\">\n");
    rendered(out, &plain(&message.content));
    out.push_str(if message.partial { "<p class=\"time\">(incomplete)</p>\n</div>\n" } else { "</div>\n" });
}

fn note(out: &mut String, message: &Message, words: &str) {
    out.push_str(&format!("<p class=\"time\">{words}, {}</p>\n", moment(message.timestamp)));
    let text = message.content.trim();
    if !text.is_empty() {
        let body = format!("<div class=\"prompt\">{}</div>\n", paragraphs(text));
        out.push_str(&folded("Text", text, body));
    }
}

fn tool_block(out: &mut String, tool: &ToolBlock<'_>) {
    out.push_str(&format!("<section class=\"tool\">\n<p><b>{}</b>", escaped(&tool.tool)));
    if !tool.subject.is_empty() {
        out.push_str(&format!(" <code>{}</code>", escaped(&tool.subject)));
    }
    out.extend(tool.duration.as_ref().map(|duration| format!(" <span class=\"time\">{duration}</span>")));
    out.push_str(if tool.failed { " <span class=\"failed\">failed</span></p>\n" } else { "</p>\n" });
    for one in &tool.parts {
        match one {
            Part::Code(text) => out.push_str(&folded("Input", text, pre(text))),
            Part::Diff(text) => out.push_str(&folded("Change", text, diff(text))),
        }
    }
    match tool.output {
        Output::Missing => out.push_str("<p class=\"time\">No output yet.</p>\n"),
        Output::Empty => out.push_str("<p class=\"time\">No output.</p>\n"),
        Output::Text(text) => out.push_str(&folded("Output", text, pre(text))),
        Output::LeftOut(lines) => {
            out.push_str(&format!("<p class=\"time\">Output of {lines} lines left out.</p>\n"));
        }
    }
    out.push_str("</section>\n");
}

fn folded(label: &str, text: &str, body: String) -> String {
    let lines = text.lines().count();
    match lines > FOLD {
        true => format!("<details><summary>{label}, {lines} lines</summary>\n{body}</details>\n"),
        false => body,
    }
}

fn pre(text: &str) -> String {
    format!("<pre>{}</pre>\n", escaped(plain(text).trim_end_matches('\n')))
}

fn diff(text: &str) -> String {
    let line = |line: &str| match line.as_bytes().first() {
        Some(b'+') => format!("<ins>{}</ins>\n", escaped(line)),
        Some(b'-') => format!("<del>{}</del>\n", escaped(line)),
        _ => format!("{}\n", escaped(line)),
    };
    format!("<pre class=\"diff\">{}</pre>\n", text.lines().map(line).collect::<String>())
}

/// Escapes plain text and keeps its line breaks.
fn paragraphs(text: &str) -> String {
    escaped(plain(text).trim())
}

/// Renders Markdown as elements from a fixed list.
fn rendered(out: &mut String, markdown: &str) {
    let mut table_head = false;
    let mut image = 0_usize;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Image { .. }) => {
                image += 1;
                out.push_str("<span class=\"time\">[image: ");
            }
            Event::End(TagEnd::Image) => {
                image -= 1;
                out.push_str("]</span>");
            }
            Event::Start(Tag::Link { dest_url, .. }) => match is_safe_address(&dest_url) && image == 0 {
                true => {
                    out.push_str(&format!("<a rel=\"noopener noreferrer\" href=\"{}\">", escaped(&dest_url)))
                }
                false => out.push_str("<a>"),
            },
            Event::Start(Tag::List(Some(first))) => out.push_str(&format!("<ol start=\"{first}\">\n")),
            Event::Start(Tag::TableHead) => {
                table_head = true;
                out.push_str("<tr>");
            }
            Event::End(TagEnd::TableHead) => {
                table_head = false;
                out.push_str("</tr>\n");
            }
            Event::Start(Tag::TableCell) => out.push_str(if table_head { "<th>" } else { "<td>" }),
            Event::End(TagEnd::TableCell) => out.push_str(if table_head { "</th>" } else { "</td>" }),
            Event::Start(tag) => out.extend(element(&tag.to_end()).map(|name| format!("<{name}>"))),
            Event::End(end) => out.extend(element(&end).map(|name| format!("</{name}>\n"))),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => out.push_str(&escaped(&text)),
            Event::Code(text) => out.push_str(&format!("<code>{}</code>", escaped(&text))),
            Event::SoftBreak => out.push('\n'),
            Event::HardBreak => out.push_str("<br>\n"),
            Event::Rule => out.push_str("<hr>\n"),
            _ => {}
        }
    }
}

fn element(tag: &TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph | TagEnd::HtmlBlock => "p",
        TagEnd::Heading(level) => ["h4", "h5", "h6", "h6", "h6", "h6"][*level as usize - 1],
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::CodeBlock => "pre",
        TagEnd::List(true) => "ol",
        TagEnd::List(false) => "ul",
        TagEnd::Item => "li",
        TagEnd::Table => "table",
        TagEnd::TableRow => "tr",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "s",
        TagEnd::Link => "a",
        _ => return None,
    })
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
