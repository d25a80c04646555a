import { holdOf, holdWorkspace, liftHold, takeProbe, takeTelling } from '../store/holds.ts';
import { wakeWaiting } from '../store/waking-submissions.ts';
import type { Machine } from './machine.ts';
import { later } from './move.ts';

/**
 * A workspace whose token the service refuses: nothing of it is sent, its owners are told once, and now and then one
 * submission is tried, until one is not refused.
 */

/** How long a submission waits, ms; undefined where it may go, be it as a probe. */
export async function heldFor(machine: Machine, workspace: string): Promise<number | undefined> {
  const hold = await holdOf(machine.db, workspace);
  if (!hold || hold.status === 0) return undefined;
  const at = machine.clock();
  const next = later(at, machine.pace.holdMs);
  if (await takeProbe(machine.db, { workspace, at, next })) return undefined;
  return Math.max(0, hold.probe_at.getTime() - at.getTime());
}

export async function hold(machine: Machine, workspace: string, status: number): Promise<void> {
  const at = machine.clock();
  await holdWorkspace(machine.db, { workspace, status, at, probeAt: later(at, machine.pace.holdMs) });
  const before = later(at, -machine.pace.holdAgainMs);
  if (!(await takeTelling(machine.db, { workspace, at, before }))) return;
  try {
    await machine.tellOwners(workspace, {
      text: OWNERS[status] ?? 'The scheduling service refuses our access.',
    });
  } catch (error) {
    machine.log.error({ workspace, err: error }, 'the owners could not be told that the service refuses us');
  }
}

/** The service took one, or there is another token: the others may go. */
export async function lift(machine: Machine, workspace: string): Promise<void> {
  const at = machine.clock();
  if (!(await liftHold(machine.db, workspace, at))) return;
  await wakeWaiting(machine.db, { workspace, at });
  machine.wake(at);
}

const WAITING = 'What people here submit is kept and waits; nothing is lost.';

const OWNERS: Readonly<Record<number, string>> = {
  401: `The scheduling service refuses our access token. ${WAITING} Put in a new token, and I send it.`,
  403: `The scheduling service does not let our access token do what people here ask for. ${WAITING} Give the token more rights, or put in another, and I send it.`,
};
