import type { WebClient } from '@slack/web-api';
import { addMs } from '../../engine/clock.ts';
import { MAX_ASKED_PEOPLE } from '../../preferences/project-policy.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { getEventFacts, isEdit, listApprovals } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import { computeDueAt, type HeldPostContext } from '../held-post-context.ts';
import { MAX_SINGLE_NOTICES, renderManyPosts } from '../notices/many-posts.ts';
import { CLOSED_NUDGES, type NudgeCause, renderNudge } from '../notices/notice-text.ts';
import { NotYet, notifyOfPost, type PostNotification, tryCall } from '../notices/notify-of-post.ts';
import { updateMessages } from '../show.ts';
import { addEvent } from '../sql/events.ts';
import { type HeldPostMessageRow, listHeldPostMessages, settleNudge } from '../sql/messages.ts';
import { isDecidable } from './decide.ts';
import { evaluateReview, findPermission, isNobodyLeft } from './evaluate-review.ts';
import { type LoadedReview, loadReview } from './load-review.ts';
import { isReviewedWithAnother } from './review-once.ts';
import { readShownReview, renderReviewRequest } from './review-request.ts';

/** A notification of a post's reviewers. `requests`: the messages that ask them, which all show `request`. */
interface ReviewNotification extends PostNotification {
  review: LoadedReview;
  messages: readonly HeldPostMessageRow[];
  requests: readonly HeldPostMessageRow[];
  request: Message;
}

/**
 * Updates the requests to review a post, and asks the people who still have to decide: in the channel of the project's
 * policy, or each in a direct message. Whoever was asked before is asked again in the thread of the request. Throws on
 * temporary failures of Slack, and `NotYet` if somebody couldn't be asked for that reason.
 */
export async function notifyReviewers(notification: PostNotification): Promise<void> {
  const { context, client, row, readers } = notification;
  if (!row.in_review) return;
  const messages = await listHeldPostMessages(context.db, row);
  const requests = messages.filter(({ purpose }) => purpose === 'review');
  const isAsked = isDecidable(row) && (requests.length > 0 || !(await isReviewedWithAnother(context, row)));
  if (requests.length === 0 && !isAsked) return;
  const review = await loadReview(context, row, { listsEverybody: true });
  const request = await renderRequest(context, client, review);
  await updateMessages(context, client, row, { messages: requests, content: request, readers });
  if (isAsked) await askReviewers({ ...notification, review, messages, requests, request });
  await settleNudges(notification, review);
}

/** Closes what asked somebody again, once the review or a later nudge in the conversation has settled it. */
async function settleNudges({ context, client, row }: PostNotification, review: LoadedReview): Promise<void> {
  const nudges = (await listHeldPostMessages(context.db, row)).filter(({ purpose }) => purpose === 'nudge');
  for (const nudge of nudges) {
    const { channel, ts } = nudge;
    const isLast = nudges.findLast((other) => other.channel === channel) === nudge;
    const standing = findNudgeStanding(review, nudge);
    if (standing === 'later' || (standing === 'asked' && isLast)) continue;
    const content = CLOSED_NUDGES[standing === 'asked' ? 'superseded' : 'settled'];
    await tryCall(context, row, () => client.chat.update({ channel, ts, ...disableParsing(content) }));
    await settleNudge(context.db, nudge);
  }
}

/**
 * Whether the people of a nudge still have to decide. `later`: somebody was told that their approval doesn't count any more,
 * and their step hasn't come.
 */
function findNudgeStanding(
  review: LoadedReview,
  { recipient, told }: HeldPostMessageRow,
): 'asked' | 'later' | 'settled' {
  const { post, events, eligibility } = review;
  const result = evaluateReview(review);
  if (!isDecidable(post) || result.kind === 'approved') return 'settled';
  if (result.kind === 'unknown' || recipient === null || result.asked.includes(recipient)) return 'asked';
  const voided = findVoidedApproval(review);
  const hasApproved = listApprovals(events, post).some(({ actor }) => actor === recipient);
  const mayApproveLater = findPermission(eligibility.steps.slice(result.step + 1), recipient) !== 'no';
  const isTold = voided !== undefined && told.includes(`voided ${voided.id}`);
  return isTold && !hasApproved && mayApproveLater ? 'later' : 'settled';
}

/**
 * Lists the messages about many posts of an author that wait for their first review: one for each conversation that would
 * get many requests. A post's own request follows with the first reason to ask again.
 */
export async function listSharedRequests(
  notification: PostNotification,
  rows: readonly HeldPostRow[],
): Promise<(() => Promise<void>)[]> {
  if (rows.length <= MAX_SINGLE_NOTICES) return [];
  const requests: FirstRequest[] = [];
  for (const row of rows) requests.push(...(await listFirstRequests({ ...notification, row })));
  return groupRequests(requests).map(([to, group]) => async () => {
    if (await sendSharedRequest(notification, to, group)) return;
    // Slack refuses messages in the channel.
    const alone = group.flatMap(({ people, ...request }) =>
      people.map((person) => ({ ...request, to: person, people: [] })),
    );
    // One reviewer who can't be reached doesn't keep the others from being asked.
    const sent = await Promise.allSettled(
      groupRequests(alone).map(([person, ofPerson]) => sendSharedRequest(notification, person, ofPerson)),
    );
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  });
}

/** Groups the requests of each conversation that would get many. */
function groupRequests(requests: readonly FirstRequest[]) {
  return [...Map.groupBy(requests, ({ to }) => to)].filter(([, group]) => group.length > MAX_SINGLE_NOTICES);
}

/** Sends a message about many posts, unless an earlier attempt has. False if Slack refuses it for good. */
function sendSharedRequest(
  notification: PostNotification,
  to: string,
  group: readonly FirstRequest[],
): Promise<boolean> {
  const { context, client } = notification;
  const told = new Map(group.map((request) => [request.review.post.id, request.told]));
  return notifyOfPost(notification, {
    ...{ purpose: 'review', to, recipient: to, rows: group.map(({ review }) => review.post) },
    getTold: ({ id }) => told.get(id) ?? [],
    async render(untold) {
      const [first, ...others] = group.filter(({ review }) => untold.includes(review.post));
      if (!first) throw new Error('there is no post to review');
      if (others.length === 0) return renderRequest(context, client, first.review);
      const requests = group.every(({ isUnasked }) => isUnasked) ? 'unasked' : 'asked';
      const rows = [first.review.post, ...others.map(({ review }) => review.post)] as const;
      return renderManyPosts(notification, rows, { to, requests });
    },
  });
}

/** The first request to review a post, in a channel or to a person. */
interface FirstRequest {
  to: string;
  /** The people who are asked if a channel can't be. */
  people: readonly string[];
  review: LoadedReview;
  /** Whether nobody is left who may approve the post. */
  isUnasked: boolean;
  /** Keys of what it tells. */
  told: readonly string[];
}

async function listFirstRequests({ context, row, readers }: PostNotification): Promise<FirstRequest[]> {
  if (!row.in_review) return [];
  const messages = await listHeldPostMessages(context.db, row);
  if (messages.some(({ purpose }) => purpose === 'review')) return [];
  if (await isReviewedWithAnother(context, row)) return [];
  const review = await loadReview(context, row, { listsEverybody: true });
  const result = evaluateReview(review);
  if (result.kind !== 'pending') return [];
  const isUnasked = isNobodyLeft(review);
  const { channel } = review.policy;
  const isInChannel = channel !== undefined && (await readers.mayRead({ channel }, row.project));
  const told = listNudges(review, { now: context.clock.now(), remindersMs: context.pace.remindersMs });
  const isTold = (key: string) => isAskedKey(key) && (isUnasked || key !== ASKED_NOBODY);
  const wasAsked = (to: string) =>
    messages.some((message) => message.recipient === to && message.told.some(isTold));
  const people = result.asked.slice(0, MAX_ASKED_PEOPLE).filter((person) => !wasAsked(person));
  const keys = told.map(({ key }) => key);
  const request = { review, isUnasked, told: isUnasked ? [...keys, ASKED_NOBODY] : keys };
  const inChannel = isInChannel && !wasAsked(channel) ? [{ ...request, to: channel, people }] : [];
  // The author has to know if nobody is left to ask.
  const author = isUnasked && !wasAsked(row.author) ? [row.author] : [];
  const inPerson = [...(isInChannel ? [] : people), ...author];
  return [...inChannel, ...inPerson.map((to) => ({ ...request, to, people: [] }))];
}

async function renderRequest(context: HeldPostContext, client: WebClient, review: LoadedReview) {
  const shown = await readShownReview(context, client, review);
  return renderReviewRequest(shown, { viewers: 'everyone', now: context.clock.now() });
}

async function askReviewers(call: ReviewNotification): Promise<void> {
  const { context, review, readers } = call;
  const { post, policy } = review;
  const nudges = listNudges(review, { now: context.clock.now(), remindersMs: context.pace.remindersMs });
  const result = evaluateReview(review);
  if (result.kind === 'unknown') throw new NotYet('could not find out whether approvals count');
  const asked = result.kind === 'pending' ? result.asked : [];
  for (const user of asked.slice(0, MAX_ASKED_PEOPLE))
    context.submissions.context.onAuthorNotified({ workspace: post.workspace, user });
  const { channel: policyChannel } = policy;
  const isInChannel =
    policyChannel !== undefined &&
    (await readers.mayRead({ channel: policyChannel }, post.project)) &&
    (await ask(call, policyChannel, nudges));
  const isUnasked = isNobodyLeft(review);
  // The author has to know if nobody is left to ask. Of a missed review, a notice tells them.
  if (isInChannel && !(isUnasked && post.state === 'awaiting-review')) return;
  const recipients = isUnasked ? [post.author] : asked;
  const people = new Set([...recipients, ...nudges.flatMap((nudge) => nudge.people)]);
  for (const user of [...people].slice(0, MAX_ASKED_PEOPLE)) {
    const channel = await openDirectMessage(call, user);
    const wasAsked = call.requests.some((request) => request.channel === channel);
    // Somebody whose approval was voided, and who isn't asked now, has a request already.
    if (channel !== undefined && (wasAsked || recipients.includes(user)))
      await ask(call, channel, nudges, user);
  }
  if (result.kind === 'pending' && review.eligibility.steps[result.step]?.hasFailed)
    throw new NotYet('could not find out who may approve a post');
}

/** Finds the direct messages with a person. Undefined if Slack doesn't allow them. */
async function openDirectMessage(
  { context, client, review }: ReviewNotification,
  user: string,
): Promise<string | undefined> {
  const response = await tryCall(context, review.post, () => client.conversations.open({ users: user }));
  return response?.channel?.id;
}

/**
 * Sends the request, or a reply in its thread about what the conversation wasn't told. `user`: the person of a direct
 * message. Resolves with false if Slack refuses the message for good.
 */
async function ask(
  call: ReviewNotification,
  channel: string,
  nudges: readonly Nudge[],
  user?: string,
): Promise<boolean> {
  const getTold = () => nudges.map(({ key }) => key);
  const request = call.requests.findLast((message) => message.channel === channel);
  const toldBefore = call.messages.flatMap((message) => (message.channel === channel ? message.told : []));
  const nudge = nudges.findLast(
    ({ key, people }) => !toldBefore.includes(key) && (user === undefined || people.includes(user)),
  );
  // A message about many posts may have asked.
  if (!request && (nudge || !toldBefore.some(isAskedKey)))
    return notifyOfPost(call, {
      ...{ purpose: 'review', to: channel, recipient: user, getTold, render: () => call.request },
    });
  if (!request || !nudge) return true;
  const mentioned = user === undefined ? nudge.people : [];
  return notifyOfPost(call, {
    ...{ purpose: 'nudge', to: channel, recipient: user, thread: request.ts, getTold },
    render: () =>
      renderNudge(nudge.cause, mentioned, {
        deadline: findDeadline(call.review),
        now: call.context.clock.now(),
      }),
  });
}

/** Whether a key of what people were told is that of a first request. */
const isAskedKey = (key: string) => key.startsWith(ASKED_PREFIX);
const ASKED_PREFIX = 'asked ';
/** The key if nobody may approve the post. Whoever was told so is asked as soon as somebody may. */
const ASKED_NOBODY = `${ASKED_PREFIX}nobody`;

interface Nudge {
  cause: NudgeCause;
  /** Names the cause. A conversation that was told of it isn't told again. */
  key: string;
  people: readonly string[];
}

/** Lists the reasons to ask the reviewers of a post again. Later ones say more. */
function listNudges(
  review: LoadedReview,
  { now, remindersMs }: { now: Date; remindersMs: readonly number[] },
): Nudge[] {
  const { post, events } = review;
  const result = evaluateReview(review);
  if (!isDecidable(post) || result.kind !== 'pending') return [];
  const { asked, step } = result;
  const nudges: Nudge[] = [];
  const add = (cause: NudgeCause, subject: string | undefined, people = asked) => {
    if (subject !== undefined) nudges.push({ cause, key: `${cause} ${subject}`, people });
  };
  const { hand_over_at: handOverAt } = post;
  for (const ms of post.state === 'awaiting-review' && handOverAt && handOverAt > now ? remindersMs : [])
    if (handOverAt && addMs(handOverAt, -ms) <= now) add('reminder', `${ms} ${handOverAt.toISOString()}`);
  for (const user of asked)
    add('asked', `${post.version} ${step} ${user} ${findLostApproval(review, step)}`, [user]);
  add('again', events.findLast(isAgain)?.id);
  add('version', events.findLast((event) => isNewRequest(event) && !isAgain(event))?.id);
  add('voided', findVoidedApproval(review)?.id, listVoided(review, asked));
  if (step > 0) add('step', listApprovals(events, post).findLast((event) => event.step === step - 1)?.id);
  if (post.state === 'needs-person') add('missed', post.changed_at.toISOString());
  return nudges;
}

/** The last approval of a step that needs only one, although it is pending: it doesn't count any more. '' if there is none. */
function findLostApproval({ post, policy, events }: LoadedReview, step: number): string {
  if (policy.reviewSteps[step]?.needs !== 'any') return '';
  return listApprovals(events, post).findLast((event) => event.step === step)?.id ?? '';
}

/** Whether an event asks for a review of a post that hasn't changed. */
function isAgain({ kind, actor, content }: LoadedReview['events'][number]): boolean {
  if (kind === 'sent-for-review') return actor === '';
  return getEventFacts(kind).continues ?? (kind === 'scheduled' && actor !== '' && content === null);
}

/** Whether an event asks the reviewers again: a new version, or a press on [Send for review]. */
function isNewRequest({ kind, content, version }: LoadedReview['events'][number]): boolean {
  const isNewVersion = getEventFacts(kind).storesVersion && version > 1 && content !== null;
  return isNewVersion || kind === 'sent-for-review';
}

/** The event that the approvals of earlier versions don't count for the current one. */
function findVoidedApproval({ post, events }: LoadedReview): LoadedReview['events'][number] | undefined {
  return events.findLast(({ kind, version }) => kind === 'approval-voided' && version === post.version);
}

/** The people who are asked, and those whose approvals of earlier versions don't count any more. */
function listVoided({ post, events }: LoadedReview, asked: readonly string[]): string[] {
  const editors = events.filter((event) => event.version === post.version && isEdit(event));
  const approvers = events.flatMap(({ kind, actor, version }) =>
    kind === 'approved' && version === post.version - 1 ? [actor] : [],
  );
  return [...new Set([...approvers, ...asked])].filter(
    (user) => !editors.some(({ actor }) => actor === user),
  );
}

/**
 * The step of a post that waits for its review. It is held if its approvals are enough by now, because the policy, or the
 * role of a reviewer, has changed. At the time of its hand-over it isn't sent, and everybody concerned is notified.
 * `checks` is the number of due reminders, so that each of them notifies once.
 */
export async function remindReviewers(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { clock, pace, verbs } = context;
  const { hand_over_at: handOverAt } = row;
  const review = await loadReview(context, row);
  const result = evaluateReview(review);
  if (result.kind === 'approved') return schedule(context, row, result.approver);
  if (handOverAt !== null && handOverAt > clock.now()) {
    const next_at = computeDueAt(context, 'awaiting-review', handOverAt);
    const checks = pace.remindersMs.filter((ms) => addMs(handOverAt, -ms) <= clock.now()).length;
    const isReminder = checks > row.checks;
    await (isReminder
      ? verbs.settle(row, 'awaiting-review', { next_at, checks })
      : verbs.wait(row, { next_at, checks }));
    return;
  }
  if (result.kind === 'unknown' && row.publish_at && row.publish_at > clock.now()) {
    const next_at = addMs(context.clock.readShared(), pace.recheckMs);
    return void (await verbs.wait(row, { next_at }));
  }
  const deadline = findDeadline(review);
  if (deadline !== undefined && deadline > clock.now()) {
    const next_at = context.clock.toShared(deadline);
    return void (await verbs.wait(row, { next_at }));
  }
  await verbs.settle(row, 'needs-person', { reason: 'not-approved' });
}

/** Schedules a post whose approvals are enough without a new one, and tells its author. */
async function schedule(context: HeldPostContext, row: HeldPostRow, approver: string): Promise<void> {
  const change = { approver, next_at: context.clock.readShared() };
  await context.db.transaction().execute(async (transaction) => {
    const held = await context.verbs.settle(row, 'held', change, { transaction });
    if (held) await addEvent(transaction, held, { kind: 'scheduled', actor: '', at: context.clock.now() });
  });
}

/**
 * Until when a post waits for its reviewers: its hand-over, or its own time if it was sent for review after that, or
 * somebody has approved it since.
 */
function findDeadline({ post, events }: LoadedReview): Date | undefined {
  const { hand_over_at: handOverAt, publish_at: publishAt } = post;
  const approvals = listApprovals(events, post);
  const last = events.findLast(
    (event) => getEventFacts(event.kind).beginsReview || approvals.includes(event),
  );
  const isWithinLead = last && handOverAt && last.at >= handOverAt;
  return (isWithinLead ? publishAt : handOverAt) ?? undefined;
}
