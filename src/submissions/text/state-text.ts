import { clip } from '../../slack/clip.ts';
import { serviceFailureText } from '../../slack/service-failure.ts';
import type { ServiceRefusal } from '../submission.ts';
import type { RenderedSubmission } from './render-submission.ts';

/** Length of a quoted excerpt, characters. */
const MAX_EXCERPT_LENGTH = 150;
/** The service may report thousands of problems. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 500;

/** The first line of a submission's text: plain text. */
export function renderHeadline({
  rule,
  doneText,
  noun,
  refusal,
  sentTwiceText,
  notFoundText,
}: RenderedSubmission): string {
  const isUncertain =
    rule.state === 'needs-person' && rule.remote !== 'absent' && rule.buttons.includes('retry');
  return `${rule.text} ${isUncertain ? sentTwiceText : ''}`
    .trim()
    .replace('DONE', () => doneText)
    .replaceAll('NOUN', noun)
    .replace('REASON', () =>
      refusal ? renderRefusal(refusal, notFoundText) : 'The service did not accept this.',
    );
}

function renderRefusal(refusal: ServiceRefusal, notFound: string): string {
  if (refusal.kind === 'refused' && refusal.status === 404 && notFound !== '') return notFound;
  if (refusal.kind !== 'invalid') return serviceFailureText(refusal);
  const fields = new Set(refusal.problems.map(({ field }) => field ?? '')).size;
  if (fields === 0) return 'The service did not accept this.';
  return fields === 1 ? 'One field needs a change.' : `${NUMBERS[fields] ?? fields} fields need a change.`;
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

/** The service's problems, one line each; plain text, '' for none. */
export function renderProblemLines({ refusal }: RenderedSubmission): string {
  if (refusal?.kind !== 'invalid') return '';
  const lines = refusal.problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const listed = lines.slice(0, MAX_PROBLEMS).map((line) => `• ${clip(line, MAX_PROBLEM_LENGTH)}`);
  const hiddenCount = lines.length - listed.length;
  return [...listed, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more.`] : [])].join('\n');
}

/** The beginning of a text, on one line. */
export function createExcerpt(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), MAX_EXCERPT_LENGTH);
}

export function getStateEmoji({ rule }: RenderedSubmission): string {
  if (rule.state === 'confirmed') return ':white_check_mark:';
  if (rule.waitsFor === 'us') return ':hourglass_flowing_sand:';
  return rule.remote === 'absent' || rule.state === 'discarded' ? ':warning:' : ':grey_question:';
}
