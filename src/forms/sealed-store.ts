import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../durations.ts';
import type { AppContext } from '../handlers/call.ts';
import type { BotSchema, FormTables } from '../handlers/schema.ts';
import type { Actor } from '../slack/actor.ts';
import type { Queryable } from '../store/database.ts';
import type { Companion } from '../submissions/sql/submissions.ts';

/** The actor who owns the stored values, with the database and the encryption. `Call` satisfies this interface. */
export interface Owner {
  context: Pick<AppContext, 'db' | 'encryption'>;
  actor: Actor;
  now(): Date;
}

/**
 * Stores a value that a button or a form in Slack refers to by an opaque id, and returns the id. The value is
 * encrypted. Only the owner can read it, for seven days. `kind` contains the type and version of the value, e.g.
 * `typed-line.2`. With an `id`, replaces the owner's value of the same kind or an expired one, and changes no other.
 * `typedAt`: see `SealedValue`.
 */
export async function storeSealedValue(
  { context, actor, now }: Owner,
  kind: string,
  value: unknown,
  { id = randomUUID(), typedAt }: { id?: string } & Pick<SealedValue, 'typedAt'> = {},
): Promise<string> {
  const { workspace, user: author } = actor;
  const content = context.encryption.encrypt(JSON.stringify(value), workspace);
  await saveSealedValue(context.db, { id, workspace, author, kind, content, typedAt, storedAt: now() });
  return id;
}

/** Reads a stored value. Undefined if it is another person's, of another kind or expired, or doesn't match `schema`. */
export async function readSealedValue<Value>(
  owner: Owner,
  kind: string,
  schema: z.ZodType<Value>,
  id: string,
): Promise<Value | undefined> {
  return (await readSealedValueWith(owner, { kind, schema, id }))?.value;
}

/** Reads a stored value as `readSealedValue` does, and in the same statement what `others` selects. */
export async function readSealedValueWith<Value>(
  owner: Owner,
  { kind, schema, id }: { kind: string; schema: z.ZodType<Value>; id: string },
  others?: RawBuilder<unknown>,
): Promise<{ value: Value; others: unknown } | undefined> {
  const { context, actor, now } = owner;
  const { workspace, user: author } = actor;
  const row = await findRow(context.db, { id, workspace, author, kind, now: now() }, others);
  const value = row && parseContent(owner, schema, row.content);
  return row && value !== undefined ? { value, others: row.others } : undefined;
}

/**
 * Changes a stored value, and begins its seven days anew. Does nothing if there is none, or if `change` returns
 * undefined. If another instance changes the value meanwhile, `change` gets that value too. `known`: the value as it
 * was read before, which saves reading it again. `getTypedAt`: see `SealedValue`.
 */
export async function changeSealedValue<Value extends object>(
  owner: Owner,
  sealed: {
    kind: string;
    schema: z.ZodType<Value>;
    id: string;
    known?: Value | undefined;
    getTypedAt?(value: Value): Date | undefined;
  },
  change: (value: Value) => Value | undefined,
): Promise<void> {
  const { kind, schema, id, known, getTypedAt } = sealed;
  const { context, actor, now } = owner;
  const { workspace, user: author } = actor;
  let content = known && readContents.get(known);
  for (;;) {
    content ??= await findSealedValue(context.db, { id, workspace, author, kind, now: now() });
    if (content === undefined) return;
    const value = parseContent(owner, schema, content);
    const changedValue = value === undefined ? undefined : change(value);
    if (changedValue === undefined) return;
    const changedContent = context.encryption.encrypt(JSON.stringify(changedValue), workspace);
    const typedAt = getTypedAt?.(changedValue);
    const update = updateContent(owner, id, { from: content, to: changedContent, typedAt });
    const { rows } = await update.execute(context.db);
    if (rows.length > 0) return;
    content = undefined;
  }
}

/** Builds an update of a stored content, unless somebody has changed it, that begins its seven days anew. */
function updateContent(
  { actor, now }: Owner,
  id: string,
  { from, to, typedAt = null }: { from: string; to: string; typedAt: Date | undefined | null },
  condition = sql<boolean>`true`,
): RawBuilder<unknown> {
  const storedAt = now();
  const expiresAt = new Date(storedAt.getTime() + SEALED_VALUE_LIFETIME_MS);
  return sql`update open_form
    set content = ${to}, typed_at = ${typedAt}, opened_at = ${storedAt}, expires_at = ${expiresAt}
    where id = ${id} and workspace = ${actor.workspace} and author = ${actor.user}
      and content = ${from} and ${condition}
    returning id`;
}

/**
 * Prepares the change of a value that was read, as a part of somebody else's statement. Nothing changes if somebody has
 * changed the value since. `onProgress` runs with `sent` before that statement is sent, and with `changed` after it was
 * committed with the change. If its answer is lost, `changed` is missing.
 */
export function prepareSealedChange<Value extends object>(
  owner: Owner,
  change: { id: string; known: Value; changed: Value } & Pick<SealedValue, 'typedAt'>,
  onProgress: (progress: 'sent' | 'changed') => void,
): Companion | undefined {
  const { id, known, changed, typedAt } = change;
  const from = readContents.get(known);
  if (from === undefined) return undefined;
  const to = owner.context.encryption.encrypt(JSON.stringify(changed), owner.actor.workspace);
  return {
    build(condition) {
      onProgress('sent');
      return updateContent(owner, id, { from, to, typedAt }, condition);
    },
    handleCommit(rowCount) {
      if (rowCount === 0) return;
      readContents.set(changed, to);
      onProgress('changed');
    },
  };
}

/** The stored content of each value that was read. */
const readContents = new WeakMap<object, string>();

/** Maximum number of values that a list reads. */
const MAX_LISTED_VALUES = 200;

/** Selects the owner's values with typed values since then that fulfil the condition, the latest first. */
export function selectTypedValues(
  { actor, now }: Owner,
  kind: string,
  since: Date,
  condition: RawBuilder<boolean>,
): RawBuilder<SealedRow> {
  return sql`select id, content from open_form
    where workspace = ${actor.workspace} and author = ${actor.user} and kind in (${kind}, ${kind + ENDED_KIND})
      and typed_at >= ${since} and expires_at >= ${now()} and ${condition}
    order by typed_at desc limit ${MAX_LISTED_VALUES}`;
}

/** Reads the values of rows. Leaves out unreadable values. */
export function readSealedRows<Value>(
  owner: Owner,
  schema: z.ZodType<Value>,
  rows: readonly SealedRow[],
): { id: string; value: Value }[] {
  return rows.flatMap(({ id, content }) => {
    const value = parseContent(owner, schema, content);
    return value === undefined ? [] : [{ id, value }];
  });
}

function parseContent<Value>(
  { context, actor }: Owner,
  schema: z.ZodType<Value>,
  content: string,
): Value | undefined {
  const value = schema.safeParse(JSON.parse(context.encryption.decrypt(content, actor.workspace))).data;
  if (typeof value === 'object' && value !== null) readContents.set(value, content);
  return value;
}

/** Deletes a value of the owner. Does nothing if there is none. */
export async function deleteSealedValue(
  { context, actor }: Pick<Owner, 'actor'> & { context: { db: Queryable<FormTables> } },
  kind: string,
  id: string,
): Promise<void> {
  await context.db
    .deleteFrom('open_form')
    .where(({ and }) => and({ id, workspace: actor.workspace, author: actor.user, kind }))
    .execute();
}

/** A row with an encrypted value and its owner. The value is an open form, or other data such as copies of posts. */
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
  storedAt: Date;
  /** When the typed values were stored that a new form may offer. Absent if there are none. */
  typedAt?: Date | undefined;
}

export type SealedRow = Pick<SealedValue, 'id' | 'content'>;

export const SEALED_VALUE_LIFETIME_MS = 7 * DAY_MS;

/** Maximum number of stored values per person. Enough for seven days with 200 commands a day. */
const MAX_VALUES_PER_PERSON = 2_000;

/**
 * Stores or replaces a value, see `storeSealedValue`. With each new value, also deletes the oldest values of a person
 * who has more than MAX_VALUES_PER_PERSON. Expired values are deleted in the background.
 */
export async function saveSealedValue(db: Kysely<FormTables>, value: SealedValue): Promise<void> {
  const { id, workspace, author, kind, content, storedAt, typedAt = null } = value;
  const expiresAt = new Date(storedAt.getTime() + SEALED_VALUE_LIFETIME_MS);
  // `xmax` is zero for a new row: https://www.postgresql.org/docs/current/ddl-system-columns.html
  // The statement doesn't see the row that it inserts, hence the offset of one fewer.
  await sql`
    with saved as (
      insert into open_form as f (id, workspace, author, kind, content, opened_at, expires_at, typed_at)
      values (${id}, ${workspace}, ${author}, ${kind}, ${content}, ${storedAt}, ${expiresAt}, ${typedAt})
      on conflict (id) do update set kind = excluded.kind, content = excluded.content,
        opened_at = excluded.opened_at, expires_at = excluded.expires_at, typed_at = excluded.typed_at
      where f.workspace = excluded.workspace and f.author = excluded.author
        and (f.kind = excluded.kind or f.expires_at < excluded.opened_at)
      returning xmax = 0 as is_new
    ), surplus as (
      select id from open_form where workspace = ${workspace} and author = ${author}
      order by opened_at desc offset ${MAX_VALUES_PER_PERSON - 1}
    )
    delete from open_form where exists (select from saved where is_new) and id in (select id from surplus)`.execute(
    db,
  );
}

/** Finds the encrypted content of a value. Undefined if the value has another owner or kind, or has expired. */
export async function findSealedValue(
  db: Kysely<FormTables>,
  value: SealedValueKey,
): Promise<string | undefined> {
  return (await findRow(db, value))?.content;
}

type SealedValueKey = Pick<SealedValue, 'id' | 'workspace' | 'author' | 'kind'> & { now: Date };

async function findRow(
  db: Kysely<FormTables>,
  { id, workspace, author, kind, now }: SealedValueKey,
  others: RawBuilder<unknown> = sql`null`,
): Promise<{ content: string; others: unknown } | undefined> {
  const { rows } = await sql<{ content: string; others: unknown }>`select content, ${others} as others
    from open_form where id = ${id} and workspace = ${workspace} and author = ${author} and kind = ${kind}
      and expires_at >= ${now}`.execute(db);
  return rows[0];
}

/** The end of the kind of forms that were open when a backup was made: only what was typed in them is offered. */
const ENDED_KIND = '.unfinished';

/**
 * Ends the forms that were open when a restored backup was made, because they may have been submitted since: a late copy
 * of the request would be sent again. What was typed in them is still offered. A form whose post the backup has stays,
 * so that a copy of its request shows that post.
 */
export async function endOpenForms(db: Queryable<BotSchema>): Promise<void> {
  await sql`update open_form set kind = kind || ${ENDED_KIND} where kind not like ${`%${ENDED_KIND}`}
    and not exists (select from submission s where s.workspace = open_form.workspace and s.origin = open_form.id)
    and not exists (select from held_post h where h.workspace = open_form.workspace and h.origin = open_form.id)`.execute(
    db,
  );
}
