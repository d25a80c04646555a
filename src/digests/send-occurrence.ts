import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { addMs } from '../engine/clock.ts';
import type { Permit } from '../engine/permit.ts';
import { INTERNAL_READERS } from '../slack/audience.ts';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import {
  applySendResult,
  pauseInSharedChannel,
  pauseUndeliverable,
  settleWithDigest,
} from './apply-send-result.ts';
import { composeOccurrence } from './compose-occurrence.ts';
import { type Digest, isPersonal, isSharedWith, isTooLate } from './digest.ts';
import type { ComposedMessage, DigestContext } from './digest-context.ts';
import type { OccurrenceRow } from './occurrence.ts';
import { pickWait } from './pace.ts';
import {
  buildPictureBlock,
  classifySendError,
  NO_PICTURE,
  NOT_SENT,
  type SendResult,
  sendMessage,
  uploadPicture,
} from './send-message.ts';
import type { Reservation } from './sending-limits.ts';

/** The wait before a row is checked again while an operator has stopped sending. */
const SENDING_STOPPED_WAIT_MS = 30_000;

/** The input of a step: a claimed row, and the digest's current settings. */
export interface ClaimedOccurrence {
  row: OccurrenceRow;
  /** Undefined if the digest was removed. */
  digest: Digest | undefined;
  /** When the digest's last message was sent. */
  lastSentAt: Date | undefined;
  /** The `snapshot` that the composer returned with the digest's last message. */
  snapshot: string | undefined;
  /** Whether an operator has stopped all sending. */
  isSendingStopped: boolean;
}

/**
 * Processes a claimed row in the state `due`: sends the message, unless it is too late or the digest is paused or
 * removed.
 */
export async function sendOccurrence(context: DigestContext, claimed: ClaimedOccurrence): Promise<void> {
  const { row, digest, isSendingStopped } = claimed;
  if (!digest) return void (await context.verbs.settle(row, 'paused'));
  if (digest.state === 'paused' && row.requested_at === null) {
    return void (await context.verbs.settle(row, 'paused'));
  }
  const dueAt = row.requested_at ?? row.due_at;
  if (isTooLate(context.pace, { dueAt, zone: digest.zone, now: context.clock.now() })) {
    return void (await context.verbs.settle(row, 'missed'));
  }
  if (isSendingStopped) return postpone(context, row, SENDING_STOPPED_WAIT_MS);
  const client = await context.findSlackClient(row.workspace);
  if (!client) return pauseUndeliverable(context, row, { workspace: row.workspace }, 'no-access');
  if (client === 'unknown') return retryLater(context, row);
  const readers = isPersonal(digest)
    ? INTERNAL_READERS
    : await context.sharedChannels.findReaders(row, client);
  if (readers === 'unknown') return retryLater(context, row);
  if (readers.isShared && !isSharedWith(digest, readers.outsiders)) {
    await pauseInSharedChannel(context, row, readers.outsiders);
    context.verbs.wake();
    return void (await context.verbs.settle(row, 'paused'));
  }
  const reservation = context.limits.acquire(row);
  if ('waitMs' in reservation) return postpone(context, row, reservation.waitMs);
  // Only records whether to count the message. The real reservation is released in `finally`.
  let mayHaveSent = false;
  const deferredReservation: Reservation = {
    release(isCounted) {
      mayHaveSent ||= isCounted;
    },
  };
  try {
    await composeAndSend(context, { ...claimed, digest, client, reservation: deferredReservation });
  } finally {
    reservation.release(mayHaveSent);
  }
}

interface SendInput extends ClaimedOccurrence {
  digest: Digest;
  client: WebClient;
  reservation: Reservation;
}

async function composeAndSend(context: DigestContext, input: SendInput): Promise<void> {
  const { row } = input;
  const result = await composeOccurrence(context, input);
  switch (result.kind) {
    case 'message':
      return uploadAndSend(context, input, result);
    case 'silent':
      return void (await settleWithDigest(context, row, 'silent', {}, { snapshot: result.snapshot }));
    case 'gone':
      return pauseUndeliverable(context, row, { workspace: row.workspace, id: row.digest }, 'project-gone');
    case 'retry-later':
      return retryLater(context, row, { retrying_since: result.retrying_since });
  }
}

/**
 * Sends the message. If it has a picture, uploads that first, and sends the message in a later step, because Slack
 * refuses a file before it has processed the file. Only apps with the scope `files:read` can find out when that is
 * (https://github.com/slackapi/node-slack-sdk/issues/1865). The stored file id prevents a second upload.
 */
async function uploadAndSend(
  context: DigestContext,
  input: SendInput,
  message: ComposedMessage,
): Promise<void> {
  const { row, client } = input;
  const { picture } = message;
  if (!picture || row.file !== null) return send(context, input, message);
  const reservation = context.uploads.acquire({ workspace: row.workspace, channel: row.id });
  if ('waitMs' in reservation) return postpone(context, row, reservation.waitMs);
  try {
    const file = await uploadPicture(client, picture, context.fetch);
    await postpone(context, row, pickWait(context.pace.pictureWaitsMs, 0), { file });
  } catch (error) {
    const failure = classifySendError(error);
    if (failure.kind === 'rate-limited') {
      context.uploads.pause(row.workspace, failure.waitMs);
      return postpone(context, row, failure.waitMs);
    }
    // The workspace declined `files:write`, so a retry would only delay the digest.
    const isDeclined = getSlackErrorCode(error) === 'missing_scope';
    if (!isDeclined) context.log.warn({ occurrence: row.id, err: error }, 'could not upload a picture');
    const isLast = isDeclined || row.attempts + 1 >= context.pace.retryWaitsMs.length;
    const waitMs = isDeclined ? 0 : pickWait(context.pace.retryWaitsMs, row.attempts);
    const attempts = row.attempts + 1;
    await postpone(context, row, waitMs, isLast ? { attempts, file: NO_PICTURE } : { attempts });
  } finally {
    reservation.release(true);
  }
}

/**
 * Commits `sending` before the request. If the instance crashes after that, the message is reconciled, never sent
 * again.
 */
async function send(context: DigestContext, input: SendInput, message: ComposedMessage): Promise<void> {
  const { row, client, reservation } = input;
  const { text, blocks, picture } = message;
  const file = picture && row.file !== null && row.file !== NO_PICTURE ? row.file : undefined;
  const allBlocks =
    picture && file !== undefined ? [...(blocks ?? []), buildPictureBlock(file, picture)] : (blocks ?? []);
  const isPlain = row.reason === 'plain' || allBlocks.length === 0;
  const lease = await context.verbs.beginSending(row, 'sending', {
    ...(row.reason === 'plain' && { reason: 'plain' }),
    attempts: row.attempts + 1,
    // The scheduling service has answered, so the retry period ends.
    retrying_since: null,
    sending_at: context.clock.now(),
    follow_ups: encryptComposedFollowUps(context, row.workspace, message),
  });
  if (!lease) return;
  await context.pace.onSending?.();
  const outgoing = {
    channel: row.channel,
    message: isPlain ? { text } : { text, blocks: allBlocks },
    occurrence: row.id,
  };
  const result = lease.permit.mayBegin() ? await sendMessage(client, outgoing) : NOT_SENT;
  reservation.release(result.kind === 'sent' || result.kind === 'unknown');
  await applySendResult(context, lease.row, result, {
    ...{ hasPicture: file !== undefined, isPlain },
    snapshot: message.snapshot,
  });
}

/** Counts an attempt: the service failed, or it is unknown whether the message may be sent to its channel. */
function retryLater(
  context: DigestContext,
  row: OccurrenceRow,
  change: Pick<Partial<OccurrenceRow>, 'retrying_since'> = {},
): Promise<void> {
  const waitMs = pickWait(context.pace.serviceWaitsMs, row.attempts);
  return postpone(context, row, waitMs, { ...change, attempts: row.attempts + 1 });
}

/** Makes a row due again after a while. Without a `change`, no attempt is counted. */
async function postpone(
  context: DigestContext,
  row: OccurrenceRow,
  waitMs: number,
  change: Pick<Partial<OccurrenceRow>, 'retrying_since' | 'attempts' | 'file'> = {},
): Promise<void> {
  await context.verbs.wait(row, { ...change, next_at: addMs(context.clock.readShared(), waitMs) });
}

/**
 * Sends the messages that follow a digest, one by one. Each message is removed from the stored list before it is sent.
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
    const isLast = remaining === null;
    const message = {
      workspace: row.workspace,
      channel: row.channel,
      isLowPriority: true,
    };
    const reservation = context.limits.acquire(message);
    if ('waitMs' in reservation)
      return postponeFollowUps(context, row, followUps.slice(index), reservation.waitMs);
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
    if (isLast) break;
  }
  await context.verbs.settle(row, 'sent');
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
  followUp: FollowUp,
  permit: Permit,
): Promise<SendResult | undefined> {
  const client = await context.findSlackClient(row.workspace);
  if (client === 'unknown') return { kind: 'not-reached' };
  if (!client) return undefined;
  const { text, blocks } = followUp.message;
  const message = blocks ? { text, blocks } : { text };
  const thread = row.ts ?? undefined;
  if (thread === undefined) return undefined;
  if (!permit.mayBegin()) return NOT_SENT;
  return sendMessage(client, { channel: row.conversation ?? row.channel, message, thread });
}

const blocks = z.array(
  z.custom<NonNullable<ComposedMessage['blocks']>[number]>((block) => typeof block === 'object'),
);
const followUp = z.object({
  /** The recipient of a direct message, which earlier versions stored. It isn't sent any more. */
  recipient: z.string().optional(),
  message: z.object({ text: z.string(), blocks: blocks.optional() }),
});

/** A message that follows a digest: a reply in its thread. */
type FollowUp = z.infer<typeof followUp>;

/**
 * Encrypts the messages that follow a digest. They are stored before the digest is sent, so that any instance can send
 * them. Returns null if there are none.
 */
function encryptComposedFollowUps(
  context: Pick<DigestContext, 'encryption'>,
  workspace: string,
  { thread = [] }: Pick<ComposedMessage, 'thread'>,
): string | null {
  return encryptFollowUps(
    context,
    workspace,
    thread.map((message) => ({ message })),
  );
}

function encryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  workspace: string,
  followUps: readonly object[],
): string | null {
  return followUps.length === 0 ? null : encryption.encrypt(JSON.stringify(followUps), workspace);
}

function decryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  row: Pick<OccurrenceRow, 'follow_ups' | 'workspace'>,
): FollowUp[] {
  if (row.follow_ups === null) return [];
  const stored = z.array(followUp).parse(JSON.parse(encryption.decrypt(row.follow_ups, row.workspace)));
  return stored.filter(({ recipient }) => recipient === undefined);
}
