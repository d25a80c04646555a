import type { Project } from '../../../api/projects.ts';
import { actions, clip, escapeText, plainSection, sanitizeLine, section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { MATCH_ALL } from '../filter/post-filter.ts';
import { renderFilterButton } from './list-buttons.ts';

/** Examples of filters. */
export const FILTER_EXAMPLES = ['scheduled x this week', 'coffee by @ben', 'my drafts'] as const;

const MAX_QUOTE_LENGTH = 60;
const MAX_QUOTED_WORDS = 5;

/** Renders a reply to a filter with unknown words: a quote of the words, and examples. */
export function renderUnknownWords(
  project: Project,
  { unknownWords }: { unknownWords: readonly string[] },
): Message {
  const quotedWords = unknownWords
    .slice(0, MAX_QUOTED_WORDS)
    .map((word) => `“${clip(sanitizeLine(word), MAX_QUOTE_LENGTH)}”`);
  const moreText = unknownWords.length > MAX_QUOTED_WORDS ? ' and more' : '';
  const line = `I can’t filter by ${quotedWords.join(', ')}${moreText}.`;
  const advice = `What works, for example: ${FILTER_EXAMPLES.map((example) => `\`/upnext posts ${example}\``).join(', ')}.`;
  return {
    text: `${escapeText(line)} ${advice}`,
    blocks: [plainSection(line), section(advice), actions(...renderFilterButton(project, MATCH_ALL))],
  };
}
