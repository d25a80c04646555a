import { claimOnce, releaseOnce } from '../delivery/done-once.ts';
import { later } from '../delivery/later.ts';
import type { Permit } from '../delivery/permit.ts';
import { type Afterwards, openList, sealList } from './afterwards.ts';
import type { Digest } from './digest.ts';
import { isTooLate } from './lateness.ts';
import type { Machine } from './machine.ts';
import { waitOf } from './pace.ts';
import { NOT_SENT, postMessage, type Sent } from './post-message.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/**
 * What follows a digest that is posted, one by one: each is taken off the list before it is sent, and put back only
 * where Slack certainly does not have it. Of details better one is missing than one there twice.
 */
export async function followUp(
  machine: Machine,
  first: OccurrenceRow,
  digest: Digest | undefined,
): Promise<void> {
  let row = first;
  const since = row.asked_at ?? row.due_at;
  const isOver = !digest || isTooLate(machine.pace, { since, zone: digest.zone, now: machine.now() });
  const list = isOver ? [] : openList(machine, row);
  for (const [index, one] of list.entries()) {
    const rest = sealList(machine, row.workspace, list.slice(index + 1));
    const isLast = rest === null;
    const message = { workspace: row.workspace, channel: one.to ?? row.channel, yields: true };
    const ticket = machine.limits.enter(message);
    if ('waitMs' in ticket) return release(machine, row, list.slice(index), ticket.waitMs);
    const taken = await machine.delivery.renew(row, { afterwards: rest });
    await machine.pace.at?.('before-follow-up');
    const sent = taken && (await sendOne(machine, taken.row, one, taken.permit));
    ticket.leave(sent?.kind === 'posted' || sent?.kind === 'unknown');
    if (!taken) return;
    row = taken.row;
    if (sent?.kind === 'later') machine.limits.hold(row.workspace, sent.waitMs);
    if (sent?.kind === 'later' || sent?.kind === 'not-reached' || sent?.kind === 'inactive') {
      const ms = sent.kind === 'later' ? sent.waitMs : waitOf(machine.pace.retryMs, row.attempts);
      return release(machine, row, list.slice(index), ms);
    }
    if (isLast) break;
  }
  await machine.delivery.transition(row, 'posted');
}

/** In nobody's hands until then. */
async function release(
  machine: Machine,
  row: OccurrenceRow,
  list: readonly Afterwards[],
  ms: number,
): Promise<void> {
  const afterwards = sealList(machine, row.workspace, list);
  await machine.delivery.transition(row, 'following-up', { afterwards, next_at: later(machine.clock(), ms) });
}

async function sendOne(
  machine: Machine,
  row: OccurrenceRow,
  one: Afterwards,
  permit: Permit,
): Promise<Sent | undefined> {
  const client = await machine.slackFor(row.workspace);
  if (client === 'unknown') return { kind: 'not-reached' };
  if (!client) return undefined;
  const { text, blocks } = one.message;
  const message = blocks ? { text, blocks } : { text };
  if (one.to === undefined) {
    const thread = row.ts ?? undefined;
    if (thread === undefined) return undefined;
    if (!permit.mayBegin()) return NOT_SENT;
    return postMessage(client, { channel: row.conversation ?? row.channel, message, thread });
  }
  const once = one.once === undefined ? undefined : { workspace: row.workspace, name: `digest.${one.once}` };
  if (once && !(await claimOnce(machine.db, { ...once, now: machine.now() }))) return undefined;
  // Asked last: the statement above can take as long as the database likes.
  const sent = permit.mayBegin() ? await postMessage(client, { channel: one.to, message }) : NOT_SENT;
  if (once && (sent.kind === 'later' || sent.kind === 'not-reached' || sent.kind === 'inactive'))
    await releaseOnce(machine.db, once);
  return sent;
}
