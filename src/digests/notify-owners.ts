import {
  type Attempt,
  type CreateNotifier,
  createNotifier,
  type Group,
  type Notifying,
  type NotifyResult,
} from '../engine/notifier.ts';
import type { Message } from '../slack/message.ts';
import { notifyOnce } from '../slack/notify-once.ts';
import { type Digest, readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import { renderMissedNotice, renderPausedNotice, renderUncertainNotice } from './messages/notices.ts';
import type { DigestRow, OccurrenceRow } from './occurrence.ts';
import { classifySendError } from './send-message.ts';
import { loadDigests } from './sql/digests.ts';

/** Maximum number of rows that a claim takes, which may be those of one owner. */
const MAX_ROWS = 150;
/** Maximum number of owners who are told at the same time, of one table. */
const MAX_OWNERS = 8;

/** Owners are told of what wasn't sent in one message, and asked about each message that Slack may have. */
export function createUnsentNotifying(context: DigestContext): Notifying<OccurrenceRow> {
  return {
    ...createLimits(context),
    groupColumn: 'owner',
    splitBy: ({ id, state }) => (state === 'uncertain' ? id : ''),
    async notify(rows, attempt) {
      const ids = [...new Set(rows.map(({ digest }) => digest))];
      const digestRows = await loadDigests(context.db, ids);
      const digests = new Map(digestRows.map((row) => [row.id, readDigest(context, row)]));
      // What this version can't read is excluded from now on, and left to an instance that can. The rest is told then.
      if (digestRows.some(({ id }) => !digests.get(id))) return { waitMs: context.pace.notifyLeaseMs };
      const render = (untold: readonly OccurrenceRow[]) =>
        renderOccurrences(untold, digests, { now: context.clock.now() });
      return notifyOwner(context, rows, attempt, render);
    },
  };
}

/** Owners are told of removed digests too. */
function renderOccurrences(
  rows: readonly OccurrenceRow[],
  digests: ReadonlyMap<string, Digest | undefined>,
  options: { now: Date },
): Message {
  const items = rows.map((row) => ({ row, digest: digests.get(row.digest) }));
  const [first] = items;
  return first?.row.state === 'uncertain'
    ? renderUncertainNotice(first, options)
    : renderMissedNotice(items, options);
}

/** Owners are told of all their paused digests in one message. */
export function createPauseNotifier(context: DigestContext): CreateNotifier {
  return createNotifier<DigestRow>(
    { table: 'digest' },
    {
      ...createLimits(context),
      groupColumn: 'owner',
      async notify(rows, attempt) {
        const digests = new Map(rows.map((row) => [row.id, readDigest(context, row)]));
        if (rows.some(({ id }) => !digests.get(id))) return { waitMs: context.pace.notifyLeaseMs };
        return notifyOwner(context, rows, attempt, (untold) =>
          renderPausedNotice(
            untold.flatMap(({ id }) => digests.get(id) ?? []),
            { now: context.clock.now() },
          ),
        );
      },
    },
  );
}

function createLimits({ pace }: DigestContext) {
  return { leaseMs: pace.notifyLeaseMs, maxRows: MAX_ROWS, maxInProgress: MAX_OWNERS };
}

/** A row of either table. */
type NotifiedRow = Pick<OccurrenceRow, 'id' | 'workspace' | 'owner' | 'changed_at'> & { state: string };

/** Tells the owner of digests, or an owner of the workspace if Slack can't reach them. */
async function notifyOwner<Row extends NotifiedRow>(
  context: DigestContext,
  rows: Group<Row>,
  attempt: Attempt,
  render: (rows: readonly Row[]) => Message,
): Promise<NotifyResult> {
  const { limits, log, pace } = context;
  const [{ workspace, owner: to }] = rows;
  const client = await context.findSlackClient(workspace);
  if (client === 'unknown') return { waitMs: pace.notifyLeaseMs };
  if (!client) return { waitMs: pace.notifyBlockedMs };
  const reservation = limits.acquire({ workspace, channel: to });
  if ('waitMs' in reservation) return reservation;
  let isCounted = true;
  try {
    const result = await notifyOnce({ client, log }, attempt, {
      ...{ to, rows, render, renderHidden: render },
      // It names digests and their channels, and no post.
      mayRead: () => true,
      listStandIns: () => context.findManagers(workspace, undefined),
    });
    isCounted = result === 'notified';
    return result;
  } catch (error) {
    const failure = classifySendError(error);
    isCounted = failure.kind === 'unknown';
    switch (failure.kind) {
      case 'rate-limited':
        limits.pause(workspace, failure.waitMs);
        return { waitMs: failure.waitMs };
      // Slack may refuse a token for days, which must not count as attempts.
      case 'inactive':
        return { waitMs: pace.notifyBlockedMs };
      case 'undeliverable':
        if (failure.reason !== 'no-access') throw error;
        return { waitMs: pace.notifyBlockedMs };
      case 'not-reached':
        return { waitMs: pace.notifyLeaseMs };
      // Slack may have the message, which the next attempt looks for.
      case 'unknown':
        return 'later';
      default:
        throw error;
    }
  } finally {
    reservation.release(isCounted);
  }
}
