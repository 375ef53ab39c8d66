//! Comments on lines of a session's changes. They are stored with the session on this machine and stay until
//! the user resolves or discards them.

use crate::context::{Context, errors::store_error};
use bc_core::ids::SessionId;
use bc_store::session::{Comments, LineComment};
use bc_wire::{ApiError, ErrorCode, session::*};

/// The maximum number of comments per session.
const MOST: usize = 1_000;
/// The maximum size of each string in a comment, in bytes.
const LONGEST: usize = 64 << 10;

pub(crate) fn comments(ctx: &Context, id: SessionId) -> Result<ChangeComments, ApiError> {
    let dir = ctx.store.session(id);
    dir.meta().map_err(store_error)?;
    Ok(shown(dir.comments().map_err(store_error)?))
}

pub(crate) fn set_comments(ctx: &Context, params: &SetCommentsParams) -> Result<ChangeComments, ApiError> {
    ctx.writable()?;
    let usage = |text: String| Err(ApiError::new(ErrorCode::Usage, text));
    for ChangeComment { comment, path, code, text, .. } in &params.put {
        if comment.is_empty() || comment.len() > 64 || path.is_empty() || text.trim().is_empty() {
            return usage("a comment needs an id of at most 64 bytes, a file and a text".to_owned());
        }
        if [path, code, text].iter().any(|field| field.len() > LONGEST) {
            return usage(format!("a comment may have at most {LONGEST} bytes"));
        }
    }
    let _held = ctx.viewed_lock();
    let dir = ctx.store.session(params.id);
    dir.meta().map_err(store_error)?;
    let mut all = dir.comments().map_err(store_error)?;
    let before = all.clone();
    all.comments.retain(|one| !params.remove.contains(&one.comment));
    for put in &params.put {
        let put = stored(put);
        match all.comments.iter_mut().find(|one| one.comment == put.comment) {
            Some(there) => *there = put,
            None => all.comments.push(put),
        }
    }
    if all.comments.len() > MOST {
        return usage(format!("a session can have at most {MOST} comments"));
    }
    if all != before {
        dir.save_comments(&all).map_err(store_error)?;
    }
    Ok(shown(all))
}

fn stored(comment: &ChangeComment) -> LineComment {
    let ChangeComment { comment, path, line, side, code, text, sent_at } = comment.clone();
    LineComment { comment, path, line, old: side == CommentSide::Old, code, text, sent_at }
}

fn shown(all: Comments) -> ChangeComments {
    let one = |LineComment { comment, path, line, old, code, text, sent_at }| {
        let side = if old { CommentSide::Old } else { CommentSide::New };
        ChangeComment { comment, path, line, side, code, text, sent_at }
    };
    ChangeComments { comments: all.comments.into_iter().map(one).collect() }
}
