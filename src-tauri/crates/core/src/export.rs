//! A session as markdown, readable in a plain viewer.
