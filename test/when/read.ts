import type { Moment, MomentReading } from '../../src/when/moment.ts';
import { understandMoment } from '../../src/when/understand-moment.ts';
import { wallClockAt } from '../../src/when/zones/wall-clock.ts';

/** Friday 20 November 2026, 11:15 in Berlin. */
export const FRIDAY = new Date('2026-11-20T10:15:00Z');

interface At {
  now?: Date;
  zone?: string;
  locale?: string;
}

export function read(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-US' }: At = {},
): MomentReading {
  return understandMoment({ text, now, zone, locale });
}

/** A reading in one line: its kind, then each moment as its own clock shows it, "2026-11-21 09:00 Europe/Berlin". */
export function brief(text: string, at: At = {}): string {
  const reading = read(text, at);
  switch (reading.kind) {
    case 'understood':
    case 'shifted':
      return `${reading.kind}: ${wall(reading.moment)}`;
    case 'ambiguous':
      return `ambiguous: ${reading.candidates.map(wall).join(' | ')}`;
    case 'past':
      return `past: ${wall(reading.moment)}${reading.suggestion ? ` → ${wall(reading.suggestion)}` : ''}`;
    case 'not-understood':
      return `not-understood: ${reading.unparsedText}`;
  }
}

function wall({ instant, zone }: Moment): string {
  const shown = new Date(wallClockAt(instant.getTime(), zone)).toISOString();
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)}${zone === 'Europe/Berlin' ? '' : ` ${zone}`}`;
}
