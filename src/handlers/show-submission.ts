import { within } from '../promises.ts';
import { BUTTON_UNAVAILABLE } from '../slack/message.ts';
import { waitUntilSent } from '../submissions/attempt.ts';
import { clearPendingNotification } from '../submissions/deliveries.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { loadShown, loadShownRow } from '../submissions/shown.ts';
import { listFormSubmissions } from '../submissions/sql/lists.ts';
import { findLatestReplacement, findOwnSubmission } from '../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { SubmissionContext } from '../submissions/submission-context.ts';
import { renderFormMessage, renderStateMessage, renderStateView } from '../submissions/text/state-blocks.ts';
import { updateOpenView } from './answer-when-ready.ts';
import type { ActionCall, Call } from './call.ts';

export function findActorsSubmission(
  { context, actor }: Call,
  { name: kind }: Pick<AnyKind, 'name'>,
  id: string,
) {
  return findOwnSubmission(context.db, { id, workspace: actor.workspace, author: actor.user, kind });
}

/** Shows the actor's submission in the button's view or message. `note` describes the result (mrkdwn). */
export async function showSubmission(
  call: ActionCall,
  kind: Pick<AnyKind, 'name'>,
  id: string,
  note?: string,
): Promise<void> {
  const row = await findActorsSubmission(call, kind, id);
  if (!row) return call.reply(BUTTON_UNAVAILABLE);
  await showRow(call, row, note);
}

/** Shows the form's submissions in the message whose button was pressed. False if the form wasn't submitted. */
export async function showFormSubmissions(call: ActionCall, formId: string): Promise<boolean> {
  const { context } = call.context.submissions;
  const { workspace, user } = call.actor;
  const readOwnRows = async () =>
    (await listFormSubmissions(context.db, { workspace, origin: formId })).filter(
      ({ author }) => author === user,
    );
  const savedRows = await readOwnRows();
  if (savedRows.length === 0) return false;
  // Another press may still be sending the form, and this message would replace that press's result.
  await call.acknowledge();
  const sending = Promise.all(savedRows.map((row) => waitUntilSent(context, row)));
  await within(context.pace.acknowledgementTimeoutMs, sending);
  const rows = await Promise.all((await readOwnRows()).map((row) => findLatestReplacement(context, row)));
  const { submissions } = await loadShown(context, rows);
  await call.reply(renderFormMessage(submissions), { replace: true });
  for (const row of rows) await clearPendingNotification(context, row);
  return true;
}

/** Shows a row, after the caller has checked the actor's permission. */
export async function showRow(call: ActionCall, row: SubmissionRow, note?: string): Promise<void> {
  const { context } = call.context.submissions;
  const message = renderStateMessage(await loadShownRow(context, row), note);
  if (!call.view) return call.reply(message, { replace: true });
  const { submissions } = await loadShown(context, await findViewRows(context, row, call.view.id));
  const view = renderStateView(submissions, { id: row.id, note });
  if (!(await updateOpenView(call.client, call.view.id, view))) await call.reply(message);
}

/** Finds the rows for a view: all rows of the submitted form, or only the given row in any other view. */
async function findViewRows(
  context: SubmissionContext,
  row: SubmissionRow,
  viewId: string,
): Promise<SubmissionRow[]> {
  if (row.view_id !== viewId) return [row];
  const rows = await listFormSubmissions(context.db, row);
  return rows.map((formRow) => (formRow.id === row.id ? row : formRow));
}
