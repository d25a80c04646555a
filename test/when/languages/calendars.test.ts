import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MomentReading } from '../../../src/when/moment.ts';
import { FRIDAY, read } from '../read.ts';

/** People copy dates from calendars, so dates in the formats of each locale must be understood. */
const LOCALES = [
  ...['de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CA', 'fr-CH', 'es-ES', 'es-MX', 'es-AR'],
  ...['nl-NL', 'nl-BE', 'pt-BR', 'pt-PT', 'it-IT', 'it-CH', 'ja-JP'],
];

const MINUTES_AHEAD = 400 * 24 * 60;

function listInstants(reading: MomentReading): readonly number[] {
  if (reading.kind === 'understood') return [reading.moment.instant.getTime()];
  return reading.kind === 'ambiguous' ? reading.candidates.map(({ instant }) => instant.getTime()) : [];
}

describe.each(LOCALES)('%s', (locale) => {
  test.each(['full', 'long', 'medium'] as const)(
    'a %s date and time in the format of the locale is understood',
    (dateStyle) => {
      const format = new Intl.DateTimeFormat(locale, {
        dateStyle,
        timeStyle: 'short',
        timeZone: 'Europe/Berlin',
      });
      fc.assert(
        fc.property(fc.integer({ min: 1, max: MINUTES_AHEAD }), (minutes) => {
          const instant = FRIDAY.getTime() + minutes * 60_000;
          const text = format.format(instant);
          expect(listInstants(read(text, { locale })), text).toContain(instant);
        }),
        { numRuns: 100 },
      );
    },
  );
});
