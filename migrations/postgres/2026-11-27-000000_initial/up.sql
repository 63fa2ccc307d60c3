-- The schema, by subject: the vault, accounts, ideas, files, links, readers, comments, notices,
-- mails, limits, evidence. Titles, names and contents are encrypted. `seq` orders rows of the same
-- microsecond.

-- Raises its argument as a violated constraint.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END
$$;

-- The vault ---------------------------------------------------------------------------------

-- The oldest program that can work with this schema, by the newest migration that it knows. A
-- migration that the release before it cannot work with sets this to its own version.
CREATE TABLE schema_compatibility (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    oldest_version TEXT NOT NULL
);

INSERT INTO schema_compatibility (id, oldest_version) VALUES (1, '20261127000000');

-- The id of the current master key: at most one row.
CREATE TABLE master_key (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  BYTEA NOT NULL CHECK (length(id) = 8)
);

-- The key from which the keys of cookies are derived, encrypted with the master key: at most one
-- row. Servers that were started before and after a rotation of the master key have the same.
CREATE TABLE cookie_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    sealed BYTEA NOT NULL
);

-- The key of the hashes by which a person's address is found among readers, encrypted with the
-- master key: at most one row. It never changes.
CREATE TABLE address_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    sealed BYTEA NOT NULL
);

-- The id of the file storage that belongs to this database, which is also in the storage: at most
-- one row.
CREATE TABLE storage_identity (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL CHECK (length(id) = 36)
);

-- The latest time that a server has recorded: at most one row.
CREATE TABLE newest_time (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  TIMESTAMPTZ NOT NULL
);

-- Scheduled jobs, which all servers of a vault share: when each is due. While a job runs,
-- due_at is the end of its lease, and run_id names the run that holds it.
CREATE TABLE jobs (
    name            TEXT NOT NULL PRIMARY KEY,
    due_at          TIMESTAMPTZ NOT NULL,
    run_id          TEXT,
    last_success_at TIMESTAMPTZ,
    failures        INTEGER NOT NULL CHECK (failures >= 0)
);

-- Security events, for the operator. Ids and no names; no foreign keys, because an
-- entry outlives its subject.
CREATE TABLE audit_entries (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         TIMESTAMPTZ NOT NULL,
    kind       TEXT NOT NULL CHECK (kind <> ''),
    account_id TEXT CHECK (length(account_id) = 36),
    subject    TEXT CHECK (subject <> ''),
    ip         TEXT,
    user_agent TEXT,
    -- Only denials have one; UNIQUE limits their number.
    slot       TEXT UNIQUE CHECK (length(slot) = 64)
);

CREATE INDEX audit_entries_by_time ON audit_entries (at DESC, seq DESC);
CREATE INDEX audit_entries_denied ON audit_entries (at) WHERE slot IS NOT NULL;
-- Finds the last backup and the emails that failed permanently, for the status report.
CREATE INDEX audit_entries_by_kind ON audit_entries (kind, at DESC);
-- Finds the addresses that are to be erased.
CREATE INDEX audit_entries_with_address ON audit_entries (at) WHERE ip IS NOT NULL;

-- How old an entry has to be before it, or the network address in it, may go: as the operator
-- has set it, at the last cleanup. Null: none may.
CREATE TABLE audit_retention (
    one              INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    entries_before   TIMESTAMPTZ,
    addresses_before TIMESTAMPTZ
);

INSERT INTO audit_retention (one) VALUES (1);

CREATE FUNCTION refuse_early_audit_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF EXISTS (SELECT 1 FROM audit_retention WHERE OLD.at < entries_before) THEN
            RETURN OLD;
        END IF;
    -- The slot is a digest of the address, among others.
    ELSIF (NEW.ip, NEW.user_agent, NEW.slot) IS NOT DISTINCT FROM (NULL::TEXT, NULL::TEXT, NULL::TEXT)
        AND (NEW.seq, NEW.at, NEW.kind, NEW.account_id, NEW.subject)
            IS NOT DISTINCT FROM (OLD.seq, OLD.at, OLD.kind, OLD.account_id, OLD.subject)
        AND EXISTS (SELECT 1 FROM audit_retention WHERE OLD.at < addresses_before)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit trail is final' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER audit_entries_update BEFORE UPDATE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION refuse_early_audit_loss();

CREATE TRIGGER audit_entries_delete BEFORE DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION refuse_early_audit_loss();

CREATE TRIGGER audit_entries_truncate BEFORE TRUNCATE ON audit_entries
EXECUTE FUNCTION refuse('the audit trail is final');

-- Accounts ----------------------------------------------------------------------------------

-- Accounts. The row of a deleted one is kept without a name or an address, since evidence of others
-- refers to its ideas.
CREATE TABLE users (
    id                   TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    email                TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
    name                 TEXT NOT NULL CHECK (name <> ''),
    password_hash        TEXT NOT NULL CHECK (password_hash <> ''),
    profile_image        TEXT,
    created_at           TIMESTAMPTZ NOT NULL,
    -- The number of times that all sessions of the account were ended: a login that was
    -- checked before an end begins no session after it.
    session_epoch        BIGINT NOT NULL DEFAULT 0,
    -- How the account is notified by email of activity on its links.
    notification_mode    TEXT NOT NULL DEFAULT 'at-once'
        CHECK (notification_mode IN ('at-once', 'daily', 'never')),
    email_confirmed_at   TIMESTAMPTZ,
    -- When the owner was last notified of an attempt to register with the address.
    registration_told_at TIMESTAMPTZ,
    -- When the operator disabled the account: nobody signs in, and nothing is disclosed.
    disabled_at          TIMESTAMPTZ,
    deleted_at           TIMESTAMPTZ
);

-- The newest link to confirm the address of an account. A used one is kept until it
-- expires, so that opening it again can say so.
CREATE TABLE email_confirmations (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL,
    used_at      TIMESTAMPTZ
);

CREATE INDEX email_confirmations_by_end ON email_confirmations (expires_at);

-- A session without an account is from before login.
CREATE TABLE user_sessions (
    key_hash     BYTEA NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    state        TEXT NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_beginning ON user_sessions (created_at);
CREATE INDEX user_sessions_by_last_request ON user_sessions (last_seen_at);

-- Browsers that an account has signed in with: a login with another one is notified by
-- email. One browser may be known to several accounts.
CREATE TABLE known_devices (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_hash     BYTEA NOT NULL CHECK (length(key_hash) = 32),
    last_seen_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, key_hash)
);

CREATE INDEX known_devices_by_last_login ON known_devices (last_seen_at);

-- The authenticator app of an account. Without a time of confirmation the setup is
-- incomplete: no code was entered yet.
CREATE TABLE two_factors (
    user_id       TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_sealed BYTEA NOT NULL CHECK (length(secret_sealed) > 8),
    confirmed_at  TIMESTAMPTZ,
    -- The time step of the last accepted code; only later ones are accepted.
    last_step     BIGINT NOT NULL CHECK (last_step >= 0),
    -- Wrong codes since the last right one, and until when no code is accepted.
    wrong_codes   BIGINT NOT NULL DEFAULT 0,
    locked_until  TIMESTAMPTZ
);

-- The unused recovery codes. They are deleted with the app that they replace.
CREATE TABLE recovery_codes (
    user_id   TEXT NOT NULL REFERENCES two_factors (user_id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);

-- The newest request of each account; a new one replaces it.
CREATE TABLE password_resets (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);

-- The waitlist. The first request of an address counts.
CREATE TABLE waitlist (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY,
    email      TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    name       TEXT NOT NULL CHECK (name <> ''),
    profession TEXT NOT NULL CHECK (profession <> ''),
    joined_at  TIMESTAMPTZ NOT NULL
);

-- Addresses that may register while registration is by invitation.
CREATE TABLE invitations (
    email        TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    invited_at   TIMESTAMPTZ NOT NULL,
    -- When the email was queued; null until then, as are the columns below.
    announced_at TIMESTAMPTZ,
    token_hash   BYTEA,
    expires_at   TIMESTAMPTZ
);

CREATE INDEX invitations_to_announce ON invitations (invited_at) WHERE announced_at IS NULL;
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);

-- The storage use of an account, in bytes before encryption: triggers count the contents of
-- revisions, unsaved texts and the files.
CREATE TABLE account_storage (
    user_id     TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    used_bytes  BIGINT NOT NULL,
    -- Set by the operator for this account; null means the server's default.
    quota_bytes BIGINT CHECK (quota_bytes >= 0)
);

-- Locked while the use of all accounts is added up, so that concurrent checks wait.
CREATE TABLE vault_storage (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)
);

INSERT INTO vault_storage VALUES (1);

-- Ideas -------------------------------------------------------------------------------------

-- Drafts, and published ideas, which are final.
CREATE TABLE ideas (
    -- Never reuses a number: agreements contain it.
    id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id        TEXT NOT NULL REFERENCES users (id),
    -- Encrypted, like the titles and contents below; see idea_keys.
    title           BYTEA NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('draft', 'published')),
    content_kind    TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    document_id     TEXT UNIQUE,
    published_at    TIMESTAMPTZ,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    created_at      TIMESTAMPTZ NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL,
    deleted_at      TIMESTAMPTZ,
    -- SHA-256 of the key of the request that made the idea: when its answer is lost and the
    -- request is repeated, the idea is not made twice.
    idempotency_key BYTEA,
    CHECK ((status = 'published') = (document_id IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK (status = 'draft' OR deleted_at IS NULL)
);

-- Deleted ideas are never listed.
CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC)
WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX ideas_by_idempotency_key ON ideas (owner_id, idempotency_key);

CREATE TRIGGER ideas_published_update BEFORE UPDATE ON ideas
FOR EACH ROW WHEN (OLD.status = 'published')
EXECUTE FUNCTION refuse('a published idea is final');

CREATE TRIGGER ideas_published_delete BEFORE DELETE ON ideas
FOR EACH ROW WHEN (OLD.status = 'published')
EXECUTE FUNCTION refuse('a published idea is final');

CREATE TRIGGER ideas_truncate BEFORE TRUNCATE ON ideas
EXECUTE FUNCTION refuse('a published idea is final');

-- Each idea's keys, wrapped with the master key and bound to the owner: of its content, and of
-- the evidence of who saw it. The first is destroyed when a draft is deleted, which makes all
-- copies of the content unreadable. The second is kept with the evidence.
CREATE TABLE idea_keys (
    idea_id  BIGINT NOT NULL PRIMARY KEY REFERENCES ideas (id),
    content  BYTEA,
    evidence BYTEA NOT NULL
);

-- FOR SHARE excludes a concurrent publication; also below.
CREATE FUNCTION refuse_to_erase_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    idea_status TEXT;
    idea_owner TEXT;
BEGIN
    SELECT status, owner_id INTO idea_status, idea_owner FROM ideas
    WHERE id = OLD.idea_id
    FOR SHARE;
    IF idea_status = 'published'
        AND EXISTS (SELECT FROM users WHERE id = idea_owner AND deleted_at IS NULL)
    THEN
        RAISE EXCEPTION 'the keys of a published idea are kept'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
FOR EACH ROW WHEN (NEW.content IS NULL) EXECUTE FUNCTION refuse_to_erase_published();

CREATE TRIGGER idea_keys_delete BEFORE DELETE ON idea_keys
FOR EACH ROW EXECUTE FUNCTION refuse('the keys of an idea are never deleted');

CREATE TRIGGER idea_keys_truncate BEFORE TRUNCATE ON idea_keys
EXECUTE FUNCTION refuse('the keys of an idea are never deleted');

-- The content is erased when a draft is deleted; the digest is kept, because evidence refers to
-- it. With a copy of the database, plain digests would allow confirming a guess of the content:
-- those of revisions are encrypted with the idea's content key, those of acceptances and views
-- with its evidence key, those of files with the file's key.
CREATE TABLE idea_revisions (
    idea_id      BIGINT NOT NULL REFERENCES ideas (id),
    number       INTEGER NOT NULL CHECK (number >= 1),
    title        BYTEA NOT NULL,
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    sha256       BYTEA NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    -- Bytes of the content before encryption.
    size         BIGINT NOT NULL CHECK (size >= 0),
    -- Last, so that reading the other columns does not read it.
    content      BYTEA,
    PRIMARY KEY (idea_id, number)
);

-- Finds the ideas whose revisions the cleanup thins out.
CREATE INDEX idea_revisions_kept ON idea_revisions (idea_id, number, created_at)
WHERE content IS NOT NULL;

CREATE FUNCTION refuse_revision_of_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    idea_status TEXT;
BEGIN
    SELECT status INTO idea_status FROM ideas
    WHERE id = CASE TG_OP WHEN 'INSERT' THEN NEW.idea_id ELSE OLD.idea_id END
    FOR SHARE;
    IF idea_status = 'published' THEN
        RAISE EXCEPTION 'a revision of a published idea is final'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER idea_revisions_insert BEFORE INSERT ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse_revision_of_published();

CREATE TRIGGER idea_revisions_published_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse_revision_of_published();

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
FOR EACH ROW WHEN (
    NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at, NEW.size)
        IS DISTINCT FROM
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at, OLD.size)
)
EXECUTE FUNCTION refuse('of a revision only the content of a draft may be erased');

CREATE TRIGGER idea_revisions_delete BEFORE DELETE ON idea_revisions
FOR EACH ROW EXECUTE FUNCTION refuse('revisions are never deleted');

CREATE TRIGGER idea_revisions_truncate BEFORE TRUNCATE ON idea_revisions
EXECUTE FUNCTION refuse('revisions are never deleted');

CREATE FUNCTION count_stored_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO account_storage (user_id, used_bytes)
        SELECT owner_id, NEW.size FROM ideas WHERE id = NEW.idea_id
        ON CONFLICT (user_id)
        DO UPDATE SET used_bytes = account_storage.used_bytes + excluded.used_bytes;
    ELSE
        UPDATE account_storage SET used_bytes = used_bytes - OLD.size
        WHERE user_id = (SELECT owner_id FROM ideas WHERE id = OLD.idea_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER storage_revision_added AFTER INSERT ON idea_revisions
FOR EACH ROW WHEN (NEW.content IS NOT NULL) EXECUTE FUNCTION count_stored_revision();

CREATE TRIGGER storage_revision_erased AFTER UPDATE OF content ON idea_revisions
FOR EACH ROW WHEN (OLD.content IS NOT NULL AND NEW.content IS NULL)
EXECUTE FUNCTION count_stored_revision();

-- Unsaved texts, which only their author sees: one of each open editor, of an idea or of one that was
-- never saved (0).
CREATE TABLE working_copies (
    owner_id    TEXT NOT NULL REFERENCES users (id),
    idea_id     BIGINT NOT NULL CHECK (idea_id >= 0),
    session     TEXT NOT NULL CHECK (length(session) <= 64),
    kept_at     TIMESTAMPTZ NOT NULL,
    -- The revision that the text was made from.
    base        INTEGER CHECK (base >= 1),
    wrapped_key BYTEA NOT NULL,
    title       BYTEA NOT NULL,
    -- Bytes of the content before encryption.
    size        BIGINT NOT NULL CHECK (size >= 0),
    content     BYTEA NOT NULL,
    PRIMARY KEY (owner_id, idea_id, session),
    CHECK ((idea_id = 0) = (base IS NULL))
);

-- Published ideas that anybody may look up by their document id: digest and times, and
-- neither title nor content.
CREATE TABLE public_records (
    idea_id BIGINT NOT NULL PRIMARY KEY REFERENCES ideas (id),
    since   TIMESTAMPTZ NOT NULL
);

-- How creators organize their ideas, also those that are published. Tags are encrypted with the
-- idea's content key.
CREATE TABLE organized_ideas (
    idea_id     BIGINT NOT NULL PRIMARY KEY REFERENCES ideas (id),
    tags        BYTEA,
    is_archived BOOLEAN NOT NULL DEFAULT FALSE
);

-- Files -------------------------------------------------------------------------------------

-- The content is in the file storage, under the id, before the row is added.
CREATE TABLE files (
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    owner_id        TEXT NOT NULL REFERENCES users (id),
    kind            TEXT NOT NULL CHECK (kind IN ('pdf', 'image')),
    media_type      TEXT NOT NULL
        CHECK (media_type IN ('application/pdf', 'image/png', 'image/jpeg')),
    -- Encrypted with the file's own key, like the content.
    name            BYTEA NOT NULL,
    size            BIGINT NOT NULL CHECK (size > 0),
    sha256          BYTEA NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    -- SHA-256 of the key of the request that uploaded an image: when its answer is lost and
    -- the request is repeated, the image is not stored twice.
    idempotency_key BYTEA,
    CHECK ((kind = 'pdf') = (media_type = 'application/pdf'))
);

CREATE INDEX files_by_owner ON files (owner_id, kind, created_at DESC, seq DESC);
CREATE UNIQUE INDEX files_by_idempotency_key ON files (owner_id, idempotency_key);

CREATE TRIGGER files_update BEFORE UPDATE ON files
FOR EACH ROW EXECUTE FUNCTION refuse('a stored file never changes');

CREATE FUNCTION count_stored_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO account_storage (user_id, used_bytes) VALUES (NEW.owner_id, NEW.size)
        ON CONFLICT (user_id)
        DO UPDATE SET used_bytes = account_storage.used_bytes + excluded.used_bytes;
    ELSE
        UPDATE account_storage SET used_bytes = used_bytes - OLD.size
        WHERE user_id = OLD.owner_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER storage_file_counted AFTER INSERT OR DELETE ON files
FOR EACH ROW EXECUTE FUNCTION count_stored_file();

CREATE TRIGGER storage_working_copy_counted AFTER INSERT OR DELETE ON working_copies
FOR EACH ROW EXECUTE FUNCTION count_stored_file();

CREATE FUNCTION count_changed_working_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes + NEW.size - OLD.size
    WHERE user_id = NEW.owner_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER storage_working_copy_changed AFTER UPDATE OF size ON working_copies
FOR EACH ROW EXECUTE FUNCTION count_changed_working_copy();

-- Each file's key, wrapped with the master key. Without it the content is unreadable.
CREATE TABLE file_keys (
    file_id TEXT NOT NULL PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    wrapped BYTEA NOT NULL
);

-- The files that the current revision of an idea shows; its recipients may read them.
CREATE TABLE idea_files (
    idea_id BIGINT NOT NULL REFERENCES ideas (id),
    file_id TEXT NOT NULL REFERENCES files (id),
    PRIMARY KEY (idea_id, file_id)
);

CREATE INDEX idea_files_by_file ON idea_files (file_id, idea_id);

CREATE FUNCTION refuse_files_of_published() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    shown RECORD;
    idea_status TEXT;
BEGIN
    shown := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    SELECT status INTO idea_status FROM ideas WHERE id = shown.idea_id FOR SHARE;
    IF idea_status = 'published' THEN
        RAISE EXCEPTION 'what a published idea shows is final'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN shown;
END
$$;

CREATE TRIGGER idea_files_published BEFORE INSERT OR DELETE ON idea_files
FOR EACH ROW EXECUTE FUNCTION refuse_files_of_published();

CREATE TRIGGER idea_files_update BEFORE UPDATE ON idea_files
FOR EACH ROW EXECUTE FUNCTION refuse('what an idea shows is written anew, never changed');

CREATE TRIGGER idea_files_truncate BEFORE TRUNCATE ON idea_files
EXECUTE FUNCTION refuse('what a published idea shows is final');

-- The files of each revision whose content is kept: such a file is not deleted.
CREATE TABLE revision_files (
    idea_id BIGINT NOT NULL,
    number  INTEGER NOT NULL,
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (idea_id, number, file_id),
    FOREIGN KEY (idea_id, number) REFERENCES idea_revisions (idea_id, number)
);

CREATE INDEX revision_files_by_file ON revision_files (file_id, idea_id);

-- Links -------------------------------------------------------------------------------------

-- Links to ideas. The token is in their address.
CREATE TABLE shares (
    seq                 BIGINT GENERATED ALWAYS AS IDENTITY,
    id                  TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    idea_id             BIGINT NOT NULL REFERENCES ideas (id),
    -- The owner's name for the link, encrypted with the idea's evidence key.
    name                BYTEA,
    -- The title for readers who have not accepted the agreement, encrypted likewise.
    cover_title         BYTEA,
    share_type          TEXT NOT NULL
        CHECK (share_type IN ('one-time', 'time-dependent', 'full-access', 'email')),
    expires_at          TIMESTAMPTZ,
    max_views           INTEGER CHECK (max_views > 0),
    -- Encrypted, in hex.
    recipient_email     TEXT,
    token_hash          BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    token_sealed        BYTEA NOT NULL,
    view_count          INTEGER NOT NULL CHECK (view_count >= 0),
    -- Whether readers of this link and of the idea's other links with this setting see
    -- each other's names and comments.
    shows_other_readers BOOLEAN NOT NULL,
    -- Whether readers may download the document.
    allow_download      BOOLEAN NOT NULL,
    revoked_at          TIMESTAMPTZ,
    created_at          TIMESTAMPTZ NOT NULL,
    CHECK (share_type <> 'one-time' OR max_views IS NOT NULL),
    CHECK (share_type <> 'time-dependent' OR expires_at IS NOT NULL),
    CHECK (share_type <> 'email' OR recipient_email IS NOT NULL),
    CHECK (max_views IS NULL OR view_count <= max_views)
);

CREATE INDEX shares_by_idea ON shares (idea_id, created_at DESC, seq DESC);
CREATE INDEX shares_by_end ON shares (expires_at)
WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- Agreements refer to the idea through the link.
CREATE TRIGGER shares_identity BEFORE UPDATE OF id, idea_id, share_type, created_at ON shares
FOR EACH ROW EXECUTE FUNCTION refuse('what a link discloses never changes');

-- Readers -----------------------------------------------------------------------------------

-- A key of a reader's browser.
CREATE TABLE viewer_sessions (
    id          TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    key_hash    BYTEA NOT NULL UNIQUE CHECK (length(key_hash) = 32),
    created_at  TIMESTAMPTZ NOT NULL,
    -- The session that a newer key of the same browser replaces, until it is first used; and
    -- when a session was replaced, from when on its key is invalid.
    replaces    TEXT CHECK (length(replaces) = 36),
    replaced_at TIMESTAMPTZ,
    -- The first session of the same browser, also across keys that were replaced.
    browser_id  TEXT NOT NULL CHECK (length(browser_id) = 36)
);

-- A registration. The agreement's text is produced only from agreement_version, document_id,
-- offered_at, the link's idea and the encrypted details (name, email, phone, the idea's title,
-- the sharer). An erasure (docs/evidence.md#erasure) is the one exception to "never changed":
-- an event of the log says so, and only what names the person changes.
CREATE TABLE recipients (
    seq                BIGINT GENERATED ALWAYS AS IDENTITY,
    id                 TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    -- No evidence: it changes with the browser's key.
    viewer_session_id  TEXT NOT NULL REFERENCES viewer_sessions (id),
    share_id           TEXT NOT NULL REFERENCES shares (id),
    details            BYTEA NOT NULL,
    agreement_version  TEXT NOT NULL CHECK (agreement_version <> ''),
    document_id        TEXT,
    offered_at         TIMESTAMPTZ NOT NULL,
    created_at         TIMESTAMPTZ NOT NULL,
    closed_at          TIMESTAMPTZ,
    -- When the recipient entered a code that was sent to the address.
    email_confirmed_at TIMESTAMPTZ,
    -- How the registration ended: its reader closed the document or declined the agreement,
    -- or the same browser registered again.
    end_reason         TEXT CHECK (end_reason IN ('closed', 'declined', 'replaced')),
    -- Why it was declined, encrypted with the idea's evidence key, if the reader said so.
    decline_reason     BYTEA CHECK (decline_reason IS NULL OR end_reason = 'declined'),
    -- How the activity shows it: 'open' is listed although no step followed yet, 'folded' is
    -- only counted (a link lists a few open ones), 'advanced' has confirmed its address, agreed
    -- or declined, and is always listed.
    folding            TEXT NOT NULL CHECK (folding IN ('open', 'folded', 'advanced')),
    -- When the person's details were erased, and whether the agreement can no longer be
    -- produced, because a person whom it names was erased.
    erased_at          TIMESTAMPTZ,
    agreement_erased   BOOLEAN NOT NULL DEFAULT FALSE,
    -- Keyed hash of the address, once the recipient has confirmed it and until the erasure.
    address_hash       BYTEA CHECK (length(address_hash) = 32),
    UNIQUE (id, share_id),
    CHECK (address_hash IS NULL OR email_confirmed_at IS NOT NULL AND erased_at IS NULL)
);

CREATE UNIQUE INDEX recipients_open ON recipients (viewer_session_id, share_id)
WHERE closed_at IS NULL;
CREATE INDEX recipients_by_viewer
ON recipients (viewer_session_id, share_id, created_at DESC, seq DESC);
CREATE INDEX recipients_by_share ON recipients (share_id, folding);
CREATE INDEX recipients_by_address ON recipients (address_hash)
WHERE address_hash IS NOT NULL;

CREATE TRIGGER recipients_confirm BEFORE UPDATE OF email_confirmed_at ON recipients
FOR EACH ROW WHEN (OLD.email_confirmed_at IS NOT NULL)
EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER recipients_address BEFORE UPDATE OF address_hash ON recipients
FOR EACH ROW WHEN (OLD.address_hash IS NOT NULL AND NEW.address_hash IS NOT NULL)
EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, agreement_version, document_id, offered_at, created_at
ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse('what a recipient was offered is final');

CREATE TRIGGER recipients_erased BEFORE UPDATE OF erased_at, agreement_erased ON recipients
FOR EACH ROW WHEN (
    OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
    OR NEW.agreement_erased < OLD.agreement_erased
)
EXECUTE FUNCTION refuse('an erasure is final');

-- The title of the idea goes with its creator, also where the reader was erased before.
CREATE FUNCTION refuse_change_of_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
            OR NOT OLD.agreement_erased AND NEW.agreement_erased)
        AND EXISTS (
            SELECT 1 FROM evidence_events e
            WHERE e.kind = 'person.erased' AND e.recipient_id = OLD.id
        )
        OR NEW.agreement_erased AND EXISTS (
            SELECT 1 FROM evidence_events e
            WHERE e.kind = 'person.erased' AND e.recipient_id IS NULL
                AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'what a recipient was offered is final'
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER recipients_details BEFORE UPDATE OF details ON recipients
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_details();

-- The newest code of each recipient; a new one replaces it, and entering it correctly
-- removes it. The hash is keyed, since a plain hash of six digits is easily reversed.
CREATE TABLE email_codes (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id),
    code_hash    BYTEA NOT NULL CHECK (length(code_hash) = 32),
    attempts     INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 5),
    sent_at      TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);

-- Mailed links that show persons with a confirmed address what they were shown. A used one has
-- the key of the browser that used it, and ends with it.
CREATE TABLE document_links (
    token_hash   BYTEA NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    address_hash BYTEA NOT NULL CHECK (length(address_hash) = 32),
    key_hash     BYTEA UNIQUE CHECK (length(key_hash) = 32),
    requested_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);

-- Accepted agreements.
CREATE TABLE nda_acceptances (
    recipient_id       TEXT NOT NULL PRIMARY KEY,
    share_id           TEXT NOT NULL,
    nda_version        TEXT NOT NULL CHECK (nda_version <> ''),
    revision           INTEGER NOT NULL CHECK (revision >= 1),
    accepted_at        TIMESTAMPTZ NOT NULL,
    -- Address, browser, and the digests of agreement and revision, encrypted.
    details            BYTEA NOT NULL,
    -- That of the recipient, at the time of the agreement.
    email_confirmed_at TIMESTAMPTZ,
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
);

CREATE TRIGGER nda_acceptances_delete BEFORE DELETE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse('an acceptance is final');

CREATE TRIGGER nda_acceptances_truncate BEFORE TRUNCATE ON nda_acceptances
EXECUTE FUNCTION refuse('an acceptance is final');

CREATE FUNCTION refuse_change_of_acceptance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.recipient_id, OLD.share_id, OLD.nda_version, OLD.revision, OLD.accepted_at,
        OLD.email_confirmed_at)
        IS NOT DISTINCT FROM
       (NEW.recipient_id, NEW.share_id, NEW.nda_version, NEW.revision, NEW.accepted_at,
        NEW.email_confirmed_at)
        AND EXISTS (
            SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an acceptance is final' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_acceptance();

-- Counted views.
CREATE TABLE view_grants (
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    share_id        TEXT NOT NULL,
    recipient_id    TEXT NOT NULL,
    -- The recipient again if the link gives each recipient one view; UNIQUE
    -- enforces that limit.
    only_grant_of   TEXT UNIQUE,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 BYTEA NOT NULL,
    granted_at      TIMESTAMPTZ NOT NULL,
    ends_at         TIMESTAMPTZ NOT NULL,
    CHECK (only_grant_of = recipient_id),
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
);

CREATE INDEX view_grants_by_recipient ON view_grants (recipient_id, granted_at DESC, seq DESC);
-- Finds the last view of a link.
CREATE INDEX view_grants_by_share ON view_grants (share_id, granted_at DESC);

-- Comments ----------------------------------------------------------------------------------

-- The text of a withdrawn comment is erased; the row and its author are kept.
CREATE TABLE comments (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY,
    id           TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    idea_id      BIGINT NOT NULL REFERENCES ideas (id),
    -- The idea's owner, who lists the comments on all own ideas. Never written directly:
    -- comments_owner sets it.
    owner_id     TEXT NOT NULL REFERENCES users (id),
    -- Null for the owner's own comments.
    recipient_id TEXT REFERENCES recipients (id),
    -- Author and text, encrypted with the idea's content key.
    sealed       BYTEA NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    -- The first comment of the thread, for an answer.
    reply_to     TEXT REFERENCES comments (id),
    -- The link whose readers see the comment; null: those of all links.
    share_id     TEXT REFERENCES shares (id),
    edited_at    TIMESTAMPTZ,
    withdrawn_at TIMESTAMPTZ
);

CREATE INDEX comments_by_idea ON comments (idea_id, created_at, seq);
CREATE INDEX comments_by_recipient ON comments (recipient_id);
CREATE INDEX comments_by_owner ON comments (owner_id, created_at, seq);
-- Deleting a draft deletes its comments and the answers that refer to them.
CREATE INDEX comments_by_thread ON comments (reply_to) WHERE reply_to IS NOT NULL;

-- Deleting a draft erases its comments; none may be added later. FOR SHARE makes a
-- concurrent comment wait; it then fails with a serialization failure, and its retry
-- finds the idea deleted.
CREATE FUNCTION refuse_comment_on_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    deleted BOOLEAN;
BEGIN
    SELECT deleted_at IS NOT NULL INTO deleted FROM ideas WHERE id = NEW.idea_id FOR SHARE;
    IF deleted THEN
        RAISE EXCEPTION 'a deleted idea takes no comments' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_on_deleted BEFORE INSERT ON comments
FOR EACH ROW EXECUTE FUNCTION refuse_comment_on_deleted();

CREATE FUNCTION note_owner_of_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT owner_id INTO NEW.owner_id FROM ideas WHERE id = NEW.idea_id;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_owner BEFORE INSERT ON comments
FOR EACH ROW EXECUTE FUNCTION note_owner_of_comment();

CREATE FUNCTION check_comment_thread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM comments
        WHERE id = NEW.reply_to AND idea_id = NEW.idea_id AND reply_to IS NULL
    ) THEN
        RAISE EXCEPTION 'an answer belongs to the first comment of a thread on the same idea';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER comments_thread BEFORE INSERT ON comments
FOR EACH ROW WHEN (NEW.reply_to IS NOT NULL) EXECUTE FUNCTION check_comment_thread();

CREATE TRIGGER comments_identity
BEFORE UPDATE OF id, idea_id, recipient_id, reply_to, share_id, created_at ON comments
FOR EACH ROW EXECUTE FUNCTION refuse('who wrote a comment, when and about what is final');

CREATE FUNCTION refuse_change_of_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.edited_at, OLD.withdrawn_at) IS NOT DISTINCT FROM (NEW.edited_at, NEW.withdrawn_at)
        AND EXISTS (
            SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
        ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a withdrawn comment is final'
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL)
EXECUTE FUNCTION refuse_change_of_withdrawn();

-- Notices -----------------------------------------------------------------------------------

-- The links with another mode than their account.
CREATE TABLE share_notification_modes (
    share_id TEXT NOT NULL PRIMARY KEY REFERENCES shares (id) ON DELETE CASCADE,
    mode     TEXT NOT NULL CHECK (mode IN ('at-once', 'daily', 'never'))
);

-- Notices for owners and readers. The recipient's details are in recipients, encrypted.
CREATE TABLE notices (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The owner of the link.
    account_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    share_id     TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL CHECK (kind IN ('agreed', 'first-read', 'commented', 'declined',
        'refused', 'wrong-address', 'wrong-code', 'used-up', 'one-view-left', 'ending-soon',
        'answered')),
    -- The recipient concerned; 'answered' is for that recipient, all others for the owner.
    recipient_id TEXT REFERENCES recipients (id) ON DELETE CASCADE,
    -- The number of events, and the times of the first and the last one.
    count        INTEGER NOT NULL CHECK (count >= 1),
    first_at     TIMESTAMPTZ NOT NULL,
    last_at      TIMESTAMPTZ NOT NULL,
    read_at      TIMESTAMPTZ,
    -- When the mailer processes it (again).
    due_at       TIMESTAMPTZ NOT NULL,
    -- When it was put into an email, or it was decided to send none.
    settled_at   TIMESTAMPTZ,
    mail_id      TEXT,
    CHECK (kind <> 'answered' OR recipient_id IS NOT NULL),
    CHECK (mail_id IS NULL OR settled_at IS NOT NULL)
);

-- A link ends once.
CREATE UNIQUE INDEX notices_once ON notices (share_id, kind)
WHERE kind IN ('used-up', 'one-view-left', 'ending-soon');
CREATE INDEX notices_due ON notices (due_at) WHERE settled_at IS NULL;
CREATE INDEX notices_pending ON notices (account_id, seq) WHERE settled_at IS NULL;
CREATE INDEX notices_by_account ON notices (account_id, last_at DESC, seq DESC);
CREATE INDEX notices_by_share ON notices (share_id, kind, first_at);
CREATE INDEX notices_by_recipient ON notices (recipient_id) WHERE recipient_id IS NOT NULL;
CREATE INDEX notices_by_age ON notices (last_at);

-- Unsubscribe links, by the hash of their token.
CREATE TABLE unsubscribe_tokens (
    token_hash   BYTEA NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id   TEXT REFERENCES users (id) ON DELETE CASCADE,
    recipient_id TEXT REFERENCES recipients (id) ON DELETE CASCADE,
    created_at   TIMESTAMPTZ NOT NULL,
    CHECK ((account_id IS NULL) <> (recipient_id IS NULL))
);

CREATE INDEX unsubscribe_tokens_by_age ON unsubscribe_tokens (created_at);
CREATE INDEX unsubscribe_tokens_by_account ON unsubscribe_tokens (account_id);
CREATE INDEX unsubscribe_tokens_by_recipient ON unsubscribe_tokens (recipient_id);

-- Recipients who have unsubscribed from emails about answers to their comments.
CREATE TABLE muted_recipients (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id) ON DELETE CASCADE
);

-- Mails -------------------------------------------------------------------------------------

-- Emails that wait for delivery. A claim counts an attempt and sets the next attempt to
-- the end of its lease. No foreign keys, so that an email never blocks deleting its sender.
CREATE TABLE outbox_mails (
    seq             BIGINT GENERATED ALWAYS AS IDENTITY,
    id              TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    sealed          BYTEA NOT NULL CHECK (length(sealed) > 0),
    queued_at       TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TIMESTAMPTZ NOT NULL,
    -- The account whose action caused it, which is notified if it cannot be delivered.
    sender_id       TEXT,
    -- The reader that it is for.
    recipient_id    TEXT CHECK (length(recipient_id) = 36),
    -- The link that it brings to its reader. With the link, it is withdrawn if it still waits.
    share_id        TEXT CHECK (length(share_id) = 36),
    -- How often it was handed over completely without an answer from the mail server.
    unconfirmed     INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed >= 0)
);

CREATE INDEX outbox_mails_by_turn ON outbox_mails (next_attempt_at, seq);
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (recipient_id)
WHERE recipient_id IS NOT NULL;
CREATE INDEX outbox_mails_by_share ON outbox_mails (share_id) WHERE share_id IS NOT NULL;

-- Limits ------------------------------------------------------------------------------------

-- How often something limited has happened, in a window that begins with the first time. Revoking a
-- link or deleting an account gives nothing back.
CREATE TABLE limit_counts (
    -- HMAC-SHA256 of the limit, and of what it counts by.
    key_hash       BYTEA NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    window_ends_at TIMESTAMPTZ NOT NULL,
    events         INTEGER NOT NULL CHECK (events >= 0)
);

CREATE INDEX limit_counts_by_end ON limit_counts (window_ends_at);

-- Evidence ----------------------------------------------------------------------------------

-- The log of events that a stranger can check (docs/evidence.md). Rows are only added; an
-- event gets its place, and a checkpoint its signature, once. Seals are keyed digests of rows,
-- under a key derived from the master key: what has no valid one was not written by a server of
-- this vault, and is not signed. A rotation of the master key renews them.

-- A log continues the one before it, which had stopped. The last one is the current one.
CREATE TABLE evidence_logs (
    number     INTEGER PRIMARY KEY CHECK (number >= 1),
    origin     TEXT NOT NULL UNIQUE,
    started_at TIMESTAMPTZ NOT NULL
);

CREATE TRIGGER evidence_logs_final BEFORE UPDATE OR DELETE ON evidence_logs
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_logs_truncate BEFORE TRUNCATE ON evidence_logs
EXECUTE FUNCTION refuse('the log is final');

-- The keys that sign a log.
CREATE TABLE evidence_log_keys (
    log       INTEGER NOT NULL REFERENCES evidence_logs (number),
    -- The key signs checkpoints that cover more events than this.
    from_size BIGINT NOT NULL CHECK (from_size >= 0),
    vkey      TEXT NOT NULL UNIQUE,
    -- Encrypted with the master key.
    seed      BYTEA NOT NULL,
    PRIMARY KEY (log, from_size)
);

CREATE TRIGGER evidence_log_keys_delete BEFORE DELETE ON evidence_log_keys
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_log_keys_truncate BEFORE TRUNCATE ON evidence_log_keys
EXECUTE FUNCTION refuse('the log is final');

-- A rotation of the master key encrypts the seed anew.
CREATE TRIGGER evidence_log_keys_update BEFORE UPDATE ON evidence_log_keys
FOR EACH ROW WHEN (
    (OLD.log, OLD.from_size, OLD.vkey) IS DISTINCT FROM (NEW.log, NEW.from_size, NEW.vkey)
)
EXECUTE FUNCTION refuse('the log is final');

-- What happened, as it is hashed.
CREATE TABLE evidence_events (
    -- Drawn before the row is added, which is sealed with it.
    seq          BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    kind         TEXT NOT NULL,
    at           TIMESTAMPTZ NOT NULL,
    idea_id      BIGINT REFERENCES ideas (id),
    share_id     TEXT,
    recipient_id TEXT,
    comment_id   TEXT,
    -- At most one event has the same key.
    once         TEXT UNIQUE,
    -- Canonical JSON, and its SHA-256.
    body         TEXT NOT NULL,
    digest       BYTEA NOT NULL CHECK (length(digest) = 32),
    seal         BYTEA NOT NULL,
    log          INTEGER REFERENCES evidence_logs (number),
    place        BIGINT CHECK (place >= 0),
    -- What recipients did; not, for example, which image of a document was sent to them.
    in_activity  BOOLEAN NOT NULL GENERATED ALWAYS AS (
        kind IN ('agreement.offered', 'agreement.accepted', 'agreement.declined',
                 'view.started', 'visit.closed')
        OR (kind = 'file.delivered' AND strpos(body, '"download":true') > 0)
    ) STORED,
    CHECK ((log IS NULL) = (place IS NULL)),
    UNIQUE (log, place)
);

CREATE INDEX evidence_events_of_idea ON evidence_events (idea_id, seq DESC);
CREATE INDEX evidence_events_unplaced ON evidence_events (seq) WHERE place IS NULL;
CREATE INDEX evidence_events_of_activity ON evidence_events (idea_id, in_activity, at, seq);
CREATE INDEX evidence_events_erased ON evidence_events (recipient_id)
WHERE kind = 'person.erased';
-- The creator of an idea was erased if no recipient is named.
CREATE INDEX evidence_events_creator_erased ON evidence_events (idea_id)
WHERE kind = 'person.erased' AND recipient_id IS NULL;

CREATE TRIGGER evidence_events_delete BEFORE DELETE ON evidence_events
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_events_truncate BEFORE TRUNCATE ON evidence_events
EXECUTE FUNCTION refuse('the log is final');

-- An event gets another place only in a later log.
CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
FOR EACH ROW WHEN (
    (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
     OLD.once, OLD.body, OLD.digest)
    IS DISTINCT FROM
    (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
     NEW.once, NEW.body, NEW.digest)
    OR (OLD.log, OLD.place) IS DISTINCT FROM (NEW.log, NEW.place)
        AND (NEW.place IS NULL OR NEW.log <= OLD.log)
)
EXECUTE FUNCTION refuse('the log is final');

-- What an event commits to, encrypted with the evidence key of the idea.
CREATE TABLE evidence_disclosures (
    event BIGINT NOT NULL REFERENCES evidence_events (seq),
    name  TEXT NOT NULL,
    body  BYTEA NOT NULL,
    PRIMARY KEY (event, name)
);

CREATE TRIGGER evidence_disclosures_update BEFORE UPDATE ON evidence_disclosures
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_disclosures_truncate BEFORE TRUNCATE ON evidence_disclosures
EXECUTE FUNCTION refuse('the log is final');

-- Only the data of a person whose erasure is on record may go: of a reader, or of the
-- creator, whom the events about no reader name.
CREATE FUNCTION refuse_disclosure_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
            AND erased.kind = 'person.erased'
        WHERE e.seq = OLD.event
    ) OR EXISTS (
        SELECT 1 FROM evidence_events e
        JOIN evidence_events erased ON erased.idea_id = e.idea_id
            AND erased.kind = 'person.erased' AND erased.recipient_id IS NULL
        WHERE e.seq = OLD.event AND e.recipient_id IS NULL
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log is final' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
FOR EACH ROW EXECUTE FUNCTION refuse_disclosure_loss();

-- Roots of complete subtrees, in the order in which they were completed.
CREATE TABLE evidence_nodes (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    position BIGINT NOT NULL CHECK (position >= 0),
    hash     BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (log, position)
);

CREATE TRIGGER evidence_nodes_final BEFORE UPDATE OR DELETE ON evidence_nodes
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_nodes_truncate BEFORE TRUNCATE ON evidence_nodes
EXECUTE FUNCTION refuse('the log is final');

-- States of a log, with their signatures once they have one.
CREATE TABLE evidence_checkpoints (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    size     BIGINT NOT NULL CHECK (size >= 1),
    root     BYTEA NOT NULL CHECK (length(root) = 32),
    made_at  TIMESTAMPTZ NOT NULL,
    -- The size of the checkpoint before.
    previous BIGINT NOT NULL CHECK (previous >= 0),
    seal     BYTEA NOT NULL,
    -- The signed note.
    note     TEXT,
    PRIMARY KEY (log, size)
);

CREATE INDEX evidence_checkpoints_signed ON evidence_checkpoints (log, size)
WHERE note IS NOT NULL;

CREATE TRIGGER evidence_checkpoints_delete BEFORE DELETE ON evidence_checkpoints
FOR EACH ROW EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_checkpoints_truncate BEFORE TRUNCATE ON evidence_checkpoints
EXECUTE FUNCTION refuse('the log is final');

CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.root, OLD.made_at, OLD.previous)
    IS DISTINCT FROM (NEW.log, NEW.size, NEW.root, NEW.made_at, NEW.previous)
    OR OLD.note IS NOT NULL AND NEW.note IS DISTINCT FROM OLD.note
)
EXECUTE FUNCTION refuse('the log is final');

-- Confirmations of signed checkpoints by outsiders (docs/rules.md#anchors).
CREATE TABLE evidence_anchors (
    log             INTEGER NOT NULL,
    size            BIGINT NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('tsa', 'ots', 'witness')),
    -- Host of the service; of a witness, the name in its key.
    name            TEXT NOT NULL CHECK (name <> ''),
    state           TEXT NOT NULL
        CHECK (state IN ('queued', 'submitted', 'pending', 'confirmed', 'refused')),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    asked_at        TIMESTAMPTZ,
    next_attempt_at TIMESTAMPTZ,
    error           TEXT,
    -- The response of an authority, the timestamp of a calendar, or the signature line of a
    -- witness.
    artefact        BYTEA,
    -- The certificates of an authority, in PEM.
    chain           TEXT,
    time            TIMESTAMPTZ,
    block           BIGINT CHECK (block >= 0),
    -- Of a confirmation, or a promise of one.
    seal            BYTEA,
    PRIMARY KEY (log, size, kind, name),
    FOREIGN KEY (log, size) REFERENCES evidence_checkpoints (log, size),
    CHECK (next_attempt_at IS NOT NULL OR state = 'confirmed' OR block IS NOT NULL),
    CHECK (next_attempt_at IS NULL OR state <> 'confirmed'),
    CHECK ((artefact IS NOT NULL) = (state IN ('pending', 'confirmed'))),
    -- Of a calendar: that of the block, whose header was checked.
    CHECK ((time IS NOT NULL) = (state = 'confirmed')),
    CHECK ((chain IS NOT NULL) = (state = 'confirmed' AND kind = 'tsa')),
    -- While it is pending, the calendar alone says so.
    CHECK (block IS NULL OR (kind = 'ots' AND state IN ('pending', 'confirmed'))),
    CHECK (block IS NOT NULL OR NOT (kind = 'ots' AND state = 'confirmed')),
    CHECK (state <> 'pending' OR kind = 'ots')
);

-- A service is sent one checkpoint after the other.
CREATE UNIQUE INDEX evidence_anchors_open ON evidence_anchors (kind, name)
WHERE state NOT IN ('pending', 'confirmed');
CREATE INDEX evidence_anchors_newest ON evidence_anchors (kind, name, log DESC, size DESC);
CREATE INDEX evidence_anchors_due ON evidence_anchors (kind, name, next_attempt_at)
WHERE next_attempt_at IS NOT NULL;
CREATE INDEX evidence_anchors_covering ON evidence_anchors (log, kind, state, size);
CREATE INDEX evidence_anchors_unchecked ON evidence_anchors (kind, name)
WHERE state = 'pending' AND next_attempt_at IS NULL;

CREATE TRIGGER evidence_anchors_delete BEFORE DELETE ON evidence_anchors
FOR EACH ROW EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER evidence_anchors_truncate BEFORE TRUNCATE ON evidence_anchors
EXECUTE FUNCTION refuse('a confirmation is final');

CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
FOR EACH ROW WHEN (
    (OLD.log, OLD.size, OLD.kind, OLD.name) IS DISTINCT FROM (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed' AND
        (OLD.state, OLD.attempts, OLD.asked_at, OLD.next_attempt_at, OLD.error, OLD.artefact,
         OLD.chain, OLD.time, OLD.block)
        IS DISTINCT FROM
        (NEW.state, NEW.attempts, NEW.asked_at, NEW.next_attempt_at, NEW.error, NEW.artefact,
         NEW.chain, NEW.time, NEW.block)
)
EXECUTE FUNCTION refuse('a confirmation is final');
