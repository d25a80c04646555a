import type { KnownBlock } from '@slack/types';
import { clip, escapeText } from './escape.ts';

/** Maximum number of text objects that are included. */
const MAX_LINES = 6;
/** Maximum length of one line of plain text, in UTF-16 units. The line may be text from people. */
const MAX_EXCERPT_LENGTH = 100;

/** Builds the text of a message for notifications and screen readers from its first blocks. */
export function buildFallbackText(blocks: readonly KnownBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'section') return block.text ? [block.text] : [];
    return block.type === 'context' ? block.elements.filter((element) => element.type !== 'image') : [];
  });
  return texts
    .slice(0, MAX_LINES)
    .map(({ type, text }) =>
      // Lines in mrkdwn are written by us and short. Formatting marks and emoji codes are removed.
      type === 'mrkdwn' ? text.replace(/[*`]|:\w+: /g, '') : escapeText(clip(text, MAX_EXCERPT_LENGTH)),
    )
    .join(' ');
}
