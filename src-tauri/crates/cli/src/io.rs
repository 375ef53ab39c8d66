//! Input and output of a command: results, notes, questions, standard input. Commands use only the trait
//! [`Io`], so that tests can run them without a terminal.

use crate::{editor, output::Style, session_env};
use bc_wire::{ApiError, ErrorCode};
use std::io::{self, BufWriter, IsTerminal, Read, Stderr, Stdout, Write};

/// The maximum size in bytes of text from standard input. Larger than every other limit on text, so that the
/// specific check reports the error, but small enough to fit in memory.
const MAX_TEXT: u64 = 16 << 20;

/// Input and output of a command.
pub(crate) trait Io {
    /// Receives results.
    fn out(&mut self) -> &mut dyn Write;
    /// Receives errors, notes, warnings and questions.
    fn err(&mut self) -> &mut dyn Write;
    /// Colours and width for results.
    fn style(&self) -> Style;
    /// Whether standard input and standard error are terminals, so that a user can answer.
    fn can_ask(&self) -> bool;
    /// Whether an agent runs the command. An agent cannot give consent for the user.
    fn by_agent(&self) -> bool;
    /// Asks a yes/no question. End of input means no.
    fn ask(&mut self, question: &str) -> io::Result<bool>;
    /// Reads all of standard input as text. Fails if an agent redirects a file to standard input, because
    /// the rules for agents do not allow this.
    fn read_text(&mut self) -> Result<String, ApiError>;
    /// Lets the user edit the text and returns the result.
    fn edit(&mut self, text: &str) -> Result<String, ApiError>;
    /// Columns and rows, if standard input and output are a terminal.
    fn terminal(&self) -> Option<(u16, u16)>;
}

/// The process's own streams.
pub(crate) struct Process {
    out: BufWriter<Stdout>,
    err: Stderr,
}

impl Process {
    pub(crate) fn new() -> Self {
        Process { out: BufWriter::new(io::stdout()), err: io::stderr() }
    }
}

impl Io for Process {
    fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    fn err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    fn style(&self) -> Style {
        if !io::stdout().is_terminal() {
            return Style::default();
        }
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style {
            colour: !set("NO_COLOR") && !dumb,
            width: terminal_size().map(|(columns, _)| usize::from(columns)),
            zone: None,
        }
    }

    fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    fn by_agent(&self) -> bool {
        session_env::by_agent()
    }

    fn ask(&mut self, question: &str) -> io::Result<bool> {
        self.out.flush()?;
        write!(self.err, "{} [y/N] ", bc_core::text::plain(question))?;
        self.err.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
    }

    fn read_text(&mut self) -> Result<String, ApiError> {
        if is_a_file(&io::stdin()) && session_env::by_agent() {
            let text = "standard input is a file, which the rules for agents do not allow";
            return Err(
                ApiError::new(ErrorCode::Usage, text).hint("give the text as an argument or through a pipe")
            );
        }
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_TEXT + 1).read_to_end(&mut bytes);
        read.map_err(|e| ApiError::new(ErrorCode::Io, format!("cannot read standard input: {e}")))?;
        if bytes.len() as u64 > MAX_TEXT {
            return Err(ApiError::new(ErrorCode::TextTooLarge, "standard input exceeds 16 MiB"));
        }
        String::from_utf8(bytes)
            .map_err(|_| ApiError::new(ErrorCode::Usage, "standard input is not UTF-8 text"))
    }

    fn edit(&mut self, text: &str) -> Result<String, ApiError> {
        editor::edit(text)
    }

    fn terminal(&self) -> Option<(u16, u16)> {
        let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        on_terminal.then(|| terminal_size().unwrap_or((80, 24)))
    }
}

/// Whether standard input is a named file: `< file`, but not a here-document.
#[cfg(unix)]
fn is_a_file(stdin: &impl std::os::fd::AsFd) -> bool {
    use std::os::unix::fs::MetadataExt;
    let file = stdin.as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|found| found.is_file() && found.nlink() > 0)
}

#[cfg(not(unix))]
fn is_a_file<T>(_stdin: &T) -> bool {
    false
}

/// Columns and rows of this program's terminal.
fn terminal_size() -> Option<(u16, u16)> {
    bc_process::terminal::size().map(|size| (size.cols(), size.rows()))
}
