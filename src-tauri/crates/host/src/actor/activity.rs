//! Publishes and records changes in claude's activity, and builds the activity lines of permission requests.
//!
//! Subscribers get every change of [`Activity`]. The record gets the coarser [`Doing`], from which the session's times
//! are computed.

use super::effects::Effects;
use crate::{
    permissions::Card,
    prompt_state::{Activity, Hold, PromptState},
    protocol::Happening,
    recorder::Note,
};
use bc_core::{
    Timestamp,
    message::tool_subject,
    text::cut,
    timeline::{ActivityLine, Answered, Doing, Happened},
};

/// The maximum length of the recorded subject of a permission request, in characters.
const SUBJECT: usize = 200;

pub(super) struct ActivityRecord {
    published: Activity,
    since: Timestamp,
    recorded: Doing,
    now: fn() -> Timestamp,
}

impl ActivityRecord {
    pub(super) fn new(now: fn() -> Timestamp) -> ActivityRecord {
        ActivityRecord { published: Activity::Starting, since: now(), recorded: Doing::Starting, now }
    }

    /// When the published activity last changed.
    pub(super) fn since(&self) -> Timestamp {
        self.since
    }

    /// Publishes and records the activity if it has changed.
    pub(super) fn update(&mut self, prompt: &PromptState, effects: &mut Effects) {
        let activity = prompt.activity();
        if activity != self.published {
            tracing::info!(?activity, "activity changed");
            self.published = activity;
            self.since = (self.now)();
            effects.publish(Happening::Activity { activity });
        }
        let is = doing(activity, prompt.hold());
        if is != self.recorded {
            self.recorded = is;
            effects.note(line((self.now)(), Happened::Activity { is }));
        }
    }
}

/// The activity line of a new permission request.
pub(super) fn permission_asked(card: &Card, at: Timestamp) -> Note {
    let subject = cut(&tool_subject(&card.input), SUBJECT);
    line(at, Happened::Asked { id: card.id.clone(), tool: card.tool.clone(), subject })
}

/// The activity line of a closed permission request.
pub(super) fn permission_answered(card: &Card, answer: Answered, at: Timestamp) -> Note {
    line(at, Happened::Answered { id: card.id.clone(), answer })
}

fn line(at: Timestamp, what: Happened) -> Note {
    Note::Activity(ActivityLine::new(at, what))
}

/// Converts an activity for the record. `Unknown` counts as waiting at the prompt, unless a queued prompt may be
/// running.
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
    use super::{super::effects::Effect, *};
    use crate::prompt_state::{Fact, Source};

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    #[test]
    fn each_change_is_published_and_recorded_once() {
        let (mut activity, mut effects) = (ActivityRecord::new(now), Effects::default());
        let mut prompt = PromptState::new(false);
        activity.update(&prompt, &mut effects);
        assert!(effects.take().is_empty());
        prompt.apply(Fact::SessionStarted(Source::Started));
        activity.update(&prompt, &mut effects);
        activity.update(&prompt, &mut effects);
        let all = effects.take();
        let [
            Effect::Publish(Happening::Activity { activity: Activity::Idle }),
            Effect::Note(Note::Activity(line)),
        ] = &all[..]
        else {
            panic!("{all:?}");
        };
        assert_eq!(line.what, Happened::Activity { is: Doing::Prompt });
    }

    #[test]
    fn a_change_that_the_record_does_not_distinguish_is_only_published() {
        let (mut activity, mut effects) = (ActivityRecord::new(now), Effects::default());
        let mut prompt = PromptState::new(false);
        prompt.apply(Fact::SessionStarted(Source::Started));
        activity.update(&prompt, &mut effects);
        let _ = effects.take();
        prompt.apply(Fact::TerminalTyped);
        activity.update(&prompt, &mut effects);
        let all = effects.take();
        assert!(matches!(&all[..], [Effect::Publish(_)]), "{all:?}");
    }

    #[test]
    fn an_uncertain_input_box_does_not_count_as_working() {
        assert_eq!(doing(Activity::Unknown, Some(Hold::TerminalTyped)), Doing::Prompt);
        assert_eq!(doing(Activity::Unknown, Some(Hold::Queued)), Doing::Unknown);
        assert_eq!(doing(Activity::WaitingPermission, Some(Hold::Permission)), Doing::Permission);
    }
}
