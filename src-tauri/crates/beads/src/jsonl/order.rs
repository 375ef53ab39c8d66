//! Detects the order of beads in a file. Trackers differ: bd before 1.0 and br sort by id, newer bd by
//! priority. Writing in another order would change every line with the first edit.

use crate::row::Row;
use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// By id, as bytes: the order of this program, br and classic bd.
    #[default]
    Id,
    /// By priority, then newest first: bd's order since 1.0.
    Priority,
    Oldest,
    Newest,
    /// Unknown: new beads are appended.
    Unknown,
}

impl Order {
    /// The first of these orders that all rows follow.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Order {
        let sorted = |order: &Order| {
            let next = rows.clone().skip(1);
            rows.clone().zip(next).all(|(a, b)| order.compare(a, b) != Ordering::Greater)
        };
        let known = [Order::Id, Order::Priority, Order::Oldest, Order::Newest];
        known.into_iter().find(sorted).unwrap_or(Order::Unknown)
    }

    pub(super) fn compare(self, a: &Row, b: &Row) -> Ordering {
        match self {
            Order::Id => a.id.as_str().cmp(b.id.as_str()),
            Order::Priority => a.priority.cmp(&b.priority).then_with(|| b.created_at.cmp(&a.created_at)),
            Order::Oldest => a.created_at.cmp(&b.created_at),
            Order::Newest => b.created_at.cmp(&a.created_at),
            Order::Unknown => Ordering::Less,
        }
    }
}
