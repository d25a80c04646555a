import type { ActionCall } from '../app/call.ts';
import { isViewGone } from '../slack/slack-errors.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { createTextContext } from './notify-author.ts';
import { findOwnSubmission, listFormSubmissions, type SubmissionRow } from './sql/submissions.ts';
import { renderSubmission } from './text/render-submission.ts';
import { renderStateMessage, renderStateView } from './text/state-blocks.ts';

/**
 * Shows a submission of the actor in the view or message that has the button. `note` is a line about the result of a
 * press (mrkdwn).
 */
export async function showSubmission(
  call: ActionCall,
  kind: Pick<AnyKind, 'name'>,
  id: string,
  note?: string,
): Promise<void> {
  const { machine } = call.context.submissions;
  const row = await findOwnSubmission(machine.db, {
    id,
    workspace: call.actor.workspace,
    author: call.actor.user,
  });
  if (row?.kind !== kind.name)
    return call.reply({ text: 'This belongs to somebody else, or is no longer kept.' });
  await showRow(call, row, note);
}

/** Shows a row. The caller has checked that the actor may see it. */
export async function showRow(call: ActionCall, row: SubmissionRow, note?: string): Promise<void> {
  const { machine } = call.context.submissions;
  const message = renderStateMessage(renderSubmission(machine, row, createTextContext(machine)), note);
  if (!call.view) return call.reply(message, { replace: true });
  const rows = await findViewRows(machine, row, call.view.id);
  const view = renderStateView(
    rows.map((viewRow) => renderSubmission(machine, viewRow, createTextContext(machine))),
    { id: row.id, note },
  );
  try {
    await call.client.views.update({ view_id: call.view.id, view });
  } catch (error) {
    if (!isViewGone(error)) throw error;
    await call.reply(message);
  }
}

/** Finds the rows for the view: all rows of the form that was submitted in this view, or only the given row. */
async function findViewRows(machine: Machine, row: SubmissionRow, viewId: string): Promise<SubmissionRow[]> {
  if (row.view_id !== viewId) return [row];
  const rows = await listFormSubmissions(machine.db, row);
  return rows.map((formRow) => (formRow.id === row.id ? row : formRow));
}
