import type { WebClient } from '@slack/web-api';
import { findSendingStop } from '../engine/sending-stop.ts';
import type { PublicationState } from '../posts/state-copy.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { fetchAudience, isInternal } from '../slack/audience.ts';
import { fetchDisplayName } from '../slack/fetch-people.ts';
import { disableParsing } from '../slack/message.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';
import { decryptRefusal, type ServiceRefusal } from '../submissions/content.ts';
import { findLatestReplacement } from '../submissions/press.ts';
import { loadShownRow } from '../submissions/shown.ts';
import { findSubmission } from '../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { renderReason } from '../submissions/text/render-submission.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { deleteHeldPostMessage, listHeldPostMessages } from './sql/messages.ts';
import { NotYet } from './tell.ts';
import { type CardReaders, renderHeldPostCard, type ShownHeldPost } from './text/held-post-card.ts';

/** Reads what the card of a held post shows. */
export async function readShownPost(context: HeldPostContext, row: HeldPostRow): Promise<ShownHeldPost> {
  const held = readHeldContent(context, row);
  const project = held && context.kind.getProject(held.content)?.name;
  const post = held && context.kind.toPost?.(held.content);
  const [{ review }, submission, stop] = await Promise.all([
    findPolicy(context.db, row),
    findLatestSubmission(context, row),
    findSendingStop(context.db, row),
  ]);
  const { context: submissions } = context.submissions;
  const refusal = submission && decryptRefusal(submissions, submission);
  const isOnItsWay = submission !== undefined && row.state === 'handed-over';
  return {
    ...{ row, post, project: project ?? 'Unknown project', review, stop },
    ...(row.reason === 'refused' && { refusal }),
    ...(isOnItsWay && { sent: await loadShownRow(submissions, submission) }),
    facts: {
      held: row,
      ...(isOnItsWay && { sent: submission }),
      zone: post?.timezone,
      isStopped: stop !== undefined,
      publication: await findPublication(context, row, submission),
      because: submission && renderReason(isOnItsWay ? submission.state : 'refused', refusal),
    },
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

/** Finds what became of a handed-over post at its time. */
async function findPublication(
  { submissions: { context }, clock }: HeldPostContext,
  { state, publish_at: publishAt }: HeldPostRow,
  submission: SubmissionRow | undefined,
): Promise<PublicationState | undefined> {
  if (state !== 'delivered' || !submission || !publishAt || publishAt > clock.now()) return undefined;
  return context.findPublication(submission);
}

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

/**
 * Updates all messages that show a held post, except the requests to its reviewers. A shared message that was deleted is
 * forgotten; the others also record what people were told.
 * Throws on temporary failures of Slack, after it has tried all messages.
 */
export async function updateHeldPostMessages(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
): Promise<void> {
  const messages = (await listHeldPostMessages(context.db, row)).filter(
    ({ purpose }) => purpose !== 'review' && purpose !== 'reminder',
  );
  if (messages.length === 0) return;
  const shown = await readShownPost(context, row);
  const card = renderHeldPostCard(shown, await findCardReaders(context, client, row));
  let failure: unknown;
  for (const message of messages) {
    try {
      await client.chat.update({ channel: message.channel, ts: message.ts, ...disableParsing(card) });
    } catch (error) {
      if (isTransient(error)) failure = error;
      else if (LOST_MESSAGE_ERRORS.includes(getSlackErrorCode(error) ?? '')) {
        if (message.purpose === 'shared') await deleteHeldPostMessage(context.db, message);
      } else context.log.warn({ id: row.id, err: error }, 'could not update a message of a held post');
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
