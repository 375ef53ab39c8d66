//! Work item files: create, read, change the status.

use crate::{FleetError, State, files::Kind};
use bc_core::{
    fleet::{FleetEventKind, HookState, Priority, WorkItem, WorkStatus, settled},
    ids::BeadId,
};

/// The maximum length of a title, in bytes.
const TITLE: usize = 1_000;
/// The maximum length of a description, in bytes.
const DESCRIPTION: usize = 1 << 20;

impl State {
    /// Creates a work item that exists only in the fleet, not in the tracker.
    ///
    /// # Errors
    ///
    /// The title is blank or too long, the description is too long, or the file cannot be written.
    pub fn create_work_item(
        &self,
        title: &str,
        description: &str,
        priority: Priority,
    ) -> Result<WorkItem, FleetError> {
        let _lock = self.lock()?;
        let bead = BeadId::of_fleet(State::random());
        self.written(bead, title, description, priority)
    }

    /// Creates the work item of a tracker's bead, or updates its text.
    ///
    /// # Errors
    ///
    /// The title is blank or too long, the description is too long, or the file cannot be written.
    pub fn put_work_item(
        &self,
        bead: &BeadId,
        title: &str,
        description: &str,
        priority: Priority,
    ) -> Result<WorkItem, FleetError> {
        let _lock = self.lock()?;
        self.written(bead.clone(), title, description, priority)
    }

    fn written(
        &self,
        bead: BeadId,
        title: &str,
        description: &str,
        priority: Priority,
    ) -> Result<WorkItem, FleetError> {
        check_texts(title, description)?;
        let mut made = false;
        let item = self.change(Kind::Work, bead.as_str(), |item: Option<WorkItem>| {
            made = item.is_none();
            let (title, description) = (title.to_owned(), description.to_owned());
            Ok(match item {
                Some(item) => WorkItem { title, description, priority, ..item },
                None => WorkItem::new(bead.clone(), title, description, priority),
            })
        })?;
        if made {
            self.log_event(FleetEventKind::WorkCreated { bead })?;
        }
        Ok(item)
    }

    /// The work item with the state of its hook; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// A file cannot be opened.
    pub fn work_item(&self, bead: &BeadId) -> Result<Option<WorkItem>, FleetError> {
        let Some(item) = self.read::<WorkItem>(Kind::Work, bead.as_str())? else { return Ok(None) };
        let hooks = self.hooks()?;
        Ok(Some(settled(&item, &hooks)))
    }

    /// All work items with the state of their hooks, sorted by bead.
    ///
    /// # Errors
    ///
    /// A folder cannot be read.
    pub fn work_items(&self) -> Result<Vec<WorkItem>, FleetError> {
        let hooks = self.hooks()?;
        let items: Vec<WorkItem> = self.all(Kind::Work)?;
        Ok(items.iter().map(|item| settled(item, &hooks)).collect())
    }

    /// Sets the status of a work item. If the item is reopened and no agent's hook has it, its assignee is
    /// removed, and completed hooks that name it are cleared.
    ///
    /// # Errors
    ///
    /// The item does not exist, or the file cannot be written.
    pub fn update_work_status(&self, bead: &BeadId, status: WorkStatus) -> Result<WorkItem, FleetError> {
        let _lock = self.lock()?;
        let hooks = self.hooks()?;
        let reopened = status == WorkStatus::Open && holder(&hooks, bead).is_none();
        let item = self.change(Kind::Work, bead.as_str(), |item: Option<WorkItem>| {
            let item = item.ok_or_else(|| FleetError::NoWork(bead.to_string()))?;
            Ok(if reopened { item.free() } else { WorkItem { status, ..item } })
        })?;
        if reopened {
            self.forget_completed(|hook| hook.bead() == Some(bead))?;
        }
        self.log_event(FleetEventKind::WorkStatus { bead: bead.clone(), status })?;
        Ok(item)
    }
}

/// The hook that holds a work item, if any.
pub(crate) fn holder<'a>(hooks: &'a [HookState], bead: &BeadId) -> Option<&'a HookState> {
    hooks.iter().find(|hook| hook.holds(bead))
}

pub(crate) fn check_texts(title: &str, description: &str) -> Result<(), FleetError> {
    check("the title", title, TITLE)?;
    match description.len() > DESCRIPTION {
        true => Err(FleetError::Text { what: "the description", why: "is too long" }),
        false => Ok(()),
    }
}

pub(crate) fn check(what: &'static str, text: &str, most: usize) -> Result<(), FleetError> {
    match text {
        text if text.trim().is_empty() => Err(FleetError::Text { what, why: "is empty" }),
        text if text.len() > most => Err(FleetError::Text { what, why: "is too long" }),
        _ => Ok(()),
    }
}
