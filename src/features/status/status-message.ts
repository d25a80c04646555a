import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildTable } from '../../slack/table.ts';

/** The action id of [Check again]. */
export const CHECK_ACTION = 'status.check';

/**
 * `unknown`: the check failed. `waiting`: something isn't finished. `off`: an optional permission was declined, or a digest
 * is paused. `issue`: names the problem in the title, after "1 issue:".
 */
type Result = { result: 'fine' | 'unknown' | 'waiting' | 'off' } | { result: 'wrong'; issue: string };

export type CheckResult = Result & {
  /** Says what to do if something is wrong; mrkdwn. */
  text: string;
  /** What the result is about, if the check is about several things. */
  subject?: string;
};

/** One line of the status. */
type StatusLine = CheckResult & { subject: string };

const EMOJI: Readonly<Record<CheckResult['result'], string>> = {
  fine: ':white_check_mark:',
  wrong: ':x:',
  unknown: ':warning:',
  waiting: ':hourglass_flowing_sand:',
  off: ':white_circle:',
};

/** Renders the status as a table. The text has the same lines for notifications and screen readers. */
export function renderStatus(lines: readonly StatusLine[]): Message {
  const title = renderTitle(lines);
  return {
    text: [title, ...lines.map(({ subject, text }) => `${subject}: ${text}`)].join('\n'),
    blocks: [
      section(`*${title}*`),
      buildTable([
        ['Check', 'Result'],
        ...lines.map(({ subject, result, text }) => [subject, `${EMOJI[result]} ${text}`] as const),
      ]),
      actions(button('Check again', CHECK_ACTION)),
    ],
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
