//! JSON of accounts.

use ideavault_application::confirmations::ConfirmationLook;
use ideavault_application::passwords::{Reset, ResetLook};
use ideavault_domain::account::User;
use ideavault_domain::admission::AddressConfirmation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Body of the login call.
#[derive(Deserialize, ToSchema)]
pub struct LoginBody {
    /// Email address of the account.
    pub email: String,
    /// Password of the account.
    pub password: String,
    /// For an account with two-step sign-in: the six digits that the app shows, or a
    /// recovery code.
    pub code: Option<String>,
}

/// Body of the register call.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterBody {
    /// Full name, at least 2 characters.
    pub name: String,
    /// Email address without an account.
    pub email: String,
    /// Password, 6 to 128 characters.
    pub password: String,
    /// Token of an invitation, if there is one.
    pub invitation_token: Option<String>,
}

/// Body of a call that looks at what a mailed link is about.
#[derive(Deserialize, ToSchema)]
pub struct MailedLinkBody {
    /// Token of the mailed link.
    pub token: String,
}

/// The account and address that a confirmation link is for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmationView {
    /// The address of the account.
    pub email: String,
    /// Whether confirming needs the password, because the account is not signed in.
    pub needs_password: bool,
}

impl From<ConfirmationLook> for ConfirmationView {
    fn from(look: ConfirmationLook) -> Self {
        Self {
            email: look.email.to_string(),
            needs_password: look.needs_password,
        }
    }
}

/// Further powers of a link that resets a password.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetLookView {
    /// Whether the reset can turn off two-step sign-in.
    pub two_factor_removable: bool,
}

impl From<ResetLook> for ResetLookView {
    fn from(look: ResetLook) -> Self {
        Self {
            two_factor_removable: look.two_factor_removable,
        }
    }
}

/// Body of the call that confirms an email address.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmEmailBody {
    /// Token of the mailed link.
    pub token: String,
    /// Password of the account, if it is not signed in.
    pub password: Option<String>,
}

/// Body of the call that mails a reset link.
#[derive(Deserialize, ToSchema)]
pub struct ForgotPasswordBody {
    /// Email address of the account.
    pub email: String,
}

/// Body of the call that resets a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordBody {
    /// Token of the mailed link.
    pub token: String,
    /// New password, 6 to 128 characters.
    pub new_password: String,
    /// Whether to turn off two-step sign-in, if the reset can.
    #[serde(default)]
    pub remove_two_factor: bool,
}

/// Body of the call that changes a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePasswordBody {
    /// Current password.
    pub current_password: String,
    /// New password, 6 to 128 characters.
    pub new_password: String,
    /// New password again.
    pub confirm_password: String,
}

/// Body of the call that changes the profile.
#[derive(Deserialize, ToSchema)]
pub struct ProfileBody {
    /// Full name, at least 2 characters.
    pub name: String,
}

/// Body of the call that deletes the account.
#[derive(Deserialize, ToSchema)]
#[schema(as = AccountDeletionBody)]
pub struct AccountDeletionBody {
    /// The password of the account.
    pub password: String,
    /// With two-step sign-in: a code of the authenticator app, or a recovery code.
    pub code: Option<String>,
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
    /// Whether the address was confirmed.
    email_confirmed: bool,
    /// Whether sharing and two-step sign-in require the address to be confirmed first.
    confirmation_required: bool,
}

impl UserView {
    /// Builds the view of an account, given whether addresses have to be confirmed.
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

/// Result of a password reset.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetView {
    /// Always true; failures have another status.
    pub success: bool,
    /// Present if the address was never confirmed before and the account holds ideas:
    /// somebody else may have registered it.
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
    /// Always true; failures have another status.
    pub success: bool,
    /// The signed-in account.
    pub user: UserView,
}

/// Success of an action without a result.
#[derive(Serialize, ToSchema)]
pub struct SuccessView {
    /// Always true; failures have another status.
    pub success: bool,
}

impl SuccessView {
    /// The success value.
    pub const YES: Self = Self { success: true };
}
