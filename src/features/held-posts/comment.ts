import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall } from '../../handlers/call.ts';
import { commentOnHeldPost } from '../../held-posts/decisions.ts';
import { context, plain } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import {
  encodeFormTarget,
  findFormTarget,
  findPressedPost,
  NOT_VISIBLE,
  renderForActor,
  renderPostExcerpt,
} from './press.ts';

export const COMMENT_VIEW = 'held-posts.comment';
const TEXT_BLOCK = 'text';
/** A longer comment wouldn't fit the history. */
const MAX_COMMENT_LENGTH = 1_500;

/** [Comment] asks for a text. Whatever it says is a comment; the app reads no channel for comments. */
export async function openComment(call: ActionCall): Promise<void> {
  const post = await findPressedPost(call, call.action.value);
  if (!post) return call.reply(NOT_VISIBLE);
  await call.openView(renderCommentView(encodeFormTarget(call, post.row), renderPostExcerpt(call, post.row)));
}

function renderCommentView(metadata: string, excerpt: string): ModalView {
  return {
    type: 'modal',
    callback_id: COMMENT_VIEW,
    private_metadata: metadata,
    title: plain('Comment', LIMITS.viewTitle),
    submit: plain('Comment', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: [
      context(plain(excerpt)),
      {
        type: 'input',
        block_id: TEXT_BLOCK,
        label: plain('Your comment'),
        hint: plain('Its author and whoever worked on it read it. It never goes to the service.'),
        element: {
          type: 'plain_text_input',
          action_id: 'value',
          multiline: true,
          max_length: MAX_COMMENT_LENGTH,
          focus_on_load: true,
        },
      },
    ],
  };
}

export async function saveComment(call: SubmissionCall): Promise<void> {
  const post = await findFormTarget(call);
  if (!post) return void (await call.answer({ view: buildMessageView(NOT_VISIBLE, 'Close') }));
  const text = getTextInput(call.view.values, TEXT_BLOCK).trim().slice(0, MAX_COMMENT_LENGTH);
  if (text === '') return void (await call.answer({ errors: { [TEXT_BLOCK]: 'Write something first.' } }));
  const { workspace, user: actor } = call.actor;
  const row = await commentOnHeldPost(
    call.context.heldPosts.context,
    { id: post.row.id, workspace, actor },
    text,
    computeEventId(post.formId, text),
  );
  if (!row)
    return void (await call.answer({
      errors: { [TEXT_BLOCK]: 'This post was deleted, so I can’t add your comment.' },
    }));
  const card = await renderForActor(call, row, 'Your comment is in the history.');
  await call.answer({ view: buildMessageView(call.sealButtons(card), 'Close') });
}

/** A form is delivered twice, or submitted again after a lost answer. Another text is another comment. */
function computeEventId(formId: string, text: string): string {
  return `comment ${createHash('sha256').update(`${formId} ${text}`).digest('base64url')}`;
}
