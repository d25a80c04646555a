import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** The result of one check. `text` is mrkdwn. If something is wrong, it includes what to do about it. */
export interface StatusLine {
  mark: 'fine' | 'wrong' | 'unknown';
  text: string;
}

const MARKS = { fine: '✓', wrong: '✗', unknown: '?' } as const;

export function renderStatus(lines: readonly StatusLine[]): Message {
  const problemCount = lines.filter(({ mark }) => mark === 'wrong').length;
  const title =
    problemCount === 0
      ? 'All is well.'
      : `${problemCount === 1 ? 'One thing needs' : `${problemCount} things need`} a look.`;
  const texts = lines.map(({ mark, text }) => `${MARKS[mark]}  ${text}`);
  return { text: `${title} ${texts.join(' ')}`, blocks: [section(`*${title}*`), ...texts.map(section)] };
}
