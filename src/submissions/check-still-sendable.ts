import { fullJitter } from '../delivery/backoff.ts';
import type { Change } from '../delivery/definition.ts';
import { later } from '../delivery/later.ts';
import type { AnyKind } from './kind.ts';
import type { Sending, State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { hasNewerEqual, type SubmissionRow } from './sql/submissions.ts';
import { capAtDeadline } from './wait.ts';

/** A transition that replaces sending. */
interface Stopped {
  to: Exclude<State, Sending>;
  change: Change<SubmissionRow>;
}

/**
 * Checks whether a submission may still be sent. Resolves with undefined if so, else with the transition to make
 * instead.
 */
export async function checkStillSendable(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): Promise<Stopped | undefined> {
  const isCertainlyAbsent = row.state !== 'unknown';
  if (machine.isOff(kind.name)) return { to: 'needs-person', change: { reason: 'switched-off' } };
  const past = overdueTransition(machine, row, kind, content);
  if (past) return past;
  const since = row.retrying_since ?? row.created_at;
  if (machine.clock().getTime() - since.getTime() > machine.pace.giveUpMs) {
    return isCertainlyAbsent && !row.maybe_sent
      ? { to: 'gave-up', change: { refusal: row.refusal, ...gaveUpReason(row) } }
      : { to: 'needs-person', change: { reason: 'cannot-tell' } };
  }
  if (kind.whenUnknown.way === 'repeat' && (await hasNewerEqual(machine.db, row, 'anybody'))) {
    return { to: 'needs-person', change: { reason: 'newer' } };
  }
  const actor = { workspace: row.workspace, user: row.author };
  const isRecheck = row.reason === 'not-checked' || row.reason === 'repeat-not-checked';
  const what = { project: kind.project(content)?.id, kind: kind.name, submission: row.id, isRecheck };
  switch (await machine.may(actor, kind.role(content), what)) {
    case 'yes':
      return undefined;
    case 'no':
      return { to: 'needs-person', change: { reason: isCertainlyAbsent ? 'not-allowed' : 'cannot-look' } };
    case 'unknown':
      return retryCheck(machine, row);
  }
}

/** Repeats the permission check with backoff. `checks` counts these checks, as nothing is reconciled before a send. */
function retryCheck(machine: Machine, row: SubmissionRow): Stopped {
  const { clock, pace, random } = machine;
  const checks = row.checks + 1;
  // The next attempt must not overtake the acknowledgement.
  const waitMs = Math.max(pace.afterAcknowledgementMs, fullJitter(checks, pace.retryMs, random));
  const next = later(clock(), waitMs);
  return row.state === 'unknown'
    ? { to: 'unknown', change: { checks, next_at: next, reason: 'repeat-not-checked' } }
    : {
        to: 'retryable',
        change: { checks, next_at: capAtDeadline(machine, row, next), reason: 'not-checked' },
      };
}

/** The transition of an overdue submission that certainly wasn't sent; undefined if it isn't overdue. */
export function overdueTransition(
  machine: Pick<Machine, 'now'>,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): Stopped | undefined {
  const due = kind.publishAt?.(content);
  if (!due || row.state === 'unknown' || due > machine.now()) return undefined;
  return { to: 'needs-person', change: { reason: row.maybe_sent ? 'past-unsure' : 'past' } };
}

/** The reason for giving up, if it wasn't that the service couldn't be reached. */
function gaveUpReason({ reason }: SubmissionRow): Change<SubmissionRow> {
  if (reason === 'paused') return { reason: 'no-access' };
  if (reason === 'not-checked') return { reason: 'never-checked' };
  return reason === 'halted' ? { reason: 'stopped' } : {};
}
