//! Accounts on the wire.

use ideavault_application::passwords::Reset;
use ideavault_domain::account::User;
use ideavault_domain::admission::AddressConfirmation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Body of the login call.
#[derive(Deserialize, ToSchema)]
pub struct LoginBody {
    /// Address of the account.
    pub email: String,
    /// Its password.
    pub password: String,
    /// For an account with two-step sign-in: the six digits that its app shows, or
    /// a recovery code.
    pub code: Option<String>,
}

/// Body of the register call.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterBody {
    /// Full name, at least 2 characters.
    pub name: String,
    /// Address, not taken yet.
    pub email: String,
    /// Password, 6 to 128 characters.
    pub password: String,
    /// From the link of an invitation, if there is one.
    pub invitation_token: Option<String>,
}

/// Body of the call that confirms an address.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmEmailBody {
    /// The end of the mailed link.
    pub token: String,
}

/// Body of the call that mails a link to reset a password.
#[derive(Deserialize, ToSchema)]
pub struct ForgotPasswordBody {
    /// Address of the account.
    pub email: String,
}

/// Body of the call that resets a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordBody {
    /// The end of the mailed link.
    pub token: String,
    /// The password from now on, 6 to 128 characters.
    pub new_password: String,
}

/// Body of the call that changes a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePasswordBody {
    /// The password until now.
    pub current_password: String,
    /// The password from now on, 6 to 128 characters.
    pub new_password: String,
    /// The new one again.
    pub confirm_password: String,
}

/// Body of the call that changes the profile.
#[derive(Deserialize, ToSchema)]
pub struct ProfileBody {
    /// Full name, at least 2 characters.
    pub name: String,
}

/// A creator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    id: Uuid,
    name: String,
    email: String,
    #[schema(required)]
    profile_image: Option<String>,
    /// Whether the owner has shown that mails to the address arrive.
    email_confirmed: bool,
    /// Whether sharing and two-step sign-in wait for that.
    confirmation_required: bool,
}

impl UserView {
    /// An account where addresses have to be confirmed, or not.
    #[must_use]
    pub fn of(user: User, confirmation: AddressConfirmation) -> Self {
        Self {
            id: user.id.as_uuid(),
            name: user.name.to_string(),
            email: user.email.to_string(),
            email_confirmed: user.has_confirmed_email(),
            confirmation_required: confirmation.is_required(),
            profile_image: user.profile_image,
        }
    }
}

/// A password that was reset.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetView {
    /// Always true; a failure has another status.
    pub success: bool,
    /// Present when nobody had confirmed the address before and the account holds
    /// ideas: whoever registered it may have been somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproven_ideas: Option<bool>,
}

impl From<Reset> for ResetView {
    fn from(reset: Reset) -> Self {
        Self {
            success: true,
            unproven_ideas: reset.unproven_ideas.then_some(true),
        }
    }
}

/// A successful login.
#[derive(Serialize, ToSchema)]
pub struct LoginView {
    /// Always true; a failure has another status.
    pub success: bool,
    /// Who is signed in now.
    pub user: UserView,
}

/// An action without a result of its own.
#[derive(Serialize, ToSchema)]
pub struct SuccessView {
    /// Always true; a failure has another status.
    pub success: bool,
}

impl SuccessView {
    /// It worked.
    pub const YES: Self = Self { success: true };
}
