import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** One line of the status. `text` is mrkdwn, and says what to do if something is wrong. */
export interface StatusLine {
  /** `off`: the workspace declined an optional permission, which isn't a problem. */
  result: 'fine' | 'wrong' | 'unknown' | 'off';
  text: string;
}

const SYMBOLS = { fine: '✓', wrong: '✗', unknown: '?', off: '–' } as const;

export function renderStatus(lines: readonly StatusLine[]): Message {
  const problemCount = lines.filter(({ result }) => result === 'wrong').length;
  const title =
    problemCount === 0
      ? 'Everything’s working.'
      : `${problemCount} ${problemCount === 1 ? 'issue' : 'issues'}.`;
  const texts = lines.map(({ result, text }) => `${SYMBOLS[result]}  ${text}`);
  return { text: `${title} ${texts.join(' ')}`, blocks: [section(`*${title}*`), ...texts.map(section)] };
}
