import type { Attempt, NotifyResult } from '../../engine/notifier.ts';
import { tellOnce, waitForAccess } from '../../slack/tell-once.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listManagers } from '../notify-people.ts';
import type { SeriesRow } from './series.ts';
import { renderSeriesCard } from './series-card.ts';

/**
 * Tells the author of a series what others, or Upnext, did with it. If the author may no longer schedule posts, the
 * project's managers are asked. Nobody is told of their own press.
 */
export async function notifyOfSeries(
  context: HeldPostContext,
  row: SeriesRow,
  attempt: Attempt,
): Promise<NotifyResult> {
  const note = findNote(row);
  if (note === undefined) return 'told';
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const managers = await listManagers(context, row);
  if (!managers && row.reason === 'not-allowed') return 'later';
  const people =
    row.reason === 'not-allowed' ? [...new Set([...(managers ?? []), row.author])] : [row.author];
  const card = await renderSeriesCard(context, row, { now: context.clock.now() }, { note });
  let result: NotifyResult = 'told';
  for (const to of people) {
    const told = await tellOnce({ client, log: context.log }, attempt, {
      ...{ to, rows: [row], onCrashPoint: context.pace.onCrashPoint },
      getSubject: () => `${row.reason ?? ''} ${row.missed ?? ''} ${row.missing_at === null} ${to}`,
      render: () => card,
      ...(people.length === 1 && { listStandIns: async () => managers }),
    }).catch((error: unknown) => {
      // The others are told all the same.
      if (people.length === 1) throw error;
      context.log.warn({ id: row.id, err: error }, 'could not notify somebody of a series');
    });
    if (told === 'later') result = 'later';
  }
  return result;
}

/** What the author reads above the card; mrkdwn. Undefined if they did it themselves. */
function findNote(row: SeriesRow): string | undefined {
  const { state, reason, changed_by: actor, author } = row;
  if (reason === 'missed')
    return `A series missed dates${row.missing_at === null ? '.' : ', and will run out of texts.'}`;
  if (state === 'running') return reason === 'no-text' ? 'A series will run out of texts.' : undefined;
  if (state === 'paused' && reason !== null) return 'I paused a series.';
  if (actor === author) return undefined;
  if (state === 'paused') return `<@${actor}> paused your series.`;
  return state === 'cancelled' ? `<@${actor}> cancelled your series.` : undefined;
}
