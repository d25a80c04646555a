import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { type Fields, type Named, named } from './field.ts';
import type { Form } from './form.ts';
import type { Loaded } from './loaded.ts';
import { type Owner, openSealed, storeSealed } from './sealed-store.ts';

const values = z.record(z.string(), z.unknown());

const kept = z.object({
  channel: z.string().optional(),
  /** What the form began with, where that was not empty. */
  prefill: values.optional(),
  /** Absent until everything was loaded. */
  facts: z.unknown().optional(),
  /** The chosen project, null for none; absent until the form was filled. See `storeReportedProject`. */
  project: named.nullable().optional(),
  /** What was typed, while it waits for a second look. */
  waiting: values.optional(),
});

/** What an open form rests on; kept in the database behind the form's opaque id. */
export interface KeptForm<Kept extends Loaded> {
  channel?: string | undefined;
  prefill?: Readonly<Record<string, unknown>> | undefined;
  facts?: Kept | undefined;
  project?: Named | null | undefined;
  waiting?: Readonly<Record<string, unknown>> | undefined;
}

type Any<Kept extends Loaded> = Pick<Form<Fields, Kept, unknown>, 'name' | 'version' | 'facts'>;

/** Whose facts these are. */
function kindOf({ name, version }: Any<Loaded>): string {
  return `${name}.${version}`;
}

export async function keepForm<Kept extends Loaded>(
  form: Any<Kept>,
  call: Call,
  id: string,
  facts: KeptForm<Kept>,
): Promise<void> {
  // What somebody wrote may be among them.
  await storeSealed(call, kindOf(form), facts, id);
}

/** What was kept of a form; undefined where it is another's, too old or of another version. */
export async function keptForm<Kept extends Loaded>(
  form: Any<Kept>,
  owner: Owner,
  id: string,
): Promise<KeptForm<Kept> | undefined> {
  const read = await openSealed(owner, kindOf(form), kept, id);
  if (!read) return undefined;
  const { facts, ...rest } = read;
  const known = form.facts.schema.safeParse(facts);
  return { ...rest, ...(known.success && { facts: known.data }) };
}

/** As JSON, which is how it is kept. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Changes of open forms that are under way in this process, by form. */
const changes = new Map<string, Promise<void>>();

/** Changes what is stored of a form, one change after the other, and writes only what is different. */
export async function changeForm<Kept extends Loaded>(
  form: Any<Kept>,
  call: Call,
  id: string,
  change: (stored: KeptForm<Kept>) => KeptForm<Kept>,
): Promise<void> {
  const write = async () => {
    const stored = await keptForm(form, call, id);
    const changed = stored && change(stored);
    if (changed && !isSame(changed, stored)) await keepForm(form, call, id, changed);
  };
  const mine = (changes.get(id) ?? Promise.resolve()).then(write, write);
  changes.set(id, mine);
  try {
    await mine;
  } finally {
    if (changes.get(id) === mine) changes.delete(id);
  }
}

/** Resolves once the changes of this form that are under way have been stored, or have failed. */
export async function changesStored(id: string): Promise<void> {
  await changes.get(id)?.catch(() => undefined);
}
