import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Actor } from '../slack/actor.ts';
import type { BotSchema } from '../store/schema.ts';

/** Whose value it is, and with what it is stored. */
export interface Owner {
  context: Pick<AppContext, 'db' | 'encryption'>;
  who: Actor;
  now(): Date;
}

/**
 * What a button or a form of Slack's refers to by an opaque id: sealed, for one person alone and for seven days. `kind`
 * says what it is and in which version, e.g. `typed-line.2`: a value of another kind is not found. Returns the id.
 */
export async function storeSealed(
  { context, who, now }: Owner,
  kind: string,
  value: unknown,
  id: string = randomUUID(),
): Promise<string> {
  const { workspace, user: author } = who;
  const facts = context.encryption.seal(JSON.stringify(value), workspace);
  await saveOpenForm(context.db, { id, workspace, author, kind, facts, openedAt: now() });
  return id;
}

/** Undefined for everybody but the person it was stored for, and where it is too old or `schema` does not read it. */
export async function openSealed<Value>(
  { context, who, now }: Owner,
  kind: string,
  schema: z.ZodType<Value>,
  id: string,
): Promise<Value | undefined> {
  const { workspace, user: author } = who;
  const sealed = await openFormFacts(context.db, { id, workspace, author, kind, now: now() });
  if (sealed === undefined) return undefined;
  return schema.safeParse(JSON.parse(context.encryption.open(sealed, workspace))).data;
}

interface OpenForm {
  /** Random; it is all that Slack holds of the form. */
  id: string;
  workspace: string;
  author: string;
  /** Whose facts these are, e.g. `schedule-post.1`. */
  kind: string;
  /** Sealed JSON. */
  facts: string;
  openedAt: Date;
}

/** A form left open longer is out of date. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Of one person: what somebody opens who types 200 commands a day, and some. Our own decision. */
const MAX_FORMS = 2_000;

/** A form's facts as they are now; also removes those that are out of date, and a person's oldest beyond MAX_FORMS. */
export async function saveOpenForm(db: Kysely<BotSchema>, form: OpenForm): Promise<void> {
  const { openedAt, ...rest } = form;
  await db
    .insertInto('open_form')
    .values({ ...rest, opened_at: openedAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ facts: form.facts, opened_at: openedAt }))
    .execute();
  await db
    .with('out_of_date', (cte) => cte.deleteFrom('open_form').where('opened_at', '<', oldestKept(openedAt)))
    .deleteFrom('open_form')
    .where('id', 'in', (one) =>
      one
        .selectFrom('open_form')
        .select('id')
        .where('workspace', '=', form.workspace)
        .where('author', '=', form.author)
        .orderBy('opened_at', 'desc')
        .offset(MAX_FORMS),
    )
    .execute();
}

function oldestKept(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/**
 * The facts of a form, only for the person who opened it in their workspace; undefined for everybody else, and where
 * it is out of date at `now`.
 */
export async function openFormFacts(
  db: Kysely<BotSchema>,
  form: Pick<OpenForm, 'id' | 'workspace' | 'author' | 'kind'> & { now: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('open_form')
    .select('facts')
    .where('id', '=', form.id)
    .where('workspace', '=', form.workspace)
    .where('author', '=', form.author)
    .where('kind', '=', form.kind)
    .where('opened_at', '>=', oldestKept(form.now))
    .executeTakeFirst();
  return row?.facts;
}
