import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePhraseTables } from '../../src/start/generated-files.ts';
import { formatMoment } from '../../src/when/format-moment.ts';
import { understandRange } from '../../src/when/range.ts';
import { renderRecurrence, understandRecurrence } from '../../src/when/recurrence.ts';
import {
  type Moment,
  type MomentReading,
  type MomentsReading,
  notesOf,
  type Question,
  understandMoment,
  understandMoments,
} from '../../src/when/when.ts';
import { FRIDAY } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

/** The phrases that the README of `when` shows. `npm run generate` copies a change into the README. */
const tables = parsePhraseTables(readFileSync(new URL('phrase-tables.json', import.meta.url), 'utf8'));

type ReadingKind = (typeof tables)[number]['as'];

describe.each(tables)('the table “$title” in the README is true', ({ as, phrases }) => {
  test.each(phrases)('%s: %s', (locale, text, answer) => {
    expect(renderAnswer(as, text, locale)).toBe(answer);
  });
});

/** Returns the answer as the README shows it, without Berlin. */
function renderAnswer(as: ReadingKind, text: string, locale: string): string {
  const question = { text, now: FRIDAY, zone: 'Europe/Berlin', locale };
  return render(as, question).replaceAll(' (Berlin)', '');
}

function render(as: ReadingKind, question: Question): string {
  switch (as) {
    case 'moment':
      return renderMomentReading(understandMoment(question));
    case 'moments':
      return renderMomentsReading(understandMoments(question));
    case 'range': {
      const reading = understandRange(question);
      if (reading.kind === 'not-understood') return `Refused: ${reading.reason}`;
      if (reading.kind === 'understood') return reading.text;
      return renderQuestion(reading.candidates.map((candidate) => candidate.text));
    }
    case 'recurrence': {
      const reading = understandRecurrence(question);
      if (reading.kind === 'not-understood') return `Refused: ${reading.reason}`;
      if (reading.kind === 'understood') return renderRecurrence(reading.recurrence);
      return renderQuestion(reading.candidates.map(renderRecurrence));
    }
  }
}

function renderMomentReading(reading: MomentReading): string {
  switch (reading.kind) {
    case 'understood':
      return format(reading.moment);
    case 'now':
      return `Now: ${format(reading.moment)}`;
    case 'shifted':
      return `${format(reading.moment)}. ${notesOf(reading).join(' ')}`;
    case 'ambiguous':
      return renderQuestion(reading.candidates.map(format));
    case 'past':
      return `Refused: ${format(reading.moment)} has passed.${renderSuggestion(reading.suggestion)}`;
    case 'not-understood':
      return `Refused: ${reading.reason}${renderSuggestion(reading.suggestion)}`;
  }
}

function renderMomentsReading(reading: MomentsReading): string {
  const list = (moments: readonly { moment: Moment }[]) =>
    moments.map(({ moment }) => format(moment)).join('; ');
  switch (reading.kind) {
    case 'understood':
      return list(reading.moments);
    case 'ambiguous':
      return renderQuestion(reading.candidates.map(list));
    case 'faulty':
      return [
        list(reading.moments),
        ...reading.faults.map(({ words, reading: fault }) => `“${words}”: ${renderMomentReading(fault)}`),
      ].join('. ');
    case 'not-understood':
      return `Refused: ${reading.reason}`;
  }
}

function renderQuestion(candidates: readonly string[]): string {
  return `Asked: ${candidates.join(', or ')}`;
}

function renderSuggestion(suggestion: Moment | undefined): string {
  return suggestion === undefined ? '' : ` Suggested: ${format(suggestion)}`;
}

function format(moment: Moment): string {
  return formatMoment(moment, { now: FRIDAY });
}
