import { later } from '../delivery/later.ts';
import { keptWhy, NO_FILE } from './kept-marks.ts';
import type { LastPosted } from './last-posted.ts';
import { afterPosting } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { waitOf } from './pace.ts';
import { pauseBecause } from './pause-because.ts';
import type { Sent } from './post-message.ts';
import { CHANNEL_MS } from './sending-limits.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** What Slack's answer means for the row, which is `sending`. */
export async function afterSending(
  machine: Machine,
  row: OccurrenceRow,
  sent: Sent,
  as: { hasPicture: boolean; isPlain: boolean; memory: string | undefined },
): Promise<void> {
  const { pace, delivery } = machine;
  const at = machine.clock();
  if (sent.kind !== 'inactive') machine.inactive.delete(row.workspace);
  switch (sent.kind) {
    case 'posted':
      await delivery.transition(
        row,
        afterPosting(row),
        {
          ts: sent.ts ?? null,
          conversation: sent.conversation ?? row.channel,
          retrying_since: null,
          // A channel takes the next message a second later.
          ...(row.afterwards !== null && { next_at: later(at, CHANNEL_MS) }),
        },
        { note: { posted_at: machine.now(), memory: as.memory } satisfies LastPosted },
      );
      return;
    case 'later':
      machine.limits.hold(row.workspace, sent.waitMs);
      await delivery.transition(row, 'due', { ...keptWhy(row), next_at: later(at, sent.waitMs) });
      return;
    case 'not-reached':
      await delivery.transition(row, 'due', {
        ...keptWhy(row),
        next_at: later(at, waitOf(pace.retryMs, row.attempts - 1)),
      });
      return;
    case 'no-place':
      return pauseBecause(machine, row, { workspace: row.workspace, channel: row.channel }, sent.reason);
    case 'no-access':
      return pauseBecause(machine, row, { workspace: row.workspace }, 'no-access');
    case 'inactive':
      if (isLasting(machine, row.workspace)) {
        return pauseBecause(machine, row, { workspace: row.workspace }, 'no-access');
      }
      await delivery.transition(row, 'due', {
        ...keptWhy(row),
        next_at: later(at, waitOf(pace.retryMs, pace.retryMs.length)),
      });
      return;
    case 'refused':
      return refused(machine, row, sent.code, as);
    case 'unknown':
      await handleUnknownOutcome(machine, row);
  }
}

/** Whether Slack has called the bot's account inactive for long enough; a new spell begins after as long without. */
function isLasting({ clock, inactive, pace }: Machine, workspace: string): boolean {
  const last = clock().getTime();
  const known = inactive.get(workspace);
  const since = known && last - known.last < pace.inactiveMs ? known.since : last;
  inactive.set(workspace, { since, last });
  return last - since >= pace.inactiveMs;
}

/** Whoever sent it does not know, or is gone: it is looked for. */
export async function handleUnknownOutcome(machine: Machine, row: OccurrenceRow): Promise<void> {
  const at = machine.clock();
  const next_at = later(at, waitOf(machine.pace.checkWaitsMs, 0));
  await machine.delivery.transition(row, 'looking', { checks: 0, retrying_since: at, next_at });
}

/**
 * Slack says "invalid_blocks" also while it looks through a picture: then a little later, and at last without. What
 * else is wrong with the blocks is ours: the text stands without them.
 */
async function refused(
  machine: Machine,
  row: OccurrenceRow,
  code: string,
  { hasPicture, isPlain }: { hasPicture: boolean; isPlain: boolean },
): Promise<void> {
  const { pace, delivery } = machine;
  const at = machine.clock();
  if (hasPicture && row.checks < pace.pictureMs.length) {
    const next_at = later(at, waitOf(pace.pictureMs, row.checks));
    return void (await delivery.transition(row, 'due', { checks: row.checks + 1, next_at }));
  }
  machine.log.error({ occurrence: row.id, code, hasPicture }, 'Slack did not take a digest');
  if (hasPicture)
    return void (await delivery.transition(row, 'due', { file: NO_FILE, checks: 0, next_at: at }));
  if (!isPlain) return void (await delivery.transition(row, 'due', { reason: 'plain', next_at: at }));
  await delivery.transition(row, 'missed', { reason: 'refused' });
}
