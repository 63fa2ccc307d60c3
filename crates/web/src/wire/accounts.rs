//! Accounts on the wire.

use ideavault_domain::account::User;
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
pub struct RegisterBody {
    /// Full name, at least 2 characters.
    pub name: String,
    /// Address, not taken yet.
    pub email: String,
    /// Password, 6 to 128 characters.
    pub password: String,
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
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self {
            id: user.id.as_uuid(),
            name: user.name.to_string(),
            email: user.email.to_string(),
            profile_image: user.profile_image,
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
