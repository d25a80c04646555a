import type { WebClient } from '@slack/web-api';
import { later } from '../delivery/later.ts';
import { claimNotices, closeNotices, type NoticeTable, postponeNotices } from '../delivery/sql/notices.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient, isViewGone } from '../slack/slack-errors.ts';
import { NOTIFICATION_EVENT, notificationKey, wasNotified } from './find-notification.ts';
import type { Machine } from './machine.ts';
import { commonRefusal, refusedForm } from './refused-form.ts';
import { type SubmissionRow, submissionsOfForm } from './sql/submissions.ts';
import { isState } from './state-copy.ts';
import { renderSubmission } from './text/render-submission.ts';
import { stateMessage, stateView } from './text/state-blocks.ts';

/** Submissions with pending notifications. Each row is notified of separately. */
export const NOTICES: NoticeTable = { table: 'submission', setAsideBy: ['id'], by: 'id' };

/** Claims due notifications. Each is shown in the open view, or else sent as a direct message. */
export async function claimNotifications(machine: Machine, room: number): Promise<(() => Promise<void>)[]> {
  const at = machine.clock();
  const rows = await claimNotices<SubmissionRow>(machine.db, NOTICES, {
    ...{ at, until: later(at, noticeClaimMs(machine)), rows: room, groups: room },
    setAside: machine.setAside.ids(),
  });
  return rows.map((row) => () => notifyAuthor(machine, row));
}

/** Length of the claim of a notification. */
function noticeClaimMs({ pace }: Machine): number {
  return pace.notifyMs * 2;
}

/** Sends a claimed notification once: if another instance began to send it, the message is looked for first. */
export async function notifyAuthor(machine: Machine, row: SubmissionRow): Promise<void> {
  // A state of a newer version, whose instances send the notification.
  if (!isState(row.state)) return machine.setAside.add(row.id, new Error(`unknown state "${row.state}"`));
  const client = await machine.slackFor(row.workspace);
  // The notification is sent when its claim has expired.
  if (!client || client === 'unknown') return;
  try {
    if (!(await updateOpenView(machine, client, row))) await sendOnce(machine, client, row);
  } catch (error) {
    // While Slack fails temporarily, the next claim tries again. Otherwise the author finds the result in the outbox.
    if (isTransient(error) && machine.clock().getTime() - row.changed_at.getTime() < machine.pace.giveUpMs)
      return;
    machine.log.warn({ submission: row.id, err: error }, 'could not notify the author of an outcome');
  }
  await closeNotification(machine, row);
  machine.ended({ workspace: row.workspace, user: row.author });
}

/** Shows all submissions of the same form in its view. False if the view is closed. */
async function updateOpenView(
  machine: Machine,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await submissionsOfForm(machine.db, row);
  // Already notified with another row of the same form. A second update would erase what the author is correcting.
  if (commonRefusal(machine, rows) && rows.some(({ id, notify_at }) => id === row.id && !notify_at))
    return true;
  await machine.pace.at?.('before-view');
  try {
    const form = await refusedForm(machine, rows);
    const view = form ?? stateView(rows.map((one) => renderSubmission(machine, one, fetchViewer(machine))));
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const one of rows) await closeNotification(machine, one);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewGone(error)) machine.log.warn({ view: row.view_id, err: error }, 'could not update a view');
    return false;
  }
}

async function sendOnce(machine: Machine, client: WebClient, row: SubmissionRow): Promise<void> {
  const begunAt = row.notifying_since;
  const isBegun =
    begunAt !== null &&
    row.notify_at !== null &&
    row.notify_at.getTime() - begunAt.getTime() > noticeClaimMs(machine);
  if (isBegun && (await wasNotified(machine, client, row, begunAt))) return;
  await sendNotification(machine, client, row);
}

/** Notifies the author now, after an answer that announced the notification could not be updated. */
export async function sendNotificationNow(
  machine: Machine,
  client: WebClient,
  row: SubmissionRow,
): Promise<void> {
  if (!row.notify_at) return;
  const known = { ids: [row.id], until: row.notify_at };
  // An instance that finds it begun first checks whether it was sent.
  const begun = { at: row.notify_at, notifying_since: machine.clock() };
  if (await postponeNotices(machine.db, NOTICES.table, known, begun))
    await sendNotification(machine, client, row);
}

async function sendNotification(machine: Machine, client: WebClient, row: SubmissionRow): Promise<void> {
  await machine.pace.at?.('before-message');
  const message = stateMessage(renderSubmission(machine, row, fetchViewer(machine)));
  const metadata = { event_type: NOTIFICATION_EVENT, event_payload: { notification: notificationKey(row) } };
  await client.chat.postMessage({ channel: row.author, ...disableParsing(message), metadata });
}

/** Closes the notification of a row whose state the author has seen. */
export async function closeNotification({ db, clock }: Machine, row: SubmissionRow): Promise<void> {
  if (!row.notify_at) return;
  await closeNotices(db, NOTICES.table, { ids: [row.id], until: row.notify_at }, { notified_at: clock() });
}

export function fetchViewer(machine: Pick<Machine, 'now' | 'practice'>) {
  return { now: machine.now(), practice: machine.practice };
}
