import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** One thing that was looked at: how it is and, where it is wrong, what to do. mrkdwn. */
export interface Line {
  mark: 'fine' | 'wrong' | 'unknown';
  text: string;
}

const MARKS = { fine: '✓', wrong: '✗', unknown: '?' } as const;

export function statusMessage(lines: readonly Line[]): Message {
  const wrong = lines.filter(({ mark }) => mark === 'wrong').length;
  const title =
    wrong === 0 ? 'All is well.' : `${wrong === 1 ? 'One thing needs' : `${wrong} things need`} a look.`;
  const said = lines.map(({ mark, text }) => `${MARKS[mark]}  ${text}`);
  return { text: `${title} ${said.join(' ')}`, blocks: [section(`*${title}*`), ...said.map(section)] };
}
