import type { WebClient } from '@slack/web-api';
import type { Attempt, NotifyResult } from '../engine/notifier.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import type { Message } from '../slack/message.ts';
import { tellOnce, waitForAccess } from '../slack/tell-once.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readEventText } from './held-post-context.ts';
import { findProblemChannel, listNotices, type Notice } from './notices.ts';
import { notifyReviewers } from './review/notify-reviewers.ts';
import type { SeriesRow } from './series/series.ts';
import { renderSeriesCard } from './series/series-card.ts';
import { CARD, findCardReaders, isInternalChannel, readShownPost, updatePostMessages } from './show.ts';
import { listEvents } from './sql/events.ts';
import { type HeldPostMessageRow, listHeldPostMessages } from './sql/messages.ts';
import { isTemporary, NotYet, type PostNotification, tellOfPost, tryCall } from './tell.ts';
import { describeHeldPost, renderHeldPostCard } from './text/held-post-card.ts';
import { renderCommentReply, renderCommentText, renderNoticeText, renderPeople } from './text/notice-text.ts';

type Steps = readonly (() => Promise<unknown>)[];

/** Updates all messages about a post, and sends the new ones. */
export function notifyPeople(
  context: HeldPostContext,
  row: HeldPostRow,
  attempt: Attempt,
): Promise<NotifyResult> {
  return runSteps(context, row, (client) => {
    const notification: PostNotification = { context, client, row, attempt };
    return [
      () => updatePostMessages(context, client, row, CARD),
      () => notifyReviewers(notification),
      () => sendNotices(notification),
    ];
  });
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
  if (note === undefined) return 'told';
  return runSteps(context, row, async (client) => {
    const managers = await listManagers(context, row);
    const isForManagers = row.reason === 'not-allowed';
    if (!managers && isForManagers) return undefined;
    const people = isForManagers ? [...new Set([...(managers ?? []), row.author])] : [row.author];
    const card = await renderSeriesCard(context, row, { now: context.clock.now() }, { note });
    return people.map((to) => async () => {
      const told = await tellOnce({ client, log: context.log }, attempt, {
        ...{ to, rows: [row], onCrashPoint: context.pace.onCrashPoint },
        getSubject: () => `${row.reason ?? ''} ${row.missed ?? ''} ${row.missing_at === null} ${to}`,
        render: () => card,
        ...(people.length === 1 && { listStandIns: async () => managers }),
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
  const steps = await listSteps(client);
  if (!steps) return 'later';
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error) => failures.push(error));
  if (failures.some(isTemporary)) return 'later';
  // The post or the series is still in the lists.
  for (const error of failures) context.log.warn({ id, err: error }, 'could not notify people');
  context.submissions.context.onAuthorNotified({ workspace, user });
  return 'told';
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

async function sendNotices(notification: PostNotification): Promise<void> {
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
    problemChannel: await readProblemChannel(notification, policy.channel),
    handOverWaitMs: context.pace.handOverWaitMs,
  });
  // Whoever else reads of the problem can decide.
  const isOnlyForAuthor = notices.every(
    ({ purpose, recipient }) => purpose !== 'problem' || recipient === row.author,
  );
  const listStandIns = async () => (isOnlyForAuthor ? listStandInsOf(notification) : []);
  for (const notice of notices) {
    const isTold = await sendNotice(notification, { notice, messages, listStandIns });
    // They don't read the message that the channel didn't get.
    for (const recipient of isTold || notice.purpose !== 'problem' ? [] : (notice.mentioned ?? []))
      await sendNotice(notification, {
        notice: { ...notice, recipient, isChannel: false, mentioned: [] },
        ...{ messages, listStandIns: () => listStandInsOf(notification) },
      });
  }
  if (!managers) throw new NotYet('could not find out who manages a project');
}

async function listStandInsOf({ context, row }: PostNotification): Promise<readonly string[]> {
  const people = await listManagers(context, row);
  if (!people) throw new NotYet('could not find out who manages a project');
  return people;
}

/** The number of members that Slack returns at once. In a larger channel, people may get a message of their own too. */
const MAX_READ_MEMBERS = 999;

/** Finds the channel that is told of a problem, and who reads it. Nobody, if outsiders do or if it isn't known. */
async function readProblemChannel(
  { context, client, row }: PostNotification,
  policyChannel: string | undefined,
): Promise<{ id: string; readers: ReadonlySet<string> } | undefined> {
  const id = findProblemChannel(row, policyChannel);
  if (id === undefined || row.state !== 'needs-person') return undefined;
  try {
    if (!(await isInternalChannel(context, client, row, id))) return { id, readers: new Set() };
    const { members = [] } = await client.conversations.members({ channel: id, limit: MAX_READ_MEMBERS });
    return { id, readers: new Set(members) };
  } catch (error) {
    context.log.info({ id: row.id, err: error }, 'could not find out who reads a channel');
    return { id, readers: new Set() };
  }
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
  messages: readonly HeldPostMessageRow[];
  /** Lists the people who are told of a problem if the author can't be reached. */
  listStandIns(): Promise<readonly string[]>;
}

/**
 * Sends a notice, unless an earlier attempt has sent it. Only a temporary failure is thrown. Resolves with false if the
 * recipient doesn't get it.
 */
async function sendNotice(notification: PostNotification, pending: PendingNotice): Promise<boolean> {
  const { context, client, row } = notification;
  const { notice, listStandIns } = pending;
  const { recipient, isChannel, purpose, told } = notice;
  if (isChannel && !(await isInternalChannel(context, client, row, recipient))) return false;
  if (purpose === 'comment' && !isChannel && !(await maySee(context, row, recipient))) return false;
  const thread = await tryCall(context, row, () => findThread(client, pending));
  return tellOfPost(notification, {
    ...{ purpose, thread, recipient, to: recipient },
    getTold: () => told,
    render: () => renderNotice(context, client, row, { ...notice, thread }),
    ...(purpose === 'problem' && recipient === row.author && { listStandIns }),
  });
}

/** Whether somebody who took part may still see the post. */
async function maySee(
  { submissions, kind }: HeldPostContext,
  { workspace, project }: HeldPostRow,
  user: string,
): Promise<boolean> {
  const subject = { project, kind: kind.name, isRecorded: false };
  const answer = await submissions.context.checkPermission({ workspace, user }, 'viewer', subject);
  if (answer === 'unknown') throw new NotYet('could not find out whether somebody may see a post');
  return answer === 'yes';
}

/** Finds the review request in the conversation with the recipient of a comment. */
async function findThread(
  client: WebClient,
  { notice, messages }: PendingNotice,
): Promise<string | undefined> {
  const { purpose, reply, recipient } = notice;
  const requests = messages.filter((message) => message.purpose === 'review');
  if (purpose !== 'comment' || reply || requests.length === 0) return reply?.ts;
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
  const readers = await findCardReaders(context, client, row);
  // The title says who approved it.
  const isInTitle = ({ kind, actor }: { kind: string; actor: string }) =>
    kind === 'approved' && actor === row.approver && describeHeldPost(shown, readers).namesApprover;
  const told = events.filter((event) => !isInTitle(event));
  const note = told.length === 0 ? problemNote : renderNote(told);
  return renderHeldPostCard(shown, readers, note);
}
