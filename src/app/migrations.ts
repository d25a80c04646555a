import { sql } from 'kysely';
import { buildDeliveryTable } from '../engine/columns.ts';
import type { Migrations } from '../store/database.ts';

/** States in which a submission may still reach the service. */
const ACTIVE_STATES = "'saved', 'sending', 'retryable', 'unknown', 'reconciling', 'unsure', 'blocked'";
/** States without a further transition. */
const FINAL_STATES = "'confirmed', 'discarded'";

/** The statements that create the tables. Their columns are explained in the types of the tables. */
const TABLES: readonly string[] = [
  // Workspaces.
  `create table installation (
    id text primary key, name text not null, tokens text not null, expires_at timestamptz,
    refreshing_until timestamptz, bot_user text not null, installed_by text not null,
    installed_at timestamptz not null)`,
  `create table installed_workspace (
    workspace text primary key, installation text not null, since timestamptz not null)`,
  'create index installed_workspace_installation on installed_workspace (installation)',
  `create table uninstalled_workspace (
    workspace text primary key, uninstalled_at timestamptz not null, installation text,
    data_deleted_at timestamptz)`,
  'create index uninstalled_workspace_uninstalled_at on uninstalled_workspace (uninstalled_at)',
  'create index uninstalled_workspace_installation on uninstalled_workspace (installation)',
  `create table credential (
    id text primary key, workspace text not null, project text not null, connection text not null,
    connected_by text not null, connected_at timestamptz not null,
    constraint credential_key unique (workspace, project))`,
  `create table known_service (
    workspace text not null, endpoint text not null, service text not null,
    constraint known_service_key primary key (workspace, endpoint))`,
  `create table known_project (
    workspace text not null, service text not null, project text not null, created_at timestamptz,
    missing_since timestamptz, asked_at timestamptz, remade integer not null default 0,
    constraint known_project_key primary key (workspace, service, project))`,
  // Requests read the few projects of a workspace that were missing or made again.
  `create index known_project_exception on known_project (workspace)
    where missing_since is not null or remade > 0`,
  // Preferences.
  `create table channel_project (
    workspace text not null, channel text not null, project text not null,
    position integer not null default 0, bound_at timestamptz not null,
    constraint channel_project_key primary key (workspace, channel, project))`,
  `create table zone (
    workspace text not null, scope text not null, subject text not null, zone text not null,
    constraint zone_key primary key (workspace, scope, subject))`,
  `create table date_order (
    workspace text not null, person text not null, chosen text, used text,
    constraint date_order_key primary key (workspace, person))`,
  `create table notification_choice (
    workspace text not null, person text not null, published boolean not null, problems boolean not null,
    constraint notification_choice_key primary key (workspace, person))`,
  // Roles, requests for roles, the audit log, and the secrets that all instances share.
  `create table access_grant (
    workspace text not null, subject_kind text not null, subject text not null, project text not null,
    role text not null, reason text not null, granted_by text not null, granted_at timestamptz not null,
    constraint access_grant_key primary key (workspace, subject_kind, subject, project))`,
  // Without `requested_at`, the app suggested the request and the person hasn't sent it.
  `create table access_request (
    id text primary key, workspace text not null, person text not null, role text not null,
    project text not null, requested_at timestamptz, created_at timestamptz not null, messages text,
    answer text, answered_by text, answered_at timestamptz)`,
  'create index access_request_person on access_request (workspace, person, created_at)',
  'create index access_request_requested_at on access_request (workspace, requested_at)',
  'create index access_request_created_at on access_request (created_at)',
  'create table shared_secret (name text primary key, secret text not null)',
  // The unique constraint is also the index for searches, which read the newest entries of a workspace.
  `create table audit_entry (
    seq bigint generated always as identity primary key, workspace text not null, id text not null,
    at timestamptz not null, actor text not null, project text not null, action text not null,
    target text not null, decision text not null, reference text not null,
    constraint audit_entry_once unique (workspace, at, id))`,
  // For the deletion of old entries.
  'create index audit_entry_at on audit_entry (at)',
  // Refuses changes of the audit log. A row can be deleted only if it is older than the retention period. The search
  // path is fixed, so that a function or operator in another schema can't replace one of Postgres.
  `create function audit_log_append_only() returns trigger language plpgsql
    set search_path = pg_catalog, pg_temp as $$ begin
      if tg_op = 'DELETE' and old.at < now() - interval '400 days' then
        return old;
      end if;
      raise exception 'the audit log is append-only';
    end $$`,
  `create trigger audit_log_append_only before update or delete on audit_entry
    for each row execute function audit_log_append_only()`,
  // TRUNCATE fires no row-level trigger.
  `create trigger audit_log_not_truncated before truncate on audit_entry
    for each statement execute function audit_log_append_only()`,
  // Submissions, publications, scheduled drafts, and pauses after refused tokens.
  ...buildDeliveryTable(
    'submission',
    `author text not null, kind text not null, origin text not null, item integer not null,
    revision integer not null, channel text, trigger_id text, content text, refusal text, project text,
    fingerprint text, lock_key text, locked boolean not null default false,
    maybe_sent boolean not null default false, baseline integer, publish_at timestamptz,
    awaits_publication boolean not null default false, view_id text, message_channel text, message_ts text,
    notified_at timestamptz, summary text, delete_at timestamptz, service_id text, shared_at timestamptz,
    created_at timestamptz not null,
    constraint submission_key unique (workspace, origin, item, revision)`,
  ),
  // The database itself guarantees at most one active submission for each item of a form.
  `create unique index submission_active on submission (workspace, origin, item)
    where state in (${ACTIVE_STATES})`,
  // Only one of several identical posts may be in flight at a time. To reconcile an uncertain call, Upnext compares the
  // numbers of identical posts before and after it. With two in flight, a new post could belong to either call.
  'create unique index submission_lock on submission (lock_key) where locked = true',
  `create index submission_publication on submission (publish_at)
    where awaits_publication = true and publish_at is not null`,
  'create index submission_delete_at on submission (delete_at) where delete_at is not null',
  'create index submission_fingerprint on submission (fingerprint)',
  'create index submission_service_id on submission (workspace, service_id)',
  'create index submission_author on submission (workspace, author, created_at)',
  // The outbox and the list of posts read unfinished submissions, of which there are few.
  `create index submission_unfinished on submission (workspace, project, author, state)
    where state not in (${FINAL_STATES})`,
  // The outbox of a manager lists other authors' unfinished submissions in the order of their publishing times.
  `create index submission_unfinished_publish_at on submission (workspace, publish_at)
    where state not in (${FINAL_STATES})`,
  // The metrics count active submissions.
  `create index submission_state on submission (state)
    where state in (${ACTIVE_STATES})`,
  // What forms list and suggest: invited people, changes of people, the platforms of the latest posts, and the posts that a
  // list of the service may lack yet.
  `create index submission_confirmed on submission (workspace, project, kind, created_at)
    where state = 'confirmed'`,
  ...buildDeliveryTable('publication', 'author text not null'),
  'create index publication_workspace on publication (workspace, state)',
  `create table scheduled_draft (
    workspace text not null, submission text primary key references submission (id) on delete cascade,
    project text not null, draft text not null, post text, scheduled_at timestamptz, zone text,
    created_by text not null, created_at timestamptz not null)`,
  'create index scheduled_draft_draft on scheduled_draft (workspace, project, draft)',
  `create table service_pause (
    workspace text not null, scope text not null, status integer not null, since timestamptz not null,
    probe_at timestamptz not null, notified_at timestamptz,
    constraint service_pause_key primary key (workspace, scope))`,
  // Digests.
  `create table digest (
    id text primary key, workspace text not null, channel text not null, kind text not null, projects text,
    days text not null, minute integer not null, zone text not null, sections text not null,
    silent_when_empty boolean not null, shared_with text, owner text not null, state text not null,
    pause_reason text, next_at timestamptz, next_date text, sent_at timestamptz, snapshot text,
    notify_at timestamptz, notifying_since timestamptz, notify_attempts integer not null default 0,
    created_at timestamptz not null, changed_at timestamptz not null)`,
  // The database itself guarantees at most one occurrence for each digest and date.
  ...buildDeliveryTable(
    'digest_occurrence',
    `digest text not null, slot text not null, channel text not null, owner text not null,
    due_at timestamptz not null, requested_at timestamptz, sending_at timestamptz, conversation text,
    ts text, file text, follow_ups text, created_at timestamptz not null,
    constraint digest_occurrence_key unique (workspace, digest, slot)`,
  ),
  'create index digest_next on digest (next_at) where next_at is not null',
  'create index digest_channel on digest (workspace, channel)',
  'create index digest_notify on digest (notify_at) where notify_at is not null',
  'create index digest_occurrence_slot on digest_occurrence (digest, slot)',
  // Policies, and posts.
  `create table project_policy (
    workspace text not null, project text not null, lead_minutes integer, review text not null,
    series_review text not null default 'each', review_steps jsonb not null,
    step_people text not null default 'different', stand_ins jsonb not null, channel text,
    guests text not null default 'allowed', x_account text not null default 'free', owner_override text,
    posting_times jsonb not null default '[]',
    blackouts jsonb not null default '[]',
    constraint project_policy_key primary key (workspace, project))`,
  ...buildDeliveryTable(
    'post',
    `author text not null, project text not null, channel text, origin text not null, item integer not null,
    series text, version integer not null, form_version integer not null default 1, content text,
    content_hash text not null, platforms text not null default '', publish_at timestamptz,
    has_slot boolean not null default false, hand_over_at timestamptz,
    in_review boolean not null default false, approver text, submission text,
    maybe_sent boolean not null default false, sent_to text, at_once boolean not null default false,
    created_at timestamptz not null,
    constraint post_key unique (workspace, origin, item)`,
  ),
  'create index post_submission on post (submission) where submission is not null',
  // What Upnext shows, edits and hands over: all posts but those that were sent at once, which their submissions show.
  'create view held_post as select * from post where not at_once',
  // Statements about the posts of a project name their states. A second index that begins with the project would be chosen
  // instead if the database has no statistics, and then every post is read for a state that few are in.
  // An import looks up its rows by their contents among thousands of drafts without a time.
  `create index held_post_project on post (workspace, project, state, publish_at, content_hash)
    where not at_once`,
  'create index held_post_author on post (workspace, author, created_at) where not at_once',
  // The outbox reads an author's posts that wait for them.
  `create index held_post_author_waiting on post (workspace, author, state, publish_at)
    where not at_once and state in ('draft', 'needs-person')`,
  'create index held_post_hand_over on post (hand_over_at) where hand_over_at is not null',
  // Home and the outbox read the posts of a workspace that wait for somebody, of which there are few.
  `create index held_post_waiting on post (workspace, state, publish_at)
    where not at_once and state in ('draft', 'awaiting-review', 'needs-person')`,
  // Lists also read the posts that were delivered in the last minutes, because the service's lists may be older.
  `create index held_post_delivered on post (workspace, changed_at) where not at_once and state = 'delivered'`,
  // Lists show the service's posts that are parts of one post as that post.
  `create index held_post_parts on post (workspace, publish_at)
    where state = 'delivered' and sent_to is not null`,
  // The metrics count planned posts, and find the first one. The end of a stop finds those that wait for it.
  `create index post_unfinished on post (state, publish_at) where state <> 'delivered'`,
  // What waits for a service that isn't connected.
  `create index held_post_elsewhere on post (workspace) where not at_once and reason = 'other-service'`,
  `create table held_post_event (
    id text primary key, workspace text not null,
    held_post text not null references post (id) on delete cascade, version integer not null,
    kind text not null, actor text not null, content text, content_hash text, step integer,
    by_series boolean not null default false, at timestamptz not null,
    position bigint generated by default as identity not null)`,
  'create index held_post_event_post on held_post_event (held_post, position)',
  `create table held_post_message (
    workspace text not null, held_post text not null references post (id) on delete cascade,
    channel text not null, ts text not null, purpose text not null, recipient text,
    told jsonb not null default '[]', shared_with jsonb, sent_at timestamptz not null,
    constraint held_post_message_key primary key (workspace, channel, ts, held_post))`,
  'create index held_post_message_post on held_post_message (held_post)',
  `create table slot_reservation (
    workspace text not null, project text not null, platform text not null, slot_at timestamptz not null,
    origin text not null, item integer not null, reserved_until timestamptz not null,
    constraint slot_reservation_key primary key (workspace, project, platform, slot_at))`,
  ...buildDeliveryTable(
    'series',
    `author text not null, project text not null, channel text, origin text not null,
    version integer not null, content text, changed_from integer not null, ends_before integer,
    is_changed boolean not null default false, changed_by text not null, edited_by text not null,
    previous text, missing_at timestamptz, made_until integer not null, missed text,
    created_at timestamptz not null,
    constraint series_key unique (workspace, origin)`,
  ),
  'create index series_workspace on series (workspace, state, created_at)',
  `create index series_elsewhere on series (workspace) where reason = 'other-service'`,
  // Imports.
  ...buildDeliveryTable(
    'post_import',
    `author text not null, message_channel text, message_ts text, good integer not null,
    equal integer not null, skipped integer not null, faulty integer not null, batches integer not null,
    position integer not null, imported integer not null, undone integer not null,
    created_at timestamptz not null`,
  ),
  'create index post_import_author on post_import (workspace, author, created_at)',
  `create table post_import_part (
    id text primary key, workspace text not null,
    post_import text not null references post_import (id) on delete cascade, content text not null)`,
  'create index post_import_part_import on post_import_part (post_import)',
  // Requests.
  `create table open_form (
    id text primary key, workspace text not null, author text not null, kind text not null,
    content text not null, opened_at timestamptz not null, expires_at timestamptz not null,
    typed_at timestamptz)`,
  'create index open_form_expires_at on open_form (expires_at)',
  // For the query that finds the oldest forms of a person with too many open forms.
  'create index open_form_by_author on open_form (workspace, author, opened_at)',
  // For the forms that are offered to a person who opens the next one.
  'create index open_form_typed on open_form (workspace, author, typed_at) where typed_at is not null',
  `create table home_tab (
    workspace text not null, person text not null, hash text not null, opened_at timestamptz not null,
    constraint home_tab_key primary key (workspace, person))`,
  `create table once_claim (
    workspace text not null, name text not null, expires_at timestamptz,
    constraint once_claim_key primary key (workspace, name))`,
  'create index once_claim_expires_at on once_claim (expires_at)',
  `create table sending_stop (
    workspace text not null, project text not null, reason text not null, stopped_by text,
    since timestamptz not null,
    constraint sending_stop_key primary key (workspace, project))`,
  // Files from Slack. Chunks are deleted with their file.
  `create table media_file (
    id text primary key, workspace text not null, slack_file text not null, sealed text not null,
    bytes integer, keep_until timestamptz not null, created_at timestamptz not null)`,
  'create index media_file_slack_file on media_file (workspace, slack_file)',
  'create index media_file_keep_until on media_file (keep_until)',
  `create table media_chunk (
    file text not null references media_file (id) on delete cascade, position integer not null,
    data bytea not null,
    constraint media_chunk_key primary key (file, position))`,
  // Encrypted bytes can't be compressed.
  'alter table media_chunk alter column data set storage external',
  // Pages.
  `create table web_link (
    id text primary key, workspace text not null, person text not null, kind text not null,
    created_at timestamptz not null, used_at timestamptz not null, expires_at timestamptz not null)`,
  'create index web_link_person on web_link (workspace, person)',
  'create index web_link_expires_at on web_link (expires_at)',
];

/**
 * The migrations that create the app's tables.
 *
 * Until the first release there is one migration. Every change of a table, or of what a column contains, is made in
 * this migration, which then gets a new name. Databases created before the change are thereby recognised as an earlier
 * version's. After the first release this migration never changes, and every change is a new migration. The version
 * before must be able to use the new tables, because its instances still run while they are replaced one by one.
 *
 * Every new name must sort after all names that were ever used. The app compares names to find out whether a newer or
 * an earlier version created the database.
 */
export const migrations: Migrations = {
  '2027-02-09-links': {
    async up(db) {
      for (const statement of TABLES) await sql.raw(statement).execute(db);
    },
  },
};
