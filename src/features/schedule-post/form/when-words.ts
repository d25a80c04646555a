import { elsewhere, momentWords } from '../../../posts/moment-words.ts';
import { clip } from '../../../slack/clip.ts';
import { escapeText } from '../../../slack/escape.ts';
import type { Moment, MomentReading } from '../../../when/moment.ts';

const EXAMPLES = ['tomorrow 9am', 'Fri 14:30', '1 Dec at noon'];
/** So much of somebody's words is said back. */
const QUOTED = 60;

/** Said in one breath: candidates beyond it help nobody. */
const MOST = 3;

function listed(moments: readonly Moment[], now: Date): string {
  return moments
    .slice(0, MOST)
    .map((moment) => momentWords(moment.instant, moment.zone, now))
    .join(' or ');
}

function examplesOf(examples: readonly string[]): string {
  return (examples.length > 0 ? examples : EXAMPLES).map((example) => `"${example}"`).join(', ');
}

/** Why a reading cannot be sent as it is, and what to write instead; undefined where it can. Plain text. */
export function whenProblem(reading: MomentReading, now: Date): string | undefined {
  switch (reading.kind) {
    case 'understood':
      return undefined;
    case 'ambiguous':
      return `This can mean ${listed(reading.candidates, now)}. Write the one you mean.`;
    case 'shifted':
      return `The clocks skip this time. Write ${momentWords(reading.moment.instant, reading.moment.zone, now)} if that suits.`;
    case 'past': {
      const over = `${momentWords(reading.moment.instant, reading.moment.zone, now)} has passed.`;
      return reading.suggestion
        ? `${over} Did you mean ${listed([reading.suggestion], now)}?`
        : `${over} Write a moment that is to come.`;
    }
    case 'not-understood': {
      const words = clip(reading.words, QUOTED);
      const what = words === '' ? '' : `“${words}”: `;
      return `${what}${reading.reason} Try ${examplesOf(reading.examples)}.`.trim();
    }
  }
}

/** The line under the field while somebody writes, for mrkdwn. */
export function whenLine(
  reading: MomentReading | undefined,
  now: Date,
  readerZone: string | undefined,
): string {
  if (!reading) return `Write it as you would say it: ${examplesOf([])}. Needed only for Scheduled.`;
  if (reading.kind !== 'understood') return `:warning: ${escapeText(whenProblem(reading, now) ?? '')}`;
  const { instant, zone } = reading.moment;
  const own = elsewhere(instant, zone, readerZone, now);
  return [
    `:calendar: *${escapeText(momentWords(instant, zone, now))}*`,
    own === undefined ? undefined : `For you: ${escapeText(own)}.`,
    ...reading.notes.map(escapeText),
  ]
    .filter((part) => part !== undefined)
    .join('  ');
}
