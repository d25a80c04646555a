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
  await saveOpenForm(context.db, { id, workspace, author, kind, content, openedAt: now() });
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
  const sealed = await findOpenForm(context.db, { id, workspace, author, kind, now: now() });
  if (sealed === undefined) return undefined;
  return schema.safeParse(JSON.parse(context.encryption.open(sealed, workspace))).data;
}

/** A row with an encrypted value and its owner. The value is an open form, or another value such as post copies. */
interface OpenForm {
  /** Random. Views and buttons in Slack contain this id instead of the content. */
  id: string;
  workspace: string;
  author: string;
  /** Type and version of the content, e.g. `schedule-post.1`. */
  kind: string;
  /** Encrypted JSON. */
  content: string;
  openedAt: Date;
}

/** Lifetime of a stored value. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Maximum number of stored values per person. Enough for seven days with 200 commands a day. */
const MAX_FORMS_PER_PERSON = 2_000;

/**
 * Stores or replaces the content of a form. Also deletes all expired forms, and the oldest forms of a person who has
 * more than MAX_FORMS_PER_PERSON.
 */
export async function saveOpenForm(db: Kysely<BotSchema>, form: OpenForm): Promise<void> {
  const { openedAt, ...rest } = form;
  await db
    .insertInto('open_form')
    .values({ ...rest, opened_at: openedAt })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ content: form.content, opened_at: openedAt }),
    )
    .execute();
  await db
    .with('expired', (cte) =>
      cte.deleteFrom('open_form').where('opened_at', '<', computeExpiryLimit(openedAt)),
    )
    .deleteFrom('open_form')
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('open_form')
        .select('id')
        .where('workspace', '=', form.workspace)
        .where('author', '=', form.author)
        .orderBy('opened_at', 'desc')
        .offset(MAX_FORMS_PER_PERSON),
    )
    .execute();
}

/** Computes the time before which all opened forms have expired. */
function computeExpiryLimit(now: Date): Date {
  return new Date(now.getTime() - LIFETIME_MS);
}

/** Finds the encrypted content of a form. Undefined if another person opened the form, or if the form has expired. */
export async function findOpenForm(
  db: Kysely<BotSchema>,
  form: Pick<OpenForm, 'id' | 'workspace' | 'author' | 'kind'> & { now: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('open_form')
    .select('content')
    .where('id', '=', form.id)
    .where('workspace', '=', form.workspace)
    .where('author', '=', form.author)
    .where('kind', '=', form.kind)
    .where('opened_at', '>=', computeExpiryLimit(form.now))
    .executeTakeFirst();
  return row?.content;
}
