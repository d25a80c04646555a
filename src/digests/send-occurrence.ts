import type { WebClient } from '@slack/web-api';
import { addMs } from '../engine/clock.ts';
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
import { encryptComposedFollowUps } from './send-follow-ups.ts';
import { buildPictureBlock, classifySendError, NOT_SENT, sendMessage } from './send-message.ts';
import type { Reservation } from './sending-limits.ts';
import { NO_PICTURE, uploadPicture } from './upload-picture.ts';

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
  if (client === 'unknown') return postponeUnchecked(context, row);
  const readers = isPersonal(digest)
    ? INTERNAL_READERS
    : await context.sharedChannels.findReaders(row, client);
  if (readers === 'unknown') return postponeUnchecked(context, row);
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
    case 'silent': {
      return void (await settleWithDigest(context, row, 'silent', {}, { snapshot: result.snapshot }));
    }
    case 'gone':
      return pauseUndeliverable(context, row, { workspace: row.workspace, id: row.digest }, 'project-gone');
    case 'retry-later': {
      const next_at = addMs(context.clock.readShared(), pickWait(context.pace.serviceWaitsMs, row.attempts));
      const { retrying_since } = result;
      await context.verbs.wait(row, { retrying_since, next_at, attempts: row.attempts + 1 });
    }
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
    const next_at = addMs(context.clock.readShared(), pickWait(context.pace.pictureWaitsMs, 0));
    await context.verbs.wait(row, { file, next_at });
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
    const attempt = { attempts: row.attempts + 1, next_at: addMs(context.clock.readShared(), waitMs) };
    await context.verbs.wait(row, isLast ? { ...attempt, file: NO_PICTURE } : attempt);
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

/** Postpones a row because it is unknown whether the message may be sent to its channel. */
async function postponeUnchecked(context: DigestContext, row: OccurrenceRow): Promise<void> {
  const next_at = addMs(context.clock.readShared(), pickWait(context.pace.serviceWaitsMs, row.attempts));
  const attempts = row.attempts + 1;
  await context.verbs.wait(row, { next_at, attempts });
}

/** Postpones a row for an external reason (stopped sending or a rate limit), without counting an attempt. */
async function postpone(context: DigestContext, row: OccurrenceRow, waitMs: number): Promise<void> {
  await context.verbs.wait(row, { next_at: addMs(context.clock.readShared(), waitMs) });
}
