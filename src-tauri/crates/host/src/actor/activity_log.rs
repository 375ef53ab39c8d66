//! Activity lines for the session's record: claude's activity over time and its permission requests.

use super::SessionActor;
use crate::{
    permissions::Card,
    prompt_state::{Activity, Hold},
    recorder::Note,
};
use bc_core::{
    message::tool_subject,
    text::cut,
    timeline::{ActivityLine, Answered, Doing, Happened},
};

/// The limit of a permission's recorded subject, in characters.
const SUBJECT: usize = 200;

impl SessionActor {
    /// Records claude's activity when it has changed.
    pub(super) fn record_activity(&mut self) {
        let is = doing(self.prompt.activity(), self.prompt.hold());
        if is != self.recorded_doing {
            self.recorded_doing = is;
            self.record_event(Happened::Activity { is });
        }
    }

    pub(super) fn record_permission_asked(&mut self, card: &Card) {
        let subject = cut(&tool_subject(&card.input), SUBJECT);
        self.record_event(Happened::Asked { id: card.id.clone(), tool: card.tool.clone(), subject });
    }

    pub(super) fn record_permission_answered(&mut self, card: &Card, answer: Answered) {
        self.record_event(Happened::Answered { id: card.id.clone(), answer });
    }

    fn record_event(&mut self, what: Happened) {
        self.note(Note::Saw(ActivityLine::new((self.now)(), what)));
    }
}

/// Between turns claude waits for the user, whatever prevents typing a text. Only a queued prompt may be running.
fn doing(activity: Activity, hold: Option<Hold>) -> Doing {
    match activity {
        Activity::Starting => Doing::Starting,
        Activity::AsksAtStart | Activity::DialogOpen => Doing::Dialog,
        Activity::Idle => Doing::Prompt,
        Activity::Working => Doing::Working,
        Activity::WaitingPermission => Doing::Permission,
        Activity::Unknown if hold == Some(Hold::Queued) => Doing::Unknown,
        Activity::Unknown => Doing::Prompt,
        Activity::Gone => Doing::Gone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_uncertain_input_box_does_not_count_as_working() {
        assert_eq!(doing(Activity::Unknown, Some(Hold::TerminalTyped)), Doing::Prompt);
        assert_eq!(doing(Activity::Unknown, Some(Hold::Queued)), Doing::Unknown);
        assert_eq!(doing(Activity::WaitingPermission, Some(Hold::Permission)), Doing::Permission);
    }
}
