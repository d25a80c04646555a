import { z } from 'zod';
import type { Permission } from '../access/access.ts';
import { addMs } from '../engine/clock.ts';
import type { Permit } from '../engine/permit.ts';
import { areConfirmed } from '../slack/audience.ts';
import type { Message } from '../slack/message.ts';
import { type Digest, isPersonal, isTooLate } from './digest.ts';
import { type DigestContext, findExcludedGuests } from './digest-context.ts';
import type { OccurrenceRow } from './occurrence.ts';
import { pickWait } from './pace.ts';
import { NOT_SENT, type SendResult, sendMessage } from './send-message.ts';

/**
 * Sends the messages that follow a digest, one by one, as long as the digest's readers may still read them. Each message is removed from the stored list before it is sent.
 * It is restored only if Slack certainly doesn't have it, because a missing detail is better than a duplicate.
 */
export async function sendFollowUps(
  context: DigestContext,
  claimed: OccurrenceRow,
  digest: Digest | undefined,
): Promise<void> {
  let row = claimed;
  const dueAt = row.requested_at ?? row.due_at;
  const isExpired =
    !digest || isTooLate(context.pace, { dueAt, zone: digest.zone, now: context.clock.now() });
  const followUps = isExpired ? [] : decryptFollowUps(context, row);
  for (const [index, followUp] of followUps.entries()) {
    const remaining = encryptFollowUps(context, row.workspace, followUps.slice(index + 1));
    const { workspace, channel } = row;
    const reservation = context.limits.acquire({ workspace, channel, isLowPriority: true });
    if ('waitMs' in reservation)
      return postponeFollowUps(context, row, followUps.slice(index), reservation.waitMs);
    const answer = digest && (await checkReaders(context, row, digest, followUp));
    if (answer !== 'yes') reservation.release(false);
    if (answer === 'unknown') {
      const waitMs = pickWait(context.pace.retryWaitsMs, row.attempts);
      return postponeFollowUps(context, row, followUps.slice(index), waitMs);
    }
    if (answer !== 'yes') break;
    const lease = await context.verbs.renew(row, { follow_ups: remaining });
    const result = lease && (await sendFollowUp(context, lease.row, followUp, lease.permit));
    reservation.release(result?.kind === 'sent' || result?.kind === 'unknown');
    if (!lease) return;
    row = lease.row;
    if (result?.kind === 'rate-limited') context.limits.pause(row.workspace, result.waitMs);
    if (result?.kind === 'rate-limited' || result?.kind === 'not-reached' || result?.kind === 'inactive') {
      const waitMs =
        result.kind === 'rate-limited' ? result.waitMs : pickWait(context.pace.retryWaitsMs, row.attempts);
      return postponeFollowUps(context, row, followUps.slice(index), waitMs);
    }
  }
  await context.verbs.settle(row, 'sent');
}

/** Whether whoever reads a digest's message now may read what follows it. */
async function checkReaders(
  context: DigestContext,
  row: OccurrenceRow,
  digest: Digest,
  { projects }: FollowUp,
): Promise<Permission> {
  if (isPersonal(digest)) {
    const actor = { workspace: row.workspace, user: digest.channel };
    const answers = await Promise.all(projects.map((project) => context.checkReadPermission(actor, project)));
    return answers.find((answer) => answer !== 'yes') ?? 'yes';
  }
  if (digest.state === 'paused' && digest.pauseReason === 'shared') return 'no';
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return 'unknown';
  const readers = await context.sharedChannels.findReaders(row, client);
  if (readers === 'unknown') return 'unknown';
  if (!areConfirmed(readers, digest.sharedWith)) return 'no';
  const guests = await findExcludedGuests(context, { row, client }, projects);
  if (guests === 'no') return 'yes';
  return guests === 'yes' ? 'no' : 'unknown';
}

/** Stores the remaining messages, releases the claim and makes the row due again after `waitMs`. */
async function postponeFollowUps(
  context: DigestContext,
  row: OccurrenceRow,
  followUps: readonly FollowUp[],
  waitMs: number,
): Promise<void> {
  const follow_ups = encryptFollowUps(context, row.workspace, followUps);
  await context.verbs.settle(row, 'following-up', {
    follow_ups,
    next_at: addMs(context.clock.readShared(), waitMs),
  });
}

async function sendFollowUp(
  context: DigestContext,
  row: OccurrenceRow,
  { message }: FollowUp,
  permit: Permit,
): Promise<SendResult | undefined> {
  const client = await context.findSlackClient(row.workspace);
  if (client === 'unknown') return { kind: 'not-reached' };
  if (!client) return undefined;
  const thread = row.ts ?? undefined;
  if (thread === undefined) return undefined;
  if (!permit.mayBegin()) return NOT_SENT;
  return sendMessage(client, { channel: row.conversation ?? row.channel, message, thread });
}

const text = z.object({ text: z.string() });
/** Upnext has rendered the stored messages itself, so their blocks aren't parsed. */
const stored = z.array(
  z.object({
    message: z.custom<Message>((message) => text.safeParse(message).success),
    /** The ids of the projects that it may show. */
    projects: z.array(z.string()),
  }),
);
type FollowUp = z.infer<typeof stored>[number];

/** Encrypts the messages that follow a digest, which any instance can send after it. Null if there are none. */
export function encryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  workspace: string,
  followUps: readonly FollowUp[],
): string | null {
  if (followUps.length === 0) return null;
  return encryption.encrypt(JSON.stringify(followUps), workspace);
}

function decryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  row: Pick<OccurrenceRow, 'follow_ups' | 'workspace'>,
): readonly FollowUp[] {
  if (row.follow_ups === null) return [];
  const json: unknown = JSON.parse(encryption.decrypt(row.follow_ups, row.workspace));
  return stored.parse(json);
}
