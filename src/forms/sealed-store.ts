import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Actor } from '../slack/actor.ts';
import type { BotSchema } from '../store/schema.ts';

/** The person whose value is stored, with the database and the encryption. `Call` satisfies this interface. */
export interface Owner {
  context: Pick<AppContext, 'db' | 'encryption'>;
  actor: Actor;
  now(): Date;
}

/**
 * Stores a value that a button or a form in Slack refers to by an opaque id, and returns the id. The value is
 * encrypted. Only the owner can read it, for seven days. `kind` contains the type and version of the value, e.g.
 * `typed-line.2`.
 */
export async function storeSealed(
  { context, actor, now }: Owner,
  kind: string,
  value: unknown,
  id: string = randomUUID(),
): Promise<string> {
  const { workspace, user: author } = actor;
  const content = context.encryption.seal(JSON.stringify(value), workspace);
  await saveSealedValue(context.db, { id, workspace, author, kind, content, openedAt: now() });
  return id;
}

/**
 * Reads a stored value. Undefined if the value was stored for another person or another kind, has expired, or doesn't
 * match `schema`.
 */
export async function openSealed<Value>(
  { context, actor, now }: Owner,
  kind: string,
  schema: z.ZodType<Value>,
  id: string,
): Promise<Value | undefined> {
  const { workspace, user: author } = actor;
  const sealed = await findSealedValue(context.db, { id, workspace, author, kind, now: now() });
  if (sealed === undefined) return undefined;
  return schema.safeParse(JSON.parse(context.encryption.open(sealed, workspace))).data;
}

/**
 * A row with an encrypted value and its owner. The value is an open form, or other data such as posts to schedule
 * again.
 */
interface SealedValue {
  /** Random. Views and buttons in Slack contain this id instead of the content. */
  id: string;
  workspace: string;
  author: string;
  /** Type and version of the content, e.g. `schedule-post.1`. */
  kind: string;
  /** Encrypted JSON. */
  content: string;
  /** When the value was stored or last replaced. */
  openedAt: Date;
}

/** Lifetime of a stored value. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Maximum number of stored values per person. Enough for seven days with 200 commands a day. */
const MAX_VALUES_PER_PERSON = 2_000;

/**
 * Stores or replaces a value. Also deletes all expired values, and the oldest values of a person who has more than
 * MAX_VALUES_PER_PERSON.
 */
export async function saveSealedValue(db: Kysely<BotSchema>, value: SealedValue): Promise<void> {
  const { openedAt, ...rest } = value;
  await db
    .insertInto('open_form')
    .values({ ...rest, opened_at: openedAt })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ content: value.content, opened_at: openedAt }),
    )
    .execute();
  await db
    .with('expired', (cte) =>
      cte.deleteFrom('open_form').where('opened_at', '<', computeExpiryCutoff(openedAt)),
    )
    .deleteFrom('open_form')
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('open_form')
        .select('id')
        .where('workspace', '=', value.workspace)
        .where('author', '=', value.author)
        .orderBy('opened_at', 'desc')
        .offset(MAX_VALUES_PER_PERSON),
    )
    .execute();
}

/** Computes the expiry cutoff. Values stored before this time have expired. */
function computeExpiryCutoff(now: Date): Date {
  return new Date(now.getTime() - LIFETIME_MS);
}

/** Finds the encrypted content of a value. Undefined if the value has another owner or kind, or has expired. */
export async function findSealedValue(
  db: Kysely<BotSchema>,
  value: Pick<SealedValue, 'id' | 'workspace' | 'author' | 'kind'> & { now: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('open_form')
    .select('content')
    .where('id', '=', value.id)
    .where('workspace', '=', value.workspace)
    .where('author', '=', value.author)
    .where('kind', '=', value.kind)
    .where('opened_at', '>=', computeExpiryCutoff(value.now))
    .executeTakeFirst();
  return row?.content;
}
