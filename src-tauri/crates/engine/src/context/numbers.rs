//! Converts numbers for the contract.

/// A number for the contract; a larger number becomes [`u32::MAX`].
pub(crate) fn count(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}
