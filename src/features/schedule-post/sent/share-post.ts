import type { ActionCall } from '../../../handlers/call.ts';
import { authorizeShare, getSharedId, returnToModalBelow } from '../../../handlers/share-outside.ts';
import { showSubmission } from '../../../handlers/show-submission.ts';
import { fetchDisplayName } from '../../../slack/fetch-people.ts';
import { disableParsing, type Message } from '../../../slack/message.ts';
import { renderSendError } from '../../../slack/slack-errors.ts';
import { decryptSubmission, type Submission } from '../../../submissions/content.ts';
import {
  findOwnSubmissionOfKind,
  listFormSubmissions,
  setSharedAt,
} from '../../../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../../submissions/submission.ts';
import { createTextContext, renderSubmission } from '../../../submissions/text/render-submission.ts';
import { ALL_PREFIX, renderReceipt } from '../../../submissions/text/state-blocks.ts';
import { type PostContent, renderSharedCard, SHARE_OUTSIDE_ACTION } from './post-content.ts';
import { postSubmission } from './post-submission.ts';

/** The reply to a press on a button that belongs to another person or workspace, or has expired. */
export const BUTTON_UNAVAILABLE: Message = {
  text: 'This button isn’t yours, or it’s too old.',
};

/**
 * [Share with channel] sends a card to the channel in which the form was opened: of one post, or from a receipt of all
 * posts of the form. Each post is shared only once.
 */
export async function sharePost(call: ActionCall): Promise<void> {
  const row = await findOwnRow(call);
  if (!row?.channel) return call.reply(BUTTON_UNAVAILABLE);
  const isForAll = isForAllPosts(call);
  const { content: firstContent } = decryptSubmission(call.context, postSubmission, row);
  await call.permit('contributor', firstContent.project.id, 'schedule-post share');
  const { context, client } = call;
  const share = {
    channel: row.channel,
    id: isForAll ? `${ALL_PREFIX}${row.id}` : row.id,
    confirmAction: SHARE_OUTSIDE_ACTION,
    subject: 'schedule-post share',
  } as const;
  if (!(await authorizeShare(call, share))) return;
  const author = { id: call.actor.user, name: await fetchDisplayName(call, call.actor.user) };
  const cardContext = { now: call.now(), isEmulated: context.isEmulated, author };
  const showResult = async (text: string) => {
    if (isForAll && !call.view) return showReceipt(call, row, text);
    const modalCall = await returnToModalBelow(call, text);
    await showSubmission(modalCall ?? call, postSubmission, row.id, modalCall ? undefined : text);
  };
  const claimedRows: SubmissionRow[] = [];
  for (const formRow of isForAll ? await listFormPosts(call, row) : [row]) {
    const isFirstShare = await setSharedAt(context.db, { id: formRow.id, sharedAt: cardContext.now });
    if (isFirstShare) claimedRows.push(formRow);
  }
  const [content, ...otherContents] = claimedRows.map(
    (claimedRow) => decryptSubmission(context, postSubmission, claimedRow).content,
  );
  if (!content) return showResult(`I already shared this in <#${row.channel}>.`);
  try {
    await client.chat.postMessage({
      channel: row.channel,
      ...disableParsing(renderSharedCard([content, ...otherContents], cardContext)),
    });
  } catch (error) {
    const errorText = renderSendError(error);
    // Slack may have sent the message without confirming it. The post stays marked as shared, to prevent a second card.
    if (errorText === undefined) throw error;
    for (const { id } of claimedRows) await setSharedAt(context.db, { id, sharedAt: null });
    return showResult(`:warning: Not shared. ${errorText}`);
  }
  return showResult(`Shared with <#${row.channel}>.`);
}

/** Lists the confirmed posts of the form in which the actor submitted a post. */
async function listFormPosts({ context, actor }: ActionCall, row: SubmissionRow): Promise<SubmissionRow[]> {
  const rows = await listFormSubmissions(context.db, row);
  return rows.filter(
    ({ author, state, content }) => author === actor.user && state === 'confirmed' && content !== null,
  );
}

/** Replaces the receipt whose button was pressed. `note` describes the result (mrkdwn). */
async function showReceipt(call: ActionCall, row: SubmissionRow, note: string): Promise<void> {
  const { context } = call.context.submissions;
  const submissions = (await listFormPosts(call, row)).map((formRow) =>
    renderSubmission(context, formRow, createTextContext(context), { areButtonsForAll: true }),
  );
  await call.reply(renderReceipt(submissions, note), { replace: true });
}

function isForAllPosts(call: ActionCall): boolean {
  return getSharedId(call)?.startsWith(ALL_PREFIX) ?? false;
}

/** Finds the post that a button belongs to. Undefined if the actor isn't the post's author. */
export async function findOwnPost(call: ActionCall): Promise<Submission<PostContent> | undefined> {
  const row = await findOwnRow(call);
  return row && decryptSubmission(call.context, postSubmission, row);
}

async function findOwnRow(call: ActionCall): Promise<SubmissionRow | undefined> {
  const { workspace, user: author } = call.actor;
  const id = (getSharedId(call) ?? '').replace(ALL_PREFIX, '');
  const row = await findOwnSubmissionOfKind(call.context.db, {
    id,
    workspace,
    author,
    kind: postSubmission.name,
  });
  return row?.content === null ? undefined : row;
}
