import type { MomentsReading, NamedMoment } from '../../../src/when/readings/moments/moments.ts';
import { understandMoments } from '../../../src/when/readings/moments/understand-moments.ts';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { renderRecurrence } from '../../../src/when/readings/recurrences/render-recurrence.ts';
import { understandRecurrence } from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { wallClockAt } from '../../../src/when/zones/wall-clock.ts';
import { FRIDAY } from '../read.ts';

interface At {
  now?: Date;
  zone?: string;
  locale?: string;
}

/** What a recurrence was read as, in a line: said, both sayings of an ambiguous one, or "no". */
export function repeats(text: string, locale = 'en-GB'): string {
  const reading = understandRecurrence({ text, locale });
  if (reading.kind === 'not-understood') return 'no';
  if (reading.kind === 'understood') return renderRecurrence(reading.recurrence);
  return reading.candidates.map(renderRecurrence).join(' | ');
}

/** The same for a range, without its zone where that is Berlin. */
export function stretch(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-GB' }: At = {},
): string {
  const reading = understandRange({ text, now, zone, locale });
  const home = (said: string): string => said.replace(' (Berlin)', '');
  if (reading.kind === 'not-understood') return 'no';
  if (reading.kind === 'understood') return home(reading.text);
  return reading.candidates.map((candidate) => home(candidate.text)).join(' | ');
}

export function readList(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-GB' }: At = {},
): MomentsReading {
  return understandMoments({ text, now, zone, locale });
}

/** The moments as their own clocks show them; lists to choose from parted by a bar, faults in brackets. */
export function list(text: string, at: At = {}): string {
  const reading = readList(text, at);
  switch (reading.kind) {
    case 'understood':
      return walls(reading.moments);
    case 'ambiguous':
      return reading.candidates.map(walls).join(' | ');
    case 'faulty':
      return [
        walls(reading.moments),
        ...reading.faults.map((fault) => `[${fault.words}: ${fault.reading.kind}]`),
      ].join(' ');
    case 'not-understood':
      return 'no';
  }
}

function walls(moments: readonly NamedMoment[]): string {
  return moments.map(({ moment: { instant, zone } }) => wall(instant, zone)).join(', ');
}

function wall(instant: Date, zone: string): string {
  const shown = new Date(wallClockAt(instant.getTime(), zone)).toISOString();
  const place = zone === 'Europe/Berlin' ? '' : ` ${zone}`;
  return `${shown.slice(5, 10)} ${shown.slice(11, 16)}${place}`;
}
