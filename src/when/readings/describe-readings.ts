import { describeReading } from '../describe-reading.ts';
import { formatMoment } from '../format-moment.ts';
import type { NotUnderstood } from '../moment.ts';
import type { MomentsReading, NamedMoment } from './moments/moments-reading.ts';
import { understandMoments } from './moments/understand-moments.ts';
import type { Question } from './question.ts';
import type { RangeReading } from './ranges/range.ts';
import { understandRange } from './ranges/understand-range.ts';
import type { RecurrenceReading } from './recurrences/recurrence.ts';
import { renderRecurrence } from './recurrences/recurrence.ts';
import { understandRecurrence } from './recurrences/understand-recurrence.ts';

/** Readings besides that of one moment. */
export const READINGS = ['moments', 'range', 'recurrence'] as const;

/** Describes a reading for a terminal, and tells whether the text was understood. */
export function describeAs(
  reading: (typeof READINGS)[number],
  question: Question,
): { lines: string; isUnderstood: boolean } {
  switch (reading) {
    case 'moments':
      return described(momentLines(understandMoments(question), question));
    case 'range':
      return described(rangeLines(understandRange(question)));
    case 'recurrence':
      return described(recurrenceLines(understandRecurrence(question)));
  }
}

type Lines = readonly string[] | NotUnderstood;

function described(lines: Lines): { lines: string; isUnderstood: boolean } {
  if ('kind' in lines) return { lines: describeReading(lines, { now: new Date(0) }), isUnderstood: false };
  return { lines: lines.join('\n'), isUnderstood: true };
}

function momentLines(reading: MomentsReading, question: Question): Lines {
  const format = ({ moment, notes }: NamedMoment): string =>
    [formatMoment(moment, question), ...notes].join(' · ');
  switch (reading.kind) {
    case 'understood':
      return [...reading.moments.map(format), ...reading.notes];
    case 'ambiguous':
      return [
        'Which ones?',
        ...reading.candidates.map((list) => `  ${list.map(format).join(' | ')}`),
        ...reading.notes,
      ];
    case 'faulty':
      return [
        ...reading.moments.map(format),
        ...reading.faults.map((fault) => `“${fault.words}”: ${describeReading(fault.reading, question)}`),
        ...reading.notes,
      ];
    case 'not-understood':
      return reading;
  }
}

function rangeLines(reading: RangeReading): Lines {
  if (reading.kind === 'not-understood') return reading;
  if (reading.kind === 'understood') return [reading.text, ...reading.notes];
  return ['Which one?', ...reading.candidates.map(({ text }) => `  ${text}`), ...reading.notes];
}

function recurrenceLines(reading: RecurrenceReading): Lines {
  if (reading.kind === 'not-understood') return reading;
  if (reading.kind === 'understood') return [renderRecurrence(reading.recurrence), ...reading.notes];
  return ['Which one?', ...reading.candidates.map((each) => `  ${renderRecurrence(each)}`), ...reading.notes];
}
