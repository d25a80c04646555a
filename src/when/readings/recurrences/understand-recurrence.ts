import { readWithinLimits } from '../../limits.ts';
import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { offsetAt } from '../../zones/wall-clock.ts';
import type { AbbreviatedZone } from '../../zones/zone-abbreviations.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import { zoneName } from '../../zones.ts';
import { correctText, prepareText } from '../question.ts';
import {
  anywhere,
  perLanguage,
  plainLetters,
  type ReadingLexicon,
  readingLexicons,
} from '../words/reading-lexicon.ts';
import type { Recurrence, RecurrenceReading } from './recurrence.ts';
import { repeatedDays } from './repeated-days.ts';
import { repeatedTimes } from './repeated-times.ts';

interface RecurrenceWords {
  text: string;
  /** BCP 47, such as "de-DE": the language that is tried before English. Without it, as in en-US. */
  locale?: string;
}

const POSSIBLE = 'Use weekdays and one time a day.';

const tooRare = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.tooRare));
const part = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.everyPart));

/** The days of the week and the time that words mean, or what to ask, or why not. Never throws for any text. */
export function understandRecurrence({ text, locale = 'en-US' }: RecurrenceWords): RecurrenceReading {
  const examples = readingLexicons(locale)[0]?.words.examples.recurrences ?? [];
  const tooLong = (reason: string) => ({ ...notUnderstood('', reason), examples });
  return readWithinLimits({ text, tooLong }, () => readRecurrence(text, locale, examples));
}

function readRecurrence(text: string, locale: string, examples: readonly string[]): RecurrenceReading {
  const prepared = prepareText(text, locale);
  const reading = readPrepared(prepared, locale);
  if (reading.kind !== 'not-understood') return reading;
  const corrected = correctText(prepared, locale);
  const meant = corrected === undefined ? reading : readPrepared(corrected.text, locale);
  if (meant.kind === 'not-understood') return { ...reading, examples };
  return { ...meant, notes: [...(corrected?.notes ?? []), ...meant.notes] };
}

function readPrepared(prepared: string, locale: string): RecurrenceReading {
  const { rest, meanings } = findZoneWords(prepared, locale);
  const zones = zonesMeant(meanings);
  if (zones === undefined) return notUnderstood('', 'No time zone keeps that offset all year.');
  let refusal: NotUnderstood | undefined;
  for (const lexicon of readingLexicons(locale)) {
    const reading = readIn(lexicon, plainLetters(rest), locale, zones);
    if (reading.kind !== 'not-understood') return reading;
    refusal ??= reading;
  }
  return refusal ?? notUnderstood(prepared, POSSIBLE);
}

interface Zones {
  zones: readonly (string | undefined)[];
  notes: readonly string[];
}

/** A clock all year: "PST" is that of Los Angeles in summer too. Undefined for an offset that no zone keeps. */
function zonesMeant(meanings: readonly AbbreviatedZone[]): Zones | undefined {
  if (meanings.some(({ zone, offset = 0 }) => zone === 'Etc/UTC' && offset !== 0)) return undefined;
  const zones = meanings.length === 0 ? [undefined] : [...new Set(meanings.map(({ zone }) => zone))];
  const notes = meanings
    .filter(({ zone, offset }) => offset !== undefined && changesItsClock(zone))
    .map(({ zone }) => `The clock of ${zoneName(zone)}, in summer and in winter.`);
  return { zones, notes };
}

function changesItsClock(zone: string): boolean {
  return offsetAt(Date.UTC(2026, 0, 1), zone) !== offsetAt(Date.UTC(2026, 6, 1), zone);
}

function readIn(
  lexicon: ReadingLexicon,
  text: string,
  locale: string,
  { zones, notes }: Zones,
): RecurrenceReading {
  const rare = tooRare(lexicon).exec(text);
  if (rare !== null) return notUnderstood(rare[0], `That can’t repeat. ${POSSIBLE}`);
  const named = repeatedDays(text, lexicon);
  if (named === undefined) return notUnderstood(text, `I found no repeating day. ${POSSIBLE}`);
  if (named.days.length === 0) return notUnderstood(text, 'No weekday is left.');
  const times = repeatedTimes(named.rest.replace(part(lexicon), ' '), locale);
  if (times.kind === 'not-understood')
    return notUnderstood(times.unparsedText, `I didn’t understand every word. ${POSSIBLE}`);
  if (named.needsPart && !times.hasPart) return notUnderstood(text, `I found no repeating day. ${POSSIBLE}`);
  const candidates = zones.flatMap((zone) =>
    times.minutes.map((minute) => recurrence(named.days, minute, zone)),
  );
  const all = [...notes, ...times.notes];
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1)
    return { kind: 'understood', recurrence: only, notes: all };
  return { kind: 'ambiguous', candidates, notes: all };
}

function recurrence(days: readonly number[], minuteOfDay: number, zone: string | undefined): Recurrence {
  const time = { hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 };
  return zone === undefined ? { days, time } : { days, time, zone };
}
