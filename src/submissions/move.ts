import { assertWay } from '../delivery/lifecycle.ts';
import { afterConfirmed } from './after-confirmed.ts';
import { LIFECYCLE, LOCKED, type State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { type Change, moveRow } from './sql/moving.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { ruleOf, type Why } from './state-cases.ts';

/** What else changes with a state. */
export type With = Omit<Change, 'why' | 'tell_at' | 'lease_until'> & {
  why?: Why;
  /** It stays in the caller's hands. */
  keep?: boolean;
  /** It waits also past its moment: nobody can say what it is. */
  evenPast?: boolean;
};

/**
 * To the next state, out of the caller's hands unless that is where the caller goes on. Undefined where the row is no longer in them:
 * whatever the caller knows, somebody else has gone on from an earlier fact.
 */
export async function move(
  machine: Machine,
  row: SubmissionRow,
  to: State,
  change: With = {},
  tellAfterMs = 0,
): Promise<SubmissionRow | undefined> {
  assertWay(LIFECYCLE, row.state, to);
  const at = machine.clock();
  const rule = ruleOf({ state: to, why: change.why ?? null });
  const leaseUntil = rule.sends || change.keep ? later(at, machine.pace.leaseMs) : null;
  const { keep: _keep, evenPast = false, ...changed } = change;
  const moved = await moveRow(machine.db, row, {
    to,
    at,
    change: {
      why: null,
      // What waits for us is always due at some time, whoever stops in between.
      next_at: rule.waitsFor === 'us' ? (leaseUntil ?? at) : null,
      ...changed,
      ...(to === 'retryable' &&
        changed.next_at &&
        !evenPast && { next_at: inTime(machine, row, changed.next_at) }),
      ...(!LOCKED.includes(to) && { locked: false }),
      tell_at: rule.notifies ? later(at, tellAfterMs) : null,
      telling_since: null,
      lease_until: leaseUntil,
    },
  });
  if (moved?.next_at) machine.wake(moved.next_at);
  if (moved?.tell_at) machine.wake(moved.tell_at);
  if (moved && to === 'confirmed') await afterConfirmed(machine, moved);
  return moved;
}

/** Whatever it waits for: its person hears in time that its moment has passed, or that it is given up. */
function inTime(machine: Machine, row: SubmissionRow, next: Date): Date {
  const at = machine.clock().getTime();
  const dueMs = row.due_at ? row.due_at.getTime() - machine.now().getTime() : Number.POSITIVE_INFINITY;
  const triedMs = at - (row.tried_since ?? row.created_at).getTime();
  const leftMs = Math.max(0, Math.min(dueMs, machine.pace.giveUpMs - triedMs));
  return new Date(Math.min(next.getTime(), at + leftMs + 1));
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** What a wait does not end. */
const KEPT = ['held', 'halted', 'repeated', 'repeat-not-checked', 'restored'] as const;

/** Stays as it is until then, in nobody's hands. */
export function wait(
  machine: Machine,
  row: SubmissionRow,
  ms: number,
  change: With = {},
): Promise<SubmissionRow | undefined> {
  const kept = KEPT.find((one) => one === row.why);
  const why = change.why ?? kept;
  return move(machine, row, row.state, {
    ...change,
    ...(why && { why }),
    next_at: later(machine.clock(), ms),
  });
}
