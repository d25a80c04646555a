import { expect, test } from 'vitest';
import type { Moment, MomentReading } from '../../src/when/moment.ts';
import { understandMoment } from '../../src/when/understand-moment.ts';
import { wallClockAt } from '../../src/when/zones/wall-clock.ts';

/** Friday 20 November 2026, 11:15 in Berlin. */
export const FRIDAY = new Date('2026-11-20T10:15:00Z');

interface ReadingContext {
  now?: Date;
  zone?: string;
  locale?: string;
}

export function read(
  text: string,
  { now = FRIDAY, zone = 'Europe/Berlin', locale = 'en-US' }: ReadingContext = {},
): MomentReading {
  return understandMoment({ text, now, zone, locale });
}

/** Returns the kind of a reading and its local times, without Berlin: "understood: 2026-11-21 09:00 Asia/Tokyo". */
export function summarize(text: string, context: ReadingContext = {}): string {
  const reading = read(text, context);
  switch (reading.kind) {
    case 'understood':
    case 'now':
    case 'shifted':
      return `${reading.kind}: ${formatWallTime(reading.moment)}`;
    case 'ambiguous':
      return `ambiguous: ${reading.candidates.map(formatWallTime).join(' | ')}`;
    case 'past':
      return `past: ${formatWallTime(reading.moment)}${reading.suggestion ? ` → ${formatWallTime(reading.suggestion)}` : ''}`;
    case 'not-understood':
      return `not-understood: ${reading.unparsedText}`;
  }
}

/** Lists the phrases of a text, which are separated by bars or lines. */
export const listPhrases = (text: string): readonly string[] => text.trim().split(/\s*[|\n]\s*/);

/** Tests how each text is read. Without a kind, each expected text begins with its kind. */
export function testReadings(
  title: string,
  { kind, ...context }: ReadingContext & { kind?: MomentReading['kind'] },
  rows: readonly (readonly [text: string, expected: string])[],
): void {
  test.each(rows)(title, (text, expected) => {
    expect(summarize(text, context)).toBe(kind === undefined ? expected : `${kind}: ${expected}`);
  });
}

function formatWallTime({ instant, zone }: Moment): string {
  const wallTime = new Date(wallClockAt(instant.getTime(), zone)).toISOString();
  return `${wallTime.slice(0, 10)} ${wallTime.slice(11, 16)}${zone === 'Europe/Berlin' ? '' : ` ${zone}`}`;
}
