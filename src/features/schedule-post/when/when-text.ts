import { renderMoment, renderMomentInActorZone } from '../../../posts/post-time.ts';
import { clip, escapeText } from '../../../slack/blocks.ts';
import { type FaultyMoment, type Moment, type MomentReading, zoneName } from '../../../when/when.ts';
import { findCommonZone, listMoments, MAX_EXAMPLES, MOMENT_EXAMPLES, type WhenReading } from './read-when.ts';

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

/** Renders "Sat 21 Nov, 09:00 (Lisbon)". */
export function renderTime({ instant, zone }: Moment, now: Date): string {
  return renderMoment(instant, zone, now);
}

/** Renders a moment without its place, which the sentence or another line names: "Sat 21 Nov, 09:00". */
export function renderTimeWithoutZone(moment: Moment, now: Date): string {
  const place = zoneName(moment.zone);
  // If the clock shows this time twice, its offset stays: "Sun 31 Oct, 02:30 (UTC+01:00)".
  return renderTime(moment, now).replace(` (${place})`, '').replace(`(${place}, `, '(');
}

function renderExamples(examples: readonly string[]): string {
  const quotedExamples = (examples.length > 0 ? examples : MOMENT_EXAMPLES.slice(0, MAX_EXAMPLES)).map(
    (example) => `“${example}”`,
  );
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(quotedExamples);
}

/** A problem with the typed time (plain text). `error`: the error of the field. Defaults to the headline and advice. */
interface WhenProblem {
  headline: string;
  advice: string;
  error?: string;
}

/** Renders the problem with the time as the error of the field (plain text). Undefined without a problem. */
export function renderWhenError(reading: WhenReading, now: Date): string | undefined {
  const problem = findWhenProblem(reading, now);
  return problem && (problem.error ?? `${problem.headline} ${problem.advice}`.trim());
}

/** Finds the problem with the time. Undefined if there is none. */
function findWhenProblem(reading: WhenReading, now: Date): WhenProblem | undefined {
  switch (reading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return {
        headline: 'Which time did you mean?',
        advice: renderZoneNote(reading),
        error: 'Choose a time below.',
      };
    case 'shifted':
      return { headline: SKIPPED_TIME, advice: renderSuggestion(reading.moment, now) };
    case 'past':
      return findPastProblem(reading, now);
    case 'several':
      return findSeveralProblem(reading, now);
    case 'repeating':
      return { headline: 'Repeating posts aren’t supported yet.', advice: 'Pick one date.' };
    case 'not-understood': {
      const { suggestion, unparsedText, reason, examples } = reading;
      if (suggestion) return { headline: reason, advice: renderSuggestion(suggestion, now) };
      return { headline: renderReason(unparsedText, reason), advice: `Try ${renderExamples(examples)}.` };
    }
  }
}

const SKIPPED_TIME = 'This time doesn’t exist because the clocks go forward.';

function renderSuggestion(moment: Moment, now: Date): string {
  return `Did you mean ${renderTimeWithoutZone(moment, now)}?`;
}

/** Renders the zone of all candidates. Candidates in several zones name their own. */
function renderZoneNote(reading: WhenReading): string {
  const zone = findCommonZone(reading);
  return zone === undefined ? '' : `Times are in ${zoneName(zone)}.`;
}

/** Quotes the text that a reason is about. Quotes nothing if the reason is about the whole text. */
function renderReason(quotedText: string, reason: string): string {
  return quotedText === '' ? reason : `“${clip(quotedText, MAX_QUOTE_LENGTH)}”: ${reason}`;
}

/** Finds the problems of several times. */
function findSeveralProblem(
  reading: Extract<WhenReading, { kind: 'several' }>,
  now: Date,
): WhenProblem | undefined {
  const { momentsReading } = reading;
  switch (momentsReading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return {
        headline: 'Which times did you mean?',
        advice: renderZoneNote(reading),
        error: 'Choose the times below.',
      };
    case 'faulty': {
      const { faults } = momentsReading;
      const isUnclear = faults.some((fault) => fault.reading.kind === 'not-understood');
      return {
        headline: faults.map((fault) => renderReason(fault.words, renderFault(fault.reading, now))).join(' '),
        advice: isUnclear ? `Try ${renderExamples(SEVERAL_MOMENTS_EXAMPLES)}.` : '',
      };
    }
  }
}

/** Explains one problem among several times. Names the choices, because a faulty list has no buttons. */
function renderFault(reading: FaultyMoment['reading'], now: Date): string {
  switch (reading.kind) {
    case 'ambiguous': {
      const candidates = reading.candidates.slice(0, MAX_CANDIDATES).map((moment) => renderTime(moment, now));
      return `Which did you mean: ${candidates.join(' or ')}?`;
    }
    case 'shifted':
      return `${SKIPPED_TIME} ${renderSuggestion(reading.moment, now)}`;
    case 'past':
      return `${renderTime(reading.moment, now)} has passed. Remove it, or enter another.`;
    case 'not-understood':
      return reading.reason;
  }
}

function findPastProblem(
  { moment, suggestion }: Extract<MomentReading, { kind: 'past' }>,
  now: Date,
): WhenProblem {
  const hasJustPassed = now.getTime() - moment.instant.getTime() < MINUTE_MS;
  const headline = hasJustPassed ? 'Now is too soon.' : `${renderTime(moment, now)} has passed.`;
  if (!suggestion) return { headline, advice: 'Pick a later time.' };
  return {
    headline,
    advice: hasJustPassed
      ? `The earliest is ${renderTimeWithoutZone(suggestion, now)}.`
      : renderSuggestion(suggestion, now),
  };
}

/** Renders the line below the field, which changes while somebody types. Mrkdwn. */
export function renderWhenLine(
  reading: WhenReading | undefined,
  now: Date,
  actorZone: string | undefined,
): string {
  if (!reading)
    return `For example ${renderExamples([])}. To schedule several posts, list several times: “mon, wed and fri 9am”.`;
  const problem = findWhenProblem(reading, now);
  if (problem) {
    const advice = [problem.advice, ...getNotes(reading)].map(escapeText).filter(Boolean);
    return [`:warning: *${escapeText(problem.headline)}*`, ...advice].join(' ');
  }
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
