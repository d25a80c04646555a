import type { Change } from '../delivery/definition.ts';
import { later } from '../delivery/later.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Reasons that a wait does not end. */
const KEPT = ['held', 'halted', 'repeated', 'repeat-not-checked', 'restored'] as const;

/** Stays in its state until then, for any instance. `evenPast`: nobody can say what it is. */
export function wait(
  machine: Machine,
  row: SubmissionRow,
  ms: number,
  { evenPast = false, ...change }: Change<SubmissionRow> & { evenPast?: boolean } = {},
): Promise<SubmissionRow | undefined> {
  const why = change.why ?? KEPT.find((one) => one === row.why) ?? null;
  const next = later(machine.clock(), ms);
  const next_at = row.state === 'retryable' && !evenPast ? inTime(machine, row, next) : next;
  // The lease of one that is being sent is left to end.
  if (row.state === 'sending') throw new Error('what is being sent does not wait');
  return machine.delivery.transition(row, row.state, { ...change, why, next_at });
}

/** Whatever it waits for: its author hears in time that its moment has passed, or that it is given up. */
export function inTime(machine: Machine, row: SubmissionRow, next: Date): Date {
  const at = machine.clock().getTime();
  const dueMs = row.due_at ? row.due_at.getTime() - machine.now().getTime() : Number.POSITIVE_INFINITY;
  const triedMs = at - (row.tried_since ?? row.created_at).getTime();
  const leftMs = Math.max(0, Math.min(dueMs, machine.pace.giveUpMs - triedMs));
  return new Date(Math.min(next.getTime(), at + leftMs + 1));
}
