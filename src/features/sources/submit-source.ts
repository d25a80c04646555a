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
import { isSameText, type ListedSource, toListedSource } from './listed-source.ts';
import { sourceForm } from './source-form.ts';

/** The callback id of the confirmation view. */
export const CONFIRMATION = buildActionId(sourceForm.name, CONFIRM);

type CurrentSourceResult =
  | { kind: 'found'; source: ListedSource }
  | { kind: 'not-found' }
  /** The source could not be read. `failureText` is the reason (plain text). */
  | { kind: 'failed'; failureText: string };

/** Reads a source from the service. Fails after `timeoutMs`. */
export async function readCurrentSource(
  { context }: Call,
  query: { project: string; source: string; timeoutMs: number },
): Promise<CurrentSourceResult> {
  const timeoutPromise = delay(query.timeoutMs, undefined, { ref: false });
  const outcome = await Promise.race([listSources(context.api, query.project), timeoutPromise]);
  if (!outcome) return { kind: 'failed', failureText: 'The scheduling service is slow.' };
  if (outcome.kind !== 'done') return { kind: 'failed', failureText: renderServiceFailure(outcome) };
  if (!outcome.data.isReadable)
    return { kind: 'failed', failureText: 'The scheduling service answered, but I can’t read its sources.' };
  const source = outcome.data.items.find(({ id }) => id === query.source);
  if (source) return { kind: 'found', source: toListedSource(source) };
  return outcome.data.isTruncated
    ? {
        kind: 'failed',
        failureText: 'There are more sources than I can read, and this one isn’t among the first.',
      }
    : { kind: 'not-found' };
}

function hasSameContent(source: ListedSource, other: ListedSource): boolean {
  return isSameText(source.description, other.description) && isSameText(source.value, other.value);
}

/**
 * Submits a confirmed update. Reads the source once more first. If the source can't be read, or if somebody else has
 * changed it, sends nothing and shows the confirmation again, with the failure or the other person's change.
 */
export async function submitConfirmed(call: SubmissionCall, views: FormHandlers['views']): Promise<void> {
  const unconfirmedForm = await readUnconfirmedForm(sourceForm, call, call.view.metadata);
  const { source, projectId } = unconfirmedForm?.state.formContext ?? {};
  if (!unconfirmedForm || !source || projectId === undefined) return views[CONFIRMATION]?.(call);
  const { context } = call;
  // The other half of the response time is for sending the update.
  const timeoutMs = context.pace.acknowledgementTimeoutMs / 2;
  const readResult = await readCurrentSource(call, { project: projectId, source: source.id, timeoutMs });
  if (readResult.kind === 'found' && hasSameContent(readResult.source, source)) {
    await views[CONFIRMATION]?.(call);
    return context.reads.drop(context.api, projectId);
  }
  const { state, formId, stored } = unconfirmedForm;
  const formContext =
    readResult.kind === 'found'
      ? { ...state.formContext, source: readResult.source, previousSource: source }
      : state.formContext;
  const checkResult = checkForm(sourceForm, { ...state, formContext });
  await storeForm(sourceForm, call, formId, { ...stored, formContext });
  const [content] = checkResult.kind === 'valid' ? checkResult.contents : [];
  // Somebody else has made the same change, so the form now reports that nothing is different.
  if (!content) return views[CONFIRMATION]?.(call);
  const confirmation = buildConfirmation(content, formContext, explainFailure(readResult));
  await call.answer({ view: renderConfirmationView(sourceForm, formId, confirmation) });
}

/** Explains why the update was not sent (plain text). Returns undefined if somebody else has changed the source. */
function explainFailure(readResult: CurrentSourceResult): string | undefined {
  if (readResult.kind === 'not-found') return 'This source no longer exists.';
  return readResult.kind === 'failed'
    ? `I couldn’t check for changes. ${readResult.failureText} Your text is still here: press the button to retry.`
    : undefined;
}
