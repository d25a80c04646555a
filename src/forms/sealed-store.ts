import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Actor } from '../slack/actor.ts';
import { openFormFacts, saveOpenForm } from './sql/open-forms.ts';

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
  const { workspace, user: asker } = who;
  const facts = context.encryption.seal(JSON.stringify(value), workspace);
  await saveOpenForm(context.db, { id, workspace, asker, kind, facts, openedAt: now() });
  return id;
}

/** Undefined for everybody but the person it was stored for, and where it is too old or `schema` does not read it. */
export async function openSealed<Value>(
  { context, who, now }: Owner,
  kind: string,
  schema: z.ZodType<Value>,
  id: string,
): Promise<Value | undefined> {
  const { workspace, user: asker } = who;
  const sealed = await openFormFacts(context.db, { id, workspace, asker, kind, now: now() });
  if (sealed === undefined) return undefined;
  return schema.safeParse(JSON.parse(context.encryption.open(sealed, workspace))).data;
}
