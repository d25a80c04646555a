import type { WebClient } from '@slack/web-api';
import { addMs } from '../delivery/shared-clock.ts';
import { INTERNAL_READERS } from '../slack/audience.ts';
import { applySendResult } from './apply-send-result.ts';
import { composeOccurrence } from './compose-occurrence.ts';
import type { ComposedMessage } from './composer.ts';
import { type Digest, isPersonal, isSharedWith } from './digest.ts';
import { sealMessageFollowUps } from './follow-ups.ts';
import type { LastDigest } from './last-digest.ts';
import { copyPlainReason, NO_PICTURE } from './lasting-reasons.ts';
import { isTooLate } from './lateness.ts';
import type { Machine } from './machine.ts';
import { pickWait } from './pace.ts';
import { pauseShared, pauseUndeliverable } from './pause.ts';
import { buildPictureBlock, classifySendError, NOT_SENT, sendMessage } from './send-message.ts';
import type { Ticket } from './sending-limits.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { uploadPicture } from './upload-picture.ts';

/** The wait before a row is checked again while an operator has stopped sending. */
const HALTED_WAIT_MS = 30_000;

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
  isHalted: boolean;
}

/** Runs the step of `due`: sends the message, unless it is too late or the digest is paused or removed. */
export async function sendOccurrence(
  machine: Machine,
  { row, digest, lastSentAt, snapshot, isHalted }: ClaimedOccurrence,
): Promise<void> {
  if (!digest) return void (await machine.delivery.transition(row, 'paused', { reason: 'removed' }));
  if (digest.state === 'paused' && row.requested_at === null) {
    return void (await machine.delivery.transition(row, 'paused', { reason: 'digest-paused' }));
  }
  const dueAt = row.requested_at ?? row.due_at;
  if (isTooLate(machine.pace, { dueAt, zone: digest.zone, now: machine.now() })) {
    return void (await machine.delivery.transition(row, 'missed', { reason: 'late' }));
  }
  if (isHalted) return postpone(machine, row, HALTED_WAIT_MS);
  const client = await machine.findSlackClient(row.workspace);
  if (!client) return pauseUndeliverable(machine, row, { workspace: row.workspace }, 'no-access');
  if (client === 'unknown') return postponeUnchecked(machine, row);
  const readers = isPersonal(digest)
    ? INTERNAL_READERS
    : await machine.sharedChannels.findReaders(row, client);
  if (readers === 'unknown') return postponeUnchecked(machine, row);
  if (readers.isShared && !isSharedWith(digest, readers.outsiders)) {
    await pauseShared(machine, row, readers.outsiders);
    machine.wake(machine.clock());
    return void (await machine.delivery.transition(row, 'paused'));
  }
  const ticket = machine.limits.acquire(row);
  if ('waitMs' in ticket) return postpone(machine, row, ticket.waitMs);
  let mayHaveSent = false;
  const recordingTicket: Ticket = {
    release(isCounted) {
      mayHaveSent ||= isCounted;
    },
  };
  try {
    await composeAndSend(machine, { row, digest, lastSentAt, snapshot, client, ticket: recordingTicket });
  } finally {
    ticket.release(mayHaveSent);
  }
}

interface SendInput {
  row: OccurrenceRow;
  digest: Digest;
  lastSentAt: Date | undefined;
  snapshot: string | undefined;
  client: WebClient;
  ticket: Ticket;
}

async function composeAndSend(machine: Machine, input: SendInput): Promise<void> {
  const { row } = input;
  const result = await composeOccurrence(machine, input);
  await machine.pace.onCrashPoint?.('after-compose');
  switch (result.kind) {
    case 'message':
      return uploadAndSend(machine, input, result);
    case 'silent':
      return void (await machine.delivery.transition(
        row,
        'silent',
        {},
        { note: { snapshot: result.snapshot } satisfies LastDigest },
      ));
    case 'gone':
      return pauseUndeliverable(machine, row, { workspace: row.workspace, id: row.digest }, 'project-gone');
    case 'retry-later': {
      const next_at = addMs(machine.clock(), pickWait(machine.pace.serviceWaitsMs, row.attempts));
      const { retrying_since, reason } = result;
      await machine.delivery.transition(row, 'due', {
        reason,
        retrying_since,
        next_at,
        attempts: row.attempts + 1,
      });
    }
  }
}

/**
 * Sends the message. If it has a picture, uploads that first, and sends the message in a later step, because Slack
 * refuses a file that it hasn't processed. Slack tells when it has only to apps with the scope `files:read`
 * (https://github.com/slackapi/node-slack-sdk/issues/1865). The stored file id prevents a second upload.
 */
async function uploadAndSend(machine: Machine, input: SendInput, message: ComposedMessage): Promise<void> {
  const { row, client } = input;
  const { picture } = message;
  if (!picture || row.file !== null) return send(machine, input, message);
  try {
    const file = await uploadPicture(client, picture, machine.fetch);
    await machine.pace.onCrashPoint?.('after-upload');
    const next_at = addMs(machine.clock(), pickWait(machine.pace.pictureWaitsMs, 0));
    await machine.delivery.transition(row, 'due', { ...copyPlainReason(row), file, next_at });
  } catch (error) {
    const failure = classifySendError(error);
    if (failure.kind === 'rate-limited') {
      machine.limits.pause(row.workspace, failure.waitMs);
      return postpone(machine, row, failure.waitMs);
    }
    machine.log.warn({ occurrence: row.id, err: error }, 'could not upload a picture');
    const isLast = row.attempts + 1 >= machine.pace.retryWaitsMs.length;
    const next_at = addMs(machine.clock(), pickWait(machine.pace.retryWaitsMs, row.attempts));
    await machine.delivery.transition(row, 'due', {
      attempts: row.attempts + 1,
      next_at,
      ...(isLast && { file: NO_PICTURE }),
    });
  }
}

/**
 * Commits `sending` before the request. If the instance crashes after that, the message is reconciled, never sent
 * again.
 */
async function send(machine: Machine, input: SendInput, message: ComposedMessage): Promise<void> {
  const { row, client, ticket } = input;
  const { text, blocks, picture } = message;
  const file = picture && row.file !== null && row.file !== NO_PICTURE ? row.file : undefined;
  const allBlocks =
    picture && file !== undefined ? [...(blocks ?? []), buildPictureBlock(file, picture)] : (blocks ?? []);
  const isPlain = row.reason === 'plain' || allBlocks.length === 0;
  await machine.pace.onCrashPoint?.('before-sending');
  const lease = await machine.delivery.beginSending(row, 'sending', {
    ...(row.reason === 'plain' && { reason: 'plain' }),
    attempts: row.attempts + 1,
    // The scheduling service has answered, so the retry period ends.
    retrying_since: null,
    sending_at: machine.now(),
    follow_ups: sealMessageFollowUps(machine, row.workspace, message),
  });
  if (!lease) return;
  await machine.pace.onCrashPoint?.('after-sending');
  const outgoing = {
    channel: row.channel,
    message: isPlain ? { text } : { text, blocks: allBlocks },
    occurrence: row.id,
  };
  const result = lease.permit.mayBegin() ? await sendMessage(client, outgoing) : NOT_SENT;
  ticket.release(result.kind === 'sent' || result.kind === 'unknown');
  await machine.pace.onCrashPoint?.('before-result');
  await applySendResult(machine, lease.row, result, {
    ...{ hasPicture: file !== undefined, isPlain },
    snapshot: message.snapshot,
  });
  await machine.pace.onCrashPoint?.('after-result');
}

/** Postpones a row because it is unknown whether the message may be sent to its channel. */
async function postponeUnchecked(machine: Machine, row: OccurrenceRow): Promise<void> {
  const next_at = addMs(machine.clock(), pickWait(machine.pace.serviceWaitsMs, row.attempts));
  await machine.delivery.transition(row, 'due', {
    reason: 'not-checked',
    next_at,
    attempts: row.attempts + 1,
  });
}

/** Postpones a row for an external reason (halt or rate limit), without counting an attempt. */
async function postpone(machine: Machine, row: OccurrenceRow, waitMs: number): Promise<void> {
  await machine.delivery.transition(row, 'due', {
    ...copyPlainReason(row),
    next_at: addMs(machine.clock(), waitMs),
  });
}
