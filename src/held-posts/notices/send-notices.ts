import type { WebClient } from '@slack/web-api';
import type { Attempt, Group, NotifyResult } from '../../engine/notifier.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { fetchLocale, isDeactivated } from '../../slack/fetch-people.ts';
import type { Message } from '../../slack/message.ts';
import { notifyOnce, waitForAccess } from '../../slack/notify-once.ts';
import { createReaders } from '../../submissions/shown.ts';
import type { HeldPostRow } from '../held-post.ts';
import { type HeldPostContext, readEventText } from '../held-post-context.ts';
import { listSharedRequests, notifyReviewers } from '../review/notify-reviewers.ts';
import { readMissedDates } from '../series/occurrences.ts';
import type { SeriesRow } from '../series/series.ts';
import { renderSeriesCard } from '../series/series-card.ts';
import { CARD, findCardReaders, readShownPost, updatePostMessages } from '../show.ts';
import { listEvents } from '../sql/events.ts';
import { findHeldPost } from '../sql/held-posts.ts';
import { listHeldPostMessages } from '../sql/messages.ts';
import { describeHeldPost, renderHeldPostCard } from '../text/held-post-card.ts';
import { MAX_SINGLE_NOTICES, renderManyPosts } from './many-posts.ts';
import {
  renderCommentReply,
  renderCommentText,
  renderHiddenNotice,
  renderHiddenSeries,
  renderNoticeText,
  renderPeople,
} from './notice-text.ts';
import { findProblemChannel, isReviewNotice, listNotices, type Notice, wereOthersTold } from './notices.ts';
import { isTemporary, NotYet, notifyOfPost, type PostNotification, tryCall } from './notify-of-post.ts';

type Steps = readonly (() => Promise<unknown>)[];

/** Updates all messages about a post, and sends the new ones. First tells whoever would read many messages. */
export async function notifyPeople(
  context: HeldPostContext,
  rows: Group<HeldPostRow>,
  attempt: Attempt,
): Promise<NotifyResult> {
  const [row, ...others] = rows;
  const createNotification = (client: WebClient, of = row): PostNotification => ({
    ...{ context, client, row: of, attempt, readers: createReaders(context.submissions.context, client, of) },
  });
  if (others.length > 0) {
    const sorted = rows.toSorted(
      (one, other) => Number(one.publish_at) - Number(other.publish_at) || one.item - other.item,
    );
    const result = await runSteps(context, row, async (client) => {
      const notification = createNotification(client);
      const requests = row.state === 'needs-person' ? [] : await listSharedRequests(notification, sorted);
      return [...requests, ...(await listSharedNotices(notification, sorted))];
    });
    if (result === 'notified') return 'each';
    if (result === 'later')
      await runSteps(context, row, (client) =>
        rows.map((each) => () => updateMeanwhile(createNotification(client, each))),
      );
    return result;
  }
  return runSteps(context, row, (client) => {
    const notification = createNotification(client);
    const { readers } = notification;
    return [
      () => updatePostMessages(context, client, row, CARD, { readers }),
      () => notifyReviewers(notification),
      () => sendNotices(notification),
    ];
  });
}

/** Updates what people know of a post while the message about many can't be sent. It may have changed since its claim. */
async function updateMeanwhile(notification: PostNotification): Promise<void> {
  const { context, client, readers } = notification;
  const row = await findHeldPost(context.db, notification.row);
  if (!row) return;
  await updatePostMessages(context, client, row, CARD, { readers });
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
    const readers = createReaders(context.submissions.context, client, row);
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
        mayRead: (channel) => readers.mayRead({ channel }, row.project),
        render: () => card,
        renderHidden: renderHiddenSeries,
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
  const dates = readMissedDates(row).length === 1 ? 'a date' : 'dates';
  if (reason === 'missed')
    return `A series missed ${dates}${row.missing_at === null ? '.' : ', and will run out of texts.'}`;
  if (reason === 'no-text') return 'A series will run out of texts.';
  if (state === 'paused' && reason !== null) return 'I paused a series.';
  if (actor === author || state === 'ended' || state === 'dropped') return undefined;
  return `<@${actor}> ${state === 'running' ? 'changed' : state} your series.`;
}

/** Sends the new messages about a post. */
async function sendNotices(notification: PostNotification): Promise<void> {
  const { notices, isComplete } = await loadNotices(notification);
  await sendAll(notification, notices);
  if (!isComplete) throw new NotYet('could not find out who manages a project');
}

/** Sends the messages. If nobody gets one about a problem, a manager gets the one for its author. */
async function sendAll(notification: PostNotification, notices: readonly PendingNotice[]): Promise<void> {
  let isToldOfProblem = false;
  for (const pending of notices) {
    const isSent = await sendNotice(notification, pending);
    if (isSent && pending.notice.purpose === 'problem') isToldOfProblem = true;
  }
  const forAuthor = notices.find(({ notice }) => isForAuthor(notification.row, notice));
  if (forAuthor?.others === 'pending' && !isToldOfProblem)
    await deliverNotice(notification, { ...forAuthor, others: 'none' });
}

const isForAuthor = ({ author }: HeldPostRow, { purpose, recipient }: Notice) =>
  purpose === 'problem' && recipient === author;

/**
 * Lists the messages about many posts that need somebody for the same reason, or that Upnext has sent for review: one for
 * each person or channel that would get many. Of the others, each post tells them itself.
 */
async function listSharedNotices(
  notification: PostNotification,
  rows: readonly HeldPostRow[],
): Promise<(() => Promise<void>)[]> {
  // Of a post in parts, the message says which platforms have theirs.
  const wholeRows = rows.filter(({ sent_to: sentTo }) => sentTo === null);
  if (wholeRows.length <= MAX_SINGLE_NOTICES) return [];
  const notices: PendingNotice[] = [];
  const readChannel = createChannelReader(notification);
  for (const row of wholeRows)
    notices.push(...(await loadNotices({ ...notification, row }, readChannel)).notices);
  const isProblem = notification.row.state === 'needs-person';
  const shared = notices.filter(({ notice }) =>
    isProblem ? notice.purpose === 'problem' : isReviewNotice(notice),
  );
  const groups = [...Map.groupBy(shared, ({ notice }) => notice.recipient).values()];
  const sharedNotices = groups.flatMap((all) => {
    const [first] = all;
    if (!first || all.length <= MAX_SINGLE_NOTICES) return [];
    const mentioned = [...new Set(all.flatMap(({ notice }) => notice.mentioned ?? []))];
    const notice = { ...first.notice, mentioned };
    // Of posts that differ in it, each tells alone afterwards.
    const others = all.every((each) => each.others === first.others) ? first.others : 'told';
    return [{ notice, posts: all.flatMap(({ posts }) => posts), others }];
  });
  return sharedNotices.length === 0 ? [] : [() => sendAll(notification, sharedNotices)];
}

/** Loads the new messages about a post. `isComplete`: whether its managers could be found out, if they are asked. */
async function loadNotices(
  notification: PostNotification,
  readChannel = createChannelReader(notification),
): Promise<{ notices: readonly PendingNotice[]; isComplete: boolean }> {
  const { context, row } = notification;
  const isForManagers = row.reason === 'not-allowed' || row.reason === 'other-service';
  const [events, messages, policy, managers] = await Promise.all([
    listEvents(context.db, row),
    listHeldPostMessages(context.db, row),
    findPolicy(context.db, row),
    row.state === 'needs-person' && isForManagers ? listManagers(context, row) : [],
  ]);
  const notices = listNotices({
    ...{ row, events, messages, managers: managers ?? [] },
    problemChannel: await readChannel(row, policy.channel),
    handOverWaitMs: context.pace.handOverWaitMs,
  });
  const isPending = notices.some((notice) => notice.purpose === 'problem' && !isForAuthor(row, notice));
  const others = wereOthersTold({ row, messages }) ? 'told' : isPending ? 'pending' : 'none';
  return {
    notices: notices.map((notice) => ({ notice, posts: [{ row, notice }], others })),
    isComplete: managers !== undefined,
  };
}

async function listStandInsOf({ context, row }: PostNotification): Promise<readonly string[]> {
  const people = await listManagers(context, row);
  if (!people) throw new NotYet('could not find out who manages a project');
  return people;
}

/** The number of members that Slack returns at once. In a larger channel, people may get a message of their own too. */
const MAX_READ_MEMBERS = 999;

interface ProblemChannel {
  id: string;
  /** Nobody, if outsiders read it too or if that isn't known. */
  readers: ReadonlySet<string>;
}

/** Creates the function that finds the channel that is told of a problem, and who reads it. Each channel is read once. */
function createChannelReader({ context, client, readers }: PostNotification) {
  const known = new Map<string, Promise<ProblemChannel | undefined>>();
  async function read(row: HeldPostRow, id: string): Promise<ProblemChannel | undefined> {
    try {
      if (!(await readers.mayRead({ channel: id }, row.project))) return { id, readers: new Set() };
      const { members = [] } = await client.conversations.members({ channel: id, limit: MAX_READ_MEMBERS });
      // Nobody reads the channel of an author who has left, in which only the app is left.
      const others = members.filter((member) => member !== row.author);
      const call = { client, log: context.log, reference: row.id };
      if (others.length <= 1 && (await isDeactivated(call, row.author))) return undefined;
      return { id, readers: new Set(members) };
    } catch (error) {
      context.log.info({ id: row.id, err: error }, 'could not find out who reads a channel');
      return { id, readers: new Set() };
    }
  }
  return (row: HeldPostRow, policyChannel: string | undefined) => {
    const id = findProblemChannel(row, policyChannel);
    if (id === undefined || row.state !== 'needs-person') return undefined;
    const reading = known.get(id) ?? read(row, id);
    known.set(id, reading);
    return reading;
  };
}

/** Maximum number of managers who are asked about a post. */
const MAX_MANAGERS = 10;

/** Lists the managers of a project. Undefined if none could be found out. */
async function listManagers(
  { approvers }: HeldPostContext,
  { workspace, project }: Pick<HeldPostRow, 'workspace' | 'project'>,
): Promise<readonly string[] | undefined> {
  const holders = await approvers.listRoleHolders(workspace, 'manager', project);
  const hasFailed = !holders.isComplete && !holders.includesEverybody;
  return hasFailed && holders.people.length === 0 ? undefined : holders.people.slice(0, MAX_MANAGERS);
}

interface PendingNotice {
  notice: Notice;
  /** The posts of which it tells, each with the notice about it alone. */
  posts: readonly { row: HeldPostRow; notice: Notice }[];
  /**
   * Whether others than the author were told of the problem, or are to be told now. If nobody else is, a manager gets
   * what doesn't reach the author.
   */
  others: 'told' | 'pending' | 'none';
}

/** Sends a notice. If a channel doesn't get one about a problem, those whom it mentions do. False if nobody gets it. */
async function sendNotice(notification: PostNotification, pending: PendingNotice): Promise<boolean> {
  if (await deliverNotice(notification, pending)) return true;
  const { purpose, mentioned = [] } = pending.notice;
  let isSent = false;
  for (const recipient of purpose === 'problem' ? mentioned : []) {
    const notice = { ...pending.notice, recipient, isChannel: false, mentioned: [] };
    const posts = pending.posts.filter((post) => post.notice.mentioned?.includes(recipient));
    if (await deliverNotice(notification, { notice, posts, others: 'none' })) isSent = true;
  }
  return isSent;
}

/** Sends a notice, unless an earlier attempt has. Throws temporary failures. False if the recipient doesn't get it. */
async function deliverNotice(notification: PostNotification, pending: PendingNotice): Promise<boolean> {
  const { context, client, row } = notification;
  const { notice, posts, others } = pending;
  const { recipient, isChannel, purpose, mentioned = [] } = notice;
  const thread = await tryCall(context, row, () => findThread(notification, notice));
  const told = new Map(posts.map((post) => [post.row.id, post.notice.told]));
  return notifyOfPost(notification, {
    ...{ purpose, thread, recipient, to: recipient },
    // Whoever took part needn't know of comments that they may not read. Others have to know that something happened.
    ...(!isChannel &&
      purpose !== 'comment' && { renderHidden: (rows) => renderHiddenNotice(purpose, rows.length) }),
    rows: posts.map((post) => post.row),
    getTold: ({ id }) => told.get(id) ?? [],
    render: ([untold = row, ...otherUntold]) =>
      otherUntold.length === 0
        ? renderNotice(context, client, untold, { ...notice, thread })
        : renderManyPosts(notification, [untold, ...otherUntold], { to: recipient, mentioned }),
    listStandIns: async () =>
      others === 'none' && isForAuthor(row, notice) ? listStandInsOf(notification) : [],
  });
}

/** Finds the review request in the conversation with the recipient of a comment. */
async function findThread(
  { context, client, row }: PostNotification,
  { purpose, reply, recipient }: Notice,
): Promise<string | undefined> {
  if (purpose !== 'comment' || reply) return reply?.ts;
  const messages = await listHeldPostMessages(context.db, row);
  const requests = messages.filter((message) => message.purpose === 'review');
  if (requests.length === 0) return undefined;
  const { channel } = await client.conversations.open({ users: recipient });
  return requests.findLast((request) => request.channel === channel?.id)?.ts;
}

/** Renders the post's card with what happened, or only the comments if the card is above in the thread. */
async function renderNotice(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  { purpose, thread, mentioned = [], events: rows }: Notice & { thread: string | undefined },
): Promise<Message> {
  const events = rows.map((event) => ({ ...event, text: readEventText(context, event) }));
  if (thread !== undefined) return { text: renderCommentReply(events, mentioned) };
  const renderNote = purpose === 'comment' ? renderCommentText : renderNoticeText;
  const problemNote = mentioned.length === 0 ? undefined : `For ${renderPeople(mentioned)}:`;
  const shown = await readShownPost(context, row);
  const readers = await findCardReaders(context, client, shown);
  // The title says who approved it.
  const isInTitle = ({ kind, actor }: { kind: string; actor: string }) =>
    kind === 'approved' && shown.approvers.includes(actor) && describeHeldPost(shown, readers).namesApprover;
  const told = events.filter((event) => !isInTitle(event));
  const note = told.length === 0 ? problemNote : renderNote(told);
  return renderHeldPostCard(shown, readers, note);
}
