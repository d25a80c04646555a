import { addMs } from '../delivery/add-ms.ts';
import type { LastDigest } from './last-digest.ts';
import { keepPlainReason, NO_PICTURE } from './lasting-reasons.ts';
import { stateAfterSending } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { pickWait } from './pace.ts';
import { pauseUndeliverable } from './pause.ts';
import type { SendResult } from './send-message.ts';
import { CHANNEL_MS } from './sending-limits.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Applies the result of a send to the row, which is `sending`. */
export async function applySendResult(
  machine: Machine,
  row: OccurrenceRow,
  sent: SendResult,
  attempt: { hasPicture: boolean; isPlain: boolean; snapshot: string | undefined },
): Promise<void> {
  const { pace, delivery } = machine;
  const at = machine.clock();
  if (sent.kind !== 'inactive') machine.inactiveAccounts.delete(row.workspace);
  switch (sent.kind) {
    case 'sent':
      await delivery.transition(
        row,
        stateAfterSending(row),
        {
          ts: sent.ts ?? null,
          conversation: sent.conversation ?? row.channel,
          retrying_since: null,
          // A channel takes the next message a second later.
          ...(row.follow_ups !== null && { next_at: addMs(at, CHANNEL_MS) }),
        },
        { note: { sent_at: machine.now(), snapshot: attempt.snapshot } satisfies LastDigest },
      );
      return;
    case 'rate-limited':
      machine.limits.pause(row.workspace, sent.waitMs);
      await delivery.transition(row, 'due', { ...keepPlainReason(row), next_at: addMs(at, sent.waitMs) });
      return;
    case 'not-reached':
      await delivery.transition(row, 'due', {
        ...keepPlainReason(row),
        next_at: addMs(at, pickWait(pace.retryMs, row.attempts - 1)),
      });
      return;
    case 'no-channel':
      return pauseUndeliverable(
        machine,
        row,
        { workspace: row.workspace, channel: row.channel },
        sent.reason,
      );
    case 'no-access':
      return pauseUndeliverable(machine, row, { workspace: row.workspace }, 'no-access');
    case 'inactive':
      if (isInactiveForLong(machine, row.workspace)) {
        return pauseUndeliverable(machine, row, { workspace: row.workspace }, 'no-access');
      }
      await delivery.transition(row, 'due', {
        ...keepPlainReason(row),
        next_at: addMs(at, pickWait(pace.retryMs, pace.retryMs.length)),
      });
      return;
    case 'refused':
      return handleRefusal(machine, row, sent.code, attempt);
    case 'unknown':
      await startReconciling(machine, row);
  }
}

/**
 * Whether Slack has called the bot's account inactive for all of `inactiveMs`. After the same time without that error
 * the count starts again.
 */
function isInactiveForLong({ clock, inactiveAccounts, pace }: Machine, workspace: string): boolean {
  const last = clock().getTime();
  const known = inactiveAccounts.get(workspace);
  const since = known && last - known.last < pace.inactiveMs ? known.since : last;
  inactiveAccounts.set(workspace, { since, last });
  return last - since >= pace.inactiveMs;
}

/** The outcome is unknown, or the instance that was sending is gone: Slack may have the message. */
export async function startReconciling(machine: Machine, row: OccurrenceRow): Promise<void> {
  const at = machine.clock();
  const next_at = addMs(at, pickWait(machine.pace.reconcileWaitsMs, 0));
  await machine.delivery.transition(row, 'reconciling', { checks: 0, retrying_since: at, next_at });
}

/**
 * Slack also answers "invalid_blocks" while it processes a picture. The message is therefore retried, then sent without
 * the picture, then as plain text: an error that remains without the picture is our own fault. If Slack refuses the
 * plain text too, the occurrence is missed.
 */
async function handleRefusal(
  machine: Machine,
  row: OccurrenceRow,
  code: string,
  { hasPicture, isPlain }: { hasPicture: boolean; isPlain: boolean },
): Promise<void> {
  const { pace, delivery } = machine;
  const at = machine.clock();
  if (hasPicture && row.checks < pace.pictureMs.length) {
    const next_at = addMs(at, pickWait(pace.pictureMs, row.checks));
    return void (await delivery.transition(row, 'due', { checks: row.checks + 1, next_at }));
  }
  machine.log.error({ occurrence: row.id, code, hasPicture }, 'Slack refused a digest');
  if (hasPicture)
    return void (await delivery.transition(row, 'due', { file: NO_PICTURE, checks: 0, next_at: at }));
  if (!isPlain) return void (await delivery.transition(row, 'due', { reason: 'plain', next_at: at }));
  await delivery.transition(row, 'missed', { reason: 'refused' });
}
