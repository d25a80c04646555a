import { clip } from '../../slack/escape.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import type { ServiceRefusal } from '../submission.ts';
import type { Shown } from './render-submission.ts';

/** Length of a quoted excerpt, characters. */
const MAX_EXCERPT_LENGTH = 150;
/** The service may report thousands of problems. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 500;

/** The first line of a submission's text: plain text. */
export function headline({ rule, done, noun, refusal, sentTwice, notFound }: Shown): string {
  const isDoubtful =
    rule.state === 'needs-person' && rule.remote !== 'absent' && rule.buttons.includes('again');
  return `${rule.says} ${isDoubtful ? sentTwice : ''}`
    .trim()
    .replace('DONE', () => done)
    .replaceAll('NOUN', noun)
    .replace('REASON', () => (refusal ? refusalText(refusal, notFound) : 'The service did not accept this.'));
}

function refusalText(refusal: ServiceRefusal, notFound: string): string {
  if (refusal.kind === 'refused' && refusal.status === 404 && notFound !== '') return notFound;
  if (refusal.kind !== 'invalid') return renderServiceFailure(refusal);
  const fields = new Set(refusal.problems.map(({ field }) => field ?? '')).size;
  if (fields === 0) return 'The service did not accept this.';
  return fields === 1 ? 'One field needs a change.' : `${NUMBERS[fields] ?? fields} fields need a change.`;
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

/** The service's problems, one line each; plain text, '' for none. */
export function problemLines({ refusal }: Shown): string {
  if (refusal?.kind !== 'invalid') return '';
  const lines = refusal.problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const listed = lines.slice(0, MAX_PROBLEMS).map((line) => `• ${clip(line, MAX_PROBLEM_LENGTH)}`);
  const rest = lines.length - listed.length;
  return [...listed, ...(rest > 0 ? [`…and ${rest} more.`] : [])].join('\n');
}

/** The beginning of a text, on one line. */
export function excerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), MAX_EXCERPT_LENGTH);
}

export function stateEmoji({ rule }: Shown): string {
  if (rule.state === 'confirmed') return ':white_check_mark:';
  if (rule.waitsFor === 'us') return ':hourglass_flowing_sand:';
  return rule.remote === 'absent' || rule.state === 'discarded' ? ':warning:' : ':grey_question:';
}
