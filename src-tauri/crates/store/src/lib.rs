//! The one way files are written; the session store, its index and its locks.
