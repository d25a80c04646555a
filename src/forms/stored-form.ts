import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { type Fields, type Named, named } from './field.ts';
import type { Form } from './form.ts';
import type { FormContext } from './form-context.ts';
import { type Owner, openSealed, storeSealed } from './sealed-store.ts';

const values = z.record(z.string(), z.unknown());

const storedForm = z.object({
  channel: z.string().optional(),
  /** The initial values that the form was opened with. */
  prefill: values.optional(),
  /** Absent until it was loaded. */
  formContext: z.unknown().optional(),
  /** The chosen project, or null; absent until the form was rendered. See `storeReportedProject`. */
  project: named.nullable().optional(),
  /** The values that wait for confirmation. */
  unconfirmed: values.optional(),
});

/** What the database has about an open form, under the form's opaque id. */
export interface StoredForm<Context extends FormContext> {
  channel?: string | undefined;
  prefill?: Readonly<Record<string, unknown>> | undefined;
  formContext?: Context | undefined;
  project?: Named | null | undefined;
  unconfirmed?: Readonly<Record<string, unknown>> | undefined;
}

type AnyForm<Context extends FormContext> = Pick<
  Form<Fields, Context, unknown>,
  'name' | 'version' | 'contextLoader'
>;

function kindOf({ name, version }: AnyForm<FormContext>): string {
  return `${name}.${version}`;
}

export async function storeForm<Context extends FormContext>(
  form: AnyForm<Context>,
  call: Call,
  id: string,
  content: StoredForm<Context>,
): Promise<void> {
  // Encrypted, because it may contain what the person typed.
  await storeSealed(call, kindOf(form), content, id);
}

/** Undefined if the form belongs to another person, has expired, or has another version. */
export async function readStoredForm<Context extends FormContext>(
  form: AnyForm<Context>,
  owner: Owner,
  id: string,
): Promise<StoredForm<Context> | undefined> {
  const read = await openSealed(owner, kindOf(form), storedForm, id);
  if (!read) return undefined;
  const { formContext, ...rest } = read;
  const known = form.contextLoader.schema.safeParse(formContext);
  return { ...rest, ...(known.success && { formContext: known.data }) };
}

/** Whether two values are equal as JSON, the format in which they are stored. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Pending changes of open forms in this process, by form id. */
const changes = new Map<string, Promise<void>>();

/** Changes a stored form. Changes of one form run one after the other; a change without effect writes nothing. */
export async function changeForm<Context extends FormContext>(
  form: AnyForm<Context>,
  call: Call,
  id: string,
  change: (stored: StoredForm<Context>) => StoredForm<Context>,
): Promise<void> {
  const write = async () => {
    const stored = await readStoredForm(form, call, id);
    const changed = stored && change(stored);
    if (changed && !isSame(changed, stored)) await storeForm(form, call, id, changed);
  };
  const mine = (changes.get(id) ?? Promise.resolve()).then(write, write);
  changes.set(id, mine);
  try {
    await mine;
  } finally {
    if (changes.get(id) === mine) changes.delete(id);
  }
}

/** Resolves when the pending changes of this form were stored, or have failed. */
export async function waitForChanges(id: string): Promise<void> {
  await changes.get(id)?.catch(() => undefined);
}
