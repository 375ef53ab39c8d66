//! Starts a program with exactly the given handles, or in a pseudo-console.
//!
//! The standard library passes on every inheritable handle of this process. A detached program would
//! therefore keep its parent's pipes open.

use super::handle::{checked, owned, raw, wide};
use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io,
    os::windows::{ffi::OsStrExt, io::OwnedHandle},
    path::Path,
    ptr,
};
use windows_sys::Win32::{
    Foundation::{DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, WAIT_OBJECT_0},
    System::{
        Console::HPCON,
        Threading::{
            CREATE_NO_WINDOW, CREATE_UNICODE_ENVIRONMENT, CreateProcessW, DeleteProcThreadAttributeList,
            EXTENDED_STARTUPINFO_PRESENT, GetCurrentProcess, GetExitCodeProcess, INFINITE,
            InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST,
            PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, PROCESS_INFORMATION,
            STARTF_USESTDHANDLES, STARTUPINFOEXW, UpdateProcThreadAttribute, WaitForSingleObject,
        },
    },
};

/// The flag that keeps a console program from opening a window.
pub(crate) const NO_WINDOW: u32 = CREATE_NO_WINDOW;

#[derive(Debug)]
pub(super) struct Spawned {
    process: OwnedHandle,
    pub(super) pid: u32,
}

impl Spawned {
    /// Waits for the program to exit and returns its exit code.
    pub(super) fn wait(&self) -> io::Result<u32> {
        // SAFETY: the handle is open while `self` exists.
        if unsafe { WaitForSingleObject(raw(&self.process), INFINITE) } != WAIT_OBJECT_0 {
            return Err(io::Error::last_os_error());
        }
        let mut code = 0;
        // SAFETY: as above; the code is written only on success.
        checked(unsafe { GetExitCodeProcess(raw(&self.process), &raw mut code) })?;
        Ok(code)
    }
}

/// The handles or the console that a new program receives.
pub(super) enum Given<'a> {
    /// Standard input, output and error, and further handles. All must be inheritable.
    Handles { standard: [&'a OwnedHandle; 3], more: &'a [OwnedHandle] },
    /// A pseudo-console, without any handles.
    Console(HPCON),
}

pub(super) struct Start<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [OsString],
    pub(super) cwd: &'a Path,
    /// Changes to the inherited environment.
    pub(super) env: &'a [(OsString, Option<OsString>)],
    pub(super) flags: u32,
}

/// Returns an inheritable copy of the handle. Call it only inside [`crate::child_reaper::spawn`]; otherwise a
/// concurrently spawned child also inherits the copy.
pub(super) fn inheritable(handle: HANDLE) -> io::Result<OwnedHandle> {
    let mut copy = ptr::null_mut();
    // SAFETY: the caller's handle is open; the pseudo-handle of this process is always valid.
    checked(unsafe {
        let me = GetCurrentProcess();
        DuplicateHandle(me, handle, me, &raw mut copy, 0, 1, DUPLICATE_SAME_ACCESS)
    })?;
    owned(copy)
}

/// Starts the program. Batch files are refused.
pub(super) fn spawn(start: &Start<'_>, given: &Given<'_>) -> io::Result<Spawned> {
    refuse_batch_file(start.program)?;
    let application = wide(start.program.as_os_str())?;
    let mut line = command_line(start.program, start.args)?;
    let cwd = wide(without_prefix(start.cwd).as_os_str())?;
    let environment = environment_block(start.env)?;
    let mut info = STARTUPINFOEXW::default();
    info.StartupInfo.cb = u32::try_from(size_of::<STARTUPINFOEXW>()).expect("a few bytes");
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    let mut attributes = Attributes::new()?;
    let inherits = match given {
        Given::Handles { standard, more } => {
            let [input, output, error] = standard.map(raw);
            info.StartupInfo.hStdInput = input;
            info.StartupInfo.hStdOutput = output;
            info.StartupInfo.hStdError = error;
            let mut list = vec![input, output, error];
            list.extend(more.iter().map(raw));
            // The list must not contain duplicate handles.
            list.sort_unstable();
            list.dedup();
            attributes.set_handles(list)?;
            1
        }
        Given::Console(console) => {
            // Pass the console without handles; otherwise the program could get this process's redirected
            // handles.
            attributes.set_console(*console)?;
            0
        }
    };
    info.lpAttributeList = attributes.list();
    let mut started = PROCESS_INFORMATION::default();
    // SAFETY: all strings end with a NUL. The strings and the attributes live until the call returns. The call
    // can modify `line`.
    checked(unsafe {
        CreateProcessW(
            application.as_ptr(),
            line.as_mut_ptr(),
            ptr::null(),
            ptr::null(),
            inherits,
            start.flags | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT,
            environment.as_ptr().cast(),
            cwd.as_ptr(),
            &raw const info.StartupInfo,
            &raw mut started,
        )
    })?;
    drop(owned(started.hThread));
    Ok(Spawned { process: owned(started.hProcess)?, pid: started.dwProcessId })
}

/// Refuses a batch file. Windows would run it with cmd.exe, which parses arguments differently from other
/// programs.
fn refuse_batch_file(program: &Path) -> io::Result<()> {
    let ending = program.extension().unwrap_or_default().to_ascii_lowercase();
    match ending == "cmd" || ending == "bat" {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is a batch file, whose arguments cannot be passed safely; give the program that it starts",
        )),
        false => Ok(()),
    }
}

/// Removes the prefix `\\?\` from a working folder, because some programs do not accept it.
fn without_prefix(path: &Path) -> std::path::PathBuf {
    bc_core::paths::plain(path.to_owned())
}

fn command_line(program: &Path, args: &[OsString]) -> io::Result<Vec<u16>> {
    let mut line = Vec::new();
    // Programs parse their own name differently from arguments: it ends at the next quote.
    line.push(u16::from(b'"'));
    line.extend(program.as_os_str().encode_wide());
    line.push(u16::from(b'"'));
    for arg in args {
        line.push(u16::from(b' '));
        push_quoted(&mut line, arg);
    }
    if line.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "an argument contains a NUL"));
    }
    line.push(0);
    Ok(line)
}

/// Appends an argument, quoted so that the C library's command-line parser restores it.
fn push_quoted(line: &mut Vec<u16>, arg: &OsStr) {
    const QUOTE: u16 = b'"' as u16;
    const BACKSLASH: u16 = b'\\' as u16;
    let is_plain =
        |unit: u16| !matches!(char::from_u32(unit.into()), Some(' ' | '\t' | '\n' | '\u{b}' | '"'));
    if !arg.is_empty() && arg.encode_wide().all(is_plain) {
        return line.extend(arg.encode_wide());
    }
    line.push(QUOTE);
    let mut backslashes = 0;
    for unit in arg.encode_wide() {
        match unit {
            BACKSLASH => backslashes += 1,
            // Before a quote, each pair of backslashes stands for one backslash.
            QUOTE => line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1)),
            _ => {}
        }
        if unit != BACKSLASH {
            backslashes = 0;
        }
        line.push(unit);
    }
    line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
    line.push(QUOTE);
}

/// Returns this process's environment without the hidden variables and with the changes applied. Names are
/// compared case-insensitively.
fn environment_block(changes: &[(OsString, Option<OsString>)]) -> io::Result<Vec<u16>> {
    let key = |name: &OsStr| name.to_ascii_uppercase();
    let mut all: BTreeMap<OsString, (OsString, OsString)> =
        std::env::vars_os().map(|(name, value)| (key(&name), (name, value))).collect();
    for name in crate::private_env::names() {
        all.remove(&key(OsStr::new(name)));
    }
    for (name, value) in changes {
        match value {
            Some(value) => drop(all.insert(key(name), (name.clone(), value.clone()))),
            None => drop(all.remove(&key(name))),
        }
    }
    let mut block = Vec::new();
    for (name, value) in all.values() {
        let mut entry = name.clone();
        entry.push("=");
        entry.push(value);
        block.extend(wide(&entry)?);
    }
    // An empty environment is terminated by two NULs.
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

/// The attributes of a new process: its handles or its console.
struct Attributes {
    // `u64` elements ensure the required alignment.
    list: Vec<u64>,
    /// The attribute list points into this vector.
    handles: Vec<HANDLE>,
}

impl Attributes {
    /// Creates a list with room for one attribute.
    fn new() -> io::Result<Attributes> {
        let mut size = 0;
        // SAFETY: without a list, the call only returns the size.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), 1, 0, &raw mut size) };
        let mut attributes = Attributes { list: vec![0; size.div_ceil(8)], handles: Vec::new() };
        // SAFETY: the list has the requested size.
        checked(unsafe { InitializeProcThreadAttributeList(attributes.list(), 1, 0, &raw mut size) })?;
        Ok(attributes)
    }

    fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.list.as_mut_ptr().cast()
    }

    fn set_handles(&mut self, handles: Vec<HANDLE>) -> io::Result<()> {
        self.handles = handles;
        let (value, size) = (self.handles.as_ptr(), size_of_val(self.handles.as_slice()));
        self.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize, value.cast(), size)
    }

    fn set_console(&mut self, console: HPCON) -> io::Result<()> {
        // The value of this attribute is the console itself.
        self.set(PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE as usize, console as *const _, size_of::<HPCON>())
    }

    fn set(&mut self, attribute: usize, value: *const core::ffi::c_void, size: usize) -> io::Result<()> {
        // SAFETY: the list is initialized, and the value lives as long as the list.
        checked(unsafe {
            UpdateProcThreadAttribute(self.list(), 0, attribute, value, size, ptr::null_mut(), ptr::null())
        })
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: the list was initialized and is not used afterwards.
        unsafe { DeleteProcThreadAttributeList(self.list()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(args: &[&str]) -> String {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let units = command_line(Path::new(r"C:\a b\p.exe"), &args).unwrap();
        String::from_utf16(&units[..units.len() - 1]).unwrap()
    }

    #[test]
    fn arguments_are_quoted_by_the_rules_of_the_c_library() {
        assert_eq!(line(&[]), r#""C:\a b\p.exe""#);
        assert_eq!(line(&["", "a b"]), r#""C:\a b\p.exe" "" "a b""#);
        assert_eq!(line(&[r#"{"a":"b"}"#]), r#""C:\a b\p.exe" "{\"a\":\"b\"}""#);
        assert_eq!(line(&[r"C:\x\", r#"a\\"b"#]), r#""C:\a b\p.exe" C:\x\ "a\\\\\"b""#);
        assert_eq!(line(&[r"C:\x y\"]), r#""C:\a b\p.exe" "C:\x y\\""#);
    }

    #[test]
    fn a_batch_file_is_refused() {
        let error = refuse_batch_file(Path::new(r"C:\npm\claude.CMD")).unwrap_err();
        assert!(error.to_string().contains("batch file"), "{error}");
        refuse_batch_file(Path::new(r"C:\claude.exe")).unwrap();
    }

    #[test]
    fn a_changed_variable_replaces_one_in_another_case() {
        let change = |name: &str, value: Option<&str>| (OsString::from(name), value.map(OsString::from));
        let changes = [change("path", Some("mine")), change("no_such", None)];
        let block = String::from_utf16(&environment_block(&changes).unwrap()).unwrap();
        let paths = block.split('\0').filter(|entry| entry.to_ascii_lowercase().starts_with("path="));
        assert_eq!(paths.collect::<Vec<_>>(), ["path=mine"]);
    }
}
