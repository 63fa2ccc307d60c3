//! The type of a link, as it travels.

use ideavault_domain::share::ShareType;
use serde::Serialize;
use utoipa::ToSchema;

/// Type of a link (docs/rules.md#share-types).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ShareType)]
pub enum ShareTypeView {
    /// A limited number of readers, with one view each.
    OneTime,
    /// Valid until a date.
    TimeDependent,
    /// Valid until revoked.
    FullAccess,
    /// Valid until revoked, for one address.
    Email,
}

impl From<ShareType> for ShareTypeView {
    fn from(share_type: ShareType) -> Self {
        match share_type {
            ShareType::OneTime => Self::OneTime,
            ShareType::TimeDependent => Self::TimeDependent,
            ShareType::FullAccess => Self::FullAccess,
            ShareType::Email => Self::Email,
        }
    }
}
