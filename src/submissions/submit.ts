import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  claimSubmission,
  forgetSubmission,
  insertSubmission,
  moveSubmission,
  newestSubmission,
  type SubmissionRow,
} from '../store/submissions.ts';
import type { Parts } from './parts.ts';
import {
  openReason,
  openSubmission,
  type Reason,
  reasonOf,
  type Submission,
  type SubmissionKind,
  sealReason,
} from './submission.ts';

/**
 * The way of what a person submits. One row for each; its key is (workspace, origin, item, revision), and of one
 * origin and item at most one row is in a state marked *.
 *
 *   saved*     committed, nothing sent yet
 *   sending*   committed before the socket opens: whoever finds it abandoned knows nothing of the service
 *   confirmed  the service has it
 *   refused    the service certainly does not have it and said why; the person may change it: next revision
 *   retryable  the service certainly does not have it, through no fault of the content: next revision
 *   unknown*   nobody knows; it is looked for, never sent again by itself
 *
 *   saved → sending → confirmed | refused | retryable | unknown;  unknown → confirmed
 */
type SubmissionState = 'saved' | 'sending' | 'confirmed' | 'refused' | 'retryable' | 'unknown';

/** What was submitted, by whom and from where. */
export interface Received<Content> {
  workspace: string;
  asker: string;
  /** The form's id. */
  origin: string;
  item: number;
  channel?: string;
  content: Content;
}

/** Where it ended. `own` is false where another press of the same form did the sending. */
export type End<Content> =
  | { state: 'not-saved'; own: boolean }
  | { state: 'confirmed'; own: boolean; submission: Submission<Content> }
  | { state: 'unknown'; own: boolean; submission: Submission<Content> }
  | { state: 'refused'; own: boolean; submission: Submission<Content>; reason: Reason };

type Move = { to: SubmissionState; reason?: Reason };

/** Saves it, sends it once, and says where it ended: within `saveMs` and one call to the service. */
export async function submit<Content>(
  parts: Parts,
  kind: SubmissionKind<Content>,
  received: Received<Content>,
  now: () => Date,
): Promise<End<Content>> {
  const saving = save(parts, kind, received, now);
  const saved = await Promise.race([
    saving.catch(() => 'failed' as const),
    delay(parts.pace.saveMs, 'late' as const),
  ]);
  if (saved === 'late') forgetLate(parts, saving);
  if (saved === 'late' || saved === 'failed') return { state: 'not-saved', own: true };
  if (!saved.mine) return follow(parts, kind, saved.row, now);

  const outcome = await kind.send(parts.api, received.content);
  const reason = reasonOf(outcome);
  const to = outcome.kind === 'done' ? 'confirmed' : reason ? refusalState(reason) : 'unknown';
  const move: Move = { to, ...(reason && { reason }) };
  // Where this cannot be committed the row stays `sending`, which everybody else will take for unknown: still true.
  await settle(parts, saved.row, move, now()).catch(() => undefined);
  return endOf(openSubmission(parts, kind, saved.row), move, true);
}

/** The row of this press, claimed for sending; `mine` is false where another press has it. */
async function save<Content>(
  parts: Parts,
  kind: SubmissionKind<Content>,
  received: Received<Content>,
  now: () => Date,
): Promise<{ mine: boolean; row: SubmissionRow }> {
  const { content, channel = null, ...key } = received;
  const sealed = parts.encryption.seal(JSON.stringify(content), received.workspace);
  const before = await newestSubmission(parts.db, received);
  const isOver = before?.state === 'refused' || before?.state === 'retryable';
  if (!before || isOver) {
    const revision = (before?.revision ?? -1) + 1;
    const row = { ...key, id: randomUUID(), kind: kind.name, revision, channel, content: sealed, at: now() };
    await insertSubmission(parts.db, row);
  }
  const row = await newestSubmission(parts.db, received);
  if (!row) throw new Error('a submission that was just saved is gone');
  const mine = await claimSubmission(parts.db, { id: row.id, content: sealed, at: now() });
  return { mine, row: mine ? { ...row, content: sealed } : row };
}

/** The person has been told that nothing was saved, and nothing was sent: so it shall be. */
function forgetLate(parts: Parts, saving: Promise<{ mine: boolean; row: SubmissionRow }>): void {
  const forget = async () => {
    const { mine, row } = await saving;
    if (mine) await forgetSubmission(parts.db, row.id);
  };
  // What cannot be removed is found `sending` by the next press, and taken for unknown.
  void forget().catch(() => undefined);
}

/** Waits for the end of what another press, perhaps of another instance, is sending. */
async function follow<Content>(
  parts: Parts,
  kind: SubmissionKind<Content>,
  first: SubmissionRow,
  now: () => Date,
): Promise<End<Content>> {
  let row = first;
  while (row.state === 'saved' || row.state === 'sending') {
    const abandoned = now().getTime() - row.changed_at.getTime() > parts.pace.sendingMs;
    if (abandoned) {
      await moveSubmission(parts.db, { id: row.id, from: row.state, to: 'unknown', at: now() });
    } else await delay(parts.pace.lookMs);
    const next = await newestSubmission(parts.db, row);
    if (!next) return { state: 'not-saved', own: false };
    row = next;
  }
  const reason = openReason(parts, row);
  return endOf(
    openSubmission(parts, kind, row),
    { to: readState(row.state), ...(reason && { reason }) },
    false,
  );
}

function endOf<Content>(submission: Submission<Content>, { to, reason }: Move, own: boolean): End<Content> {
  if (to === 'confirmed') return { state: 'confirmed', own, submission };
  if ((to === 'refused' || to === 'retryable') && reason)
    return { state: 'refused', own, submission, reason };
  return { state: 'unknown', own, submission };
}

function readState(state: string): SubmissionState {
  switch (state) {
    case 'confirmed':
    case 'refused':
    case 'retryable':
      return state;
    default:
      return 'unknown';
  }
}

/** What can be tried again as it is, against what needs a change first. */
function refusalState(reason: Reason): SubmissionState {
  return reason.kind === 'not-applied' && reason.cause !== 'too-large' ? 'retryable' : 'refused';
}

async function settle(parts: Parts, row: SubmissionRow, { to, reason }: Move, at: Date): Promise<void> {
  const sealed = reason && sealReason(parts, row.workspace, reason);
  await moveSubmission(parts.db, { id: row.id, from: 'sending', to, ...(sealed && { reason: sealed }), at });
}
