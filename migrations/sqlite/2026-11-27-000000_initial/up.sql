-- The schema, by subject: the vault, accounts, ideas, files, links, readers, comments, notices,
-- mails, limits, evidence. Times are texts in UTC with microseconds; titles, names and contents
-- are encrypted. `seq` orders rows of the same microsecond.

-- The vault ---------------------------------------------------------------------------------

-- The oldest program that can work with this schema, by the newest migration that it knows. A
-- migration that the release before it cannot work with sets this to its own version.
CREATE TABLE schema_compatibility (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    oldest_version TEXT NOT NULL
) STRICT;

INSERT INTO schema_compatibility (id, oldest_version) VALUES (1, '20261127000000');

-- The id of the current master key: at most one row.
CREATE TABLE master_key (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  BLOB NOT NULL CHECK (length(id) = 8)
) STRICT;

-- The key from which the keys of cookies are derived, encrypted with the master key: at most one
-- row. Servers that were started before and after a rotation of the master key have the same.
CREATE TABLE cookie_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    sealed BLOB NOT NULL
) STRICT;

-- The key of the hashes by which a person's address is found among readers, encrypted with the
-- master key: at most one row. It never changes.
CREATE TABLE address_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    sealed BLOB NOT NULL
) STRICT;

-- The id of the file storage that belongs to this database, which is also in the storage: at most
-- one row.
CREATE TABLE storage_identity (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL CHECK (length(id) = 36)
) STRICT;

-- The latest time that a server has recorded: at most one row.
CREATE TABLE newest_time (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  TEXT NOT NULL
) STRICT;

-- Scheduled jobs, which all servers of a vault share: when each is due. While a job runs,
-- due_at is the end of its lease, and run_id names the run that holds it.
CREATE TABLE jobs (
    name            TEXT NOT NULL PRIMARY KEY,
    due_at          TEXT NOT NULL,
    run_id          TEXT,
    last_success_at TEXT,
    failures        INTEGER NOT NULL CHECK (failures >= 0)
) STRICT;

-- Security events, for the operator. Ids and no names; no foreign keys, because an
-- entry outlives its subject.
CREATE TABLE audit_entries (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    at         TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind <> ''),
    account_id TEXT CHECK (length(account_id) = 36),
    subject    TEXT CHECK (subject <> ''),
    ip         TEXT,
    user_agent TEXT,
    -- Only denials have one; UNIQUE limits their number.
    slot       TEXT UNIQUE CHECK (length(slot) = 64)
) STRICT;

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
    entries_before   TEXT,
    addresses_before TEXT
) STRICT;

INSERT INTO audit_retention (one) VALUES (1);

-- The slot is a digest of the address, among others.
CREATE TRIGGER audit_entries_update BEFORE UPDATE ON audit_entries
WHEN (NEW.ip, NEW.user_agent, NEW.slot) IS NOT (NULL, NULL, NULL)
    OR (NEW.seq, NEW.at, NEW.kind, NEW.account_id, NEW.subject)
        IS NOT (OLD.seq, OLD.at, OLD.kind, OLD.account_id, OLD.subject)
    OR NOT EXISTS (SELECT 1 FROM audit_retention WHERE OLD.at < addresses_before)
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is final');
END;

CREATE TRIGGER audit_entries_delete BEFORE DELETE ON audit_entries
WHEN NOT EXISTS (SELECT 1 FROM audit_retention WHERE OLD.at < entries_before)
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is final');
END;

-- INSERT OR REPLACE deletes without firing a trigger on DELETE; also below.
CREATE TRIGGER audit_entries_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq OR slot = NEW.slot)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- Accounts ----------------------------------------------------------------------------------

-- Accounts. The row of a deleted one is kept without a name or an address, since evidence of others
-- refers to its ideas.
CREATE TABLE users (
    id                   TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    email                TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
    name                 TEXT NOT NULL CHECK (name <> ''),
    password_hash        TEXT NOT NULL CHECK (password_hash <> ''),
    profile_image        TEXT,
    created_at           TEXT NOT NULL,
    -- The number of times that all sessions of the account were ended: a login that was
    -- checked before an end begins no session after it.
    session_epoch        INTEGER NOT NULL DEFAULT 0,
    -- How the account is notified by email of activity on its links.
    notification_mode    TEXT NOT NULL DEFAULT 'at-once'
        CHECK (notification_mode IN ('at-once', 'daily', 'never')),
    email_confirmed_at   TEXT,
    -- When the owner was last notified of an attempt to register with the address.
    registration_told_at TEXT,
    -- When the operator disabled the account: nobody signs in, and nothing is disclosed.
    disabled_at          TEXT,
    deleted_at           TEXT
) STRICT;

-- The newest link to confirm the address of an account. A used one is kept until it
-- expires, so that opening it again can say so.
CREATE TABLE email_confirmations (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    used_at      TEXT
) STRICT;

CREATE INDEX email_confirmations_by_end ON email_confirmations (expires_at);

-- A session without an account is from before login.
CREATE TABLE user_sessions (
    key_hash     BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    state        TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL
) STRICT;

CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_beginning ON user_sessions (created_at);
CREATE INDEX user_sessions_by_last_request ON user_sessions (last_seen_at);

-- Browsers that an account has signed in with: a login with another one is notified by
-- email. One browser may be known to several accounts.
CREATE TABLE known_devices (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_hash     BLOB NOT NULL CHECK (length(key_hash) = 32),
    last_seen_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key_hash)
) STRICT;

CREATE INDEX known_devices_by_last_login ON known_devices (last_seen_at);

-- The authenticator app of an account. Without a time of confirmation the setup is
-- incomplete: no code was entered yet.
CREATE TABLE two_factors (
    user_id       TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_sealed BLOB NOT NULL CHECK (length(secret_sealed) > 8),
    confirmed_at  TEXT,
    -- The time step of the last accepted code; only later ones are accepted.
    last_step     INTEGER NOT NULL CHECK (last_step >= 0),
    -- Wrong codes since the last right one, and until when no code is accepted.
    wrong_codes   INTEGER NOT NULL DEFAULT 0,
    locked_until  TEXT
) STRICT;

-- The unused recovery codes. They are deleted with the app that they replace.
CREATE TABLE recovery_codes (
    user_id   TEXT NOT NULL REFERENCES two_factors (user_id) ON DELETE CASCADE,
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
) STRICT;

-- The newest request of each account; a new one replaces it.
CREATE TABLE password_resets (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    requested_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL
) STRICT;

-- The waitlist. The first request of an address counts.
CREATE TABLE waitlist (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    email      TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
    name       TEXT NOT NULL CHECK (name <> ''),
    profession TEXT NOT NULL CHECK (profession <> ''),
    joined_at  TEXT NOT NULL
) STRICT;

-- Addresses that may register while registration is by invitation.
CREATE TABLE invitations (
    email        TEXT NOT NULL PRIMARY KEY CHECK (length(email) BETWEEN 3 AND 254),
    invited_at   TEXT NOT NULL,
    -- When the email was queued; null until then, as are the columns below.
    announced_at TEXT,
    token_hash   BLOB,
    expires_at   TEXT
) STRICT;

CREATE INDEX invitations_to_announce ON invitations (invited_at) WHERE announced_at IS NULL;
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);

-- The storage use of an account, in bytes before encryption: triggers count the contents of
-- revisions, unsaved texts and the files.
CREATE TABLE account_storage (
    user_id     TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    used_bytes  INTEGER NOT NULL,
    -- Set by the operator for this account; null means the server's default.
    quota_bytes INTEGER CHECK (quota_bytes >= 0)
) STRICT;

-- Locked while the use of all accounts is added up, so that concurrent checks wait.
CREATE TABLE vault_storage (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1)
) STRICT;

INSERT INTO vault_storage VALUES (1);

-- Ideas -------------------------------------------------------------------------------------

-- Drafts, and published ideas, which are final.
CREATE TABLE ideas (
    -- Never reuses a number: agreements contain it.
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id        TEXT NOT NULL REFERENCES users (id),
    -- Encrypted, like the titles and contents below; see idea_keys.
    title           BLOB NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('draft', 'published')),
    content_kind    TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    document_id     TEXT UNIQUE,
    published_at    TEXT,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    -- SHA-256 of the key of the request that made the idea: when its answer is lost and the
    -- request is repeated, the idea is not made twice.
    idempotency_key BLOB,
    CHECK ((status = 'published') = (document_id IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK (status = 'draft' OR deleted_at IS NULL)
) STRICT;

-- Deleted ideas are never listed.
CREATE INDEX ideas_by_owner ON ideas (owner_id, updated_at DESC, id DESC)
WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX ideas_by_idempotency_key ON ideas (owner_id, idempotency_key);

CREATE TRIGGER ideas_published_update BEFORE UPDATE ON ideas
WHEN OLD.status = 'published'
BEGIN
    SELECT RAISE(ABORT, 'a published idea is final');
END;

CREATE TRIGGER ideas_published_delete BEFORE DELETE ON ideas
WHEN OLD.status = 'published'
BEGIN
    SELECT RAISE(ABORT, 'a published idea is final');
END;

CREATE TRIGGER ideas_replace BEFORE INSERT ON ideas
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'an idea is never replaced');
END;

CREATE TRIGGER ideas_of_key_insert BEFORE INSERT ON ideas
WHEN EXISTS (
    SELECT 1 FROM ideas
    WHERE owner_id = NEW.owner_id AND idempotency_key = NEW.idempotency_key
)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- Each idea's keys, wrapped with the master key and bound to the owner: of its content, and of
-- the evidence of who saw it. The first is destroyed when a draft is deleted, which makes all
-- copies of the content unreadable. The second is kept with the evidence.
CREATE TABLE idea_keys (
    idea_id  INTEGER NOT NULL PRIMARY KEY REFERENCES ideas (id),
    content  BLOB,
    evidence BLOB NOT NULL
) STRICT;

CREATE TRIGGER idea_keys_insert BEFORE INSERT ON idea_keys
WHEN EXISTS (SELECT 1 FROM idea_keys WHERE idea_id = NEW.idea_id)
BEGIN
    SELECT RAISE(ABORT, 'the keys of an idea are never replaced');
END;

CREATE TRIGGER idea_keys_update BEFORE UPDATE ON idea_keys
WHEN NEW.content IS NULL
    AND EXISTS (
        SELECT 1 FROM ideas JOIN users ON users.id = ideas.owner_id
        WHERE ideas.id = OLD.idea_id AND ideas.status = 'published'
            AND users.deleted_at IS NULL
    )
BEGIN
    SELECT RAISE(ABORT, 'the keys of a published idea are kept');
END;

CREATE TRIGGER idea_keys_delete BEFORE DELETE ON idea_keys
BEGIN
    SELECT RAISE(ABORT, 'the keys of an idea are never deleted');
END;

-- The content is erased when a draft is deleted; the digest is kept, because evidence refers to
-- it. With a copy of the database, plain digests would allow confirming a guess of the content:
-- those of revisions are encrypted with the idea's content key, those of acceptances and views
-- with its evidence key, those of files with the file's key.
CREATE TABLE idea_revisions (
    idea_id      INTEGER NOT NULL REFERENCES ideas (id),
    number       INTEGER NOT NULL CHECK (number >= 1),
    title        BLOB NOT NULL,
    content_kind TEXT NOT NULL CHECK (content_kind IN ('html', 'pdf', 'canvas', 'legacy')),
    sha256       BLOB NOT NULL,
    created_at   TEXT NOT NULL,
    -- Bytes of the content before encryption.
    size         INTEGER NOT NULL CHECK (size >= 0),
    -- Last, so that reading the other columns does not read it.
    content      BLOB,
    PRIMARY KEY (idea_id, number)
) STRICT;

-- Finds the ideas whose revisions the cleanup thins out.
CREATE INDEX idea_revisions_kept ON idea_revisions (idea_id, number, created_at)
WHERE content IS NOT NULL;

CREATE TRIGGER idea_revisions_insert BEFORE INSERT ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND status = 'published')
    OR EXISTS (
        SELECT 1 FROM idea_revisions WHERE idea_id = NEW.idea_id AND number = NEW.number
    )
BEGIN
    SELECT RAISE(ABORT, 'a revision of a published idea, or one that exists, is final');
END;

CREATE TRIGGER idea_revisions_update BEFORE UPDATE ON idea_revisions
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
    OR NEW.content IS NOT NULL
    OR (NEW.idea_id, NEW.number, NEW.title, NEW.content_kind, NEW.sha256, NEW.created_at, NEW.size)
        IS NOT
        (OLD.idea_id, OLD.number, OLD.title, OLD.content_kind, OLD.sha256, OLD.created_at, OLD.size)
BEGIN
    SELECT RAISE(ABORT, 'of a revision only the content of a draft may be erased');
END;

CREATE TRIGGER idea_revisions_delete BEFORE DELETE ON idea_revisions
BEGIN
    SELECT RAISE(ABORT, 'revisions are never deleted');
END;

CREATE TRIGGER storage_revision_added AFTER INSERT ON idea_revisions
WHEN NEW.content IS NOT NULL
BEGIN
    INSERT INTO account_storage (user_id, used_bytes)
    SELECT owner_id, NEW.size FROM ideas WHERE id = NEW.idea_id
    ON CONFLICT (user_id) DO UPDATE SET used_bytes = used_bytes + excluded.used_bytes;
END;

CREATE TRIGGER storage_revision_erased AFTER UPDATE OF content ON idea_revisions
WHEN OLD.content IS NOT NULL AND NEW.content IS NULL
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes - OLD.size
    WHERE user_id = (SELECT owner_id FROM ideas WHERE id = OLD.idea_id);
END;

-- Unsaved texts, which only their author sees: one of each open editor, of an idea or of one that was
-- never saved (0).
CREATE TABLE working_copies (
    owner_id    TEXT NOT NULL REFERENCES users (id),
    idea_id     INTEGER NOT NULL CHECK (idea_id >= 0),
    session     TEXT NOT NULL CHECK (length(session) <= 64),
    kept_at     TEXT NOT NULL,
    -- The revision that the text was made from.
    base        INTEGER CHECK (base >= 1),
    wrapped_key BLOB NOT NULL,
    title       BLOB NOT NULL,
    -- Bytes of the content before encryption.
    size        INTEGER NOT NULL CHECK (size >= 0),
    content     BLOB NOT NULL,
    PRIMARY KEY (owner_id, idea_id, session),
    CHECK ((idea_id = 0) = (base IS NULL))
) STRICT;

CREATE TRIGGER storage_working_copy_added AFTER INSERT ON working_copies
BEGIN
    INSERT INTO account_storage (user_id, used_bytes) VALUES (NEW.owner_id, NEW.size)
    ON CONFLICT (user_id) DO UPDATE SET used_bytes = used_bytes + excluded.used_bytes;
END;

CREATE TRIGGER storage_working_copy_changed AFTER UPDATE OF size ON working_copies
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes + NEW.size - OLD.size
    WHERE user_id = NEW.owner_id;
END;

CREATE TRIGGER storage_working_copy_removed AFTER DELETE ON working_copies
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes - OLD.size
    WHERE user_id = OLD.owner_id;
END;

-- Published ideas that anybody may look up by their document id: digest and times, and
-- neither title nor content.
CREATE TABLE public_records (
    idea_id INTEGER NOT NULL PRIMARY KEY REFERENCES ideas (id),
    since   TEXT NOT NULL
) STRICT;

-- How creators organize their ideas, also those that are published. Tags are encrypted with the
-- idea's content key.
CREATE TABLE organized_ideas (
    idea_id     INTEGER NOT NULL PRIMARY KEY REFERENCES ideas (id),
    tags        BLOB,
    is_archived INTEGER NOT NULL DEFAULT 0 CHECK (is_archived IN (0, 1))
) STRICT;

-- Files -------------------------------------------------------------------------------------

-- The content is in the file storage, under the id, before the row is added.
CREATE TABLE files (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    owner_id        TEXT NOT NULL REFERENCES users (id),
    kind            TEXT NOT NULL CHECK (kind IN ('pdf', 'image')),
    media_type      TEXT NOT NULL
        CHECK (media_type IN ('application/pdf', 'image/png', 'image/jpeg')),
    -- Encrypted with the file's own key, like the content.
    name            BLOB NOT NULL,
    size            INTEGER NOT NULL CHECK (size > 0),
    sha256          BLOB NOT NULL,
    created_at      TEXT NOT NULL,
    -- SHA-256 of the key of the request that uploaded an image: when its answer is lost and
    -- the request is repeated, the image is not stored twice.
    idempotency_key BLOB,
    CHECK ((kind = 'pdf') = (media_type = 'application/pdf'))
) STRICT;

CREATE INDEX files_by_owner ON files (owner_id, kind, created_at DESC, seq DESC);
CREATE UNIQUE INDEX files_by_idempotency_key ON files (owner_id, idempotency_key);

CREATE TRIGGER files_update BEFORE UPDATE ON files
BEGIN
    SELECT RAISE(ABORT, 'a stored file never changes');
END;

CREATE TRIGGER files_replace BEFORE INSERT ON files
WHEN EXISTS (SELECT 1 FROM files WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'a stored file never changes');
END;

CREATE TRIGGER storage_file_added AFTER INSERT ON files
BEGIN
    INSERT INTO account_storage (user_id, used_bytes) VALUES (NEW.owner_id, NEW.size)
    ON CONFLICT (user_id) DO UPDATE SET used_bytes = used_bytes + excluded.used_bytes;
END;

CREATE TRIGGER storage_file_removed AFTER DELETE ON files
BEGIN
    UPDATE account_storage SET used_bytes = used_bytes - OLD.size
    WHERE user_id = OLD.owner_id;
END;

-- Each file's key, wrapped with the master key. Without it the content is unreadable.
CREATE TABLE file_keys (
    file_id TEXT NOT NULL PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    wrapped BLOB NOT NULL
) STRICT;

-- The files that the current revision of an idea shows; its recipients may read them.
CREATE TABLE idea_files (
    idea_id INTEGER NOT NULL REFERENCES ideas (id),
    file_id TEXT NOT NULL REFERENCES files (id),
    PRIMARY KEY (idea_id, file_id)
) STRICT;

CREATE INDEX idea_files_by_file ON idea_files (file_id, idea_id);

CREATE TRIGGER idea_files_insert BEFORE INSERT ON idea_files
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'what a published idea shows is final');
END;

CREATE TRIGGER idea_files_delete BEFORE DELETE ON idea_files
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = OLD.idea_id AND status = 'published')
BEGIN
    SELECT RAISE(ABORT, 'what a published idea shows is final');
END;

CREATE TRIGGER idea_files_update BEFORE UPDATE ON idea_files
BEGIN
    SELECT RAISE(ABORT, 'what an idea shows is written anew, never changed');
END;

-- The files of each revision whose content is kept: such a file is not deleted.
CREATE TABLE revision_files (
    idea_id INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (idea_id, number, file_id),
    FOREIGN KEY (idea_id, number) REFERENCES idea_revisions (idea_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX revision_files_by_file ON revision_files (file_id, idea_id);

-- Links -------------------------------------------------------------------------------------

-- Links to ideas. The token is in their address.
CREATE TABLE shares (
    seq                 INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    idea_id             INTEGER NOT NULL REFERENCES ideas (id),
    -- The owner's name for the link, encrypted with the idea's evidence key.
    name                BLOB,
    -- The title for readers who have not accepted the agreement, encrypted likewise.
    cover_title         BLOB,
    share_type          TEXT NOT NULL
        CHECK (share_type IN ('one-time', 'time-dependent', 'full-access', 'email')),
    expires_at          TEXT,
    max_views           INTEGER CHECK (max_views > 0),
    -- Encrypted, in hex.
    recipient_email     TEXT,
    token_hash          BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    token_sealed        BLOB NOT NULL,
    view_count          INTEGER NOT NULL CHECK (view_count >= 0),
    -- Whether readers of this link and of the idea's other links with this setting see
    -- each other's names and comments.
    shows_other_readers INTEGER NOT NULL CHECK (shows_other_readers IN (0, 1)),
    -- Whether readers may download the document.
    allow_download      INTEGER NOT NULL CHECK (allow_download IN (0, 1)),
    revoked_at          TEXT,
    created_at          TEXT NOT NULL,
    CHECK (share_type <> 'one-time' OR max_views IS NOT NULL),
    CHECK (share_type <> 'time-dependent' OR expires_at IS NOT NULL),
    CHECK (share_type <> 'email' OR recipient_email IS NOT NULL),
    CHECK (max_views IS NULL OR view_count <= max_views)
) STRICT;

CREATE INDEX shares_by_idea ON shares (idea_id, created_at DESC, seq DESC);
CREATE INDEX shares_by_end ON shares (expires_at)
WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- Agreements refer to the idea through the link.
CREATE TRIGGER shares_identity BEFORE UPDATE OF id, idea_id, share_type, created_at ON shares
BEGIN
    SELECT RAISE(ABORT, 'what a link discloses never changes');
END;

-- Readers -----------------------------------------------------------------------------------

-- A key of a reader's browser.
CREATE TABLE viewer_sessions (
    id          TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    key_hash    BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
    created_at  TEXT NOT NULL,
    -- The session that a newer key of the same browser replaces, until it is first used; and
    -- when a session was replaced, from when on its key is invalid.
    replaces    TEXT CHECK (length(replaces) = 36),
    replaced_at TEXT,
    -- The first session of the same browser, also across keys that were replaced.
    browser_id  TEXT NOT NULL CHECK (length(browser_id) = 36)
) STRICT;

-- A registration. The agreement's text is produced only from agreement_version, document_id,
-- offered_at, the link's idea and the encrypted details (name, email, phone, the idea's title,
-- the sharer). An erasure (docs/evidence.md#erasure) is the one exception to "never changed":
-- an event of the log says so, and only what names the person changes.
CREATE TABLE recipients (
    seq                INTEGER PRIMARY KEY AUTOINCREMENT,
    id                 TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    -- No evidence: it changes with the browser's key.
    viewer_session_id  TEXT NOT NULL REFERENCES viewer_sessions (id),
    share_id           TEXT NOT NULL REFERENCES shares (id),
    details            BLOB NOT NULL,
    agreement_version  TEXT NOT NULL CHECK (agreement_version <> ''),
    document_id        TEXT,
    offered_at         TEXT NOT NULL,
    created_at         TEXT NOT NULL,
    closed_at          TEXT,
    -- When the recipient entered a code that was sent to the address.
    email_confirmed_at TEXT,
    -- How the registration ended: its reader closed the document or declined the agreement,
    -- or the same browser registered again.
    end_reason         TEXT CHECK (end_reason IN ('closed', 'declined', 'replaced')),
    -- Why it was declined, encrypted with the idea's evidence key, if the reader said so.
    decline_reason     BLOB CHECK (decline_reason IS NULL OR end_reason = 'declined'),
    -- How the activity shows it: 'open' is listed although no step followed yet, 'folded' is
    -- only counted (a link lists a few open ones), 'advanced' has confirmed its address, agreed
    -- or declined, and is always listed.
    folding            TEXT NOT NULL CHECK (folding IN ('open', 'folded', 'advanced')),
    -- When the person's details were erased, and whether the agreement can no longer be
    -- produced, because a person whom it names was erased.
    erased_at          TEXT,
    agreement_erased   INTEGER NOT NULL DEFAULT 0 CHECK (agreement_erased IN (0, 1)),
    -- Keyed hash of the address, once the recipient has confirmed it and until the erasure.
    address_hash       BLOB CHECK (length(address_hash) = 32),
    UNIQUE (id, share_id),
    CHECK (address_hash IS NULL OR email_confirmed_at IS NOT NULL AND erased_at IS NULL)
) STRICT;

CREATE UNIQUE INDEX recipients_open ON recipients (viewer_session_id, share_id)
WHERE closed_at IS NULL;
CREATE INDEX recipients_by_viewer
ON recipients (viewer_session_id, share_id, created_at DESC, seq DESC);
CREATE INDEX recipients_by_share ON recipients (share_id, folding);
CREATE INDEX recipients_by_address ON recipients (address_hash)
WHERE address_hash IS NOT NULL;

CREATE TRIGGER recipients_replace BEFORE INSERT ON recipients
WHEN EXISTS (SELECT 1 FROM recipients WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

CREATE TRIGGER recipients_confirm BEFORE UPDATE OF email_confirmed_at ON recipients
WHEN OLD.email_confirmed_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

CREATE TRIGGER recipients_address BEFORE UPDATE OF address_hash ON recipients
WHEN OLD.address_hash IS NOT NULL AND NEW.address_hash IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

CREATE TRIGGER recipients_update
BEFORE UPDATE OF id, share_id, agreement_version, document_id, offered_at, created_at
ON recipients
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

CREATE TRIGGER recipients_erased BEFORE UPDATE OF erased_at, agreement_erased ON recipients
WHEN OLD.erased_at IS NOT NULL AND NEW.erased_at IS NOT OLD.erased_at
    OR NEW.agreement_erased < OLD.agreement_erased
BEGIN
    SELECT RAISE(ABORT, 'an erasure is final');
END;

-- The title of the idea goes with its creator, also where the reader was erased before.
CREATE TRIGGER recipients_details BEFORE UPDATE OF details ON recipients
WHEN NOT (
    (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
        OR OLD.agreement_erased = 0 AND NEW.agreement_erased = 1)
    AND EXISTS (
        SELECT 1 FROM evidence_events e
        WHERE e.kind = 'person.erased' AND e.recipient_id = OLD.id
    )
    OR NEW.agreement_erased = 1 AND EXISTS (
        SELECT 1 FROM evidence_events e
        WHERE e.kind = 'person.erased' AND e.recipient_id IS NULL
            AND e.idea_id = (SELECT idea_id FROM shares WHERE id = OLD.share_id)
    )
)
BEGIN
    SELECT RAISE(ABORT, 'what a recipient was offered is final');
END;

-- The newest code of each recipient; a new one replaces it, and entering it correctly
-- removes it. The hash is keyed, since a plain hash of six digits is easily reversed.
CREATE TABLE email_codes (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id),
    code_hash    BLOB NOT NULL CHECK (length(code_hash) = 32),
    attempts     INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 5),
    sent_at      TEXT NOT NULL,
    expires_at   TEXT NOT NULL
) STRICT;

-- Mailed links that show persons with a confirmed address what they were shown. A used one has
-- the key of the browser that used it, and ends with it.
CREATE TABLE document_links (
    token_hash   BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    address_hash BLOB NOT NULL CHECK (length(address_hash) = 32),
    key_hash     BLOB UNIQUE CHECK (length(key_hash) = 32),
    requested_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL
) STRICT;

-- Accepted agreements.
CREATE TABLE nda_acceptances (
    recipient_id       TEXT NOT NULL PRIMARY KEY,
    share_id           TEXT NOT NULL,
    nda_version        TEXT NOT NULL CHECK (nda_version <> ''),
    revision           INTEGER NOT NULL CHECK (revision >= 1),
    accepted_at        TEXT NOT NULL,
    -- Address, browser, and the digests of agreement and revision, encrypted.
    details            BLOB NOT NULL,
    -- That of the recipient, at the time of the agreement.
    email_confirmed_at TEXT,
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
) STRICT;

CREATE TRIGGER nda_acceptances_delete BEFORE DELETE ON nda_acceptances
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

CREATE TRIGGER nda_acceptances_replace BEFORE INSERT ON nda_acceptances
WHEN EXISTS (SELECT 1 FROM nda_acceptances WHERE recipient_id = NEW.recipient_id)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER nda_acceptances_update BEFORE UPDATE ON nda_acceptances
WHEN (OLD.recipient_id, OLD.share_id, OLD.nda_version, OLD.revision, OLD.accepted_at,
      OLD.email_confirmed_at)
    IS NOT
     (NEW.recipient_id, NEW.share_id, NEW.nda_version, NEW.revision, NEW.accepted_at,
      NEW.email_confirmed_at)
    OR NOT EXISTS (
        SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
    )
BEGIN
    SELECT RAISE(ABORT, 'an acceptance is final');
END;

-- Counted views.
CREATE TABLE view_grants (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    share_id        TEXT NOT NULL,
    recipient_id    TEXT NOT NULL,
    -- The recipient again if the link gives each recipient one view; UNIQUE
    -- enforces that limit.
    only_grant_of   TEXT UNIQUE,
    revision        INTEGER NOT NULL CHECK (revision >= 1),
    revision_sha256 BLOB NOT NULL,
    granted_at      TEXT NOT NULL,
    ends_at         TEXT NOT NULL,
    CHECK (only_grant_of = recipient_id),
    FOREIGN KEY (recipient_id, share_id) REFERENCES recipients (id, share_id) ON DELETE RESTRICT
) STRICT;

CREATE INDEX view_grants_by_recipient ON view_grants (recipient_id, granted_at DESC, seq DESC);
-- Finds the last view of a link.
CREATE INDEX view_grants_by_share ON view_grants (share_id, granted_at DESC);

-- Comments ----------------------------------------------------------------------------------

-- The text of a withdrawn comment is erased; the row and its author are kept.
CREATE TABLE comments (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    idea_id      INTEGER NOT NULL REFERENCES ideas (id),
    -- The idea's owner, who lists the comments on all own ideas. Never written directly:
    -- comments_owner sets it right after the row was added.
    owner_id     TEXT REFERENCES users (id),
    -- Null for the owner's own comments.
    recipient_id TEXT REFERENCES recipients (id),
    -- Author and text, encrypted with the idea's content key.
    sealed       BLOB NOT NULL,
    created_at   TEXT NOT NULL,
    -- The first comment of the thread, for an answer.
    reply_to     TEXT REFERENCES comments (id),
    -- The link whose readers see the comment; null: those of all links.
    share_id     TEXT REFERENCES shares (id),
    edited_at    TEXT,
    withdrawn_at TEXT
) STRICT;

CREATE INDEX comments_by_idea ON comments (idea_id, created_at, seq);
CREATE INDEX comments_by_recipient ON comments (recipient_id);
CREATE INDEX comments_by_owner ON comments (owner_id, created_at, seq);
-- Deleting a draft deletes its comments and the answers that refer to them.
CREATE INDEX comments_by_thread ON comments (reply_to) WHERE reply_to IS NOT NULL;

-- Deleting a draft erases its comments; none may be added later.
CREATE TRIGGER comments_on_deleted BEFORE INSERT ON comments
WHEN EXISTS (SELECT 1 FROM ideas WHERE id = NEW.idea_id AND deleted_at IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'a deleted idea takes no comments');
END;

CREATE TRIGGER comments_owner AFTER INSERT ON comments
BEGIN
    UPDATE comments SET owner_id = (SELECT owner_id FROM ideas WHERE id = NEW.idea_id)
    WHERE seq = NEW.seq;
END;

CREATE TRIGGER comments_thread BEFORE INSERT ON comments
WHEN NEW.reply_to IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM comments
    WHERE id = NEW.reply_to AND idea_id = NEW.idea_id AND reply_to IS NULL
)
BEGIN
    SELECT RAISE(ABORT, 'an answer belongs to the first comment of a thread on the same idea');
END;

CREATE TRIGGER comments_identity
BEFORE UPDATE OF id, idea_id, recipient_id, reply_to, share_id, created_at ON comments
BEGIN
    SELECT RAISE(ABORT, 'who wrote a comment, when and about what is final');
END;

CREATE TRIGGER comments_withdrawn
BEFORE UPDATE OF sealed, edited_at, withdrawn_at ON comments
WHEN OLD.withdrawn_at IS NOT NULL AND (
    (OLD.edited_at, OLD.withdrawn_at) IS NOT (NEW.edited_at, NEW.withdrawn_at)
    OR NOT EXISTS (
        SELECT 1 FROM recipients WHERE id = OLD.recipient_id AND erased_at IS NOT NULL
    )
)
BEGIN
    SELECT RAISE(ABORT, 'a withdrawn comment is final');
END;

-- Notices -----------------------------------------------------------------------------------

-- The links with another mode than their account.
CREATE TABLE share_notification_modes (
    share_id TEXT NOT NULL PRIMARY KEY REFERENCES shares (id) ON DELETE CASCADE,
    mode     TEXT NOT NULL CHECK (mode IN ('at-once', 'daily', 'never'))
) STRICT;

-- Notices for owners and readers. The recipient's details are in recipients, encrypted.
CREATE TABLE notices (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
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
    first_at     TEXT NOT NULL,
    last_at      TEXT NOT NULL,
    read_at      TEXT,
    -- When the mailer processes it (again).
    due_at       TEXT NOT NULL,
    -- When it was put into an email, or it was decided to send none.
    settled_at   TEXT,
    mail_id      TEXT,
    CHECK (kind <> 'answered' OR recipient_id IS NOT NULL),
    CHECK (mail_id IS NULL OR settled_at IS NOT NULL)
) STRICT;

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
    token_hash   BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id   TEXT REFERENCES users (id) ON DELETE CASCADE,
    recipient_id TEXT REFERENCES recipients (id) ON DELETE CASCADE,
    created_at   TEXT NOT NULL,
    CHECK ((account_id IS NULL) <> (recipient_id IS NULL))
) STRICT;

CREATE INDEX unsubscribe_tokens_by_age ON unsubscribe_tokens (created_at);
CREATE INDEX unsubscribe_tokens_by_account ON unsubscribe_tokens (account_id);
CREATE INDEX unsubscribe_tokens_by_recipient ON unsubscribe_tokens (recipient_id);

-- Recipients who have unsubscribed from emails about answers to their comments.
CREATE TABLE muted_recipients (
    recipient_id TEXT NOT NULL PRIMARY KEY REFERENCES recipients (id) ON DELETE CASCADE
) STRICT;

-- Mails -------------------------------------------------------------------------------------

-- Emails that wait for delivery. A claim counts an attempt and sets the next attempt to
-- the end of its lease. No foreign keys, so that an email never blocks deleting its sender.
CREATE TABLE outbox_mails (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    sealed          BLOB NOT NULL CHECK (length(sealed) > 0),
    queued_at       TEXT NOT NULL,
    expires_at      TEXT NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TEXT NOT NULL,
    -- The account whose action caused it, which is notified if it cannot be delivered.
    sender_id       TEXT,
    -- The reader that it is for.
    recipient_id    TEXT CHECK (length(recipient_id) = 36),
    -- The link that it brings to its reader. With the link, it is withdrawn if it still waits.
    share_id        TEXT CHECK (length(share_id) = 36),
    -- How often it was handed over completely without an answer from the mail server.
    unconfirmed     INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed >= 0)
) STRICT;

CREATE INDEX outbox_mails_by_turn ON outbox_mails (next_attempt_at, seq);
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (recipient_id)
WHERE recipient_id IS NOT NULL;
CREATE INDEX outbox_mails_by_share ON outbox_mails (share_id) WHERE share_id IS NOT NULL;

-- Limits ------------------------------------------------------------------------------------

-- How often something limited has happened, in a window that begins with the first time. Revoking a
-- link or deleting an account gives nothing back.
CREATE TABLE limit_counts (
    -- HMAC-SHA256 of the limit, and of what it counts by.
    key_hash       BLOB NOT NULL PRIMARY KEY CHECK (length(key_hash) = 32),
    window_ends_at TEXT NOT NULL,
    events         INTEGER NOT NULL CHECK (events >= 0)
) STRICT;

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
    started_at TEXT NOT NULL
) STRICT;

CREATE TRIGGER evidence_logs_update BEFORE UPDATE ON evidence_logs
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_logs_delete BEFORE DELETE ON evidence_logs
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_logs_replace BEFORE INSERT ON evidence_logs
WHEN EXISTS (SELECT 1 FROM evidence_logs WHERE number = NEW.number OR origin = NEW.origin)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- The keys that sign a log.
CREATE TABLE evidence_log_keys (
    log       INTEGER NOT NULL REFERENCES evidence_logs (number),
    -- The key signs checkpoints that cover more events than this.
    from_size INTEGER NOT NULL CHECK (from_size >= 0),
    vkey      TEXT NOT NULL UNIQUE,
    -- Encrypted with the master key.
    seed      BLOB NOT NULL,
    PRIMARY KEY (log, from_size)
) STRICT;

CREATE TRIGGER evidence_log_keys_delete BEFORE DELETE ON evidence_log_keys
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- A rotation of the master key encrypts the seed anew.
CREATE TRIGGER evidence_log_keys_update BEFORE UPDATE ON evidence_log_keys
WHEN (OLD.log, OLD.from_size, OLD.vkey) IS NOT (NEW.log, NEW.from_size, NEW.vkey)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- What happened, as it is hashed.
CREATE TABLE evidence_events (
    -- Drawn before the row is added, which is sealed with it.
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind         TEXT NOT NULL,
    at           TEXT NOT NULL,
    idea_id      INTEGER REFERENCES ideas (id),
    share_id     TEXT,
    recipient_id TEXT,
    comment_id   TEXT,
    -- At most one event has the same key.
    once         TEXT UNIQUE,
    -- Canonical JSON, and its SHA-256.
    body         TEXT NOT NULL,
    digest       BLOB NOT NULL CHECK (length(digest) = 32),
    seal         BLOB NOT NULL,
    log          INTEGER REFERENCES evidence_logs (number),
    place        INTEGER CHECK (place >= 0),
    -- What recipients did; not, for example, which image of a document was sent to them.
    in_activity  INTEGER NOT NULL GENERATED ALWAYS AS (
        kind IN ('agreement.offered', 'agreement.accepted', 'agreement.declined',
                 'view.started', 'visit.closed')
        OR (kind = 'file.delivered' AND instr(body, '"download":true') > 0)
    ) VIRTUAL,
    CHECK ((log IS NULL) = (place IS NULL)),
    UNIQUE (log, place)
) STRICT;

CREATE INDEX evidence_events_of_idea ON evidence_events (idea_id, seq DESC);
CREATE INDEX evidence_events_unplaced ON evidence_events (seq) WHERE place IS NULL;
CREATE INDEX evidence_events_of_activity ON evidence_events (idea_id, in_activity, at, seq);
CREATE INDEX evidence_events_erased ON evidence_events (recipient_id)
WHERE kind = 'person.erased';
-- The creator of an idea was erased if no recipient is named.
CREATE INDEX evidence_events_creator_erased ON evidence_events (idea_id)
WHERE kind = 'person.erased' AND recipient_id IS NULL;

CREATE TRIGGER evidence_events_delete BEFORE DELETE ON evidence_events
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_events_replace BEFORE INSERT ON evidence_events
WHEN EXISTS (SELECT 1 FROM evidence_events WHERE seq = NEW.seq OR once = NEW.once)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- An event gets another place only in a later log.
CREATE TRIGGER evidence_events_update BEFORE UPDATE ON evidence_events
WHEN (OLD.seq, OLD.kind, OLD.at, OLD.idea_id, OLD.share_id, OLD.recipient_id, OLD.comment_id,
      OLD.once, OLD.body, OLD.digest)
    IS NOT
     (NEW.seq, NEW.kind, NEW.at, NEW.idea_id, NEW.share_id, NEW.recipient_id, NEW.comment_id,
      NEW.once, NEW.body, NEW.digest)
    OR (OLD.log, OLD.place) IS NOT (NEW.log, NEW.place)
        AND (NEW.place IS NULL OR NEW.log <= OLD.log)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- What an event commits to, encrypted with the evidence key of the idea.
CREATE TABLE evidence_disclosures (
    event INTEGER NOT NULL REFERENCES evidence_events (seq),
    name  TEXT NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (event, name)
) STRICT;

CREATE TRIGGER evidence_disclosures_update BEFORE UPDATE ON evidence_disclosures
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_disclosures_replace BEFORE INSERT ON evidence_disclosures
WHEN EXISTS (SELECT 1 FROM evidence_disclosures WHERE event = NEW.event AND name = NEW.name)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- Only the data of a person whose erasure is on record may go: of a reader, or of the
-- creator, whom the events about no reader name.
CREATE TRIGGER evidence_disclosures_delete BEFORE DELETE ON evidence_disclosures
WHEN NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.recipient_id = e.recipient_id
        AND erased.kind = 'person.erased'
    WHERE e.seq = OLD.event
) AND NOT EXISTS (
    SELECT 1 FROM evidence_events e
    JOIN evidence_events erased ON erased.idea_id = e.idea_id
        AND erased.kind = 'person.erased' AND erased.recipient_id IS NULL
    WHERE e.seq = OLD.event AND e.recipient_id IS NULL
)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- Roots of complete subtrees, in the order in which they were completed.
CREATE TABLE evidence_nodes (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    position INTEGER NOT NULL CHECK (position >= 0),
    hash     BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (log, position)
) STRICT;

CREATE TRIGGER evidence_nodes_update BEFORE UPDATE ON evidence_nodes
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_nodes_delete BEFORE DELETE ON evidence_nodes
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_nodes_replace BEFORE INSERT ON evidence_nodes
WHEN EXISTS (SELECT 1 FROM evidence_nodes WHERE log = NEW.log AND position = NEW.position)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- States of a log, with their signatures once they have one.
CREATE TABLE evidence_checkpoints (
    log      INTEGER NOT NULL REFERENCES evidence_logs (number),
    size     INTEGER NOT NULL CHECK (size >= 1),
    root     BLOB NOT NULL CHECK (length(root) = 32),
    made_at  TEXT NOT NULL,
    -- The size of the checkpoint before.
    previous INTEGER NOT NULL CHECK (previous >= 0),
    seal     BLOB NOT NULL,
    -- The signed note.
    note     TEXT,
    PRIMARY KEY (log, size)
) STRICT;

CREATE INDEX evidence_checkpoints_signed ON evidence_checkpoints (log, size)
WHERE note IS NOT NULL;

CREATE TRIGGER evidence_checkpoints_delete BEFORE DELETE ON evidence_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_checkpoints_replace BEFORE INSERT ON evidence_checkpoints
WHEN EXISTS (SELECT 1 FROM evidence_checkpoints WHERE log = NEW.log AND size = NEW.size)
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

CREATE TRIGGER evidence_checkpoints_update BEFORE UPDATE ON evidence_checkpoints
WHEN (OLD.log, OLD.size, OLD.root, OLD.made_at, OLD.previous)
    IS NOT (NEW.log, NEW.size, NEW.root, NEW.made_at, NEW.previous)
    OR OLD.note IS NOT NULL AND NEW.note IS NOT OLD.note
BEGIN
    SELECT RAISE(ABORT, 'the log is final');
END;

-- Confirmations of signed checkpoints by outsiders (docs/rules.md#anchors).
CREATE TABLE evidence_anchors (
    log             INTEGER NOT NULL,
    size            INTEGER NOT NULL,
    kind            TEXT NOT NULL CHECK (kind IN ('tsa', 'ots', 'witness')),
    -- Host of the service; of a witness, the name in its key.
    name            TEXT NOT NULL CHECK (name <> ''),
    state           TEXT NOT NULL
        CHECK (state IN ('queued', 'submitted', 'pending', 'confirmed', 'refused')),
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    asked_at        TEXT,
    next_attempt_at TEXT,
    error           TEXT,
    -- The response of an authority, the timestamp of a calendar, or the signature line of a
    -- witness.
    artefact        BLOB,
    -- The certificates of an authority, in PEM.
    chain           TEXT,
    time            TEXT,
    block           INTEGER CHECK (block >= 0),
    -- Of a confirmation, or a promise of one.
    seal            BLOB,
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
) STRICT;

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
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;

CREATE TRIGGER evidence_anchors_replace BEFORE INSERT ON evidence_anchors
WHEN EXISTS (
    SELECT 1 FROM evidence_anchors
    WHERE kind = NEW.kind AND name = NEW.name
        AND ((log = NEW.log AND size = NEW.size) OR state NOT IN ('pending', 'confirmed'))
)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER evidence_anchors_update BEFORE UPDATE ON evidence_anchors
WHEN (OLD.log, OLD.size, OLD.kind, OLD.name) IS NOT (NEW.log, NEW.size, NEW.kind, NEW.name)
    OR OLD.state = 'confirmed' AND
        (OLD.state, OLD.attempts, OLD.asked_at, OLD.next_attempt_at, OLD.error, OLD.artefact,
         OLD.chain, OLD.time, OLD.block)
        IS NOT
        (NEW.state, NEW.attempts, NEW.asked_at, NEW.next_attempt_at, NEW.error, NEW.artefact,
         NEW.chain, NEW.time, NEW.block)
BEGIN
    SELECT RAISE(ABORT, 'a confirmation is final');
END;
