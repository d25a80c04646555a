import type { ActionCall } from '../app/call.ts';
import { isViewGone } from '../slack/slack-trouble.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { shownOf } from './said/shown.ts';
import { stateMessage, stateView } from './said/state-blocks.ts';
import { ownRow, type SubmissionRow, submissionsOfForm } from './sql/submissions.ts';
import { seenBy } from './tell.ts';

/**
 * The asker's own submission as it stands, in the view or message that holds the button. `said`: one line of mrkdwn
 * about what the press has done.
 */
export async function showSubmission(
  call: ActionCall,
  kind: Pick<AnyKind, 'name'>,
  id: string,
  said?: string,
): Promise<void> {
  const { machine } = call.context.submissions;
  const row = await ownRow(machine.db, { id, workspace: call.who.workspace, asker: call.who.user });
  if (row?.kind !== kind.name)
    return call.reply({ text: 'This belongs to somebody else, or is no longer kept.' });
  await showRow(call, row, said);
}

/** A row that the caller may show. */
export async function showRow(call: ActionCall, row: SubmissionRow, said?: string): Promise<void> {
  const { machine } = call.context.submissions;
  const message = stateMessage(shownOf(machine, row, seenBy(machine)), said);
  if (!call.view) return call.reply(message, { replace: true });
  const all = await beside(machine, row, call.view.id);
  const view = stateView(
    all.map((one) => shownOf(machine, one, seenBy(machine))),
    { id: row.id, said },
  );
  try {
    await call.client.views.update({ view_id: call.view.id, view });
  } catch (error) {
    if (!isViewGone(error)) throw error;
    await call.reply(message);
  }
}

/** What the view shows: all of a form that was sent in it, or this one alone. */
async function beside(machine: Machine, row: SubmissionRow, viewId: string): Promise<SubmissionRow[]> {
  if (row.view_id !== viewId) return [row];
  const all = await submissionsOfForm(machine.db, row);
  return all.map((one) => (one.id === row.id ? row : one));
}
