import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Call } from '../app/call.ts';
import { toExcerpt } from '../posts/post-text.ts';
import { actions, button, context, escapeText, plain, section, withConfirmation } from '../slack/blocks.ts';
import { listFormSubmissions } from '../submissions/sql/submissions.ts';
import { formatMoment } from '../when/when.ts';
import type { CurrentForm } from './current-form.ts';
import { buildActionId } from './field.ts';
import type { Form, FormState } from './form.ts';
import type { OpenOptions } from './form-context.ts';
import {
  deleteSealedValue,
  type Owner,
  readLatestSealedValue,
  readSealedValue,
  storeSealedValue,
} from './sealed-store.ts';
import { type UnfinishedOffer, unfinishedOffer } from './stored-form.ts';

/** How long the typed values of an unfinished form are stored. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** For this long a discarded form stores no values. Longer than Slack takes to deliver a change of a field. */
export const DISCARDED_MS = 60 * 1000;

/** Name of [Continue] in its action_id. */
export const CONTINUE = 'continue';
/** Name of [Discard] in its action_id. */
export const DISCARD = 'discard';

const unfinishedForm = unfinishedOffer.extend({
  channel: z.string().optional(),
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  prefill: z.record(z.string(), z.unknown()),
});

const buildKind = ({ name, version }: Pick<Form, 'name' | 'version'>) => `${name}.${version}.unfinished`;
/** The kind of the row that takes the place of the typed values when a form has ended. */
const buildEndedKind = (form: Pick<Form, 'name' | 'version'>) => `${buildKind(form)}.ended`;
const buildId = (formId: string) => `${formId}.unfinished`;

/**
 * Stores the typed values of an open form, so that the person can continue after closing it. Slack sends the values
 * with every press and every change of a live field, but not when the form is closed: the recorded payloads of
 * view_closed have no values (bolt-python, tests/scenario_tests/test_view_closed.py). Stores nothing after
 * `endUnfinishedForm`.
 */
export async function saveUnfinishedForm(
  form: Form,
  call: Call,
  { formId, stored, state }: Pick<CurrentForm, 'formId' | 'stored' | 'state'>,
): Promise<void> {
  if (!form.unfinished) return;
  const excerpt = toExcerpt(form.unfinished.getText(state));
  if (excerpt === '') return deleteUnfinishedForm(form, call, formId);
  const value: z.infer<typeof unfinishedForm> = {
    formId,
    excerpt,
    savedAt: state.now.toISOString(),
    prefill: form.unfinished.toPrefill(state),
    channel: stored.channel,
    message: stored.message,
  };
  await storeSealedValue(call, buildKind(form), value, { id: buildId(formId), lifetimeMs: LIFETIME_MS });
}

/**
 * Deletes the stored values of a form that was sent, held, saved as a draft or discarded: Slack may deliver a change of a
 * field after the form's submission, even to another instance, and its values must not be offered again. `lifetimeMs`:
 * for how long; a discarded form may still be open on another device.
 */
export async function endUnfinishedForm(
  form: Form,
  call: Call,
  formId: string,
  { lifetimeMs = LIFETIME_MS } = {},
): Promise<void> {
  const options = { id: buildId(formId), lifetimeMs, isFinal: true };
  if (form.unfinished) await storeSealedValue(call, buildEndedKind(form), null, options);
}

/** Lets a form store typed values again, because it is shown again. */
export async function reopenUnfinishedForm(form: Form, owner: Owner, formId: string): Promise<void> {
  if (form.unfinished) await deleteSealedValue(owner, buildEndedKind(form), buildId(formId));
}

/** Deletes the stored values of a form that was emptied, or that is shown again after a submission. */
export async function deleteUnfinishedForm(form: Form, call: Call, formId: string): Promise<void> {
  if (form.unfinished) await deleteSealedValue(call, buildKind(form), buildId(formId));
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
  const latestForm = await readLatestSealedValue(call, buildKind(form), unfinishedForm);
  if (!latestForm) return undefined;
  const { formId, excerpt, savedAt } = latestForm;
  const rows = await listFormSubmissions(call.context.db, {
    workspace: call.actor.workspace,
    origin: formId,
  });
  const isSubmitted = rows.some(({ state }) => state !== 'refused');
  const isStored = isSubmitted || (await form.unfinished?.isStored(call, latestForm));
  if (!isStored) return { formId, excerpt, savedAt };
  await deleteUnfinishedForm(form, call, formId);
  return findOffer(form, call);
}

/** Reads the options with which an unfinished form is opened again. Undefined if it was deleted or has expired. */
export async function readUnfinishedForm(
  form: Form,
  call: Call,
  formId: string,
): Promise<OpenOptions | undefined> {
  const unfinishedValues = await readSealedValue(call, buildKind(form), unfinishedForm, buildId(formId));
  return (
    unfinishedValues && {
      prefill: unfinishedValues.prefill,
      ...(unfinishedValues.channel !== undefined && { channel: unfinishedValues.channel }),
      ...(unfinishedValues.message && { message: unfinishedValues.message }),
    }
  );
}

const REPLACE_DIALOG = {
  title: 'Replace what you’ve typed?',
  text: 'I’ll keep it, and offer it the next time you open the form.',
  confirm: 'Replace',
};

/** Renders the offer to continue an unfinished form. */
export function renderUnfinishedOffer(
  form: Pick<Form, 'name' | 'unfinished'>,
  { formId, excerpt, savedAt }: UnfinishedOffer,
  state: FormState,
): KnownBlock[] {
  const { formContext, now } = state;
  const { actorZone = 'UTC' } = formContext;
  const continueButton = button('Continue', buildActionId(form.name, CONTINUE), formId, 'primary');
  const hasTypedText = form.unfinished !== undefined && form.unfinished.getText(state) !== '';
  const savedMoment = formatMoment({ instant: new Date(savedAt), zone: actorZone }, { now });
  return [
    section(`You have an unsaved ${form.unfinished?.noun} from *${escapeText(savedMoment)}*.`),
    context(plain(excerpt)),
    actions(
      hasTypedText ? withConfirmation(continueButton, REPLACE_DIALOG) : continueButton,
      withConfirmation(button('Discard', buildActionId(form.name, DISCARD), formId), {
        title: `Discard your unsaved ${form.unfinished?.noun}?`,
        text: 'You can’t undo this.',
        confirm: 'Discard',
        style: 'danger',
      }),
    ),
  ];
}
