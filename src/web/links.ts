import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../durations.ts';
import type { Actor } from '../slack/actor.ts';
import type { Timestamp } from '../store/column-values.ts';

/** What a link shows. A calendar reads its feed without a person, so that link shows nothing else. */
export type LinkKind = 'pages' | 'feed';

/** A person's link. Whoever has its address sees what the person may see. Times are on the clock that people see. */
interface LinkTable {
  /** The SHA-256 of the unguessable part of the address, so that the database alone opens nothing. */
  id: string;
  workspace: string;
  /** Slack's id. */
  person: string;
  kind: LinkKind;
  created_at: Timestamp;
  /** When it was last opened, within an hour. */
  used_at: Timestamp;
  expires_at: Timestamp;
}

export interface WebTables {
  web_link: LinkTable;
}
export type Link = Selectable<LinkTable>;

interface LinkContext {
  db: Kysely<WebTables>;
  now(): Date;
}

/** A link that isn't opened for this long ends, and every link after the second one. */
const MAX_UNUSED_MS = 30 * DAY_MS;
const MAX_AGE_MS = 180 * DAY_MS;
/** How exactly it is known when a link was opened last, so that reading writes rarely. */
const USE_INTERVAL_MS = HOUR_MS;
/** Links of a person and kind at the same time. Each new one ends the one that was opened the longest time ago. */
const MAX_LINKS = 20;

/** The unguessable part of an address: 32 bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

function computeExpiry(createdAt: Date, usedAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + MAX_AGE_MS, usedAt.getTime() + MAX_UNUSED_MS));
}

/** Creates a link, and returns the unguessable part of its address, which is stored nowhere. */
export async function createLink(
  { db, now }: LinkContext,
  { workspace, user: person }: Actor,
  kind: LinkKind,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const at = now();
  await db
    .insertInto('web_link')
    .values({
      ...{ id: hashToken(token), workspace, person, kind },
      ...{ created_at: at, used_at: at, expires_at: computeExpiry(at, at) },
    })
    .execute();
  await sql`delete from web_link where id in (select id from web_link
    where workspace = ${workspace} and person = ${person} and kind = ${kind}
    order by used_at desc, created_at desc, id offset ${MAX_LINKS})`.execute(db);
  return token;
}

/** Finds the link of an address, unless it has ended. */
export async function findLink({ db, now }: LinkContext, token: string): Promise<Link | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const at = now();
  const link = await db
    .selectFrom('web_link')
    .selectAll()
    .where('id', '=', hashToken(token))
    .where('expires_at', '>', at)
    .executeTakeFirst();
  // The clock that people see may have been set back.
  if (!link || Math.abs(at.getTime() - link.used_at.getTime()) < USE_INTERVAL_MS) return link;
  await db
    .updateTable('web_link')
    .set({ used_at: at, expires_at: computeExpiry(link.created_at, at) })
    .where('id', '=', link.id)
    .execute();
  return link;
}

/** Ends one link, because its person may no longer see anything. */
export async function endLink({ db }: Pick<LinkContext, 'db'>, { id }: Pick<Link, 'id'>): Promise<void> {
  await db.deleteFrom('web_link').where('id', '=', id).execute();
}

/** Ends all links of a person, and returns how many that were. */
export async function endLinks(
  { db }: Pick<LinkContext, 'db'>,
  { workspace, user: person }: Actor,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('web_link')
    .where(({ and }) => and({ workspace, person }))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The links of a person. */
export interface PersonLinks {
  person: string;
  count: number;
  usedAt: Date;
}

/**
 * Lists the people of a workspace who have links, those whose links were opened last at the beginning. `count`: how many
 * people that are without the limit.
 */
export async function listLinks(
  { db, now }: LinkContext,
  workspace: string,
  limit: number,
): Promise<{ people: PersonLinks[]; count: number }> {
  const rows = await db
    .selectFrom('web_link')
    .select(({ fn }) => ['person', fn.countAll().as('count'), fn.max('used_at').as('usedAt')])
    .select(sql`count(*) over ()`.as('peopleCount'))
    .where('workspace', '=', workspace)
    .where('expires_at', '>', now())
    .groupBy('person')
    .orderBy('usedAt', 'desc')
    .orderBy('person')
    .limit(limit)
    .execute();
  return {
    people: rows.map(({ person, count, usedAt }) => ({ person, count: Number(count), usedAt })),
    count: Number(rows[0]?.peopleCount ?? 0),
  };
}
