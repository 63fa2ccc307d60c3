//! Identifiers. An id is not a credential: knowing one grants no access.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Makes an id from 16 random bytes (RFC 9562, version 4).
            #[must_use]
            pub fn from_random(bytes: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
            }

            /// Returns the plain UUID, for adapters that store or show it.
            #[must_use]
            pub fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id!(
    /// A creator's account.
    UserId
);
uuid_id!(
    /// A login session of a creator.
    UserSessionId
);
uuid_id!(
    /// A share link.
    ShareId
);
uuid_id!(
    /// One browser of a recipient, across all shares opened in it.
    ViewerSessionId
);
uuid_id!(
    /// A person who registered on a share: one (viewer session, share) pair.
    RecipientId
);
uuid_id!(
    /// A counted view.
    ViewGrantId
);
uuid_id!(
    /// One run of a scheduled job.
    JobRunId
);
uuid_id!(
    /// A comment on an idea.
    CommentId
);
uuid_id!(
    /// A queued mail.
    MailId
);
uuid_id!(
    /// A stored file.
    FileId
);
uuid_id!(
    /// A file storage, as recorded in the database and in the storage itself.
    StorageId
);

/// An idea. Numeric, because the product shows it: 'Idea ({id}) : {title}'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdeaId(i64);

impl IdeaId {
    /// Returns the number, as stored.
    #[must_use]
    pub fn as_i64(self) -> i64 {
        self.0
    }
}

impl From<i64> for IdeaId {
    fn from(id: i64) -> Self {
        Self(id)
    }
}

impl fmt::Display for IdeaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
