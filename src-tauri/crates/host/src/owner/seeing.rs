//! What the session's record tells of claude later on: what it did and when, and what it asked.

use super::Owner;
use crate::{
    permissions::Card,
    prompt_state::{Activity, Hold},
    scribe::Note,
};
use bc_core::{
    message::tool_subject,
    text::cut,
    timeline::{ActivityLine, Answered, Doing, Happened},
};

/// How much of what a permission is about is written down, in characters.
const SUBJECT: usize = 200;

impl Owner {
    /// Writes down what claude does now, where that is something else than before.
    pub(super) fn see_activity(&mut self) {
        let is = doing(self.prompt.activity(), self.prompt.hold());
        if is != self.seen {
            self.seen = is;
            self.see(Happened::Activity { is });
        }
    }

    pub(super) fn see_asked(&mut self, card: &Card) {
        let subject = cut(&tool_subject(&card.input), SUBJECT);
        self.see(Happened::Asked { id: card.id.clone(), tool: card.tool.clone(), subject });
    }

    pub(super) fn see_answered(&mut self, card: &Card, answer: Answered) {
        self.see(Happened::Answered { id: card.id.clone(), answer });
    }

    fn see(&mut self, what: Happened) {
        self.note(Note::Saw(ActivityLine::new((self.now)(), what)));
    }
}

/// Between its turns claude waits for the person, whatever it is that keeps a text from being typed; only
/// a prompt that was queued may be running.
fn doing(activity: Activity, hold: Option<Hold>) -> Doing {
    match activity {
        Activity::Starting => Doing::Starting,
        Activity::AsksAtStart => Doing::Dialog,
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
    fn a_doubt_about_the_input_box_is_no_work() {
        assert_eq!(doing(Activity::Unknown, Some(Hold::TerminalTyped)), Doing::Prompt);
        assert_eq!(doing(Activity::Unknown, Some(Hold::Queued)), Doing::Unknown);
        assert_eq!(doing(Activity::WaitingPermission, Some(Hold::Permission)), Doing::Permission);
    }
}
