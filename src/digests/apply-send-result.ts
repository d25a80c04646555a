import type { Change } from '../engine/capability.ts';
import { addMs } from '../engine/clock.ts';
import { isSharedWith, type PauseReason, readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import { chooseStateAfterSending, type OccurrenceRow } from './occurrence.ts';
import { pickWait } from './pace.ts';
import { NO_PICTURE, type SendResult } from './send-message.ts';
import { MIN_CHANNEL_INTERVAL_MS } from './sending-limits.ts';
import { changeDigest, listDigests, pauseDigests } from './sql/digests.ts';

/** Transitions a `sending` row to the state that follows from the result of the send. */
export async function applySendResult(
  context: DigestContext,
  row: OccurrenceRow,
  result: SendResult,
  sentMessage: { hasPicture: boolean; isPlain: boolean; snapshot: string | undefined },
): Promise<void> {
  const { pace, verbs } = context;
  const sharedNow = context.clock.readShared();
  const retryAfter = async (waitMs: number) => {
    // Slack has refused the blocks before, so the message is still sent without them.
    const change = row.reason === 'plain' ? ({ reason: 'plain' } as const) : {};
    await verbs.settle(row, 'due', { ...change, next_at: addMs(sharedNow, waitMs) });
  };
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
    case 'no-channel': {
      const { workspace, channel } = row;
      return pauseUndeliverable(context, row, { workspace, channel }, result.reason);
    }
    case 'no-access':
      return pauseUndeliverable(context, row, { workspace: row.workspace }, 'no-access');
    case 'inactive':
      if (recordInactiveAccount(context, row.workspace)) {
        return pauseUndeliverable(context, row, { workspace: row.workspace }, 'no-access');
      }
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
  if (!isPlain) return void (await verbs.settle(row, 'due', { reason: 'plain', next_at: sharedNow }));
  await verbs.settle(row, 'missed', { reason: 'refused' });
}

/** Data about the last sent message. What is absent or undefined stays. */
interface LastDigest {
  /** When the message was sent; absent if none was. */
  sent_at?: Date;
  /** Passed to the composer with the next occurrence. */
  snapshot?: string | undefined;
}

/**
 * Settles an occurrence, and writes to the digest's row what the next occurrence needs to know of it. Both or neither, so
 * that an instance that was frozen replaces nothing newer.
 */
export async function settleWithDigest(
  { db, verbs }: Pick<DigestContext, 'db' | 'verbs'>,
  row: OccurrenceRow,
  to: 'sent' | 'following-up' | 'silent',
  change: Change<OccurrenceRow>,
  last: LastDigest,
): Promise<OccurrenceRow | undefined> {
  if (last.sent_at === undefined && last.snapshot === undefined) return verbs.settle(row, to, change);
  return db.transaction().execute(async (transaction) => {
    const settledRow = await verbs.settle(row, to, change, { transaction });
    if (settledRow) await changeDigest(transaction, { workspace: row.workspace, id: row.digest }, last);
    return settledRow;
  });
}

/**
 * Pauses digests that can't be sent, and ends the occurrence. The digests are paused first, so that an instance that
 * dies in between notifies the owner twice rather than never.
 */
export async function pauseUndeliverable(
  context: DigestContext,
  row: OccurrenceRow,
  filter: { workspace: string; channel?: string; id?: string },
  reason: PauseReason,
): Promise<void> {
  const sharedNow = context.clock.readShared();
  await pauseDigests(context.db, filter, { reason, pausedAt: sharedNow, notifyAt: sharedNow });
  context.verbs.wake();
  await context.verbs.settle(row, 'paused');
}

/** Pauses the digests of a channel unless all outsiders may read them. Schedules notices to the owners. */
export async function pauseInSharedChannel(
  context: DigestContext,
  channelKey: { workspace: string; channel: string },
  outsiders: readonly string[],
): Promise<void> {
  const sharedNow = context.clock.readShared();
  for (const row of await listDigests(context.db, channelKey)) {
    const digest = readDigest(context, row);
    if (digest && isSharedWith(digest, outsiders)) continue;
    const { workspace, id } = row;
    const pause = { reason: 'shared', pausedAt: sharedNow, notifyAt: sharedNow };
    await pauseDigests(context.db, { workspace, id }, pause);
  }
}
