import type { ModalView } from '@slack/types';
import { actions, button, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildFallbackText, type Message } from '../../slack/message.ts';
import { getStateEmoji, type RenderedSubmission, renderHeadline } from './render-submission.ts';
import { renderShortBlocks } from './state-blocks.ts';

/** The action id of [Show status]. */
export const SHOW_ACTION = 'outbox.show';
/** Prefix of button values in a list. A press of such a button shows the outbox if it changes the submission. */
export const LIST_PREFIX = 'list:';

/**
 * Renders a message after a newer message about one of its submissions was sent. Only a final state is still shown.
 * `remainingSubmissions`: the other submissions in the message.
 */
export function renderOutdatedMessage(
  submission: RenderedSubmission,
  remainingSubmissions: readonly RenderedSubmission[],
): Message {
  const headline =
    submission.stateCopy.waitsFor === 'nobody'
      ? `${getStateEmoji(submission)} *${escapeText(renderHeadline(submission))}*`
      : '*I sent you a newer message about this.*';
  const blocks = [
    ...remainingSubmissions.flatMap((other) => renderShortBlocks(other)),
    section(headline),
    context(plain(submission.title)),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders the view that replaces a form which Slack didn't close in time. Another message shows the result. */
export function renderDoneView([submission]: readonly RenderedSubmission[]): ModalView {
  return {
    type: 'modal',
    title: plain(submission?.doneTitle ?? 'Done', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [section('Done. You can close this form.')],
  };
}

/** Renders the ephemeral message that replaces a submission while the submission is in the form. */
export function renderOpenedSubmission(submission: RenderedSubmission): Message {
  const blocks = [
    section(`*You opened this ${submission.noun} in the form.*`),
    context(plain(submission.title)),
    actions(button('Show status', SHOW_ACTION, submission.id)),
    context('This message won’t change when you submit the form.'),
  ];
  return { text: buildFallbackText(blocks), blocks };
}
