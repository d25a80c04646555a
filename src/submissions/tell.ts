import type { WebClient } from '@slack/web-api';
import { later } from '../delivery/later.ts';
import { claimNotices, closeNotices, type NoticeTable, postponeNotices } from '../delivery/sql/notices.ts';
import { inert } from '../slack/message.ts';
import { isTransient, isViewGone } from '../slack/slack-trouble.ts';
import type { Machine } from './machine.ts';
import { refusalOf, refusedForm } from './refused-form.ts';
import { TOLD, toldMark, wasSaid } from './said/said-before.ts';
import { shownOf } from './said/shown.ts';
import { stateMessage, stateView } from './said/state-blocks.ts';
import { type SubmissionRow, submissionsOfForm } from './sql/submissions.ts';
import { isState } from './state-cases.ts';

/** Each row is a notification of its own. */
export const NOTICES: NoticeTable = { table: 'submission', asideBy: ['id'], by: 'id' };

/** What people are to learn and nobody has told them yet: in the view that is open, else by a direct message. */
export async function claimNotifications(machine: Machine, room: number): Promise<(() => Promise<void>)[]> {
  const at = machine.clock();
  const rows = await claimNotices<SubmissionRow>(machine.db, NOTICES, {
    ...{ at, until: later(at, heldMs(machine)), rows: room, groups: room },
    setAside: machine.setAside.ids(),
  });
  return rows.map((row) => () => tell(machine, row));
}

/** For so long nobody else tells what somebody has begun to. */
function heldMs({ pace }: Machine): number {
  return pace.tellMs * 2;
}

/** Once: what somebody has begun to say, and not ended, is looked for first. */
export async function tell(machine: Machine, row: SubmissionRow): Promise<void> {
  // A state of a newer version, whose instances tell of it.
  if (!isState(row.state)) return machine.setAside.add(row.id, new Error(`unknown state "${row.state}"`));
  const client = await machine.slackFor(row.workspace);
  // Claimed for a while: it is told later.
  if (!client || client === 'unknown') return;
  try {
    if (!(await showForm(machine, client, row))) await sayOnce(machine, client, row);
  } catch (error) {
    // Slack is busy: the next turn tries again. Anything else stays as it is: the outbox has it.
    if (isTransient(error) && machine.clock().getTime() - row.changed_at.getTime() < machine.pace.giveUpMs)
      return;
    machine.log.warn({ submission: row.id, err: error }, 'a person could not be told how it ended');
  }
  await markShown(machine, row);
  machine.ended({ workspace: row.workspace, user: row.asker });
}

/** All that was sent with the same form, in its view. False where that is closed. */
async function showForm(
  machine: Machine,
  client: WebClient,
  row: Pick<SubmissionRow, 'id' | 'view_id' | 'workspace' | 'origin'>,
): Promise<boolean> {
  if (row.view_id === null) return false;
  const rows = await submissionsOfForm(machine.db, row);
  // Told with another of the same form: once more, and what is being mended in it would be gone.
  if (refusalOf(machine, rows) && rows.some(({ id, tell_at }) => id === row.id && !tell_at)) return true;
  await machine.pace.at?.('before-view');
  try {
    const form = await refusedForm(machine, rows);
    const view = form ?? stateView(rows.map((one) => shownOf(machine, one, seenBy(machine))));
    await client.views.update({ view_id: row.view_id, view });
    if (form) for (const one of rows) await markShown(machine, one);
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    if (!isViewGone(error)) machine.log.warn({ view: row.view_id, err: error }, 'a view could not be shown');
    return false;
  }
}

async function sayOnce(machine: Machine, client: WebClient, row: SubmissionRow): Promise<void> {
  const begunAt = row.telling_since;
  const isBegun =
    begunAt !== null && row.tell_at !== null && row.tell_at.getTime() - begunAt.getTime() > heldMs(machine);
  if (isBegun && (await wasSaid(machine, client, row, begunAt))) return;
  await sendNotification(machine, client, row);
}

/** Who was just told that they will be is told now, without waiting for the next turn. */
export async function sayDirectly(machine: Machine, client: WebClient, row: SubmissionRow): Promise<void> {
  if (!row.tell_at) return;
  const known = { ids: [row.id], until: row.tell_at };
  // Whoever finds it begun looks first whether it was sent.
  const begun = { at: row.tell_at, telling_since: machine.clock() };
  if (await postponeNotices(machine.db, NOTICES.table, known, begun))
    await sendNotification(machine, client, row);
}

async function sendNotification(machine: Machine, client: WebClient, row: SubmissionRow): Promise<void> {
  await machine.pace.at?.('before-message');
  const message = stateMessage(shownOf(machine, row, seenBy(machine)));
  const metadata = { event_type: TOLD, event_payload: { told: toldMark(row) } };
  await client.chat.postMessage({ channel: row.asker, ...inert(message), metadata });
}

/** Its author knows how it stands. */
export async function markShown({ db, clock }: Machine, row: SubmissionRow): Promise<void> {
  if (!row.tell_at) return;
  await closeNotices(db, NOTICES.table, { ids: [row.id], until: row.tell_at }, { told_at: clock() });
}

export function seenBy(machine: Pick<Machine, 'now' | 'practice'>) {
  return { now: machine.now(), practice: machine.practice };
}
