import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { type Fields, type NamedRecord, namedRecord } from './field.ts';
import type { Form } from './form.ts';
import type { FormContext } from './form-context.ts';
import { type Owner, readSealedValue, storeSealedValue } from './sealed-store.ts';

const formValues = z.record(z.string(), z.unknown());

/** The offer to continue an unfinished form. A newly opened form shows it. */
export const unfinishedOffer = z.object({
  /** The id of the unfinished form. */
  formId: z.string(),
  /** The beginning of the typed text. */
  excerpt: z.string(),
  /** ISO 8601. */
  savedAt: z.string(),
});
export type UnfinishedOffer = z.infer<typeof unfinishedOffer>;

const storedForm = z.object({
  channel: z.string().optional(),
  /** See `OpenOptions`. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** The initial values that the form was opened with. */
  prefill: formValues.optional(),
  /** Absent until the form context was loaded. */
  formContext: z.unknown().optional(),
  /** The chosen project, or null if none is chosen. Absent until the form was rendered. See `storeChosenProject`. */
  project: namedRecord.nullable().optional(),
  /** The values that wait for confirmation. */
  unconfirmed: formValues.optional(),
  /** The offer to continue an earlier form, which this form shows. */
  offer: unfinishedOffer.optional(),
  /** Whether the form's feature has handled it, and closed it. */
  isHandled: z.boolean().optional(),
});

/** An open form in the database, stored under the form's opaque id. */
export interface StoredForm<Context extends FormContext> {
  channel?: string | undefined;
  message?: { channel: string; ts: string } | undefined;
  prefill?: Readonly<Record<string, unknown>> | undefined;
  formContext?: Context | undefined;
  project?: NamedRecord | null | undefined;
  unconfirmed?: Readonly<Record<string, unknown>> | undefined;
  offer?: UnfinishedOffer | undefined;
  isHandled?: boolean | undefined;
}

type AnyForm<Context extends FormContext> = Pick<
  Form<Fields, Context, unknown>,
  'name' | 'version' | 'contextLoader'
>;

function buildKind({ name, version }: AnyForm<FormContext>): string {
  return `${name}.${version}`;
}

/** Stores an open form, or replaces the stored form with the same id. */
export async function storeForm<Context extends FormContext>(
  form: AnyForm<Context>,
  call: Call,
  id: string,
  content: StoredForm<Context>,
): Promise<void> {
  // The content may contain typed text, so it is encrypted.
  await storeSealedValue(call, buildKind(form), content, { id });
}

/** Reads a stored form. Undefined if it belongs to another person, has expired, or has another version. */
export async function readStoredForm<Context extends FormContext>(
  form: AnyForm<Context>,
  owner: Owner,
  id: string,
): Promise<StoredForm<Context> | undefined> {
  const stored = await readSealedValue(owner, buildKind(form), storedForm, id);
  if (!stored) return undefined;
  const { formContext, ...rest } = stored;
  const parseResult = form.contextLoader.schema.safeParse(formContext);
  return { ...rest, ...(parseResult.success && { formContext: parseResult.data }) };
}

/** Whether two values are equal as JSON, the format in which they are stored. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Pending writes to stored forms in this process, by form id. */
const pendingWrites = new Map<string, Promise<void>>();

/**
 * Changes a stored form. Changes of the same form run one after the other. Writes nothing if the form stays the same.
 */
export async function changeStoredForm<Context extends FormContext>(
  form: AnyForm<Context>,
  call: Call,
  id: string,
  change: (stored: StoredForm<Context>) => StoredForm<Context>,
): Promise<void> {
  const write = async () => {
    const stored = await readStoredForm(form, call, id);
    const changedForm = stored && change(stored);
    if (changedForm && !isSame(changedForm, stored)) await storeForm(form, call, id, changedForm);
  };
  const queuedWrite = (pendingWrites.get(id) ?? Promise.resolve()).then(write, write);
  pendingWrites.set(id, queuedWrite);
  try {
    await queuedWrite;
  } finally {
    if (pendingWrites.get(id) === queuedWrite) pendingWrites.delete(id);
  }
}

/** Resolves when each pending change of a form has been stored or has failed. */
export async function waitForChanges(id: string): Promise<void> {
  await pendingWrites.get(id)?.catch(() => undefined);
}
