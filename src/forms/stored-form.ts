import { performance } from 'node:perf_hooks';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { ActionCall, Call } from '../handlers/call.ts';
import { toExcerpt } from '../posts/post-text.ts';
import { createInstanceState } from '../store/instance-state.ts';
import { listFormSubmissions } from '../submissions/sql/lists.ts';
import { type Fields, namedRecord } from './field.ts';
import type { Form, FormState, Selected } from './form.ts';
import type { FormContext, OpenOptions } from './form-context.ts';
import {
  changeSealedValue,
  type Owner,
  readSealedRows,
  readSealedValue,
  readSealedValueWith,
  type SealedRow,
  selectTypedValues,
  storeSealedValue,
} from './sealed-store.ts';

const formValues = z.record(z.string(), z.unknown());

const unfinishedOffer = z.object({
  /** The id of the unfinished form. */
  formId: z.string(),
  excerpt: z.string(),
  /** ISO 8601. */
  savedAt: z.string(),
  /** Whether an earlier form is unfinished too. It is offered after this one. */
  hasEarlier: z.boolean().optional(),
});
export type UnfinishedOffer = z.infer<typeof unfinishedOffer>;

/** What somebody has typed into a form, with the values with which the form continues. */
const typedValues = unfinishedOffer.pick({ excerpt: true, savedAt: true }).extend({ prefill: formValues });

const storedForm = z.object({
  channel: z.string().optional(),
  /** See `OpenOptions`. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  prefill: formValues.optional(),
  /** Absent until the form context was loaded. Another version of the form may have stored it. */
  formContext: formValues.optional(),
  /** The chosen project, or null if none is chosen. Absent until the form was rendered. See `storeChosenProject`. */
  project: namedRecord.nullable().optional(),
  /** The latest values, for a form that keeps those of hidden fields. */
  latestValues: formValues.optional(),
  /** The submitted values of a form that waits for its confirmation, or that has several contents. */
  unconfirmed: formValues.optional(),
  /** The banner of the last submission that changed the form context, for example because of a conflict; mrkdwn. */
  banner: z.string().optional(),
  /** The offer to continue an earlier form, which this form shows. */
  offer: unfinishedOffer.optional(),
  /** Whether the form was handled, and a copy of it does nothing. */
  isHandled: z.boolean().optional(),
  /** What was typed, so that the person can continue after closing the form. */
  typed: typedValues.optional(),
  /**
   * What is typed before this time isn't offered, because the form was sent, held, saved as a draft or discarded, unless
   * the service refuses what was sent; ISO 8601. Slack may deliver a change of a field late, even to another instance.
   */
  offeredFrom: z.string().optional(),
  /** The latest time at which the form can have been submitted or replaced, see `toSubmittedAt`. */
  submittedAt: z.number().optional(),
  /** The time of the latest action whose values are stored, see `ActionCall.action`. Only of a form that stores values. */
  actedAt: z.number().optional(),
});

/** An open form in the database, stored under the form's opaque id. */
export type StoredForm = z.infer<typeof storedForm>;

type NamedForm = Pick<Form, 'name' | 'version'>;

function buildKind({ name, version }: NamedForm): string {
  return `${name}.${version}`;
}

/** Stores an open form, or replaces the stored form with the same id. */
export async function storeForm(
  form: NamedForm,
  call: Call,
  id: string,
  content: Readonly<StoredForm>,
): Promise<void> {
  // The content may contain typed text, so it is encrypted.
  await storeSealedValue(call, buildKind(form), content, { id, typedAt: getTypedAt(content) });
}

export function getTypedAt({ typed }: Pick<StoredForm, 'typed'>): Date | undefined {
  return typed && new Date(typed.savedAt);
}

/** Reads a stored form. Undefined if it belongs to another person, has expired, or has another version. */
export async function readStoredForm(
  form: NamedForm,
  owner: Owner,
  id: string,
): Promise<StoredForm | undefined> {
  return readSealedValue(owner, buildKind(form), storedForm, id);
}

/** Builds the private_metadata of a form's view from the form's version and opaque id. */
export function buildFormMetadata(version: number, formId: string): string {
  return `${version}.${formId}`;
}

/** Parses the form id in the private_metadata of a view. Undefined if the form has another version. */
export function parseFormId(version: number, metadata: string): string | undefined {
  const [foundVersion, id] = metadata.split('.');
  return foundVersion === String(version) && id !== undefined && id !== '' ? id : undefined;
}

/** The form that a view refers to, with its stored context. */
export interface OpenedForm<Context extends FormContext = FormContext> {
  formId: string;
  stored: StoredForm;
  formContext: Context;
  selected: Selected;
}

/**
 * Reads the form that a view refers to. Undefined if it has another version, or belongs to another person.
 * `selectWithForm`: what the same statement reads besides.
 */
export async function readOpenedForm<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  metadata: string,
  selectWithForm?: (call: Call, formId: string) => RawBuilder<unknown>,
): Promise<OpenedForm<Context> | undefined> {
  const id = parseFormId(form.version, metadata);
  if (id === undefined) return undefined;
  const at = performance.now();
  const key = { kind: buildKind(form), schema: storedForm, id };
  const read = await readSealedValueWith(call, key, selectWithForm?.(call, id));
  const formContext = form.contextLoader.schema.safeParse(read?.value.formContext).data;
  return read && formContext
    ? { formId: id, stored: read.value, formContext, selected: { value: read.others, at } }
    : undefined;
}

/** Whether two values are equal as JSON, the format in which they are stored. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Pending writes to stored forms, by form id. */
const pendingWritesOf = createInstanceState(() => new Map<string, Promise<void>>());

/**
 * Changes a stored form, if it still exists. Changes of the same form run one after the other. Writes nothing if the form
 * stays the same. `known`: the form as it was read before.
 */
export async function changeStoredForm(
  form: NamedForm,
  owner: Owner,
  id: string,
  change: (stored: StoredForm) => StoredForm,
  known?: StoredForm,
): Promise<void> {
  const value = { kind: buildKind(form), schema: storedForm, id, known, getTypedAt };
  const write = () =>
    changeSealedValue(owner, value, (stored) => {
      const changedForm = change(stored);
      return isSame(changedForm, stored) ? undefined : changedForm;
    });
  const pendingWrites = pendingWritesOf(owner.context.db);
  const queuedWrite = (pendingWrites.get(id) ?? Promise.resolve()).then(write, write);
  pendingWrites.set(id, queuedWrite);
  try {
    await queuedWrite;
  } finally {
    if (pendingWrites.get(id) === queuedWrite) pendingWrites.delete(id);
  }
}

type Action = ActionCall['action'];

/** Whether the values of a later action are stored. Slack's requests arrive in any order, and at any instance. */
export function isOutdated({ actedAt: latestAt = 0 }: StoredForm, { actedAt = latestAt }: Action): boolean {
  return actedAt < latestAt;
}

/** Creates a change by an action. It leaves a form with the values of a later action as it is. */
export function applyAction(
  { unfinished, keepsHiddenValues = false }: Form,
  action: Action,
  change: (stored: StoredForm) => StoredForm,
): (stored: StoredForm) => StoredForm {
  const storesValues = unfinished !== undefined || keepsHiddenValues;
  return (stored) => {
    const changed = change(stored);
    if (isOutdated(stored, action)) return stored;
    return storesValues ? { ...changed, actedAt: action.actedAt ?? stored.actedAt } : changed;
  };
}

/** Our own choice. More than the clocks of Slack and the app differ. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** Slack's time of a request is in whole seconds. */
const REQUEST_TIME_PRECISION_MS = 1_000;

/**
 * Computes the latest time at which the person can have submitted a form, on Slack's clock, s. The payload has no time.
 * If the form stays open, presses soon after it must work, and a late one may replace the reason.
 */
export function toSubmittedAt(
  { sentAt, now }: Pick<Call, 'sentAt' | 'now'>,
  { staysOpen }: { staysOpen: boolean },
): number {
  const marginMs = staysOpen ? REQUEST_TIME_PRECISION_MS : MAX_CLOCK_DIFFERENCE_MS;
  return ((sentAt ?? now()).getTime() + marginMs) / 1000;
}

/** Resolves when each pending change of the form that a view refers to has been stored or has failed. */
export async function waitForChanges(
  { version }: NamedForm,
  { context }: Pick<Owner, 'context'>,
  metadata: string,
): Promise<void> {
  await pendingWritesOf(context.db)
    .get(parseFormId(version, metadata) ?? '')
    ?.catch(() => undefined);
}

/** How long an unfinished form is offered. */
const OFFER_MS = DAY_MS;
/** Typed values that haven't changed are stored again only after this time, so that a form can be sent without a write. */
const REFRESH_MS = HOUR_MS;
/** Longer than Slack takes to deliver a change of a field. A discarded form may still be open on another device. */
const DISCARDED_MS = MINUTE_MS;

const toIsoAfter = (instant: Date, ms: number) => new Date(instant.getTime() + ms).toISOString();

/**
 * Replaces the typed values of a stored form by those of an open form. Slack sends the values with every press and every
 * change of a live field, but not when the form is closed: the recorded payloads of view_closed have no values
 * (bolt-python, tests/scenario_tests/test_view_closed.py). A form without text has no typed values. Pure.
 */
export function keepTyped(
  { unfinished }: Pick<Form, 'unfinished'>,
  stored: StoredForm,
  state: FormState,
): StoredForm {
  if (!unfinished) return stored;
  const { now } = state;
  const excerpt = toExcerpt(unfinished.getText(state));
  const prefill = unfinished.toPrefill(state);
  const { savedAt = '' } = stored.typed ?? {};
  const isStored = savedAt > toIsoAfter(now, -REFRESH_MS) && savedAt >= (stored.offeredFrom ?? '');
  if (excerpt !== '' && isStored && isSame(prefill, stored.typed?.prefill)) return stored;
  const typed = excerpt === '' ? undefined : { prefill, excerpt, savedAt: now.toISOString() };
  return { ...stored, typed };
}

/** Creates the fields of a stored form whose initial values were typed elsewhere, so that they are offered again. */
export function startTyped(
  prefill: Readonly<Record<string, unknown>>,
  text: string,
  now: Date,
): Pick<StoredForm, 'prefill' | 'typed'> {
  return { prefill, typed: { prefill, excerpt: toExcerpt(text), savedAt: now.toISOString() } };
}

/** Removes the typed values of a form that was sent, held, saved as a draft or discarded. Pure. */
export function endTyped(
  { unfinished }: Pick<Form, 'unfinished'>,
  { typed: _, ...stored }: StoredForm,
  { now, isDiscarded = false }: { now: Date; isDiscarded?: boolean },
): StoredForm {
  if (!unfinished) return stored;
  return { ...stored, offeredFrom: toIsoAfter(now, isDiscarded ? DISCARDED_MS : OFFER_MS) };
}

/**
 * Prepares what is stored of a new form, with the offer to continue an earlier one. `settings`: those that are read for
 * the form. The words of a typed line are stored at once, because nobody may see the form that they open: the trigger may
 * have expired.
 */
export async function prepareForm(
  form: Form,
  call: Call,
  formId: string,
  { typed, prefill, ...options }: OpenOptions,
  settings: Promise<{ typedForms: readonly SealedRow[] }> | undefined,
): Promise<StoredForm> {
  const content = {
    ...options,
    ...(prefill && (typed === undefined ? { prefill } : startTyped(prefill, typed, call.now()))),
  };
  const [offer] = await Promise.all([
    settings?.then(({ typedForms }) => findUnfinishedForm(form, call, formId, typedForms)),
    typed !== undefined && storeForm(form, call, formId, content),
  ]);
  return { ...content, offer };
}

/**
 * Finds the person's latest unfinished form to offer, besides the opened one. If that fails, the new form opens without
 * an offer. `rows`: those of `selectTypedForms`.
 */
export async function findUnfinishedForm(
  form: Form,
  call: Call,
  openedId: string,
  rows: readonly SealedRow[],
): Promise<UnfinishedOffer | undefined> {
  let latest: UnfinishedOffer | undefined;
  try {
    for (const typed of listTypedForms(call, rows)) {
      const { formId, excerpt, savedAt } = typed;
      if (formId === openedId || !(await isStoredNowhereElse(form, call, typed))) continue;
      if (latest) return { ...latest, hasEarlier: true };
      latest = { formId, excerpt, savedAt };
    }
  } catch (error) {
    call.log.warn({ reference: call.reference, err: error }, 'could not read an unfinished form');
  }
  return latest;
}

/** Reads the options with which an unfinished form is opened again. Undefined if it isn't offered any more. */
export async function readUnfinishedForm(
  form: Form,
  call: Call,
  id: string,
  { searchesOthers = true } = {},
): Promise<OpenOptions | undefined> {
  const { rows } = await selectTypedForms(form, call).execute(call.context.db);
  const typed = listTypedForms(call, rows).find(({ formId }) => formId === id);
  // It may have been sent on another device meanwhile.
  if (!typed || !(await isStoredNowhereElse(form, call, typed, { searchesOthers }))) return undefined;
  return { prefill: typed.prefill, ...typed.options };
}

/**
 * Whether the form of an offer is still unfinished. If that can't be found out, the offer stays: [Continue] asks again,
 * and looks for the same content in other forms.
 */
export async function isStillUnfinished(
  form: Form,
  call: Call,
  offer: UnfinishedOffer | undefined,
): Promise<boolean> {
  if (!offer) return false;
  try {
    const options = await readUnfinishedForm(form, call, offer.formId, { searchesOthers: false });
    return options !== undefined;
  } catch (error) {
    call.log.warn({ reference: call.reference, err: error }, 'could not read an unfinished form');
    return true;
  }
}

interface TypedForm extends UnfinishedOffer {
  prefill: Readonly<Record<string, unknown>>;
  options: OpenOptions;
  /** Whether the form was sent, held, saved as a draft or discarded after that, or shortly before. */
  isOver: boolean;
}

/** Whether typed values are stored neither as a submission nor elsewhere. */
async function isStoredNowhereElse(
  form: Form,
  call: Call,
  { formId, prefill, savedAt, isOver }: TypedForm,
  { searchesOthers = true } = {},
): Promise<boolean> {
  const { workspace } = call.actor;
  const rows = await listFormSubmissions(call.context.db, { workspace, origin: formId });
  if (rows.some(({ state }) => state !== 'refused')) return false;
  // A form that the service has refused was shown again, and typed into again.
  if (isOver && rows.length === 0) return false;
  return !(await form.unfinished?.isStored(call, { formId, prefill, savedAt, searchesOthers }));
}

/**
 * Selects the person's forms with typed values. Leaves out those that were sent: what was typed is removed only
 * after the answer. `isStoredNowhereElse` decides about forms that were refused, or whose submissions were discarded.
 */
export function selectTypedForms(form: NamedForm, call: Call): ReturnType<typeof selectTypedValues> {
  const since = new Date(toIsoAfter(call.now(), -OFFER_MS));
  const isUnsent = sql<boolean>`not exists (select from submission s
    where s.workspace = open_form.workspace and s.origin = open_form.id and s.state not in ('refused', 'discarded'))`;
  return selectTypedValues(call, buildKind(form), since, isUnsent);
}

/** Lists the person's forms with typed values, the latest first. */
function listTypedForms(call: Call, rows: readonly SealedRow[]): TypedForm[] {
  return readSealedRows(call, storedForm, rows).flatMap(({ id, value }) => {
    const { typed, channel, message, offeredFrom = '' } = value;
    if (!typed) return [];
    const options = { ...(channel !== undefined && { channel }), ...(message && { message }) };
    return [{ formId: id, ...typed, options, isOver: typed.savedAt < offeredFrom }];
  });
}
