//! Links to ideas, and the counted views on them.

use diesel::dsl::{auto_type, exists};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods,
    OptionalEmptyChangesetExtension, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::ids::{IdeaId, ShareId, UserId};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::ports::{DatabaseError, Encryption, ListedShare, ShareOwner, Shares};
use ideavault_domain::recipient::ViewGrant;
use ideavault_domain::share::{Share, ShareSettingsChange, ShareType};
use ideavault_domain::text::ShareName;
use ideavault_domain::token::{Token, TokenHash};

use super::cipher::evidence_cipher;
use super::current_key::sealed_under_current;
use super::erased::protect_account;
use super::gate_query::had_view;
use super::rows::{
    EvidenceKeyRow, OwnerRow, ShareRow, seal_cover_title, seal_recipient_email, share_name_aad,
    view_digest_aad,
};
use super::schema::{idea_keys, ideas, nda_acceptances, recipients, shares, users, view_grants};
use super::{Connection, Repository, folding};
use crate::error::{QueryError, QueryResult, added_once};
use crate::stored::{self, Time};

/// A share with the evidence key of its idea, which decrypts its name and address.
type SharedRow = (ShareRow, EvidenceKeyRow, OwnerRow);

#[auto_type]
fn with_keys() -> _ {
    shares::table
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(shares::idea_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
}

fn into_share(encryption: &dyn Encryption, (share, key, owner): SharedRow) -> QueryResult<Share> {
    share.into_share(&key.into_cipher(encryption, &owner)?)
}

fn open_token(encryption: &dyn Encryption, id: ShareId, sealed: &[u8]) -> QueryResult<Token> {
    let bytes = encryption
        .open_with_master(MasterSealed::ShareToken(id), sealed)
        .map_err(QueryError::Decryption)?;
    stored::required("token of a share", Token::try_from(bytes.as_slice()).ok())
}

impl Shares for Repository<'_> {
    fn add_share(&mut self, share: &Share, token: &Token) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a share", |connection| {
            let owner: String = ideas::table
                .find(share.idea.as_i64())
                .select(ideas::owner_id)
                .first(connection)?;
            protect_account(connection, &owner)?;
            let what = MasterSealed::ShareToken(share.id);
            let token = sealed_under_current(connection, encryption, what, token.as_bytes())?;
            let terms = &share.terms;
            let id = share.id.to_string();
            let cipher = evidence_cipher(connection, encryption, share.idea.as_i64())?;
            let name = share.name.as_ref();
            let name = name
                .map(|name| cipher.encrypt(&share_name_aad(&id), name.as_str()))
                .transpose()?;
            let recipient_email = terms.recipient_email();
            let recipient_email = recipient_email
                .map(|email| seal_recipient_email(&cipher, &id, email))
                .transpose()?;
            let added = diesel::insert_into(shares::table)
                .values((
                    shares::id.eq(&id),
                    shares::idea_id.eq(share.idea.as_i64()),
                    shares::name.eq(name),
                    shares::cover_title.eq(seal_cover_title(
                        &cipher,
                        &id,
                        share.settings.cover_title.as_ref(),
                    )?),
                    shares::share_type.eq(terms.share_type().as_str()),
                    shares::expires_at.eq(terms.expires_at()),
                    shares::max_views.eq(terms.max_views()),
                    shares::recipient_email.eq(recipient_email),
                    shares::token_hash.eq(share.token_hash.as_bytes().as_slice()),
                    shares::token_sealed.eq(token),
                    shares::view_count.eq(share.view_count),
                    shares::shows_other_readers.eq(share.settings.shows_other_readers),
                    shares::allow_download.eq(share.settings.allow_download),
                    shares::revoked_at.eq(share.revoked_at),
                    shares::created_at.eq(share.created_at),
                ))
                .on_conflict(shares::id)
                .do_nothing()
                .execute(connection)?;
            added_once(added)
        })
    }

    fn share(&mut self, id: ShareId) -> Result<Option<Share>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a share", |connection| {
            with_keys()
                .filter(shares::id.eq(id.to_string()))
                .select(<SharedRow as SelectableHelper<_>>::as_select())
                .first::<SharedRow>(connection)
                .optional()?
                .map(|row| into_share(encryption, row))
                .transpose()
        })
    }

    fn share_by_token(&mut self, token: &TokenHash) -> Result<Option<Share>, DatabaseError> {
        let encryption = self.encryption;
        self.run("look up a share", |connection| {
            with_keys()
                .filter(shares::token_hash.eq(token.as_bytes().as_slice()))
                .select(<SharedRow as SelectableHelper<_>>::as_select())
                .first::<SharedRow>(connection)
                .optional()?
                .map(|row| into_share(encryption, row))
                .transpose()
        })
    }

    fn share_owner(&mut self, id: ShareId) -> Result<Option<ShareOwner>, DatabaseError> {
        self.run("find the owner of a share", |connection| {
            let found: Option<(i64, String)> = shares::table
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
                .filter(users::disabled_at.is_null())
                .filter(ideas::deleted_at.is_null())
                .filter(shares::id.eq(id.to_string()))
                .select((ideas::id, ideas::owner_id))
                .first(connection)
                .optional()?;
            found
                .map(|(idea, owner)| {
                    Ok(ShareOwner {
                        idea: idea.into(),
                        owner: stored::parsed("user id", &owner)?,
                    })
                })
                .transpose()
        })
    }

    fn shares_of(&mut self, idea: IdeaId) -> Result<Vec<ListedShare>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list shares", |connection| {
            let idea = idea.as_i64();
            let last_view = view_grants::table
                .filter(view_grants::share_id.eq(shares::id))
                .order(view_grants::granted_at.desc())
                .select(view_grants::granted_at)
                .limit(1)
                .single_value();
            let folded = recipients::table
                .filter(recipients::share_id.eq(shares::id))
                .filter(recipients::folding.eq(folding::FOLDED))
                .count()
                .single_value();
            let rows: Vec<(ShareRow, Option<Time>, Option<i64>)> = shares::table
                .filter(shares::idea_id.eq(idea))
                .order((shares::created_at.desc(), shares::seq.desc()))
                .select((ShareRow::as_select(), last_view, folded))
                .load(connection)?;
            let cipher = evidence_cipher(connection, encryption, idea)?;
            rows.into_iter()
                .filter_map(|(row, last_view, folded)| {
                    let id = row.id.clone();
                    let listed = row.into_share(&cipher).map(|share| ListedShare {
                        share,
                        last_view_at: last_view.map(Into::into),
                        folded_registrations: folded.unwrap_or(0),
                    });
                    let listed = readable.unless_damaged(connection, ("link", &id), listed);
                    listed.transpose()
                })
                .collect()
        })
    }

    fn share_token(&mut self, id: ShareId) -> Result<Option<Token>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("read the token of a share", |connection| {
            let sealed: Option<Vec<u8>> = shares::table
                .find(id.to_string())
                .select(shares::token_sealed)
                .first(connection)
                .optional()?;
            let Some(sealed) = sealed else {
                return Ok(None);
            };
            let token = open_token(encryption, id, &sealed);
            readable.unless_damaged(connection, ("token of a share", &id.to_string()), token)
        })
    }

    fn share_tokens_of(&mut self, idea: IdeaId) -> Result<Vec<(ShareId, Token)>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list the tokens of shares", |connection| {
            let rows: Vec<(String, Vec<u8>)> = shares::table
                .filter(shares::idea_id.eq(idea.as_i64()))
                .select((shares::id, shares::token_sealed))
                .load(connection)?;
            rows.iter()
                .filter_map(|(text, sealed)| {
                    let token = stored::parsed("share id", text)
                        .and_then(|id| Ok((id, open_token(encryption, id, sealed)?)));
                    let what = ("token of a share", text.as_str());
                    readable.unless_damaged(connection, what, token).transpose()
                })
                .collect()
        })
    }

    fn rename_share(&mut self, id: ShareId, name: Option<&ShareName>) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("rename a share", |connection| {
            let id = id.to_string();
            let link = shares::table.find(&id);
            let idea: i64 = link.select(shares::idea_id).first(connection)?;
            let cipher = evidence_cipher(connection, encryption, idea)?;
            let name = name
                .map(|name| cipher.encrypt(&share_name_aad(&id), name.as_str()))
                .transpose()?;
            diesel::update(shares::table.find(&id))
                .set(shares::name.eq(name))
                .execute(connection)?;
            Ok(())
        })
    }

    fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Result<bool, DatabaseError> {
        self.run("revoke a share", |connection| {
            let live = shares::table
                .find(id.to_string())
                .filter(shares::revoked_at.is_null());
            let revoked = diesel::update(live)
                .set(shares::revoked_at.eq(at))
                .execute(connection)?;
            Ok(revoked == 1)
        })
    }

    fn revoke_shares_of(
        &mut self,
        owner: UserId,
        at: Timestamp,
    ) -> Result<Vec<(IdeaId, ShareId)>, DatabaseError> {
        self.run("revoke the shares of an account", |connection| {
            let own = ideas::table
                .filter(ideas::owner_id.eq(owner.to_string()))
                .select(ideas::id);
            let live = shares::table
                .filter(shares::idea_id.eq_any(own))
                .filter(shares::revoked_at.is_null());
            let revoked: Vec<(i64, String)> = diesel::update(live)
                .set(shares::revoked_at.eq(at))
                .returning((shares::idea_id, shares::id))
                .get_results(connection)?;
            revoked
                .into_iter()
                .map(|(idea, id)| Ok((idea.into(), stored::parsed("share id", &id)?)))
                .collect()
        })
    }

    fn change_share_settings(
        &mut self,
        id: ShareId,
        change: &ShareSettingsChange,
    ) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("change the settings of a share", |connection| {
            let ShareSettingsChange {
                cover_title,
                shows_other_readers,
                allow_download,
            } = change;
            let id = id.to_string();
            let cover_title = cover_title
                .as_ref()
                .map(|title| {
                    let link = shares::table.find(&id);
                    let idea: i64 = link.select(shares::idea_id).first(connection)?;
                    let cipher = evidence_cipher(connection, encryption, idea)?;
                    seal_cover_title(&cipher, &id, title.as_ref())
                })
                .transpose()?;
            diesel::update(shares::table.find(&id))
                .set((
                    cover_title.map(|title| shares::cover_title.eq(title)),
                    shows_other_readers.map(|shown| shares::shows_other_readers.eq(shown)),
                    allow_download.map(|allowed| shares::allow_download.eq(allowed)),
                ))
                .execute(connection)
                .optional_empty_changeset()?;
            Ok(())
        })
    }

    fn claim_view(&mut self, grant: &ViewGrant) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("claim a view", |connection| {
            let share = grant.share.to_string();
            let recipient = grant.recipient.to_string();
            let accepted =
                nda_acceptances::table.filter(nda_acceptances::recipient_id.eq(recipients::id));
            let takes_anybody = shares::table
                .filter(shares::id.eq(recipients::share_id))
                .filter(shares::share_type.ne(ShareType::Email.as_str()));
            // Locks the registration: one that is being closed is over, and one that gets
            // the view is closed afterwards.
            let entitled = recipients::table
                .find(&recipient)
                .filter(recipients::share_id.eq(&share))
                .filter(recipients::closed_at.is_null())
                .filter(exists(accepted))
                .filter(
                    recipients::email_confirmed_at
                        .is_not_null()
                        .or(exists(takes_anybody)),
                );
            let locked = diesel::update(entitled)
                .set(recipients::viewer_session_id.eq(recipients::viewer_session_id))
                .execute(connection)?;
            if locked == 0 {
                return Ok(false);
            }
            let unexpired = shares::expires_at
                .is_null()
                .or(shares::expires_at.gt(grant.granted_at).assume_not_null());
            let views_left = shares::max_views.is_null().or(shares::view_count
                .nullable()
                .lt(shares::max_views)
                .assume_not_null());
            let disclosed = ideas::table
                .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
                .filter(ideas::id.eq(shares::idea_id))
                .filter(ideas::deleted_at.is_null())
                .filter(users::disabled_at.is_null());
            let claimable = shares::table
                .find(&share)
                .filter(exists(disclosed))
                .filter(shares::revoked_at.is_null())
                .filter(unexpired)
                .filter(views_left);
            let counted: Option<(String, i64)> = diesel::update(claimable)
                .set(shares::view_count.eq(shares::view_count + 1))
                .returning((shares::share_type, shares::idea_id))
                .get_result(connection)
                .optional()?;
            let Some((share_type, idea)) = counted else {
                return Ok(false);
            };
            // The update above locked the share: a concurrent view of this
            // recipient has been counted by now, and one view is enough.
            let running = view_grants::table
                .filter(view_grants::recipient_id.eq(&recipient))
                .filter(view_grants::ends_at.gt(grant.granted_at));
            if diesel::select(exists(running)).get_result(connection)? {
                uncount_view(connection, &share)?;
                return Ok(false);
            }
            let id = grant.id.to_string();
            let cipher = evidence_cipher(connection, encryption, idea)?;
            let sha256 = cipher.encrypt_digest(&view_digest_aad(&id), grant.revision_sha256)?;
            let one_view_each = share_type == ShareType::OneTime.as_str();
            if one_view_each && had_view(connection, &recipient)? {
                uncount_view(connection, &share)?;
                return Ok(false);
            }
            let granted = diesel::insert_into(view_grants::table)
                .values((
                    view_grants::id.eq(&id),
                    view_grants::share_id.eq(&share),
                    view_grants::recipient_id.eq(&recipient),
                    view_grants::only_grant_of.eq(one_view_each.then_some(&recipient)),
                    view_grants::revision.eq(grant.revision),
                    view_grants::revision_sha256.eq(sha256),
                    view_grants::granted_at.eq(grant.granted_at),
                    view_grants::ends_at.eq(grant.ends_at),
                ))
                .on_conflict(view_grants::only_grant_of)
                .do_nothing()
                .execute(connection)?;
            if granted == 0 {
                // This recipient has had its one view.
                uncount_view(connection, &share)?;
            }
            Ok(granted == 1)
        })
    }
}

/// Undoes the count of a view in the transaction that counted it, which has locked the
/// share, so that nothing else saw the higher count.
fn uncount_view(connection: &mut Connection, share: &str) -> QueryResult<()> {
    diesel::update(shares::table.find(share))
        .set(shares::view_count.eq(shares::view_count - 1))
        .execute(connection)?;
    Ok(())
}
