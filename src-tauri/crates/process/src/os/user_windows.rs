//! The users of processes by their security identifiers (SIDs), and objects that only this user can open.

use super::handle::{checked, owned, raw, wide};
use std::{
    ffi::{OsStr, OsString},
    io,
    os::windows::{ffi::OsStringExt, io::OwnedHandle},
    path::Path,
    ptr,
    sync::OnceLock,
};
use windows_sys::Win32::{
    Foundation::{ERROR_SUCCESS, LocalFree},
    Security::{
        Authorization::{
            ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW,
            GetNamedSecurityInfoW, SDDL_REVISION_1, SE_FILE_OBJECT,
        },
        GetTokenInformation, OWNER_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID, SECURITY_ATTRIBUTES,
        TOKEN_QUERY, TOKEN_USER, TokenUser,
    },
    Storage::FileSystem::CreateDirectoryW,
    System::Threading::{
        GetCurrentProcess, OpenProcess, OpenProcessToken, PROCESS_QUERY_LIMITED_INFORMATION,
    },
};

/// The group that owns the files created by an elevated process.
const ADMINISTRATORS: &str = "S-1-5-32-544";

/// Returns the SID of this process's user, such as `S-1-5-21-…-1001`.
pub(super) fn current() -> io::Result<&'static str> {
    static SID: OnceLock<String> = OnceLock::new();
    if let Some(known) = SID.get() {
        return Ok(known);
    }
    // SAFETY: the pseudo-handle of this process is always valid.
    let found = of_handle(unsafe { GetCurrentProcess() })?;
    Ok(SID.get_or_init(|| found))
}

/// Returns the SID of a process's user, or an error if this process may not read it.
pub(super) fn of_process(pid: u32) -> io::Result<String> {
    // SAFETY: no pointers are passed; the handle is checked.
    let process = owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) })?;
    of_handle(raw(&process))
}

fn of_handle(process: windows_sys::Win32::Foundation::HANDLE) -> io::Result<String> {
    let mut token = ptr::null_mut();
    // SAFETY: the process handle is open; the token is written only on success.
    checked(unsafe { OpenProcessToken(process, TOKEN_QUERY, &raw mut token) })?;
    let token: OwnedHandle = owned(token)?;
    // The buffer is large enough for any SID with its header; `u64` ensures the alignment.
    let mut buffer = [0u64; 32];
    let mut length = 0;
    // SAFETY: the buffer has the given size, and the alignment that `TOKEN_USER` requires.
    checked(unsafe {
        GetTokenInformation(
            raw(&token),
            TokenUser,
            buffer.as_mut_ptr().cast(),
            u32::try_from(size_of_val(&buffer)).expect("256 bytes"),
            &raw mut length,
        )
    })?;
    // SAFETY: the call has filled the buffer with a `TOKEN_USER`; its SID is in the same buffer.
    text_of(unsafe { (*buffer.as_ptr().cast::<TOKEN_USER>()).User.Sid })
}

fn text_of(sid: PSID) -> io::Result<String> {
    let mut text = ptr::null_mut();
    // SAFETY: the callers pass a valid SID. The system allocates the text only on success.
    checked(unsafe { ConvertSidToStringSidW(sid, &raw mut text) })?;
    // SAFETY: the text ends with a NUL and is freed once, after it is copied.
    let taken = unsafe {
        let length = (0..).take_while(|&at| *text.add(at) != 0).count();
        let taken = OsString::from_wide(std::slice::from_raw_parts(text, length));
        LocalFree(text.cast());
        taken
    };
    taken.into_string().map_err(|_| io::Error::other("a SID is not a text"))
}

/// Security attributes that allow only this user to open an object.
pub(super) struct OnlyThisUser {
    descriptor: PSECURITY_DESCRIPTOR,
    attributes: SECURITY_ATTRIBUTES,
}

/// Creates [`OnlyThisUser`]. Set `inherit` for a folder, so that its files get the same rule.
pub(super) fn only_this_user(inherit: bool) -> io::Result<Box<OnlyThisUser>> {
    let flags = if inherit { "OICI" } else { "" };
    let rule = format!("D:P(A;{flags};GA;;;{})", current()?);
    let rule = wide(OsStr::new(&rule))?;
    let mut descriptor = ptr::null_mut();
    // SAFETY: the rule ends with a NUL. The system allocates the descriptor only on success.
    checked(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            rule.as_ptr(),
            SDDL_REVISION_1,
            &raw mut descriptor,
            ptr::null_mut(),
        )
    })?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: u32::try_from(size_of::<SECURITY_ATTRIBUTES>()).expect("a few bytes"),
        lpSecurityDescriptor: descriptor,
        bInheritHandle: 0,
    };
    Ok(Box::new(OnlyThisUser { descriptor, attributes }))
}

impl OnlyThisUser {
    /// Returns a pointer to the attributes, which is valid while `self` exists.
    pub(super) fn attributes(&self) -> *const SECURITY_ATTRIBUTES {
        &raw const self.attributes
    }
}

impl Drop for OnlyThisUser {
    fn drop(&mut self) {
        // SAFETY: the system allocated the descriptor, and this value frees it only once.
        unsafe { LocalFree(self.descriptor) };
    }
}

/// Creates a folder that only this user can open, or checks that an existing folder belongs to this user or
/// to the administrators. The error explains why the folder was refused.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    let security = only_this_user(true)?;
    let name = wide(path.as_os_str())?;
    // SAFETY: the name ends with a NUL, and the security attributes live until the call returns.
    match checked(unsafe { CreateDirectoryW(name.as_ptr(), security.attributes()) }) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {}
    }
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned()));
    if !std::fs::symlink_metadata(path)?.is_dir() {
        return refused("it is not a folder");
    }
    match owner(path)? {
        owner if owner == current()? || owner == ADMINISTRATORS => Ok(()),
        _ => refused("it belongs to another user"),
    }
}

fn owner(path: &Path) -> io::Result<String> {
    let name = wide(path.as_os_str())?;
    let (mut owner, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the name ends with a NUL; owner and descriptor are written only on success.
    let result = unsafe {
        GetNamedSecurityInfoW(
            name.as_ptr(),
            SE_FILE_OBJECT,
            OWNER_SECURITY_INFORMATION,
            &raw mut owner,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
            &raw mut descriptor,
        )
    };
    if result != ERROR_SUCCESS {
        return Err(io::Error::from_raw_os_error(result.cast_signed()));
    }
    let text = text_of(owner);
    // SAFETY: the system allocated the descriptor, and the owner in it has already been copied.
    unsafe { LocalFree(descriptor) };
    text
}

/// Returns a tag that makes a name in a shared folder unique to this user.
pub(crate) fn user_tag() -> String {
    current().map_or_else(|_| std::env::var("USERNAME").unwrap_or_default(), str::to_owned)
}
