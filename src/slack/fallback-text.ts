import type { KnownBlock } from '@slack/types';
import { clip, escapeText } from './escape.ts';

const MAX_LINES = 6;
/** UTF-16 units of one plain-text line, which may be text from people. */
const MAX_EXCERPT_LENGTH = 100;

/** The text of a message for notifications and screen readers, taken from its first blocks. */
export function fallbackText(blocks: readonly KnownBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'section') return block.text ? [block.text] : [];
    return block.type === 'context' ? block.elements.filter((element) => element.type !== 'image') : [];
  });
  return texts
    .slice(0, MAX_LINES)
    .map(({ type, text }) =>
      // Lines in mrkdwn are our own and short; marks and emoji codes are dropped.
      type === 'mrkdwn' ? text.replace(/[*`]|:\w+: /g, '') : escapeText(clip(text, MAX_EXCERPT_LENGTH)),
    )
    .join(' ');
}
