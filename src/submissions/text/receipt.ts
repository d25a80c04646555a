import type { KnownBlock } from '@slack/types';
import { actions, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { buildFallbackText } from '../../slack/fallback-text.ts';
import type { Message } from '../../slack/message.ts';
import { createExcerpt, getStateEmoji, type RenderedSubmission } from './render-submission.ts';
import { renderFormMessage } from './state-blocks.ts';

/** Prefix of the button values under several posts. The buttons apply to all posts of the form. */
export const ALL_PREFIX = 'all:';

/** Maximum times that the receipt of several posts lists. */
const MAX_LISTED = 10;

/**
 * Renders the ephemeral message about a form whose submissions are all confirmed. Only a press on one of its buttons can
 * change the message, and only for 30 minutes, so its text stays true. `note` describes the result of a press (mrkdwn).
 */
export function renderReceipt(submissions: readonly RenderedSubmission[], note?: string): Message {
  const noteBlocks = note === undefined ? [] : [section(note)];
  const [submission, ...others] = submissions;
  const blocks: KnownBlock[] = [
    ...(submission && others.length > 0
      ? renderSeveral(submission, submissions)
      : (renderFormMessage(submissions).blocks ?? [])),
    ...noteBlocks,
    context('Only you can see this.'),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders several posts with the same content: their number, their times, and buttons for all of them. */
function renderSeveral(first: RenderedSubmission, submissions: readonly RenderedSubmission[]): KnownBlock[] {
  const lines = submissions.slice(0, MAX_LISTED).map(({ doneText }) => `• ${escapeText(doneText)}`);
  const hiddenCount = submissions.length - lines.length;
  const headline = `${submissions.length} ${first.noun}s ${first.doneTitle.toLowerCase()}`;
  return [
    section(`${getStateEmoji(first)} *${escapeText(headline)}*`),
    section([...lines, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more.`] : [])].join('\n')),
    context(plain(`“${createExcerpt(first.text)}”`), ...first.notes.map((line) => plain(line))),
    ...(first.doneButtons.length > 0 ? [actions(...first.doneButtons)] : []),
  ];
}
