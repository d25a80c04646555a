import { setTimeout as delay } from 'node:timers/promises';
import { listSources } from '../../api/sources.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import type { FormHandlers } from '../../forms/create-form.ts';
import { checkForm, readUnconfirmedForm } from '../../forms/current-form.ts';
import { buildActionId } from '../../forms/field.ts';
import { CONFIRM, renderConfirmationView } from '../../forms/form-view.ts';
import { storeForm } from '../../forms/stored-form.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { buildConfirmation } from './confirm-change.ts';
import { isSameText, type SeenSource, toSeenSource } from './seen-source.ts';
import { sourceForm } from './source-form.ts';

/** The callback id of the confirmation view. */
export const CONFIRMATION = buildActionId(sourceForm.name, CONFIRM);

type CurrentSource =
  | { kind: 'there'; source: SeenSource }
  | { kind: 'gone' }
  /** The source could not be read. `text` is the reason (plain text). */
  | { kind: 'trouble'; text: string };

/** Reads the source from the service. Gives up after `withinMs`. */
export async function readCurrentSource(
  { context }: Call,
  query: { project: string; source: string; withinMs: number },
): Promise<CurrentSource> {
  const timeout = delay(query.withinMs, undefined, { ref: false });
  const outcome = await Promise.race([listSources(context.api, query.project), timeout]);
  if (!outcome) return { kind: 'trouble', text: 'The scheduling service is slow to answer.' };
  if (outcome.kind !== 'done') return { kind: 'trouble', text: renderServiceFailure(outcome) };
  if (outcome.data.shape === 'unreadable')
    return { kind: 'trouble', text: 'The scheduling service answered, but I cannot read its sources.' };
  const source = outcome.data.items.find(({ id }) => id === query.source);
  if (source) return { kind: 'there', source: toSeenSource(source) };
  return outcome.data.isTruncated
    ? { kind: 'trouble', text: 'There are more sources than I can read, and it is not among the first.' }
    : { kind: 'gone' };
}

function hasSameTexts(source: SeenSource, other: SeenSource): boolean {
  return isSameText(source.description, other.description) && isSameText(source.value, other.value);
}

/**
 * Submits a confirmed update after reading the source once more. If somebody else has changed the source since, or if
 * it can't be read, sends nothing and shows the confirmation again, with the other person's change or the failure.
 */
export async function submitConfirmed(call: SubmissionCall, views: FormHandlers['views']): Promise<void> {
  const unconfirmedForm = await readUnconfirmedForm(sourceForm, call, call.view.metadata);
  const { source, projectId } = unconfirmedForm?.state.formContext ?? {};
  if (!unconfirmedForm || !source || projectId === undefined) return views[CONFIRMATION]?.(call);
  const { context } = call;
  // The other half of the response time is for sending the update.
  const withinMs = context.pace.answerMs / 2;
  const result = await readCurrentSource(call, { project: projectId, source: source.id, withinMs });
  if (result.kind === 'there' && hasSameTexts(result.source, source)) {
    await views[CONFIRMATION]?.(call);
    return context.reads.drop(context.api, projectId);
  }
  const { state, formId, stored } = unconfirmedForm;
  const formContext =
    result.kind === 'there'
      ? { ...state.formContext, source: result.source, previous: source }
      : state.formContext;
  const checkResult = checkForm(sourceForm, { ...state, formContext });
  await storeForm(sourceForm, call, formId, { ...stored, formContext });
  const [content] = checkResult.kind === 'valid' ? checkResult.contents : [];
  // Somebody else has made the same change, so the form now reports that nothing is different.
  if (!content) return views[CONFIRMATION]?.(call);
  const confirmation = buildConfirmation(content, formContext, describeTrouble(result));
  await call.answer({ view: renderConfirmationView(sourceForm, formId, confirmation) });
}

/** Explains why the update was not sent (plain text). Returns undefined if somebody else has changed the source. */
function describeTrouble(result: CurrentSource): string | undefined {
  if (result.kind === 'gone') return 'This source is not there any more.';
  return result.kind === 'trouble'
    ? `I could not look whether it was changed meanwhile: ${result.text} Your text is still here; press the button to try again.`
    : undefined;
}
