import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { LIFECYCLE } from '../lifecycle.ts';
import type { PublicationTables } from '../tables.ts';

export type PublicationRow = Selectable<PublicationTables['publication']>;

/**
 * Maximum number of publications that one statement creates. A statement should take less than 20 ms: with 1.2 million
 * submissions, 64 take up to 13 ms of CPU time and 500 up to 117.
 */
export const MAX_CREATED_ROWS = 64;

/** SQL condition for submissions of posts whose publication doesn't exist yet. An index has these rows. */
const AWAITS_PUBLICATION = sql`awaits_publication and publish_at is not null`;

/** SQL subquery for the earliest publishing time of the posts whose publication doesn't exist yet. */
export const NEXT_PUBLISHING_TIME: RawBuilder<unknown> = sql`(select min(publish_at) from submission where ${AWAITS_PUBLICATION})`;

/**
 * Creates the publications of posts that were due until `publishedUntil`. Posts until `ignoredUntil` get none, because
 * a message about them would be too late to help anybody. Resolves with true if there may be more.
 */
export async function insertDuePublications(
  db: Kysely<PublicationTables>,
  { publishedUntil, ignoredUntil, clockTime }: { publishedUntil: Date; ignoredUntil: Date; clockTime: Date },
): Promise<boolean> {
  const entry = Object.entries({
    ...buildEntryColumns(LIFECYCLE, 'checking', clockTime),
    retrying_since: clockTime,
  });
  const { rows } = await sql<{ count: number }>`
    with due as (
      select id from submission where ${AWAITS_PUBLICATION} and publish_at <= ${publishedUntil}
      order by publish_at limit ${MAX_CREATED_ROWS} for update skip locked
    ), taken as (
      update submission set awaits_publication = false where id in (select id from due)
      returning id, workspace, endpoint, author, publish_at
    ), created as (
      insert into publication (id, workspace, endpoint, author, ${sql.join(entry.map(([name]) => sql.ref(name)))})
      select id, workspace, endpoint, author, ${sql.join(entry.map(([name, value]) => castEntry(name, value)))}
      from taken where publish_at > ${ignoredUntil}
      on conflict do nothing
    )
    select count(*)::int as count from taken`.execute(db);
  return (rows[0]?.count ?? 0) === MAX_CREATED_ROWS;
}

/** Postgres doesn't infer the types of parameters in a `select`. */
function castEntry(name: string, value: unknown): RawBuilder<unknown> {
  return name === 'state' ? sql`${value}::text` : sql`${value}::timestamptz`;
}

/**
 * Creates no publications of these posts: those of a workspace, or those that were due until `publishedUntil`. Resolves
 * with their number.
 */
export async function skipPublications(
  db: Kysely<PublicationTables>,
  { workspace, publishedUntil }: { workspace?: string; publishedUntil?: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('submission')
    .set({ awaits_publication: false })
    .where('awaits_publication', '=', true)
    .where('publish_at', 'is not', null)
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace ?? ''))
    .$if(publishedUntil !== undefined, (query) => query.where('publish_at', '<=', publishedUntil ?? null))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Cancels all pending notifications. */
export async function cancelNotifications(db: Kysely<PublicationTables>): Promise<void> {
  await db.updateTable('publication').set({ notify_at: null }).where('notify_at', 'is not', null).execute();
}
