import { clip } from '../../slack/clip.ts';
import { serviceFailureText } from '../../slack/service-trouble.ts';
import type { Reason } from '../submission.ts';
import type { Shown } from './shown.ts';

/** So much of a text stands where its whole length does not belong. */
const EXCERPT = 150;
/** A service may find thousands of things wrong. */
const MOST_PROBLEMS = 5;
const PROBLEM_LENGTH = 500;

/** What its person reads first: plain text. */
export function headline({ rule, done, noun, reason, sentTwice, notFound }: Shown): string {
  const isDoubtful =
    rule.state === 'needs-person' && rule.remote !== 'absent' && rule.buttons.includes('again');
  return `${rule.says} ${isDoubtful ? sentTwice : ''}`
    .trim()
    .replace('DONE', () => done)
    .replaceAll('NOUN', noun)
    .replace('REASON', () => (reason ? reasonWords(reason, notFound) : 'The service did not accept this.'));
}

function reasonWords(reason: Reason, notFound: string): string {
  if (reason.kind === 'refused' && reason.status === 404 && notFound !== '') return notFound;
  if (reason.kind !== 'invalid') return serviceFailureText(reason);
  const fields = new Set(reason.problems.map(({ field }) => field ?? '')).size;
  if (fields === 0) return 'The service did not accept this.';
  return fields === 1 ? 'One field needs a change.' : `${NUMBERS[fields] ?? fields} fields need a change.`;
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

/** What the service found wrong, one line for each; plain text, '' where it said nothing. */
export function problemLines({ reason }: Shown): string {
  if (reason?.kind !== 'invalid') return '';
  const lines = reason.problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const listed = lines.slice(0, MOST_PROBLEMS).map((line) => `• ${clip(line, PROBLEM_LENGTH)}`);
  const rest = lines.length - listed.length;
  return [...listed, ...(rest > 0 ? [`…and ${rest} more.`] : [])].join('\n');
}

/** The beginning of a text on one line. */
export function excerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), EXCERPT);
}

export function markOf({ rule }: Shown): string {
  if (rule.state === 'confirmed') return ':white_check_mark:';
  if (rule.waitsFor === 'us') return ':hourglass_flowing_sand:';
  return rule.remote === 'absent' || rule.state === 'discarded' ? ':warning:' : ':grey_question:';
}
