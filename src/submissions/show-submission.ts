import type { ActionCall } from '../app/call.ts';
import { isViewGone } from '../slack/slack-errors.ts';
import type { AnyKind } from './kind.ts';
import { createTextContext } from './notify-author.ts';
import { findOwnSubmission, listFormSubmissions, type SubmissionRow } from './sql/submissions.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderSubmission } from './text/render-submission.ts';
import { renderStateMessage, renderStateView } from './text/state-blocks.ts';

/** Shows the actor's submission in the button's view or message. `note` describes the result (mrkdwn). */
export async function showSubmission(
  call: ActionCall,
  kind: Pick<AnyKind, 'name'>,
  id: string,
  note?: string,
): Promise<void> {
  const { context } = call.context.submissions;
  const row = await findOwnSubmission(context.db, {
    id,
    workspace: call.actor.workspace,
    author: call.actor.user,
  });
  if (row?.kind !== kind.name) return call.reply({ text: 'This isn’t yours, or it’s too old.' });
  await showRow(call, row, note);
}

/** Shows a row, after the caller has checked the actor's permission. */
export async function showRow(call: ActionCall, row: SubmissionRow, note?: string): Promise<void> {
  const { context } = call.context.submissions;
  const message = renderStateMessage(renderSubmission(context, row, createTextContext(context)), note);
  if (!call.view) return call.reply(message, { replace: true });
  const rows = await findViewRows(context, row, call.view.id);
  const view = renderStateView(
    rows.map((viewRow) => renderSubmission(context, viewRow, createTextContext(context))),
    { id: row.id, note },
  );
  try {
    await call.client.views.update({ view_id: call.view.id, view });
  } catch (error) {
    if (!isViewGone(error)) throw error;
    await call.reply(message);
  }
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
