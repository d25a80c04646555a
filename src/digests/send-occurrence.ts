import type { WebClient } from '@slack/web-api';
import type { Change } from '../engine/capability.ts';
import { addMs } from '../engine/clock.ts';
import { INTERNAL_READERS } from '../slack/audience.ts';
import { isDeactivated } from '../slack/fetch-people.ts';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import { composeOccurrence } from './compose-occurrence.ts';
import {
  type Digest,
  isPersonal,
  isSharedWith,
  isTooLate,
  readDigest,
  type UndeliverableReason,
} from './digest.ts';
import { type ComposedMessage, type DigestContext, findExcludedGuests } from './digest-context.ts';
import { encryptFollowUps } from './follow-ups.ts';
import { chooseStateAfterSending, type OccurrenceRow } from './occurrence.ts';
import { pickWait } from './pace.ts';
import {
  buildPictureBlock,
  classifySendError,
  NO_BLOCKS,
  NO_PICTURE,
  NOT_SENT,
  type SendResult,
  sendMessage,
  uploadPicture,
} from './send-message.ts';
import { MIN_CHANNEL_INTERVAL_MS } from './sending-limits.ts';
import { changeDigest, listDigests, pauseDigests } from './sql/digests.ts';

/** The wait before a row is checked again while an operator has stopped sending. */
const SENDING_STOPPED_WAIT_MS = 30_000;

/** The input of a step: a claimed row, and the digest's current settings. */
export interface ClaimedOccurrence {
  row: OccurrenceRow;
  /** Undefined if the digest was removed. */
  digest: Digest | undefined;
  isSendingStopped: boolean;
}

/** Processes a claimed row in the state `due`: sends the message, unless it's too late or the digest is paused. */
export async function sendOccurrence(context: DigestContext, claimed: ClaimedOccurrence): Promise<void> {
  const { row, digest, isSendingStopped } = claimed;
  if (!digest || (digest.state === 'paused' && row.requested_at === null))
    return void (await context.verbs.settle(row, 'paused'));
  const dueAt = row.requested_at ?? row.due_at;
  if (isTooLate(context.pace, { dueAt, zone: digest.zone, now: context.clock.now() }))
    return void (await context.verbs.settle(row, 'missed'));
  if (isSendingStopped) return postpone(context, row, SENDING_STOPPED_WAIT_MS);
  const client = await context.findSlackClient(row.workspace);
  if (!client) return pauseUndeliverable(context, row, 'no-access');
  if (client === 'unknown') return retryLater(context, row);
  if (isPersonal(row) && (await isDeactivated({ client, log: context.log, reference: row.id }, row.channel)))
    return pauseUndeliverable(context, row, 'not-in-channel');
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
  const delivery = { mayHaveSent: false };
  try {
    await composeAndSend(context, { ...claimed, digest, client, delivery });
  } finally {
    reservation.release(delivery.mayHaveSent);
  }
}

interface SendInput extends ClaimedOccurrence {
  digest: Digest;
  client: WebClient;
  /** Whether Slack may have got the message, so that it counts towards the limits. Set when it is sent. */
  delivery: { mayHaveSent: boolean };
}

async function composeAndSend(context: DigestContext, input: SendInput): Promise<void> {
  const { row, digest } = input;
  const result = await composeOccurrence(context, row, digest);
  switch (result.kind) {
    case 'message': {
      const guests = await findExcludedGuests(context, input, result.projects);
      if (guests === 'yes') return pauseUndeliverable(context, row, 'guests');
      return guests === 'no' ? uploadAndSend(context, input, result) : retryLater(context, row);
    }
    case 'silent':
      return void (await settleWithDigest(context, row, 'silent', {}, { snapshot: result.snapshot }));
    case 'gone':
      return pauseUndeliverable(context, row, 'project-gone');
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
    const attempts = row.attempts + 1;
    const isLast = isDeclined || attempts >= context.pace.retryWaitsMs.length;
    const waitMs = isDeclined ? 0 : pickWait(context.pace.retryWaitsMs, row.attempts);
    await postpone(context, row, waitMs, isLast ? { attempts, file: NO_PICTURE } : { attempts });
  } finally {
    reservation.release(true);
  }
}

/** Commits `sending` before the request. After a crash the message is then reconciled, never sent again. */
async function send(context: DigestContext, input: SendInput, message: ComposedMessage): Promise<void> {
  const { row, client, delivery } = input;
  const { text, blocks, picture } = message;
  const file = row.file === NO_PICTURE || row.file === NO_BLOCKS ? null : row.file;
  const pictureBlocks = picture && file !== null ? [buildPictureBlock(file, picture)] : [];
  const allBlocks = [...(blocks ?? []), ...pictureBlocks];
  const isPlain = row.file === NO_BLOCKS || allBlocks.length === 0;
  const lease = await context.verbs.beginSending(row, 'sending', {
    attempts: row.attempts + 1,
    // The scheduling service has answered, so the retry period ends.
    retrying_since: null,
    sending_at: context.clock.now(),
    follow_ups: encryptFollowUps(
      context,
      row.workspace,
      (message.thread ?? []).map((thread) => ({ message: thread, projects: [...(message.projects ?? [])] })),
    ),
  });
  if (!lease) return;
  await context.pace.onSending?.();
  const outgoing = {
    channel: row.channel,
    message: isPlain ? { text } : { text, blocks: allBlocks },
    occurrence: row.id,
  };
  const result = lease.permit.mayBegin() ? await sendMessage(client, outgoing) : NOT_SENT;
  delivery.mayHaveSent = result.kind === 'sent' || result.kind === 'unknown';
  const hasPicture = pictureBlocks.length > 0;
  await applySendResult(context, lease.row, result, { hasPicture, isPlain, snapshot: message.snapshot });
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

/** Transitions a `sending` row to the state that follows from the result of the send. */
async function applySendResult(
  context: DigestContext,
  row: OccurrenceRow,
  result: SendResult,
  sentMessage: { hasPicture: boolean; isPlain: boolean; snapshot: string | undefined },
): Promise<void> {
  const { pace, verbs } = context;
  const sharedNow = context.clock.readShared();
  const retryAfter = async (waitMs: number) =>
    void (await verbs.settle(row, 'due', { next_at: addMs(sharedNow, waitMs) }));
  if (result.kind !== 'inactive') context.inactiveAccounts.delete(row.workspace);
  switch (result.kind) {
    case 'sent':
      await settleWithDigest(
        context,
        row,
        chooseStateAfterSending(row),
        {
          ts: result.ts ?? null,
          conversation: result.conversation ?? row.channel,
          retrying_since: null,
          // The follow-ups wait, because Slack accepts one message a second in a channel.
          ...(row.follow_ups !== null && { next_at: addMs(sharedNow, MIN_CHANNEL_INTERVAL_MS) }),
        },
        { sent_at: context.clock.now(), snapshot: sentMessage.snapshot },
      );
      return;
    case 'rate-limited':
      context.limits.pause(row.workspace, result.waitMs);
      return retryAfter(result.waitMs);
    case 'not-reached':
      return retryAfter(pickWait(pace.retryWaitsMs, row.attempts - 1));
    case 'undeliverable':
      return pauseUndeliverable(context, row, result.reason);
    case 'inactive':
      if (recordInactiveAccount(context, row.workspace)) return pauseUndeliverable(context, row, 'no-access');
      return retryAfter(pickWait(pace.retryWaitsMs, pace.retryWaitsMs.length));
    case 'refused':
      return handleRefusal(context, row, result.code, sentMessage);
    case 'unknown':
      await startReconciling(context, row);
  }
}

/**
 * Records that Slack called the bot's account inactive. Returns true once Slack has done so for `inactivePeriodMs`. The
 * period restarts after an interval of `inactivePeriodMs` without the error.
 */
function recordInactiveAccount({ clock, inactiveAccounts, pace }: DigestContext, workspace: string): boolean {
  const now = clock.readShared().getTime();
  const record = inactiveAccounts.get(workspace);
  const isRepeated = record !== undefined && now - record.lastAt < pace.inactivePeriodMs;
  const firstAt = isRepeated ? record.firstAt : now;
  inactiveAccounts.set(workspace, { firstAt, lastAt: now });
  return now - firstAt >= pace.inactivePeriodMs;
}

/** Starts to reconcile a row whose message Slack may have: the outcome is unknown, or the sending instance died. */
export async function startReconciling(context: DigestContext, row: OccurrenceRow): Promise<void> {
  const sharedNow = context.clock.readShared();
  const next_at = addMs(sharedNow, pickWait(context.pace.reconcileWaitsMs, 0));
  await context.verbs.settle(row, 'reconciling', { checks: 0, retrying_since: sharedNow, next_at });
}

/**
 * Handles a message that Slack refused. Slack also answers "invalid_blocks" while it processes a picture, so a message
 * with a picture is retried first, and then sent without the picture. An error that remains is a fault of Upnext's
 * blocks, so the message is then sent as plain text. If Slack refuses the plain text too, the occurrence is missed.
 */
async function handleRefusal(
  context: DigestContext,
  row: OccurrenceRow,
  code: string,
  { hasPicture, isPlain }: { hasPicture: boolean; isPlain: boolean },
): Promise<void> {
  const { pace, verbs } = context;
  const sharedNow = context.clock.readShared();
  // While a message is due, the column `checks` counts its attempts with the picture.
  const pictureAttempts = row.checks;
  if (hasPicture && pictureAttempts < pace.pictureWaitsMs.length) {
    const next_at = addMs(sharedNow, pickWait(pace.pictureWaitsMs, pictureAttempts));
    return void (await verbs.settle(row, 'due', { checks: pictureAttempts + 1, next_at }));
  }
  if (hasPicture) {
    context.log.warn({ occurrence: row.id, code }, 'Slack refused the picture of a digest');
    return void (await verbs.settle(row, 'due', { file: NO_PICTURE, checks: 0, next_at: sharedNow }));
  }
  context.log.error({ occurrence: row.id, code }, 'Slack refused a digest');
  if (!isPlain) return void (await verbs.settle(row, 'due', { file: NO_BLOCKS, next_at: sharedNow }));
  await verbs.settle(row, 'missed', { reason: 'refused' });
}

/**
 * Settles an occurrence, and writes to the digest's row what the next occurrence needs to know of it. What is undefined
 * stays. Both or neither, so that an instance that was frozen replaces nothing newer.
 */
export async function settleWithDigest(
  { db, verbs }: Pick<DigestContext, 'db' | 'verbs'>,
  row: OccurrenceRow,
  to: 'sent' | 'following-up' | 'silent',
  change: Change<OccurrenceRow>,
  last: { sent_at?: Date; snapshot?: string | undefined },
): Promise<OccurrenceRow | undefined> {
  if (last.sent_at === undefined && last.snapshot === undefined) return verbs.settle(row, to, change);
  return db.transaction().execute(async (transaction) => {
    const settledRow = await verbs.settle(row, to, change, { transaction });
    if (settledRow) await changeDigest(transaction, { workspace: row.workspace, id: row.digest }, last);
    return settledRow;
  });
}

/**
 * Pauses the digests that the reason is about, and ends the occurrence. The digests are paused first, so that an instance
 * that dies in between notifies the owner twice rather than never.
 */
export async function pauseUndeliverable(
  context: DigestContext,
  row: OccurrenceRow,
  reason: UndeliverableReason,
): Promise<void> {
  const { workspace, channel, digest: id } = row;
  const isAboutDigest = reason === 'project-gone' || reason === 'guests';
  const subject = reason === 'no-access' ? {} : isAboutDigest ? { id } : { channel };
  await pauseDigests(context.db, { workspace, ...subject }, { reason, now: context.clock.readShared() });
  context.verbs.wake();
  await context.verbs.settle(row, 'paused');
}

/** Pauses the digests of a channel unless all outsiders may read them. Schedules notices to the owners. */
export async function pauseInSharedChannel(
  context: DigestContext,
  channelKey: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const now = context.clock.readShared();
  for (const row of await listDigests(context.db, channelKey)) {
    const digest = readDigest(context, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    await pauseDigests(context.db, { workspace, id }, { reason: 'shared', now });
  }
}
