import {
  type MomentsReading,
  type NamedMoment,
  understandMoments,
} from '../../../src/when/readings/moments/understand-moments.ts';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { renderRecurrence } from '../../../src/when/readings/recurrences/recurrence.ts';
import { understandRecurrence } from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { wallClockAt } from '../../../src/when/zones/wall-clock.ts';
import { FRIDAY } from '../read.ts';

interface ReadingContext {
  now?: Date;
  zone?: string;
  locale?: string;
}

/** Returns the text of a recurrence, the texts of its candidates, or "no". */
export function renderRecurrenceReading(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-GB' }: ReadingContext = {},
): string {
  const reading = understandRecurrence({ text, now, zone, locale });
  if (reading.kind === 'not-understood') return 'no';
  if (reading.kind === 'understood') return renderRecurrence(reading.recurrence);
  return reading.candidates.map(renderRecurrence).join(' | ');
}

/** Returns the text of a range, the texts of its candidates, or "no". Berlin is omitted. */
export function renderRangeReading(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-GB' }: ReadingContext = {},
): string {
  const reading = understandRange({ text, now, zone, locale });
  const omitBerlin = (rangeText: string): string => rangeText.replace(' (Berlin)', '');
  if (reading.kind === 'not-understood') return 'no';
  if (reading.kind === 'understood') return omitBerlin(reading.text);
  return reading.candidates.map((candidate) => omitBerlin(candidate.text)).join(' | ');
}

export function readMoments(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-GB' }: ReadingContext = {},
): MomentsReading {
  return understandMoments({ text, now, zone, locale });
}

/** Returns local times, with " | " between candidates and refused parts in brackets. */
export function renderMomentsReading(text: string, context: ReadingContext = {}): string {
  const reading = readMoments(text, context);
  switch (reading.kind) {
    case 'understood':
      return formatMoments(reading.moments);
    case 'ambiguous':
      return reading.candidates.map(formatMoments).join(' | ');
    case 'faulty':
      return [
        formatMoments(reading.moments),
        ...reading.faults.map((fault) => `[${fault.words}: ${fault.reading.kind}]`),
      ].join(' ');
    case 'not-understood':
      return 'no';
  }
}

function formatMoments(moments: readonly NamedMoment[]): string {
  return moments.map(({ moment: { instant, zone } }) => formatLocalTime(instant, zone)).join(', ');
}

function formatLocalTime(instant: Date, zone: string): string {
  const localTime = new Date(wallClockAt(instant.getTime(), zone)).toISOString();
  const place = zone === 'Europe/Berlin' ? '' : ` ${zone}`;
  return `${localTime.slice(5, 10)} ${localTime.slice(11, 16)}${place}`;
}
