import { addMs } from '../delivery/add-ms.ts';
import { claimOnce, releaseOnce } from '../delivery/done-once.ts';
import type { Permit } from '../delivery/permit.ts';
import type { Digest } from './digest.ts';
import { type FollowUp, openFollowUps, sealFollowUps } from './follow-ups.ts';
import { isTooLate } from './lateness.ts';
import type { Machine } from './machine.ts';
import { pickWait } from './pace.ts';
import { NOT_SENT, type SendResult, sendMessage } from './send-message.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/**
 * Sends the messages that follow a digest, one by one. Each is removed from the stored list before it is sent, and put
 * back only if Slack certainly doesn't have it: a missing detail is better than a duplicate.
 */
export async function sendFollowUps(
  machine: Machine,
  first: OccurrenceRow,
  digest: Digest | undefined,
): Promise<void> {
  let row = first;
  const since = row.requested_at ?? row.due_at;
  const isOver = !digest || isTooLate(machine.pace, { since, zone: digest.zone, now: machine.now() });
  const list = isOver ? [] : openFollowUps(machine, row);
  for (const [index, one] of list.entries()) {
    const rest = sealFollowUps(machine, row.workspace, list.slice(index + 1));
    const isLast = rest === null;
    const message = { workspace: row.workspace, channel: one.to ?? row.channel, yields: true };
    const ticket = machine.limits.acquire(message);
    if ('waitMs' in ticket) return release(machine, row, list.slice(index), ticket.waitMs);
    const renewed = await machine.delivery.renew(row, { follow_ups: rest });
    await machine.pace.at?.('before-follow-up');
    const sent = renewed && (await sendOne(machine, renewed.row, one, renewed.permit));
    ticket.release(sent?.kind === 'sent' || sent?.kind === 'unknown');
    if (!renewed) return;
    row = renewed.row;
    if (sent?.kind === 'rate-limited') machine.limits.pause(row.workspace, sent.waitMs);
    if (sent?.kind === 'rate-limited' || sent?.kind === 'not-reached' || sent?.kind === 'inactive') {
      const ms = sent.kind === 'rate-limited' ? sent.waitMs : pickWait(machine.pace.retryMs, row.attempts);
      return release(machine, row, list.slice(index), ms);
    }
    if (isLast) break;
  }
  await machine.delivery.transition(row, 'sent');
}

/** Stores the remaining messages and releases the row for `ms`. */
async function release(
  machine: Machine,
  row: OccurrenceRow,
  list: readonly FollowUp[],
  ms: number,
): Promise<void> {
  const follow_ups = sealFollowUps(machine, row.workspace, list);
  await machine.delivery.transition(row, 'following-up', { follow_ups, next_at: addMs(machine.clock(), ms) });
}

async function sendOne(
  machine: Machine,
  row: OccurrenceRow,
  one: FollowUp,
  permit: Permit,
): Promise<SendResult | undefined> {
  const client = await machine.slackFor(row.workspace);
  if (client === 'unknown') return { kind: 'not-reached' };
  if (!client) return undefined;
  const { text, blocks } = one.message;
  const message = blocks ? { text, blocks } : { text };
  if (one.to === undefined) {
    const thread = row.ts ?? undefined;
    if (thread === undefined) return undefined;
    if (!permit.mayBegin()) return NOT_SENT;
    return sendMessage(client, { channel: row.conversation ?? row.channel, message, thread });
  }
  const once = one.once === undefined ? undefined : { workspace: row.workspace, name: `digest.${one.once}` };
  if (once && !(await claimOnce(machine.db, { ...once, now: machine.now() }))) return undefined;
  // The permit is checked last, because the statement above may take longer than the lease allows.
  const sent = permit.mayBegin() ? await sendMessage(client, { channel: one.to, message }) : NOT_SENT;
  if (once && (sent.kind === 'rate-limited' || sent.kind === 'not-reached' || sent.kind === 'inactive'))
    await releaseOnce(machine.db, once);
  return sent;
}
