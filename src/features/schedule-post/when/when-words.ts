import { renderMoment, renderMomentInActorZone } from '../../../posts/render-post.ts';
import { clip, escapeText } from '../../../slack/escape.ts';
import type { FaultyMoment, Moment, MomentReading } from '../../../when/when.ts';
import { momentsOf, type SeveralMoments, type WhenReading } from './read-when.ts';

const EXAMPLES = ['tomorrow 9am', 'Fri 14:30', '1 Dec at noon'];
export const EXAMPLES_OF_SEVERAL = [
  'mon, wed and fri 9am',
  'tomorrow 9am and 3pm',
  '1 Dec at noon and 15 Dec 8:30',
];
/** Characters of the typed text that an error quotes. */
const MAX_QUOTE_LENGTH = 60;

const MINUTE_MS = 60_000;

/** Candidates that a sentence lists; equals the number of buttons. */
const MAX_CANDIDATES = 4;

function listText(moments: readonly Moment[], now: Date): string {
  return moments
    .slice(0, MAX_CANDIDATES)
    .map((moment) => renderMoment(moment.instant, moment.zone, now))
    .join(' or ');
}

function examplesOf(examples: readonly string[]): string {
  return (examples.length > 0 ? examples : EXAMPLES).map((example) => `"${example}"`).join(', ');
}

/** Why a reading can't be sent and what to write instead, in plain text; undefined if it can be sent. */
export function whenProblem(reading: WhenReading, now: Date): string | undefined {
  switch (reading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return `This can mean ${listText(reading.candidates, now)}. Press the one you mean, or write it.`;
    case 'shifted':
      return `The clocks skip this time. Press ${listText([reading.moment], now)} if that suits, or write another.`;
    case 'past':
      return pastWords(reading, now);
    case 'several':
      return severalProblem(reading.of, now);
    case 'not-understood': {
      const words = clip(reading.words, MAX_QUOTE_LENGTH);
      const what = words === '' ? '' : `“${words}”: `;
      return `${what}${reading.reason} Try ${examplesOf(reading.examples)}.`.trim();
    }
  }
}

/** The problems of several moments, each with its text. */
function severalProblem(several: SeveralMoments, now: Date): string | undefined {
  switch (several.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return 'This can mean several lists of moments. Press the one you mean, or write each moment with its time.';
    case 'faulty':
      return [...several.faults.map((fault) => faultOf(fault, now)), ...tryOf(several.faults)].join(' ');
  }
}

function faultOf({ words, reading }: FaultyMoment, now: Date): string {
  return `${words === '' ? '' : `“${clip(words, MAX_QUOTE_LENGTH)}”: `}${faultWords(reading, now)}`;
}

function tryOf(faults: readonly FaultyMoment[]): string[] {
  const isLost = faults.some(({ reading }) => reading.kind === 'not-understood');
  return isLost ? [`Try ${examplesOf(EXAMPLES_OF_SEVERAL)}.`] : [];
}

/**
 * The problem of one of several moments. There are no buttons for these, so the text asks to write the moment again.
 */
function faultWords(reading: Exclude<MomentReading, { kind: 'understood' }>, now: Date): string {
  switch (reading.kind) {
    case 'ambiguous':
      return `It can mean ${listText(reading.candidates, now)}. Write the one you mean.`;
    case 'shifted':
      return `The clocks skip this time. ${listText([reading.moment], now)} comes after it: write another.`;
    case 'past':
      return `${listText([reading.moment], now)} has passed. Leave it out, or write another.`;
    case 'not-understood':
      return reading.reason;
  }
}

function pastWords({ moment, suggestion }: Extract<MomentReading, { kind: 'past' }>, now: Date): string {
  const isNow = now.getTime() - moment.instant.getTime() < MINUTE_MS;
  const over = isNow ? 'Now is too soon.' : `${listText([moment], now)} has passed.`;
  if (!suggestion) return `${over} Write a moment that is to come.`;
  const press = listText([suggestion], now);
  return isNow
    ? `${over} The soonest is ${press}: press it, or write another moment.`
    : `${over} Did you mean ${press}? Press it, or write another moment.`;
}

/** The line below the field while somebody types; mrkdwn. */
export function whenLine(reading: WhenReading | undefined, now: Date, actorZone: string | undefined): string {
  if (!reading) {
    return `Write it as you would say it: ${examplesOf([])}. Several moments make several posts. A draft needs none.`;
  }
  const problem = whenProblem(reading, now);
  if (problem !== undefined) return [`:warning: ${problem}`, ...notesOf(reading)].map(escapeText).join('  ');
  if (reading.kind === 'several') return severalLines(reading.of.notes, reading, now, actorZone);
  const [one] = momentsOf(reading);
  return one === undefined
    ? ''
    : [`:calendar: ${momentLine(one.moment, now, actorZone)}`, ...one.notes.map(escapeText)].join('  ');
}

/** The assumptions about a reading, and the parts of the text that were ignored. */
export function notesOf(reading: WhenReading | undefined): readonly string[] {
  if (reading?.kind === 'several') return reading.of.notes;
  return reading && 'notes' in reading ? reading.notes : [];
}

/** A line for each of several moments. */
function severalLines(
  notes: readonly string[],
  reading: WhenReading,
  now: Date,
  actorZone: string | undefined,
): string {
  const moments = momentsOf(reading);
  const assumed = [...new Set([...notes, ...moments.flatMap((each) => each.notes)])];
  return [
    `:calendar: *${moments.length} posts*, one for each moment:`,
    ...moments.map(({ moment }) => `• ${momentLine(moment, now, actorZone)}`),
    ...assumed.map(escapeText),
  ].join('\n');
}

/** "*Tue 1 Dec, 09:00 (Berlin)*  For you: Tue 1 Dec, 08:00 (Lisbon)."; mrkdwn. */
export function momentLine({ instant, zone }: Moment, now: Date, actorZone: string | undefined): string {
  const own = renderMomentInActorZone(instant, zone, actorZone, now);
  const there = `*${escapeText(renderMoment(instant, zone, now))}*`;
  return own === undefined ? there : `${there}  For you: ${escapeText(own)}.`;
}
