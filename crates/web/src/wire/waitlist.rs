//! JSON of the waitlist.

use serde::Deserialize;
use utoipa::ToSchema;

/// Body of the call that joins the waitlist.
#[derive(Deserialize, ToSchema)]
pub struct WaitlistBody {
    /// Full name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Profession.
    pub profession: String,
}
