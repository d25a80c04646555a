import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** The action id of [Check again]. */
export const CHECK_ACTION = 'status.check';

/** One line of the status. `text` is mrkdwn, and says what to do if something is wrong. */
export type StatusLine =
  /**
   * `unknown`: the check failed. `waiting`: something isn't finished. `off`: an optional permission was declined, or a
   * digest is paused.
   */
  | { result: 'fine' | 'unknown' | 'waiting' | 'off'; text: string }
  /** `issue`: names the problem in the title, after "1 issue:". */
  | { result: 'wrong'; issue: string; text: string };

const LABELS: Readonly<Record<StatusLine['result'], string>> = {
  fine: ':white_check_mark: *OK*',
  wrong: ':x: *Issue*',
  unknown: ':warning: *Not checked*',
  waiting: ':hourglass_flowing_sand: *Waiting*',
  off: ':white_circle: *Off*',
};

export function renderStatus(lines: readonly StatusLine[]): Message {
  const title = renderTitle(lines);
  const texts = lines.map(({ result, text }) => `${LABELS[result]}  ${text}`);
  return {
    text: `${title} ${lines.map(({ text }) => text).join(' ')}`,
    blocks: [section(`*${title}*`), ...texts.map(section), actions(button('Check again', CHECK_ACTION))],
  };
}

function renderTitle(lines: readonly StatusLine[]): string {
  const issues = lines.flatMap((line) => (line.result === 'wrong' ? [line.issue] : []));
  if (issues.length > 0)
    return `${issues.length === 1 ? '1 issue' : `${issues.length} issues`}: ${issues.join(', ')}.`;
  return lines.some(({ result }) => result === 'unknown')
    ? 'No issues found, but I couldn’t check everything.'
    : 'Everything’s working.';
}
