import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { understandMoments } from '../../../src/when/readings/moments/understand-moments.ts';
import { findRange } from '../../../src/when/readings/ranges/find-range.ts';
import { renderRange } from '../../../src/when/readings/ranges/range.ts';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { understandRecurrence } from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { instantAfterGap, instantsShowing } from '../../../src/when/zones/wall-clock.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';
import { anyText } from '../any-text.ts';
import { FRIDAY } from '../read.ts';

const question = { now: FRIDAY, zone: 'Europe/Berlin', locale: 'en-GB' };

const WORDS =
  'every each day weekday weekdays mon wed fri monday friday and , - to from until since before after between this next last week month december 1 5 8 15 9am 17:00 noon at in on Berlin Tokyo PT IST 3 days ago hours q1 2026 weekend tomorrow except 03/04'.split(
    ' ',
  );

const anyPhrase = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 24 })
  .map((words) => words.join(' ').slice(0, 200));

const anyWords = fc.oneof(anyText, anyPhrase);

test.each(['en-US', 'de', 'ja'])(
  'in %s, no random text throws an error, and each understood reading is valid',
  (locale) => {
    fc.assert(
      fc.property(anyWords, (text) => {
        const completeQuestion = { ...question, text, locale };
        const moments = understandMoments(completeQuestion);
        if (moments.kind === 'understood') {
          const instants = moments.moments.map(({ moment }) => moment.instant.getTime());
          expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
          const upcoming = moments.moments.filter(({ isNow }) => !isNow);
          expect(upcoming.every(({ moment }) => moment.instant > FRIDAY)).toBe(true);
          expect(instants.length > 0 && instants.length <= 20).toBe(true);
        }
        const range = understandRange(completeQuestion);
        if (range.kind === 'understood') {
          const { from, to } = range.range;
          expect(from !== undefined || to !== undefined).toBe(true);
          expect(from === undefined || to === undefined || from <= to).toBe(true);
        }
        const foundRange = findRange(completeQuestion);
        if (foundRange?.kind === 'found') expect(foundRange.phrase).not.toBe('');
        const recurrence = understandRecurrence(completeQuestion);
        if (recurrence.kind === 'understood') expect(recurrence.recurrence.times.length).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  },
);

/** The slowest text takes 20 to 40 ms of CPU time. A text with too many combinations would take seconds. */
const MAX_CPU_MS = 120;

test('every random text is read quickly', () => {
  const measureReadingMs = (text: string): number => {
    const before = process.cpuUsage();
    understandMoments({ ...question, text });
    findRange({ ...question, text });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  for (const text of fc.sample(anyWords, { numRuns: 400, seed: 11 })) {
    let minMs = measureReadingMs(text);
    for (let attempt = 0; minMs > MAX_CPU_MS && attempt < 4; attempt += 1)
      minMs = Math.min(minMs, measureReadingMs(text));
    expect({ text, isSlow: minMs > MAX_CPU_MS }).toEqual({ text, isSlow: false });
  }
});

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Returns the instant of a local time. A skipped time is moved after the gap. */
function toInstant(wallTime: number, zone: string): number {
  return instantsShowing(wallTime, zone)[0] ?? instantAfterGap(wallTime, zone);
}

describe('reading a formatted range returns the same range', () => {
  const today = Math.floor(FRIDAY.getTime() / DAY_MS) * DAY_MS;
  const days = fc.tuple(fc.integer({ min: -300, max: 400 }), fc.integer({ min: 0, max: 200 }));

  test('formatted ranges of whole days are read unchanged in every zone', () => {
    fc.assert(
      fc.property(
        days,
        fc.constantFrom(...ALL_ZONES),
        fc.constantFrom('both', 'from', 'to'),
        (span, zone, ends) => {
          const first = today + span[0] * DAY_MS;
          const nextDay = first + (span[1] + 1) * DAY_MS;
          const range = {
            ...(ends === 'to' ? {} : { from: new Date(toInstant(first, zone)) }),
            ...(ends === 'from' ? {} : { to: new Date(toInstant(nextDay, zone) - 1) }),
            zone,
          };
          const text = renderRange(range, { now: FRIDAY });
          const reading = understandRange({ ...question, text });
          expect({ text, reading }).toMatchObject({ reading: { kind: 'understood', range } });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('formatted ranges whose days begin or end with a clock change are read unchanged', () => {
    const format = (from: string, to: string, zone: string) =>
      renderRange({ from: new Date(from), to: new Date(new Date(to).getTime() - 1), zone }, { now: FRIDAY });
    // Clocks are set forward at 23:00 in Scoresbysund, and at 00:00 in Santiago.
    expect(format('2027-03-26T02:00:00Z', '2027-03-28T01:00:00Z', 'America/Scoresbysund')).toBe(
      'Fri 26 Mar 2027 to Sat 27 Mar 2027 (Scoresbysund)',
    );
    expect(format('2027-09-05T04:00:00Z', '2027-09-06T03:00:00Z', 'America/Santiago')).toBe(
      'Sun 5 Sep 2027 (Santiago)',
    );
  });

  test('formatted ranges with times are read unchanged', () => {
    fc.assert(
      fc.property(days, fc.nat(1439), fc.nat(1438), (span, first, last) => {
        const zone = 'Asia/Tokyo';
        const from = today + span[0] * DAY_MS + first * MINUTE_MS;
        const to = today + (span[0] + span[1] + 1) * DAY_MS + last * MINUTE_MS;
        const range = { from: new Date(toInstant(from, zone)), to: new Date(toInstant(to, zone)), zone };
        const text = renderRange(range, { now: FRIDAY });
        const reading = understandRange({ ...question, text });
        expect({ text, reading }).toMatchObject({ reading: { kind: 'understood', range } });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the time zone of the computer', () => {
  const originalZone = process.env.TZ;
  afterAll(() => {
    if (originalZone === undefined) delete process.env.TZ;
    else process.env.TZ = originalZone;
  });

  test('the readings don’t depend on the computer’s time zone', () => {
    const readAll = (): string =>
      JSON.stringify([
        ...['mon, wed and fri 9am', 'every weekday next week at 9', '9am in Berlin, New York and Tokyo'].map(
          (text) => understandMoments({ ...question, text }),
        ),
        ...['this week', 'from monday to friday', 'last 24 hours', 'november', 'since 3 days ago'].map(
          (text) => understandRange({ ...question, text }),
        ),
      ]);
    const readingsByZone = [
      'Etc/UTC',
      'Pacific/Apia',
      'America/St_Johns',
      'Asia/Kolkata',
      'America/Santiago',
    ].map((zone) => {
      process.env.TZ = zone;
      return readAll();
    });
    expect(new Set(readingsByZone).size).toBe(1);
  });
});
