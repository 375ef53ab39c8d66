//! Builds a session's timeline from its records.
//!
//! A client that follows a live session requests the timeline after each change. Therefore, the parsed
//! records of the most recently requested sessions are cached, and only additions are read.

use super::export::commits_of;
use crate::context::{
    CachedRecords, Context,
    errors::{chain, store_error},
};
use bc_core::{
    ids::SessionId,
    timeline::{self, CommitMade, Records, Timeline},
};
use bc_wire::ApiError;

pub(crate) fn timeline(ctx: &Context, id: SessionId) -> Result<Timeline, ApiError> {
    let dir = ctx.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    let cached = ctx.timelines.of(id);
    let mut cached = cached.lock().unwrap_or_else(|poisoned| {
        // A thread panicked while it changed the cache, so start with an empty cache.
        let mut cached = poisoned.into_inner();
        *cached = CachedRecords::default();
        cached
    });
    let CachedRecords { followed, hashes, commits } = &mut *cached;
    dir.read_new_records(followed).map_err(store_error)?;
    if *hashes != meta.commits {
        let made = commits_of(ctx, &meta).into_iter();
        *commits = made.map(|c| CommitMade { hash: c.hash, subject: c.subject, at: c.at }).collect();
        hashes.clone_from(&meta.commits);
    }
    let timeline = timeline::timeline(Records {
        meta: &meta,
        messages: followed.messages().messages(),
        injections: followed.injections(),
        activity: followed.activity(),
        commits,
        hooks: followed.hooks(),
    });
    let warnings = followed.problems().map(|problem| chain(problem)).collect();
    Ok(Timeline { warnings, ..timeline })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_core::message::{Message, Role};

    fn append_messages(fixture: &Fixture, id: SessionId, from: usize, to: usize, text: &str) {
        let lock = fixture.session_lock(id);
        let at = crate::context::now();
        let said = (from..to).map(|n| Message::new(format!("m{n}"), Role::User, text, at));
        lock.message_writer().unwrap().0.append_all(&said.collect::<Vec<_>>()).unwrap();
    }

    #[test]
    fn a_following_client_reads_only_the_additions() {
        let fixture = Fixture::new();
        let id = fixture.paused(1, 2);
        append_messages(&fixture, id, 0, 500, &"long ".repeat(1_000));
        let prompts_after = |events: usize| {
            let timeline = timeline(&fixture.ctx, id).unwrap();
            let prompts = timeline.events.iter().filter(|event| event.message.is_some()).count();
            assert!(prompts >= events && timeline.warnings.is_empty(), "{prompts} {:?}", timeline.warnings);
            fixture.ctx.timelines.bytes_read(id)
        };
        let whole = prompts_after(500);
        assert!(whole > 2_500_000, "{whole}");
        append_messages(&fixture, id, 500, 501, "short");
        let more = prompts_after(501) - whole;
        println!("COUNTED timeline: {whole} bytes read at first, {more} after one message more");
        assert!(more < 1_000, "{more}");
        // Other sessions evict this one from the cache.
        for other in 2..=5 {
            timeline(&fixture.ctx, fixture.paused(other, 2)).unwrap();
        }
        assert_eq!(fixture.ctx.timelines.len(), crate::context::TIMELINES_KEPT);
        assert!(prompts_after(501) > 2_500_000);
    }
}
