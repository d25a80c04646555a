import { fullJitter } from '../delivery/backoff.ts';
import type { Change } from '../delivery/definition.ts';
import { later } from '../delivery/later.ts';
import type { AnyKind } from './kind.ts';
import type { Sending, State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { hasNewerEqual, type SubmissionRow } from './sql/submissions.ts';
import { inTime } from './waiting.ts';

/** Where it goes instead of being sent. */
interface Stopped {
  to: Exclude<State, Sending>;
  change: Change<SubmissionRow>;
}

/**
 * What has changed since it was submitted, so that it is not sent, or not now. Undefined where it may be.
 */
export async function whyNot(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): Promise<Stopped | undefined> {
  const isSurelyNotThere = row.state !== 'unknown';
  if (machine.isOff(kind.name)) return { to: 'needs-person', change: { why: 'switched-off' } };
  const past = pastIts(machine, row, kind, content);
  if (past) return past;
  const since = row.tried_since ?? row.created_at;
  if (machine.clock().getTime() - since.getTime() > machine.pace.giveUpMs) {
    return isSurelyNotThere && !row.doubted
      ? { to: 'gave-up', change: { reason: row.reason, ...inTheWay(row) } }
      : { to: 'needs-person', change: { why: 'cannot-tell' } };
  }
  if (kind.whenUnknown.way === 'repeat' && (await hasNewerEqual(machine.db, row, 'anybody'))) {
    return { to: 'needs-person', change: { why: 'newer' } };
  }
  const who = { workspace: row.workspace, user: row.asker };
  const isRecheck = row.why === 'not-checked' || row.why === 'repeat-not-checked';
  const what = { project: kind.project(content)?.id, kind: kind.name, submission: row.id, isRecheck };
  switch (await machine.may(who, kind.role(content), what)) {
    case 'yes':
      return undefined;
    case 'no':
      return { to: 'needs-person', change: { why: isSurelyNotThere ? 'not-allowed' : 'cannot-look' } };
    case 'unknown':
      return retryCheck(machine, row);
  }
}

/** Checked again with backoff. `looks` counts the checks: nothing is looked for before it is sent. */
function retryCheck(machine: Machine, row: SubmissionRow): Stopped {
  const { clock, pace, random } = machine;
  const looks = row.looks + 1;
  // The answer to whoever waits for it must not be overtaken by the next try.
  const waitMs = Math.max(pace.afterAcknowledgementMs, fullJitter(looks, pace.retryMs, random));
  const next = later(clock(), waitMs);
  return row.state === 'unknown'
    ? { to: 'unknown', change: { looks, next_at: next, why: 'repeat-not-checked' } }
    : { to: 'retryable', change: { looks, next_at: inTime(machine, row, next), why: 'not-checked' } };
}

/** Its moment has passed, and it is surely not there: for its person to decide. */
export function pastIts(
  machine: Pick<Machine, 'now'>,
  row: SubmissionRow,
  kind: AnyKind,
  content: unknown,
): Stopped | undefined {
  const due = kind.dueAt?.(content);
  if (!due || row.state === 'unknown' || due > machine.now()) return undefined;
  return { to: 'needs-person', change: { why: row.doubted ? 'past-unsure' : 'past' } };
}

/** Why it could not be sent, where that was not the service's being out of reach. */
function inTheWay({ why }: SubmissionRow): Change<SubmissionRow> {
  if (why === 'held') return { why: 'no-access' };
  if (why === 'not-checked') return { why: 'never-checked' };
  return why === 'halted' ? { why: 'stopped' } : {};
}
