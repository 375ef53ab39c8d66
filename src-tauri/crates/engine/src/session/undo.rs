//! Undoes the steps of a failed session start.

use crate::context::{Context, SessionGuard};
use bc_store::SessionLock;

/// Undoes the steps of a start in reverse order when it is dropped, and finally removes the draft. After
/// [`Undo::commit`], nothing is undone. After a crash, nothing is undone either: the draft and its claim are
/// recovered later.
pub(super) struct Undo<'a, 'step> {
    ctx: &'a Context,
    /// The session lock, if the start holds it; otherwise it is taken before the first step is undone.
    sessions: Option<SessionGuard<'a>>,
    draft: Option<SessionLock>,
    steps: Vec<Box<dyn FnOnce() + 'step>>,
}

impl<'a, 'step> Undo<'a, 'step> {
    /// A guard for a start that has so far only written its draft.
    pub(super) fn of(ctx: &'a Context, sessions: Option<SessionGuard<'a>>, draft: SessionLock) -> Self {
        Undo { ctx, sessions, draft: Some(draft), steps: Vec::new() }
    }

    /// Adds the step that undoes the operation just completed.
    pub(super) fn push(&mut self, step: impl FnOnce() + 'step) {
        self.steps.push(Box::new(step));
    }

    /// Ends the guard without undoing anything, and returns the locks.
    pub(super) fn commit(mut self) -> (Option<SessionGuard<'a>>, SessionLock) {
        self.steps.clear();
        let draft = self.draft.take().expect("only `commit` and drop take the draft");
        (self.sessions.take(), draft)
    }
}

impl Drop for Undo<'_, '_> {
    fn drop(&mut self) {
        let Some(draft) = self.draft.take() else { return };
        let _sessions = self.sessions.take().unwrap_or_else(|| self.ctx.session_lock());
        while let Some(step) = self.steps.pop() {
            step();
        }
        // A draft that cannot be removed is closed automatically later.
        let _ = self.ctx.store.discard(draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use std::cell::RefCell;

    #[test]
    fn a_failed_start_is_undone_in_reverse_order_and_leaves_no_draft() {
        let fixture = Fixture::new();
        let (ctx, id) = (&*fixture.ctx, fixture.draft(1, 0));
        let lock = fixture.session_lock(id);
        let undone = RefCell::new(Vec::new());
        let mut undo = Undo::of(ctx, Some(ctx.session_lock()), lock);
        undo.push(|| undone.borrow_mut().push("claim"));
        undo.push(|| undone.borrow_mut().push("worktree"));
        drop(undo);
        assert_eq!(*undone.borrow(), ["worktree", "claim"]);
        assert!(ctx.store.session(id).meta().is_err());
    }

    #[test]
    fn a_committed_start_keeps_its_steps_and_its_locks() {
        let fixture = Fixture::new();
        let (ctx, id) = (&*fixture.ctx, fixture.draft(1, 0));
        let lock = fixture.session_lock(id);
        let mut undo = Undo::of(ctx, None, lock);
        undo.push(|| panic!("nothing is undone"));
        let (sessions, lock) = undo.commit();
        assert!(sessions.is_none());
        assert_eq!(lock.meta().unwrap().id, id);
    }
}
