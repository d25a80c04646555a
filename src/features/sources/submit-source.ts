import { setTimeout as delay } from 'node:timers/promises';
import { listSources } from '../../api/sources.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import type { FormHandlers } from '../../forms/create-form.ts';
import { checkForm, readUnconfirmedForm } from '../../forms/current-form.ts';
import { buildActionId } from '../../forms/field.ts';
import { CONFIRM, renderConfirmationView } from '../../forms/form-view.ts';
import { storeForm } from '../../forms/stored-form.ts';
import { serviceFailureText } from '../../slack/service-failure.ts';
import { confirmChange } from './confirm-change.ts';
import { isSameText, type SeenSource, toSeenSource } from './seen-source.ts';
import { sourceForm } from './source-form.ts';

/** The second look's own view. */
export const CONFIRMED = buildActionId(sourceForm.name, CONFIRM);

type ReadAgain =
  | { kind: 'there'; source: SeenSource }
  | { kind: 'gone' }
  | { kind: 'trouble'; words: string };

/** What the service has of it now; `withinMs` is as long as somebody waits for that. */
export async function readAgain(
  { context }: Call,
  at: { project: string; source: string; withinMs: number },
): Promise<ReadAgain> {
  const late = delay(at.withinMs, undefined, { ref: false });
  const outcome = await Promise.race([listSources(context.api, at.project), late]);
  if (!outcome) return { kind: 'trouble', words: 'The scheduling service is slow to answer.' };
  if (outcome.kind !== 'done') return { kind: 'trouble', words: serviceFailureText(outcome) };
  if (outcome.data.shape === 'unreadable')
    return { kind: 'trouble', words: 'The scheduling service answered, but I cannot read its sources.' };
  const found = outcome.data.items.find(({ id }) => id === at.source);
  if (found) return { kind: 'there', source: toSeenSource(found) };
  return outcome.data.isTruncated
    ? { kind: 'trouble', words: 'There are more sources than I can read, and it is not among the first.' }
    : { kind: 'gone' };
}

function isSameSource(one: SeenSource, other: SeenSource): boolean {
  return isSameText(one.description, other.description) && isSameText(one.value, other.value);
}

/**
 * The second look is submitted: what the service has is read once more. Where that has changed, both are shown and
 * nothing is sent; where it cannot be read, nothing is sent either.
 */
export async function submitReviewed(call: SubmissionCall, views: FormHandlers['views']): Promise<void> {
  const standing = await readUnconfirmedForm(sourceForm, call, call.view.metadata);
  const { source, of } = standing?.state.formContext ?? {};
  if (!standing || !source || of === undefined) return views[CONFIRMED]?.(call);
  const { context } = call;
  // The other half of the time belongs to sending it.
  const withinMs = context.pace.answerMs / 2;
  const now = await readAgain(call, { project: of, source: source.id, withinMs });
  if (now.kind === 'there' && isSameSource(now.source, source)) {
    await views[CONFIRMED]?.(call);
    return context.reads.drop(context.api, of);
  }
  const { state, formId, stored } = standing;
  const formContext =
    now.kind === 'there' ? { ...state.formContext, source: now.source, was: source } : state.formContext;
  const checked = checkForm(sourceForm, { ...state, formContext });
  await storeForm(sourceForm, call, formId, { ...stored, formContext });
  const [content] = checked.kind === 'valid' ? checked.contents : [];
  // Somebody has made the same change: the form says that there is nothing left to send.
  if (!content) return views[CONFIRMED]?.(call);
  const confirmation = confirmChange(content, formContext, troubleOf(now));
  await call.answer({ view: renderConfirmationView(sourceForm, formId, confirmation) });
}

function troubleOf(now: ReadAgain): string | undefined {
  if (now.kind === 'gone') return 'This source is not there any more.';
  return now.kind === 'trouble'
    ? `I could not look whether it was changed meanwhile: ${now.words} Your text is still here; press the button to try again.`
    : undefined;
}
