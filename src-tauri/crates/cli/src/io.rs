//! The person's side of a command: where results and notes go, whether somebody can be asked, what
//! standard input has. Commands know only the trait, so that tests run them without a terminal.

use crate::{editor, output::Looks};
use bc_wire::{ApiError, ErrorCode};
use std::io::{self, BufWriter, IsTerminal, Read, Stderr, Stdout, Write};

/// How much of standard input is taken for a text. Far above what may be sent, so that the refusal
/// comes from whoever knows the limit; far below what would exhaust the memory.
const MAX_TEXT: u64 = 16 << 20;

/// The person's side of a command.
pub(crate) trait Io {
    /// Results go here.
    fn out(&mut self) -> &mut dyn Write;
    /// Notes, warnings and questions go here.
    fn err(&mut self) -> &mut dyn Write;
    /// Colours and width of the results.
    fn looks(&self) -> Looks;
    /// Whether a person sits at standard input and sees standard error.
    fn can_ask(&self) -> bool;
    /// Yes or no. The end of input is a no.
    fn ask(&mut self, question: &str) -> io::Result<bool>;
    /// All of standard input as text.
    fn read_text(&mut self) -> Result<String, ApiError>;
    /// The text as the person left it in their editor.
    fn edit(&mut self, text: &str) -> Result<String, ApiError>;
    /// Columns and rows where standard input and output are a terminal.
    fn terminal(&self) -> Option<(u16, u16)>;
}

/// The process' own streams.
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

    fn looks(&self) -> Looks {
        if !io::stdout().is_terminal() {
            return Looks::default();
        }
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Looks {
            colour: !set("NO_COLOR") && !dumb,
            width: terminal_size().map(|(columns, _)| usize::from(columns)),
            zone: None,
        }
    }

    fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
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
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_TEXT + 1).read_to_end(&mut bytes);
        read.map_err(|e| ApiError::new(ErrorCode::Io, format!("standard input could not be read: {e}")))?;
        if bytes.len() as u64 > MAX_TEXT {
            return Err(ApiError::new(
                ErrorCode::TextTooLarge,
                "standard input has more than 16 MiB of text",
            ));
        }
        String::from_utf8(bytes)
            .map_err(|_| ApiError::new(ErrorCode::Usage, "standard input is not text: UTF-8 is wanted"))
    }

    fn edit(&mut self, text: &str) -> Result<String, ApiError> {
        editor::edit(text)
    }

    fn terminal(&self) -> Option<(u16, u16)> {
        match io::stdin().is_terminal() && io::stdout().is_terminal() {
            true => terminal_size().or(Some((80, 24))),
            false => None,
        }
    }
}

/// Columns and rows of the terminal that this program runs in.
fn terminal_size() -> Option<(u16, u16)> {
    bc_process::terminal::size().map(|size| (size.cols(), size.rows()))
}
