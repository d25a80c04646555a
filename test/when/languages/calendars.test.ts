import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MomentReading } from '../../../src/when/moment.ts';
import { FRIDAY, read } from '../read.ts';

/** People copy dates out of calendars: each locale's own, by CLDR, in the four lengths that there are. */
const LOCALES = [
  ...['de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CA', 'fr-CH', 'es-ES', 'es-MX', 'es-AR'],
  ...['nl-NL', 'nl-BE', 'pt-BR', 'pt-PT', 'it-IT', 'it-CH', 'ja-JP'],
];

const MINUTES_AHEAD = 400 * 24 * 60;

function instantsOf(reading: MomentReading): readonly number[] {
  if (reading.kind === 'understood') return [reading.moment.instant.getTime()];
  return reading.kind === 'ambiguous' ? reading.candidates.map(({ instant }) => instant.getTime()) : [];
}

describe.each(LOCALES)('%s', (locale) => {
  test.each(['full', 'long', 'medium'] as const)(
    'a %s date and its time, as its calendar writes them, are that moment',
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
          expect(instantsOf(read(text, { locale })), text).toContain(instant);
        }),
        { numRuns: 100 },
      );
    },
  );
});
