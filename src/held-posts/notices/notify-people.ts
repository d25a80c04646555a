import type { WebClient } from '@slack/web-api';
import type { Attempt, Group, NotifyResult } from '../../engine/notifier.ts';
import { fetchLocale } from '../../slack/fetch-people.ts';
import { notifyOnce, waitForAccess } from '../../slack/notify-once.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listSharedRequests, notifyReviewers } from '../review/notify-reviewers.ts';
import type { SeriesRow } from '../series/series.ts';
import { renderSeriesCard } from '../series/series-card.ts';
import { CARD, updatePostMessages } from '../show.ts';
import { findHeldPost } from '../sql/held-posts.ts';
import { isTemporary, NotYet, type PostNotification } from './notify-of-post.ts';
import { listManagers, listSharedNotices, sendNotices } from './send-notices.ts';

type Steps = readonly (() => Promise<unknown>)[];

/** Updates all messages about a post, and sends the new ones. First tells whoever would read many messages. */
export async function notifyPeople(
  context: HeldPostContext,
  rows: Group<HeldPostRow>,
  attempt: Attempt,
): Promise<NotifyResult> {
  const [row, ...others] = rows;
  if (others.length > 0) {
    const listShared = row.state === 'needs-person' ? listSharedNotices : listSharedRequests;
    const result = await runSteps(context, row, (client) =>
      listShared({ context, client, row, attempt }, rows),
    );
    if (result === 'notified') return 'each';
    if (result === 'later')
      await runSteps(context, row, (client) =>
        rows.map((each) => () => updateMeanwhile({ context, client, row: each, attempt })),
      );
    return result;
  }
  return runSteps(context, row, (client) => {
    const notification: PostNotification = { context, client, row, attempt };
    return [
      () => updatePostMessages(context, client, row, CARD),
      () => notifyReviewers(notification),
      () => sendNotices(notification),
    ];
  });
}

/** Updates what people know of a post while the message about many can't be sent. It may have changed since its claim. */
async function updateMeanwhile(notification: PostNotification): Promise<void> {
  const { context, client } = notification;
  const row = await findHeldPost(context.db, notification.row);
  if (!row) return;
  await updatePostMessages(context, client, row, CARD);
  if (row.state === 'needs-person') await notifyReviewers({ ...notification, row });
}

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
  if (note === undefined) return 'notified';
  return runSteps(context, row, async (client) => {
    const managers = await listManagers(context, row);
    const isForManagers = row.reason === 'not-allowed';
    if (!managers && isForManagers) return undefined;
    const people = isForManagers ? [...new Set([...(managers ?? []), row.author])] : [row.author];
    return people.map((to) => async () => {
      const locale = await fetchLocale({ client, log: context.log, reference: row.id }, to);
      const card = await renderSeriesCard(context, row, { now: context.clock.now(), locale }, { note });
      const told = await notifyOnce({ client, log: context.log }, attempt, {
        ...{ to, rows: [row], onCrashPoint: context.pace.onCrashPoint },
        getSubject: () =>
          [
            row.reason,
            row.missed,
            row.missing_at === null,
            row.version,
            row.ends_before,
            row.changed_by,
            to,
          ].join(' '),
        render: () => card,
        ...(people.length === 1 && {
          listStandIns: async () => managers?.filter((each) => each !== row.changed_by),
        }),
      });
      if (told === 'later') throw new NotYet('a newer notification or another instance has the series');
    });
  });
}

/**
 * Runs the steps of a notification. After a failed one, the next ones still run; all are repeated if it may pass. The
 * steps are listed once there is access to Slack, because waiting for it isn't an attempt. If they are undefined, the next
 * attempt lists them again.
 */
async function runSteps(
  context: HeldPostContext,
  { id, workspace, author: user }: Pick<HeldPostRow, 'id' | 'workspace' | 'author'>,
  listSteps: (client: WebClient) => Steps | Promise<Steps | undefined>,
): Promise<NotifyResult> {
  const client = await context.findSlackClient(workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  let steps: Steps | undefined;
  try {
    steps = await listSteps(client);
  } catch (error) {
    if (!isTemporary(error)) throw error;
    context.log.info({ id, err: error }, 'could not find out whom to notify');
  }
  if (!steps) return 'later';
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error) => failures.push(error));
  if (failures.some(isTemporary)) return 'later';
  // The post or the series is still in the lists.
  for (const error of failures) context.log.warn({ id, err: error }, 'could not notify people');
  context.submissions.context.onAuthorNotified({ workspace, user });
  return 'notified';
}

/** What the author reads above the card; mrkdwn. Undefined if they did it themselves. */
function findNote(row: SeriesRow): string | undefined {
  const { state, reason, changed_by: actor, author } = row;
  if (reason === 'missed')
    return `A series missed dates${row.missing_at === null ? '.' : ', and will run out of texts.'}`;
  if (reason === 'no-text') return 'A series will run out of texts.';
  if (state === 'paused' && reason !== null) return 'I paused a series.';
  if (actor === author || state === 'ended' || state === 'dropped') return undefined;
  return `<@${actor}> ${state === 'running' ? 'changed' : state} your series.`;
}
