import type { ApiClient } from '../api/client.ts';
import { later } from '../delivery/later.ts';
import type { Machine } from './machine.ts';
import { holdScope, holdsOf, liftHolds, notTold, takeProbe, takeTelling } from './sql/holds.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { wakeWaiting } from './sql/waking.ts';

/**
 * What the service refuses us for holds everything that it would refuse likewise: a token that it does not take (401),
 * all that goes out with that token; rights that a token lacks (403), that kind of thing in that project. The owners are
 * told once, and now and then one submission is tried, until one is not refused.
 */

type Held = Pick<SubmissionRow, 'workspace' | 'project' | 'kind'>;

/** The token is not taken, or may not do this. */
const NO_ACCESS: readonly number[] = [401, 403];

export function isNoAccess(status: number): boolean {
  return NO_ACCESS.includes(status);
}

const tokenScope = ({ tokenOf }: ApiClient) => (tokenOf === undefined ? 'token' : `token ${tokenOf}`);
const rightsScope = ({ kind, project }: Held) => `rights ${kind} ${project ?? ''}`;
export const scopesOf = (api: ApiClient, row: Held) => [tokenScope(api), rightsScope(row)];

/** How long a submission waits, ms; undefined where it may go, be it as a probe. */
export async function heldFor(machine: Machine, api: ApiClient, row: Held): Promise<number | undefined> {
  const { workspace } = row;
  const at = machine.clock();
  const next = later(at, machine.pace.holdMs);
  const holds = await holdsOf(machine.db, { workspace, scopes: scopesOf(api, row) });
  const waitMs = Math.max(...holds.map(({ probe_at }) => probe_at.getTime() - at.getTime()));
  if (waitMs > 0) return waitMs;
  for (const { scope } of holds) {
    if (!(await takeProbe(machine.db, { workspace, scope, at, next }))) return machine.pace.holdMs;
  }
  return undefined;
}

export async function hold(machine: Machine, api: ApiClient, row: Held, status: number): Promise<void> {
  const { workspace } = row;
  const isToken = status === 401;
  const scope = isToken ? tokenScope(api) : rightsScope(row);
  const at = machine.clock();
  await holdScope(machine.db, { workspace, scope, status, at, probeAt: later(at, machine.pace.holdMs) });
  const before = later(at, -machine.pace.holdAgainMs);
  if (!(await takeTelling(machine.db, { workspace, scope, at, before }))) return;
  const text = OWNERS[status] ?? 'The scheduling service refuses our access.';
  try {
    await machine.notifyOwners(workspace, { text }, isToken ? (api.tokenOf ?? '') : undefined);
  } catch (error) {
    machine.log.error({ workspace, err: error }, 'the owners could not be told that the service refuses us');
    await notTold(machine.db, { workspace, scope });
  }
}

/** The service took one: what it would take likewise may go. */
export async function lift(machine: Machine, api: ApiClient, row: Held): Promise<void> {
  await release(machine, row.workspace, scopesOf(api, row));
}

/** There is another token: what was held may go, all or what is of these scopes. */
export async function release(
  machine: Machine,
  workspace: string,
  scopes?: readonly string[],
): Promise<void> {
  const at = machine.clock();
  if (!(await liftHolds(machine.db, { workspace, scopes, at }))) return;
  // Too many are woken: what is held for another reason finds that out by itself.
  await wakeWaiting(machine.db, { workspace, at });
  machine.wake(at);
}

const WAITING = 'What people here submit is kept and waits; nothing is lost.';

const OWNERS: Readonly<Record<number, string>> = {
  401: `The scheduling service refuses our access token. ${WAITING} Put in a new token, and I send it.`,
  // Said once for all that is refused so: whichever token, project or kind of thing it is.
  403: `The scheduling service does not let us do everything that people here ask for: an access token has too few rights. ${WAITING} Give it more rights, or put in another with \`/upnext connect\`, and I send what waits.`,
};
