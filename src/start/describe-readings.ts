import { formatMoment } from '../when/format-moment.ts';
import { type RangeReading, understandRange } from '../when/range.ts';
import { type RecurrenceReading, renderRecurrence, understandRecurrence } from '../when/recurrence.ts';
import {
  earliestMoment,
  type Moment,
  type MomentReading,
  type MomentsReading,
  type NamedMoment,
  notesOf,
  type Question,
  understandMoments,
} from '../when/when.ts';

/** Describes a reading for a terminal: what was understood and assumed, or what to write instead. */
export function describeReading(
  reading: MomentReading,
  shownTo: { now: Date; locale?: string | undefined },
): string {
  const say = (moment: Moment): string => formatMoment(moment, shownTo);
  switch (reading.kind) {
    case 'understood':
    case 'shifted':
      return [say(reading.moment), ...notesOf(reading)].join('\n');
    case 'now': {
      const { zone } = reading.moment;
      const earliest = say(earliestMoment(zone, shownTo.now));
      return `Now: ${say(reading.moment)}\nThe earliest time for a post: ${earliest}`;
    }
    case 'ambiguous': {
      const candidates = reading.candidates.map((moment) => `  ${say(moment)}`);
      return ['Which one?', ...candidates, ...reading.notes].join('\n');
    }
    case 'past':
      return [`${say(reading.moment)} has passed.`, ...renderSuggestion(reading.suggestion, say)].join('\n');
    case 'not-understood':
      return [
        ...renderSuggestion(reading.suggestion, say),
        `${reading.unparsedText === '' ? '' : `Not understood: “${reading.unparsedText}”. `}${reading.reason} These would work:`,
        ...reading.examples.map((example) => `  ${example}`),
      ].join('\n');
  }
}

function renderSuggestion(moment: Moment | undefined, say: (moment: Moment) => string): readonly string[] {
  return moment === undefined ? [] : [`Perhaps ${say(moment)}?`];
}

/** Readings besides that of one moment. */
export const READINGS = ['moments', 'range', 'recurrence'] as const;

export function describeAs(
  kind: (typeof READINGS)[number],
  question: Question,
): { lines: string; isUnderstood: boolean } {
  switch (kind) {
    case 'moments':
      return describeMoments(understandMoments(question), question);
    case 'range': {
      const reading = understandRange(question);
      const ranges = reading.kind === 'ambiguous' ? reading.candidates : [reading];
      const texts = ranges.flatMap((each) => ('text' in each ? [each.text] : []));
      return describe(reading, texts, question);
    }
    case 'recurrence': {
      const reading = understandRecurrence(question);
      const known = reading.kind === 'understood' ? [reading.recurrence] : [];
      const recurrences = reading.kind === 'ambiguous' ? reading.candidates : known;
      return describe(reading, recurrences.map(renderRecurrence), question);
    }
  }
}

function describeMoments(reading: MomentsReading, question: Question) {
  const format = ({ moment, notes }: NamedMoment): string =>
    [formatMoment(moment, question), ...notes].join(' · ');
  if (reading.kind === 'ambiguous') {
    const lists = reading.candidates.map((list) => list.map(format).join(' | '));
    return describe(reading, lists, question, 'Which ones?');
  }
  const moments = reading.kind === 'not-understood' ? [] : reading.moments.map(format);
  const faults = reading.kind === 'faulty' ? reading.faults : [];
  const reasons = faults.map((fault) => `“${fault.words}”: ${describeReading(fault.reading, question)}`);
  return describe(reading, [...moments, ...reasons], question);
}

/** `answers` are the answer in words, or the candidates. */
function describe(
  reading: MomentsReading | RangeReading | RecurrenceReading,
  answers: readonly string[],
  question: Question,
  which = 'Which one?',
) {
  if (reading.kind === 'not-understood')
    return { lines: describeReading(reading, question), isUnderstood: false };
  const lines = reading.kind === 'ambiguous' ? [which, ...answers.map((answer) => `  ${answer}`)] : answers;
  return { lines: [...lines, ...reading.notes].join('\n'), isUnderstood: true };
}
