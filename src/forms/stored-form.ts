import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { toExcerpt } from '../posts/post-text.ts';
import { listFormSubmissions } from '../submissions/sql/submissions.ts';
import { type Fields, type NamedRecord, namedRecord } from './field.ts';
import type { Form, FormState } from './form.ts';
import type { FormContext, OpenOptions } from './form-context.ts';
import {
  deleteSealedValue,
  type Owner,
  readLatestSealedValue,
  readSealedValue,
  storeSealedValue,
} from './sealed-store.ts';

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
  /** Whether the form was handled, and a copy of it does nothing. Also for a preview whose post another form had sent. */
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

/** How long the typed values of an unfinished form are stored. */
const TYPED_LIFETIME_MS = DAY_MS;
/** For this long a discarded form stores no values. Longer than Slack takes to deliver a change of a field. */
export const DISCARDED_MS = MINUTE_MS;

const unfinishedForm = unfinishedOffer.extend({
  channel: z.string().optional(),
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  prefill: formValues,
});

type NamedForm = Pick<Form, 'name' | 'version'>;

const buildUnfinishedKind = ({ name, version }: NamedForm) => `${name}.${version}.unfinished`;
/** The kind of the row that takes the place of the typed values when a form has ended. */
const buildEndedKind = (form: NamedForm) => `${buildUnfinishedKind(form)}.ended`;
const buildUnfinishedId = (formId: string) => `${formId}.unfinished`;

/** A form with the values that Slack sent. */
interface TypedForm {
  formId: string;
  stored: StoredForm<FormContext>;
  state: FormState;
}

/**
 * What becomes of the typed values of a form. `keep`: they are stored, so that the person can continue after closing the
 * form. `delete`: the form was emptied, or is shown again after a submission. `end`: the form was sent, held or saved as
 * a draft. Slack may deliver a change of a field after the form's submission, even to another instance, and its values
 * must not be offered again.
 */
export type TypedValues = 'keep' | 'delete' | 'end';

/**
 * Stores or deletes the typed values of an open form. Slack sends the values with every press and every change of a live
 * field, but not when the form is closed: the recorded payloads of view_closed have no values (bolt-python,
 * tests/scenario_tests/test_view_closed.py). After `end`, `keep` stores nothing.
 */
export async function updateTypedValues(
  form: Form,
  call: Call,
  typedForm: TypedForm,
  update: TypedValues,
): Promise<void> {
  if (!form.unfinished) return;
  const { formId, stored, state } = typedForm;
  if (update === 'end') return endUnfinishedForm(form, call, formId);
  const [kind, id] = [buildUnfinishedKind(form), buildUnfinishedId(formId)];
  const excerpt = update === 'keep' ? toExcerpt(form.unfinished.getText(state)) : '';
  if (excerpt === '') return deleteSealedValue(call, kind, id);
  const value: z.infer<typeof unfinishedForm> = {
    formId,
    excerpt,
    savedAt: state.now.toISOString(),
    prefill: form.unfinished.toPrefill(state),
    channel: stored.channel,
    message: stored.message,
  };
  await storeSealedValue(call, kind, value, { id, lifetimeMs: TYPED_LIFETIME_MS });
}

/** Ends a form. `lifetimeMs`: for how long; a discarded form may still be open on another device. */
export async function endUnfinishedForm(
  form: Form,
  call: Call,
  formId: string,
  lifetimeMs = TYPED_LIFETIME_MS,
): Promise<void> {
  const options = { id: buildUnfinishedId(formId), lifetimeMs, isFinal: true };
  if (form.unfinished) await storeSealedValue(call, buildEndedKind(form), null, options);
}

/** Lets a form store typed values again, because it is shown again. */
export async function reopenUnfinishedForm(form: Form, owner: Owner, formId: string): Promise<void> {
  if (form.unfinished) await deleteSealedValue(owner, buildEndedKind(form), buildUnfinishedId(formId));
}

/** Finds the person's latest unfinished form to offer. If that fails, the new form opens without an offer. */
export async function findUnfinishedForm(form: Form, call: Call): Promise<UnfinishedOffer | undefined> {
  if (!form.unfinished) return undefined;
  try {
    return await findOffer(form, call);
  } catch (error) {
    call.log.warn({ reference: call.reference, err: error }, 'could not read an unfinished form');
    return undefined;
  }
}

/** Finds the person's latest unfinished form. Deletes forms whose submission was stored, but didn't get to end them. */
async function findOffer(form: Form, call: Call): Promise<UnfinishedOffer | undefined> {
  const latestForm = await readLatestSealedValue(call, buildUnfinishedKind(form), unfinishedForm);
  if (!latestForm) return undefined;
  const { formId, excerpt, savedAt } = latestForm;
  const rows = await listFormSubmissions(call.context.db, {
    workspace: call.actor.workspace,
    origin: formId,
  });
  const isSubmitted = rows.some(({ state }) => state !== 'refused');
  const isStored = isSubmitted || (await form.unfinished?.isStored(call, latestForm));
  if (!isStored) return { formId, excerpt, savedAt };
  await deleteSealedValue(call, buildUnfinishedKind(form), buildUnfinishedId(formId));
  return findOffer(form, call);
}

/** Reads the options with which an unfinished form is opened again. Undefined if it was deleted or has expired. */
export async function readUnfinishedForm(
  form: Form,
  call: Call,
  formId: string,
): Promise<OpenOptions | undefined> {
  const unfinishedValues = await readSealedValue(
    call,
    buildUnfinishedKind(form),
    unfinishedForm,
    buildUnfinishedId(formId),
  );
  return (
    unfinishedValues && {
      prefill: unfinishedValues.prefill,
      ...(unfinishedValues.channel !== undefined && { channel: unfinishedValues.channel }),
      ...(unfinishedValues.message && { message: unfinishedValues.message }),
    }
  );
}
