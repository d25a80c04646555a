import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { findSendingStop } from '../engine/sending-stop.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { renderPlatformNames, sortPlatforms } from '../posts/platforms.ts';
import type { Viewers } from '../posts/post-time.ts';
import type { PublicationState } from '../posts/state-copy.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { fetchAudience, isInternal } from '../slack/audience.ts';
import { fetchDisplayName } from '../slack/fetch-people.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';
import { decryptRefusal, type ServiceRefusal } from '../submissions/content.ts';
import { loadShownRow } from '../submissions/shown.ts';
import { findLatestReplacement, findSubmission } from '../submissions/sql/submissions.ts';
import { FINAL_STATES, STATES_WAITING_FOR_PERSON, type SubmissionRow } from '../submissions/submission.ts';
import { renderReason } from '../submissions/text/render-submission.ts';
import { type HeldPostRow, listSentPlatforms } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { listParts, listPlatforms, listReturnedParts } from './parts.ts';
import { findHeldPost } from './sql/held-posts.ts';
import { deleteHeldPostMessage, type HeldPostMessageRow, listHeldPostMessages } from './sql/messages.ts';
import { NotYet } from './tell.ts';
import { type CardReaders, renderHeldPostCard, type ShownHeldPost } from './text/held-post-card.ts';

/** A submission of a held post, decrypted. */
interface Part {
  sent: SubmissionRow;
  platforms: readonly string[];
  refusal: ServiceRefusal | undefined;
}

/** Reads what the card of a held post shows, as it is now if it has several parts. */
export async function readShownPost(context: HeldPostContext, known: HeldPostRow): Promise<ShownHeldPost> {
  const { row, main, parts, refused } = await loadParts(context, known);
  const held = readHeldContent(context, row);
  const project = held && context.kind.getProject(held.content)?.name;
  const post = held && context.kind.toPost(held.content);
  const [{ review }, stop, publications] = await Promise.all([
    findPolicy(context.db, row),
    findSendingStop(context.db, row),
    loadPublications(context, row, parts),
  ]);
  const onItsWay = row.state === 'handed-over' ? main : undefined;
  const platforms = post && row.sent_to !== null ? describePlatforms(row, { post, parts, main }) : undefined;
  const failed = publications.filter(({ state }) => state === 'failed').flatMap((each) => each.platforms);
  const shownPlatforms =
    row.sent_to !== null && failed.length > 0
      ? { sent: [], others: failed, total: post?.platforms.length ?? 0 }
      : platforms;
  return {
    ...{ row, post, project: project ?? 'Unknown project', review, stop },
    ...(row.state === 'needs-person' && shownPlatforms && { unsent: shownPlatforms.others }),
    ...(row.reason === 'refused' && { refusal: main?.refusal }),
    ...(onItsWay && { sent: await loadShownRow(context.submissions.context, onItsWay.sent) }),
    facts: {
      held: row,
      ...(onItsWay && { sent: onItsWay.sent }),
      parts: shownPlatforms,
      zone: post?.timezone,
      at: row.publish_at,
      isStopped: stop !== undefined,
      publication: summarizePublications(publications, parts.filter(isConfirmed).length),
      because: onItsWay ? renderReason(onItsWay.sent.state, onItsWay.refusal) : explainRefusals(refused),
    },
  };
}

/**
 * Loads the submissions that a held post became. Of several parts, `main` decides what people read: one that waits for
 * somebody, or else one that isn't done. `refused`: those that say why the post needs somebody.
 */
async function loadParts(
  context: HeldPostContext,
  row: HeldPostRow,
): Promise<{ row: HeldPostRow; main: Part | undefined; parts: readonly Part[]; refused: readonly Part[] }> {
  const toPart = (sent: SubmissionRow): Part => ({
    sent,
    platforms: listPlatforms(context, [sent]),
    refusal: decryptRefusal(context.submissions.context, sent),
  });
  if (row.sent_to === null) {
    const submission = await findLatestSubmission(context, row);
    const parts = submission ? [toPart(submission)] : [];
    return { row, main: parts[0], parts, refused: parts };
  }
  const submissions = await listParts(context, row);
  const returned = row.state === 'needs-person' ? await listReturnedParts(context, row) : undefined;
  // A part comes back together with its post, perhaps since the post was read: the others would then look like all.
  const current = await findHeldPost(context.db, row);
  if (current && current.fence !== row.fence) return loadParts(context, current);
  const parts = submissions.map(toPart);
  const [urgent] = parts.toSorted((one, other) => getUrgency(one) - getUrgency(other));
  const refused = returned ? returned.map(toPart) : urgent ? [urgent] : [];
  return { row, main: refused[0], parts, refused };
}

function getUrgency({ sent: { state } }: Part): number {
  if (STATES_WAITING_FOR_PERSON.some((waiting) => waiting === state)) return 0;
  return FINAL_STATES.some((final) => final === state) ? 2 : 1;
}

const isConfirmed = ({ sent }: Part) => sent.state === 'confirmed';

/** Renders why the service refused a post, or each of several parts. */
function explainRefusals(refused: readonly Part[]): string | undefined {
  const reasons = refused.map(({ platforms, refusal }) => ({
    names: renderPlatformNames(platforms),
    reason: renderReason('refused', refusal),
  }));
  const [first, ...others] = reasons;
  if (others.every(({ reason }) => reason === first?.reason)) return first?.reason;
  return reasons
    .flatMap(({ names, reason }) => (reason === undefined ? [] : `${names}: ${reason}`))
    .join(' ');
}

/** The platforms that have their part of a post that was handed over in parts, and the others. */
function describePlatforms(
  row: HeldPostRow,
  {
    post,
    parts,
    main,
  }: { post: { platforms: readonly string[] }; parts: readonly Part[]; main: Part | undefined },
): PostFacts['parts'] {
  const list = (wanted: (sent: SubmissionRow) => boolean) =>
    parts.filter(({ sent }) => wanted(sent)).flatMap(({ platforms }) => platforms);
  const unconfirmed = list(({ state }) => state !== 'confirmed' && state !== 'discarded');
  const done = new Set([...listSentPlatforms(row), ...list(({ state }) => state === 'confirmed')]);
  // After the others have come back, one whose outcome is unknown is on its own.
  const unsure = row.state === 'handed-over' ? [] : unconfirmed;
  const others = post.platforms.filter((platform) => !done.has(platform) && !unsure.includes(platform));
  const shown = list(({ state, reason }) => state === main?.sent.state && reason === main.sent.reason);
  return {
    sent: sortPlatforms([...done].filter((platform) => !unconfirmed.includes(platform))),
    unsure: sortPlatforms(unsure),
    others: row.state === 'handed-over' ? others.filter((platform) => shown.includes(platform)) : others,
    // The service has these for another time than the post's, because the post was moved since.
    moved: parts.flatMap((part) => {
      const instant = isConfirmed(part) ? part.sent.publish_at : null;
      if (!instant || instant.getTime() === row.publish_at?.getTime()) return [];
      return [{ platforms: [...part.platforms], instant }];
    }),
    total: new Set([...post.platforms, ...done]).size,
  };
}

/** Finds the submission that a held post became. */
async function findLatestSubmission(
  { db, submissions: { context } }: HeldPostContext,
  { submission: id, workspace }: HeldPostRow,
): Promise<SubmissionRow | undefined> {
  const submission = id === null ? undefined : await findSubmission(db, { id, workspace });
  return submission && findLatestReplacement(context, submission);
}

/** Finds why the service refused a post that has come back. */
export async function findRefusal(
  context: HeldPostContext,
  row: HeldPostRow,
): Promise<ServiceRefusal | undefined> {
  if (row.state !== 'needs-person' || row.reason !== 'refused') return undefined;
  const submission = await findLatestSubmission(context, row);
  return submission && decryptRefusal(context.submissions.context, submission);
}

/** What became of a post: the worst that became of a part. It went out once all its parts did. Pure. */
function summarizePublications(
  publications: readonly { state: PublicationState }[],
  partCount: number,
): PublicationState | undefined {
  const worst = (['failed', 'unclear', 'late'] as const).find((wanted) =>
    publications.some(({ state }) => state === wanted),
  );
  if (worst || partCount === 0) return worst;
  return publications.length === partCount ? 'published' : undefined;
}

/** Loads what became of the confirmed submissions of a delivered post at its time, as far as that is known. */
async function loadPublications(
  { submissions: { context }, clock }: HeldPostContext,
  { state, publish_at: publishAt }: HeldPostRow,
  parts: readonly Part[],
): Promise<{ platforms: readonly string[]; state: PublicationState }[]> {
  if (state !== 'delivered' || !publishAt || publishAt > clock.now()) return [];
  const found = await Promise.all(
    parts.filter(isConfirmed).map(async ({ sent, platforms }) => {
      const publication = await context.findPublication(sent);
      return publication === undefined ? [] : [{ platforms, state: publication }];
    }),
  );
  return found.flat();
}

/** A way in which messages show a post: its card, or the request to review it. */
export interface PostView {
  /** What the messages are for that show a post in this way. */
  purposes: readonly HeldPostMessageRow['purpose'][];
  /** Loads and renders what is shown. `note`: the result of a press (mrkdwn). */
  render(
    place: { context: HeldPostContext; client: WebClient; row: HeldPostRow },
    viewers: Viewers,
    note?: string,
  ): Promise<Message & { blocks: KnownBlock[] }>;
}

export const CARD: PostView = {
  purposes: ['author', 'shared', 'problem'],
  async render({ context, client, row }, viewers, note) {
    const shown = await readShownPost(context, row);
    const readers =
      viewers === 'everyone'
        ? await findCardReaders(context, client, row)
        : { viewers, now: context.clock.now() };
    return renderHeldPostCard(shown, readers, note);
  },
};

/** Everyone reads the cards of stored messages, so they name people instead of mentioning them. */
export async function findCardReaders(
  context: HeldPostContext,
  client: WebClient,
  { id, author, approver }: Pick<HeldPostRow, 'id' | 'author' | 'approver'>,
): Promise<CardReaders> {
  const names = new Map<string, string>();
  for (const user of new Set([author, ...(approver === null ? [] : [approver])])) {
    const name = await fetchDisplayName({ client, log: context.log, reference: id }, user);
    if (name !== undefined) names.set(user, name);
  }
  return { viewers: 'everyone', now: context.clock.now(), names };
}

/** Slack's errors for a message that can't be changed any more. */
const LOST_MESSAGE_ERRORS = [
  'message_not_found',
  'channel_not_found',
  'cant_update_message',
  'not_in_channel',
];

/** Updates the messages that show a post in one way. */
export async function updatePostMessages(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  { purposes, render }: PostView,
): Promise<void> {
  const all = await listHeldPostMessages(context.db, row);
  const messages = all.filter(({ purpose }) => purposes.includes(purpose));
  if (messages.length === 0) return;
  await updateMessages(context, client, messages, await render({ context, client, row }, 'everyone'));
}

/**
 * Updates messages about a post. A shared one that was deleted is forgotten; the others also record what people were told.
 * Throws on temporary failures of Slack, after it has tried all messages.
 */
export async function updateMessages(
  context: HeldPostContext,
  client: WebClient,
  messages: readonly HeldPostMessageRow[],
  content: Message,
): Promise<void> {
  let failure: unknown;
  for (const message of messages) {
    const { held_post: id, channel, ts, purpose } = message;
    try {
      await client.chat.update({ channel, ts, ...disableParsing(content) });
    } catch (error) {
      const isLost = LOST_MESSAGE_ERRORS.includes(getSlackErrorCode(error) ?? '');
      if (isTransient(error)) failure = error;
      else if (isLost && purpose === 'shared') await deleteHeldPostMessage(context.db, message);
      else if (!isLost || purpose === 'review')
        context.log.warn({ id, err: error }, 'could not update a message of a held post');
    }
  }
  if (failure !== undefined) throw failure;
}

/**
 * Posts aren't shown in a channel that people of another organisation may read. Throws `NotYet` if Slack didn't say
 * who reads it.
 */
export async function isInternalChannel(
  { log }: HeldPostContext,
  client: WebClient,
  { id, workspace, author: user }: HeldPostRow,
  channel: string,
): Promise<boolean> {
  const call = { client, log, reference: id, actor: { workspace, user } };
  const audience = await fetchAudience(call, channel);
  if (audience === 'not-checked') throw new NotYet('could not find out who reads a channel');
  return isInternal(audience);
}
