import { renderPostBody, toExcerpt } from '../../../posts/post-text.ts';
import { actions, button, context, escapeText, section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { PREVIEW_ACTIONS } from './preview-message.ts';

/**
 * Renders the message that replaces a preview while its post is in the form. An ephemeral message can't be changed when
 * the form is submitted, so its text has to stay true afterwards.
 */
export function renderOpenedInForm(id: string, text: string, isEphemeral: boolean): Message {
  const statement = 'You opened this post in the form.';
  return {
    text: escapeText(`${statement} ${toExcerpt(text)}`.trim()),
    blocks: [
      section(`*${statement}*\nIf you closed the form, go back to the preview.`),
      ...renderPostBody({ content: text, platforms: [] }),
      actions(button('Back to preview', PREVIEW_ACTIONS.back, id)),
      ...(isEphemeral ? [context('This message won’t change when you schedule the post in the form.')] : []),
    ],
  };
}
