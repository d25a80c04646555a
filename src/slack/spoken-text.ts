import type { KnownBlock } from '@slack/types';
import { clip } from './clip.ts';
import { escapeText } from './escape.ts';

/** So many lines of an answer are read aloud, and of somebody's words so much. */
const MOST_LINES = 6;
const EXCERPT = 100;

/** The plain text of a message, for phones and screen readers: what its first blocks say. */
export function fallbackText(blocks: readonly KnownBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'section') return block.text ? [block.text] : [];
    return block.type === 'context' ? block.elements.filter((element) => element.type !== 'image') : [];
  });
  return texts
    .slice(0, MOST_LINES)
    .map(({ type, text }) =>
      // Our own lines are short; what they are drawn with is not read.
      type === 'mrkdwn' ? text.replace(/[*`]|:\w+: /g, '') : escapeText(clip(text, EXCERPT)),
    )
    .join(' ');
}
