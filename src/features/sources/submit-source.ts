import { setTimeout as delay } from 'node:timers/promises';
import { listSources } from '../../api/sources.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import type { FormHandlers } from '../../forms/create-form.ts';
import { checkForm, readUnconfirmedForm } from '../../forms/current-form.ts';
import { buildActionId } from '../../forms/field.ts';
import { CONFIRM, renderConfirmationView } from '../../forms/form-view.ts';
import { storeForm } from '../../forms/stored-form.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { confirmChange } from './confirm-change.ts';
import { isSameText, type SeenSource, toSeenSource } from './seen-source.ts';
import { sourceForm } from './source-form.ts';

/** The callback id of the confirmation. */
export const CONFIRMED = buildActionId(sourceForm.name, CONFIRM);

type CurrentSource =
  | { kind: 'there'; source: SeenSource }
  | { kind: 'gone' }
  /** The source couldn't be read; `text` says why. Plain text. */
  | { kind: 'trouble'; text: string };

/** Reads the source from the service. Gives up after `withinMs`. */
export async function readCurrentSource(
  { context }: Call,
  at: { project: string; source: string; withinMs: number },
): Promise<CurrentSource> {
  const timeout = delay(at.withinMs, undefined, { ref: false });
  const outcome = await Promise.race([listSources(context.api, at.project), timeout]);
  if (!outcome) return { kind: 'trouble', text: 'The scheduling service is slow to answer.' };
  if (outcome.kind !== 'done') return { kind: 'trouble', text: renderServiceFailure(outcome) };
  if (outcome.data.shape === 'unreadable')
    return { kind: 'trouble', text: 'The scheduling service answered, but I cannot read its sources.' };
  const found = outcome.data.items.find(({ id }) => id === at.source);
  if (found) return { kind: 'there', source: toSeenSource(found) };
  return outcome.data.isTruncated
    ? { kind: 'trouble', text: 'There are more sources than I can read, and it is not among the first.' }
    : { kind: 'gone' };
}

function isSameSource(one: SeenSource, other: SeenSource): boolean {
  return isSameText(one.description, other.description) && isSameText(one.value, other.value);
}

/**
 * Submits a confirmed update, after reading the source once more. If somebody else has changed the source, shows both
 * changes instead; if it can't be read, says so. Nothing is sent in either case.
 */
export async function submitConfirmed(call: SubmissionCall, views: FormHandlers['views']): Promise<void> {
  const current = await readUnconfirmedForm(sourceForm, call, call.view.metadata);
  const { source, projectId } = current?.state.formContext ?? {};
  if (!current || !source || projectId === undefined) return views[CONFIRMED]?.(call);
  const { context } = call;
  // Sending the update needs the other half of the time.
  const withinMs = context.pace.answerMs / 2;
  const read = await readCurrentSource(call, { project: projectId, source: source.id, withinMs });
  if (read.kind === 'there' && isSameSource(read.source, source)) {
    await views[CONFIRMED]?.(call);
    return context.reads.drop(context.api, projectId);
  }
  const { state, formId, stored } = current;
  const formContext =
    read.kind === 'there'
      ? { ...state.formContext, source: read.source, previous: source }
      : state.formContext;
  const checked = checkForm(sourceForm, { ...state, formContext });
  await storeForm(sourceForm, call, formId, { ...stored, formContext });
  const [content] = checked.kind === 'valid' ? checked.contents : [];
  // Somebody else has made the same change. The form then says that nothing is left to send.
  if (!content) return views[CONFIRMED]?.(call);
  const confirmation = confirmChange(content, formContext, describeTrouble(read));
  await call.answer({ view: renderConfirmationView(sourceForm, formId, confirmation) });
}

/** Plain text. */
function describeTrouble(read: CurrentSource): string | undefined {
  if (read.kind === 'gone') return 'This source is not there any more.';
  return read.kind === 'trouble'
    ? `I could not look whether it was changed meanwhile: ${read.text} Your text is still here; press the button to try again.`
    : undefined;
}
