//! The waitlist on the wire.

use serde::Deserialize;
use utoipa::ToSchema;

/// Body of the call that joins the waitlist.
#[derive(Deserialize, ToSchema)]
pub struct WaitlistBody {
    /// Who asks.
    pub name: String,
    /// Where to write to.
    pub email: String,
    /// What they do.
    pub profession: String,
}
