import { renderMoment, renderMomentInActorZone } from '../../../posts/post-time.ts';
import { clip, escapeText } from '../../../slack/blocks.ts';
import type { FaultyMoment, Moment, MomentReading } from '../../../when/when.ts';
import { listMoments, type SeveralMomentsReading, type WhenReading } from './read-when.ts';

const SINGLE_MOMENT_EXAMPLES = ['tomorrow 9am', 'Fri 14:30', '1 Dec at noon'];
export const SEVERAL_MOMENTS_EXAMPLES = [
  'mon, wed and fri 9am',
  'tomorrow 9am and 3pm',
  '1 Dec at noon and 15 Dec 8:30',
];
/** Maximum length of the quoted text, in characters. */
const MAX_QUOTE_LENGTH = 60;

const MINUTE_MS = 60_000;

/** Maximum candidates in a sentence. The form has the same number of buttons for candidates. */
const MAX_CANDIDATES = 4;

function renderAlternatives(moments: readonly Moment[], now: Date): string {
  return moments
    .slice(0, MAX_CANDIDATES)
    .map((moment) => renderMoment(moment.instant, moment.zone, now))
    .join(' or ');
}

function renderExamples(examples: readonly string[]): string {
  return (examples.length > 0 ? examples : SINGLE_MOMENT_EXAMPLES)
    .map((example) => `"${example}"`)
    .join(', ');
}

/** Explains what is wrong with the moments, and what to type instead. Plain text; undefined if nothing is wrong. */
export function renderWhenProblem(reading: WhenReading, now: Date): string | undefined {
  switch (reading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return `Which did you mean: ${renderAlternatives(reading.candidates, now)}?`;
    case 'shifted':
      return `This time doesn’t exist because the clocks go forward. Use ${renderAlternatives([reading.moment], now)}, or enter another.`;
    case 'past':
      return renderPastProblem(reading, now);
    case 'several':
      return renderSeveralProblem(reading.momentsReading, now);
    case 'not-understood': {
      const quote = clip(reading.unparsedText, MAX_QUOTE_LENGTH);
      const prefix = quote === '' ? '' : `“${quote}”: `;
      return `${prefix}${reading.reason} Try ${renderExamples(reading.examples)}.`.trim();
    }
  }
}

/** Explains the problems of several moments, and quotes the text of each. */
function renderSeveralProblem(momentsReading: SeveralMomentsReading, now: Date): string | undefined {
  switch (momentsReading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return 'Which times did you mean? Pick one, or write each with its date.';
    case 'faulty':
      return [
        ...momentsReading.faults.map((fault) => renderQuotedFault(fault, now)),
        ...suggestExamples(momentsReading.faults),
      ].join(' ');
  }
}

function renderQuotedFault({ words, reading }: FaultyMoment, now: Date): string {
  return `${words === '' ? '' : `“${clip(words, MAX_QUOTE_LENGTH)}”: `}${renderFault(reading, now)}`;
}

function suggestExamples(faults: readonly FaultyMoment[]): string[] {
  const isUnclear = faults.some(({ reading }) => reading.kind === 'not-understood');
  return isUnclear ? [`Try ${renderExamples(SEVERAL_MOMENTS_EXAMPLES)}.`] : [];
}

/** Explains one problem among several moments. Mentions no buttons, because a faulty list has none. */
function renderFault(reading: Exclude<MomentReading, { kind: 'understood' }>, now: Date): string {
  switch (reading.kind) {
    case 'ambiguous':
      return `Which did you mean: ${renderAlternatives(reading.candidates, now)}?`;
    case 'shifted':
      return `This time doesn’t exist because the clocks go forward. Use ${renderAlternatives([reading.moment], now)}, or enter another.`;
    case 'past':
      return `${renderAlternatives([reading.moment], now)} has passed. Remove it, or enter another.`;
    case 'not-understood':
      return reading.reason;
  }
}

function renderPastProblem(
  { moment, suggestion }: Extract<MomentReading, { kind: 'past' }>,
  now: Date,
): string {
  const hasJustPassed = now.getTime() - moment.instant.getTime() < MINUTE_MS;
  const problem = hasJustPassed ? 'Now is too soon.' : `${renderAlternatives([moment], now)} has passed.`;
  if (!suggestion) return `${problem} Pick a later time.`;
  const suggestedMoment = renderAlternatives([suggestion], now);
  return hasJustPassed
    ? `${problem} The earliest is ${suggestedMoment}.`
    : `${problem} Did you mean ${suggestedMoment}?`;
}

/** Renders the line below the field, which changes while somebody types. Mrkdwn. */
export function renderWhenLine(
  reading: WhenReading | undefined,
  now: Date,
  actorZone: string | undefined,
): string {
  if (!reading) {
    return `For example ${renderExamples([])}. Several times create several posts.`;
  }
  const problem = renderWhenProblem(reading, now);
  if (problem !== undefined) return [`:warning: ${problem}`, ...getNotes(reading)].map(escapeText).join('  ');
  if (reading.kind === 'several') return renderSeveralMoments(reading, now, actorZone);
  return listMoments(reading)
    .flatMap(({ moment, notes }) => [
      `:calendar: ${renderMomentLine(moment, now, actorZone)}`,
      ...notes.map(escapeText),
    ])
    .join('  ');
}

/** Returns the assumptions that a reading makes, in sentences. */
export function getNotes(reading: WhenReading | undefined): readonly string[] {
  if (reading?.kind === 'several') return reading.momentsReading.notes;
  return reading && 'notes' in reading ? reading.notes : [];
}

/** Renders a line for each of several moments, and the assumptions about them. */
function renderSeveralMoments(reading: WhenReading, now: Date, actorZone: string | undefined): string {
  const moments = listMoments(reading);
  const assumptions = [...new Set([...getNotes(reading), ...moments.flatMap((moment) => moment.notes)])];
  return [
    `:calendar: *${moments.length} posts*, one for each time:`,
    ...moments.map(({ moment }) => `• ${renderMomentLine(moment, now, actorZone)}`),
    ...assumptions.map(escapeText),
  ].join('\n');
}

/** Renders "*Tue 1 Dec, 09:00 (Berlin)*  For you: Tue 1 Dec, 08:00 (Lisbon)." Mrkdwn. */
export function renderMomentLine(
  { instant, zone }: Moment,
  now: Date,
  actorZone: string | undefined,
): string {
  const actorMoment = renderMomentInActorZone(instant, zone, actorZone, now);
  const postMoment = `*${escapeText(renderMoment(instant, zone, now))}*`;
  return actorMoment === undefined ? postMoment : `${postMoment}  For you: ${escapeText(actorMoment)}.`;
}
