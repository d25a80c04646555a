import { type RawBuilder, sql } from 'kysely';
import { postForm } from '../../src/features/schedule-post/post-form.ts';
import { type Column, PENDING_SHARE } from '../../test/support/fill-tables.ts';

/** The first of the posts. The others were sent at once, as many as submissions of the same 90 days. */
const HELD_POSTS = 300_000;

/** Rows of each table. Tables to which others refer come first. */
export const ROW_COUNTS: Readonly<Record<string, number>> = {
  submission: 1_200_000,
  digest: 100_000,
  post: 550_000,
  audit_entry: 1_400_000,
  digest_occurrence: 700_000,
  held_post_event: 850_000,
  publication: 500_000,
  held_post_message: 300_000,
  once_claim: 300_000,
  open_form: 200_000,
  access_grant: 100_000,
  home_tab: 100_000,
  zone: 100_000,
  channel_project: 50_000,
  notification_choice: 50_000,
  scheduled_draft: 50_000,
  access_request: 20_000,
  credential: 20_000,
  project_policy: 20_000,
  installation: 10_000,
  installed_workspace: 10_000,
  service_pause: 10_000,
  uninstalled_workspace: 10_000,
  sending_stop: 1_000,
  slot_reservation: 1_000,
};
/** Workspaces `T0` to `T3` have one row in 24 each: 50,000 submissions. The others share the rest: 400 submissions each. */
const LARGE_WORKSPACES = 4;
const LARGE_SHARE = 24;
const OTHER_WORKSPACES = 2_500;
/** People, projects and channels of a workspace. */
const PEOPLE = 100;
const PROJECTS = 20;
const CHANNELS = 50;
/** For how many days rows were added. */
const DAYS: Readonly<Record<string, number>> = {
  submission: 430,
  audit_entry: 400,
  uninstalled_workspace: 400,
};
const DEFAULT_DAYS = 90;
/** For how many days a submission keeps its content. */
const CONTENT_DAYS = 30;
/** Columns with a multiple of 32 characters. */
const TEXT_LENGTHS: Readonly<Record<string, number>> = {
  content: 1_280,
  snapshot: 1_600,
  connection: 192,
  tokens: 192,
};
/** Columns that are null in nearly all rows. */
const USUALLY_NULL = [
  ...['lease_until', 'retrying_since', 'notifying_since', 'refusal', 'reason', 'pause_reason'],
  ...['projects', 'follow_ups', 'shared_with'],
];
const PERSON_COLUMNS = 'author actor owner created_by granted_by person subject'.split(' ');

export const largestWorkspaces = ['T0', 'T1'];
export const otherWorkspaces = ['T4', 'T500', 'T1000', 'T2000'];

/** The row to which row `i` belongs: its held post, submission or digest, or itself. */
function buildRowNumber(table: string): RawBuilder<unknown> {
  const parent =
    { held_post_event: 'post', held_post_message: 'post', digest_occurrence: 'digest' }[table] ?? table;
  return sql`(1 + (i - 1) % ${sql.lit(ROW_COUNTS[parent] ?? 1)})`;
}

/** SQL for the value of a column in row `i`. Undefined if `fillTables` chooses it. */
export function buildOwnValue({
  table,
  name,
  type,
  isNullable,
  isInKey,
  isKey,
  refersTo,
}: Column): RawBuilder<unknown> | undefined {
  const row = buildRowNumber(table);
  const ofWorkspace = sql`(${row} / ${sql.lit(LARGE_SHARE)})`;
  if (refersTo !== null || (table === 'digest_occurrence' && name === 'digest')) return sql`'id-' || ${row}`;
  if (table === 'digest_occurrence' && name === 'slot')
    return sql`to_char(now() - (i / ${sql.lit(ROW_COUNTS.digest ?? 1)} - 1) * interval '1 d', 'YYYY-MM-DD')`;
  if (name === 'workspace' && isKey) return sql`'T' || i - 1`;
  if (name === 'workspace') return buildWorkspace(row);
  if (name === 'endpoint')
    return sql`case when i % 1000 = 0 then '' else ${buildWorkspace(row)} || '-service' end`;
  if (table === 'post' && name === 'at_once') return sql`i > ${sql.lit(HELD_POSTS)}`;
  if (isNullable && USUALLY_NULL.includes(name)) return sql`null`;
  const length = TEXT_LENGTHS[name];
  if (length !== undefined) return buildText(table, length);
  if (type === 'timestamp with time zone') return buildTime(table, name, isNullable);
  if (isInKey && name !== 'scope') return undefined;
  if (PERSON_COLUMNS.includes(name)) return sql`'U' || ${ofWorkspace} % ${sql.lit(PEOPLE)}`;
  if (name === 'project') return sql`'P' || ${ofWorkspace} % ${sql.lit(PROJECTS)}`;
  if (name === 'channel') return sql`'C' || ${ofWorkspace} % ${sql.lit(CHANNELS)}`;
  if (name === 'awaits_publication')
    return sql`i % ${sql.lit(PENDING_SHARE)} = 0 and ${publishAt} > now() - interval '5 min'`;
  return buildChoice(table, name);
}

function buildWorkspace(row: RawBuilder<unknown>): RawBuilder<unknown> {
  const large = sql`${row} % ${sql.lit(LARGE_SHARE)}`;
  return sql`'T' || case when ${large} < ${sql.lit(LARGE_WORKSPACES)} then ${large}
    else ${sql.lit(LARGE_WORKSPACES)} + ${row}::bigint * 7919 % ${sql.lit(OTHER_WORKSPACES)} end`;
}

/**
 * Text that doesn't shrink by compression, as encrypted text. Ended submissions have none, and posts that were sent at once
 * neither.
 */
function buildText(table: string, length: number): RawBuilder<unknown> {
  const text = sql`repeat(md5(i::text), ${sql.lit(length / 32)})`;
  if (table === 'post') return sql`case when i <= ${sql.lit(HELD_POSTS)} then ${text} end`;
  if (table !== 'submission') return text;
  const days = DAYS.submission ?? DEFAULT_DAYS;
  return sql`case when i > ${sql.lit(Math.floor((ROW_COUNTS.submission ?? 0) * (1 - CONTENT_DAYS / days)))} then ${text} end`;
}

/** In the past eight weeks or the next two. */
const publishAt = sql`(now() + (i::bigint * 7919 % 100000 - 80000) * interval '1 min')`;

function buildTime(table: string, name: string, isNullable: boolean): RawBuilder<unknown> {
  const days = DAYS[table] ?? DEFAULT_DAYS;
  const added = sql`now() - (${sql.lit(ROW_COUNTS[table] ?? 1)} - i) * interval '1 d' * ${sql.lit(days)} / ${sql.lit(ROW_COUNTS[table] ?? 1)}`;
  const isPending = sql`i % ${sql.lit(PENDING_SHARE)} = 0`;
  const soon = sql`now() + (i::bigint * 7919 % 5000 - 400) * interval '1 s'`;
  switch (name) {
    case 'expires_at':
      return sql`now() + (i::bigint * 7919 % 100000 - 1000) * interval '1 s'`;
    case 'publish_at':
      return publishAt;
    case 'hand_over_at':
    case 'probe_at':
      return sql`case when ${isPending} or ${sql.lit(!isNullable)} then ${soon} end`;
    case 'next_at':
      return table === 'digest'
        ? sql`now() + (i::bigint * 7919 % 86400 - 60) * interval '1 s'`
        : sql`case when ${isPending} or ${sql.lit(!isNullable)} then ${soon} end`;
    case 'notify_at':
      return sql`case when i % ${sql.lit(PENDING_SHARE * 10)} = 0 then ${soon} end`;
    case 'retained_since':
    case 'delete_at':
      return sql`case when not ${isPending} then ${added} end`;
    case 'typed_at':
      return sql`case when ${isPending} then ${added} end`;
    default:
      return added;
  }
}

/** Columns with a few values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'digest.state': ['on'],
  'submission.kind': 'post post post post post post post invitation prompt source-update'.split(' '),
  'audit_entry.action': [
    'send post',
    'schedule-post view schedule-post',
    'help command help',
    'sign in',
    'stop command stop',
  ],
  'audit_entry.decision': ['allowed', 'allowed', 'allowed', 'allowed', 'refused'],
  'held_post_event.kind': ['created', 'changed', 'approved', 'commented'],
  'access_grant.role': ['viewer', 'contributor', 'publisher', 'owner'],
  'zone.scope': ['project', 'person', 'channel'],
  'open_form.kind': [`schedule-post.${postForm.version}`, `schedule-post.${postForm.version}.unfinished`],
};

function buildChoice(table: string, name: string): RawBuilder<unknown> | undefined {
  const values = CHOICES[`${table}.${name}`];
  if (!values) return undefined;
  // Not the low digits of `i`, on which the workspace and the state depend.
  return sql`(array[${sql.join(values.map((value) => sql.lit(value)))}])[1 + i / 7 % ${sql.lit(values.length)}]`;
}
