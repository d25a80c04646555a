import type { KnownBlock } from '@slack/types';
import { clip, escapeText } from './blocks.ts';

/** Maximum number of texts in the result. */
const MAX_TEXTS = 6;
/** Maximum length of each plain text, in UTF-16 units. Plain texts may come from people. */
const MAX_EXCERPT_LENGTH = 100;

/** Builds the text of a message for notifications and screen readers from its first blocks. */
export function buildFallbackText(blocks: readonly KnownBlock[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'section') return block.text ? [block.text] : [];
    return block.type === 'context' ? block.elements.filter((element) => element.type !== 'image') : [];
  });
  return texts
    .slice(0, MAX_TEXTS)
    .map(({ type, text }) =>
      // Texts in mrkdwn are short, because we write them. Formatting marks and emoji codes are removed.
      type === 'mrkdwn' ? text.replace(/[*`]|:\w+: /g, '') : escapeText(clip(text, MAX_EXCERPT_LENGTH)),
    )
    .join(' ');
}
