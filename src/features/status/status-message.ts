import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** The result of one check. `text` is mrkdwn; if something is wrong, it also says what to do. */
export interface Line {
  mark: 'fine' | 'wrong' | 'unknown';
  text: string;
}

const MARKS = { fine: '✓', wrong: '✗', unknown: '?' } as const;

export function statusMessage(lines: readonly Line[]): Message {
  const wrong = lines.filter(({ mark }) => mark === 'wrong').length;
  const title =
    wrong === 0 ? 'All is well.' : `${wrong === 1 ? 'One thing needs' : `${wrong} things need`} a look.`;
  const texts = lines.map(({ mark, text }) => `${MARKS[mark]}  ${text}`);
  return { text: `${title} ${texts.join(' ')}`, blocks: [section(`*${title}*`), ...texts.map(section)] };
}
