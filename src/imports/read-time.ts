import { DateTime } from 'luxon';
import { DAY_MS } from '../durations.ts';
import { findLeadingSlot, readSlotPhrase } from '../posts/slot-phrase.ts';
import { formatMoment } from '../when/format-moment.ts';
import {
  type DateOrder,
  type Moment,
  matchNumericDate,
  type NotUnderstood,
  NUMERIC_DATE,
  notesOf,
  type Question,
  understandMoment,
  withStepBudget,
} from '../when/when.ts';
import { formatOffsetAt, instantsShowing } from '../when/zones.ts';

export interface TimeSettings {
  /** IANA name. Times are meant in this zone, unless a cell names another. */
  zone: string;
  /** The order of the file's dates in figures, which is asked once for all of them. */
  order?: DateOrder | undefined;
  locale?: string | undefined;
  now: Date;
  /** The steps that the words of a file may still take. Defaults to no limit. */
  words?: { stepsLeft: number } | undefined;
}

/** Thrown and caught in this file alone. */
class OutOfSteps extends Error {}

type TimeReading =
  /** The first free slot from then on. */
  | { kind: 'slot'; from: Date }
  | { kind: 'moment'; instant: Date; zone: string; notes: readonly string[] }
  /** Day and month can be told apart only by somebody who knows the file. */
  | { kind: 'order' }
  /** What was understood, what wasn't, and what to write; plain text. */
  | { kind: 'problem'; problem: string };

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A time that a spreadsheet or a program writes: 9:00, 09:00:00, 9 am, 9:30 PM. */
const CLOCK = /^(\d{1,2})(?:[:.h](\d{2}))?(?:[:.](\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?\s?m\.?)?$/i;

/** "18 h", "18 h 30". */
const FRENCH_CLOCK = /^(\d{1,2})\s?h\s?(\d{2})?$/i;

/** A date with the year first, a time, and perhaps an offset from UTC. */
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T|[\s,]+)(.*?)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

const EXAMPLE = 'Write it like 2026-12-01 09:00.';
const TOO_MANY_WORDS = `There are too many times in words. ${EXAMPLE}`;

/** Reads a time, which may be in ISO 8601, the number of a spreadsheet, numbers with a year, or words. */
export function readTime(text: string, settings: TimeSettings): TimeReading {
  const dated = replaceNumericDate(replaceSerial(text.trim()), settings.order);
  if (typeof dated !== 'string') return dated;
  const slot = readSlot(dated, settings);
  if (slot) return slot;
  // "1.12" may be a date.
  if (readClock(dated) && !/^\d{1,2}\.\d{1,2}$/.test(dated)) return describeMissingDate(dated);
  return readExactTime(dated, settings) ?? readDatedWords(dated, text.trim(), settings);
}

/** Reads “3 Dec”, or else “3.12.,”, which is the same date beside the words of any language. */
function readDatedWords(dated: string, original: string, settings: TimeSettings): TimeReading {
  const reading = readWords(dated, original, settings);
  if (reading.kind !== 'not-understood') return reading;
  if (reading.code === 'past') return describePast(original);
  if (reading.code) return refuse(`“${original}”: ${reading.reason} ${EXAMPLE}`);
  const pointed = replaceNumericDate(original, settings.order, true);
  // “3/4h” is no date.
  const isDated = typeof pointed === 'string' && /\d\.,(?!\p{L})/u.test(pointed);
  const other = isDated ? readWords(pointed, original, settings) : reading;
  return other.kind === 'moment' ? other : refuse(`I don’t understand “${original}”. ${EXAMPLE}`);
}

/** Whether a cell is a time of day as a spreadsheet or a program writes it. */
export function isTimeOfDay(cell: string): boolean {
  return readClock(replaceFraction(cell)) !== undefined;
}

/** Reads the time of day that follows a numeric date in the same cell. */
export function readOwnClock(cell: string): ReturnType<typeof readClock> {
  const text = replaceSerial(cell);
  const [date] = NUMERIC_DATE.exec(text) ?? [];
  return readClock(ISO.exec(text)?.[4] ?? (date === undefined ? '' : text.replace(date, '').trim()));
}

/** A date with the name of its month and a year. */
const NAMED_DATE = /^\P{L}*\p{L}.*\b20\d{2}\b/u;

/** The time that programs write after a date without one: "2026-12-01 00:00:00", "12/1/2026 12:00 AM". */
const MIDNIGHT = /(?<![T ])[T ]+(?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)?\s?AM)$/i;

/** The day before which they count, or the next one, which they write before a time without a date. */
const FIRST_DAY =
  /^(?:1899-12-3[01]|1900-01-0[01]|12\/3[01]\/1899|0?1\/0?[01]\/1900|3[01][./]12[./]1899|0?[01]\.0?1\.1900)[T ]+(?=[\d:.]+(?:\s?[ap]m)?$)/i;

/**
 * Joins the cells of a date and of a time. A time with a date of its own stands alone, and a date may have the same
 * time already. Spreadsheets write a date with a time of zero. "Next slot" is the first from the date on.
 */
export function joinDateAndClock(date: string, clock: string): string {
  const day = replaceSerial(date.trim());
  const time = replaceFraction(replaceSerial(clock.trim())).replace(FIRST_DAY, '');
  if (day === '' || time === '') return `${day}${time}`;
  if (ISO.test(time) || NUMERIC_DATE.test(time) || NAMED_DATE.test(time)) return time;
  const own = readOwnClock(day);
  if (own && own.join() === readClock(time)?.join()) return day;
  const plainDay = day.replace(MIDNIGHT, '');
  return findLeadingSlot(time)
    ? `${time.replace(/(?<![.!])[.!]+$/, '')} from ${plainDay}`
    : `${plainDay} ${replaceFrenchClock(time)}`;
}

/** Spreadsheets count days from 30 December 1899. These are those of the years 2000 to 2099. */
const [FIRST_SERIAL, LAST_SERIAL, EPOCH_MS] = [36_526, 73_050, Date.UTC(1899, 11, 30)];

/** Replaces the number with which a spreadsheet stores a date: 46357.375 is 2026-12-01 09:00. */
function replaceSerial(text: string): string {
  if (!/^\d{5}(?:[.,]\d+)?$/.test(text)) return text;
  const serial = Number(text.replace(',', '.'));
  if (serial < FIRST_SERIAL || serial >= LAST_SERIAL) return text;
  const iso = new Date(EPOCH_MS + Math.round(serial * 86_400) * 1_000).toISOString();
  return Number.isInteger(serial) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

/** Replaces the part of a day with which a spreadsheet stores a time: 0.375 is 09:00. */
function replaceFraction(text: string): string {
  if (!/^0?[.,]\d+$/.test(text)) return text;
  return new Date(Math.round(Number(`0.${text.split(/[.,]/)[1]}`) * 86_400) * 1_000)
    .toISOString()
    .slice(11, 19);
}

interface NumericDate {
  /** As the text has it. */
  date: string;
  day: number;
  /** The English name. Undefined if there is no such month. */
  monthName: string | undefined;
  month: number;
  /** Empty if the text has none. */
  year: string;
}

/** Finds the first date of numbers. `order`: it can be read in two orders. */
export function findNumericDate(
  text: string,
  order: DateOrder | undefined,
): NumericDate | 'order' | undefined {
  const [date, first = '', separator, second = '', year = ''] = matchNumericDate(text) ?? [];
  if (date === undefined) return undefined;
  const [one, two] = [Number(first), Number(second)];
  const isDayFirst = one > 12 || (two <= 12 && (separator === '.' || one === two || order === 'day-first'));
  if (!isDayFirst && two <= 12 && order === undefined) return 'order';
  const [day, month] = isDayFirst ? [one, two] : [two, one];
  const monthName = MONTHS[month - 1];
  return { date, day, month, monthName, year: year.length === 2 ? `20${year}` : year };
}

const refuse = (problem: string): TimeReading => ({ kind: 'problem', problem });

/** `hasPoints`: writes “3.12.,” instead of “3 Dec”. Without the comma, “3.12. 10 am” is a day of 2010. */
function replaceNumericDate(text: string, order: DateOrder | undefined, hasPoints = false) {
  const found = findNumericDate(text, order);
  if (found === 'order') return { kind: 'order' } as const;
  if (!found) return text;
  const { date, day, month, monthName, year } = found;
  if (year !== '') return text.replace(date, `${year}-${pad(month)}-${pad(day)}`);
  if (monthName === undefined) return text;
  return text.replace(date, hasPoints ? `${day}.${month}.,` : `${day} ${monthName}`);
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** Reads a whole date with a time of day, as programs write it. Undefined for anything else, such as words. */
function readExactTime(text: string, { zone, now }: TimeSettings): TimeReading | undefined {
  const [, year = '', month = '', day = '', clock = '', offset] = ISO.exec(text) ?? [];
  const time = readClock(clock);
  if (!time) return undefined;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), ...time);
  if (new Date(wall).getUTCDate() !== Number(day) || new Date(wall).getUTCMonth() !== Number(month) - 1)
    return refuse(`${year}-${pad(Number(month))}-${pad(Number(day))} doesn’t exist. ${EXAMPLE}`);
  // A range of people, such as "09:00-10:00", looks like an offset from UTC.
  if (/\s\d{1,2}:\d{2}-\d{2}:\d{2}$/.test(text)) return undefined;
  const offsetMs = readOffset(offset);
  const [instantMs, secondMs] = offsetMs === undefined ? instantsShowing(wall, zone) : [wall - offsetMs];
  // `when` says what becomes of a time that the clock skips.
  if (instantMs === undefined) return undefined;
  if (secondMs !== undefined) {
    const offsets = [instantMs, secondMs].map((ms) => formatOffsetAt(ms, zone)).join(' or ');
    return refuse(`The clock shows “${text}” twice. Add ${offsets} to it.`);
  }
  const instant = new Date(instantMs);
  return instant <= now ? describePast(text) : { kind: 'moment', instant, zone, notes: [] };
}

/** Other languages don't read “18 h” after a date in words. “02:00” isn't in the afternoon. */
function replaceFrenchClock(clock: string): string {
  return clock.replace(FRENCH_CLOCK, (_, hour, minute = '00') => `${hour}:${minute}`.padStart(5, '0'));
}

function readClock(clock: string): [hours: number, minutes: number, seconds: number] | undefined {
  const [match, hours = '', minutes, seconds, half] = CLOCK.exec(replaceFrenchClock(clock)) ?? [];
  // A bare number isn't a time.
  if (match === undefined || (minutes === undefined && half === undefined)) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  if (minute > 59 || second > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12)))
    return undefined;
  const isAfternoon = half?.toLowerCase() === 'p';
  return [half === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0), minute, second];
}

function readOffset(offset: string | undefined): number | undefined {
  if (offset === undefined) return undefined;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A row without a date isn't for today, because its date may be in a merged cell above. */
function describeMissingDate(text: string): TimeReading {
  return refuse(`“${text}” has no date. ${EXAMPLE}`);
}

function describePast(text: string): TimeReading {
  return refuse(`“${text}” has passed. Write a later time.`);
}

/** Reads "next slot". Undefined for any other time. */
function readSlot(text: string, settings: TimeSettings): TimeReading | undefined {
  if (!findLeadingSlot(text)) return undefined;
  const { zone, now, locale } = settings;
  const phrase = readInBudget(settings, () => readSlotPhrase(text, { zone, now, locale }));
  if (!phrase) return refuse(TOO_MANY_WORDS);
  return 'problem' in phrase ? refuse(phrase.problem) : { kind: 'slot', from: phrase.from };
}

/** Reads words with a step budget of their own, because those of a request are for a single line. */
function readInBudget<Reading>({ words }: TimeSettings, read: () => Reading): Reading | undefined {
  const charge = (steps: number) => {
    if (!words) return;
    words.stepsLeft -= steps;
    if (words.stepsLeft < 0) throw new OutOfSteps();
  };
  try {
    return withStepBudget(read, charge);
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

function readWords(text: string, original: string, settings: TimeSettings): TimeReading | NotUnderstood {
  const { now, zone, locale } = settings;
  const question = { text, zone, now, locale };
  const reading = readInBudget(settings, () => understandMoment(question));
  if (!reading) return refuse(TOO_MANY_WORDS);
  switch (reading.kind) {
    case 'understood':
    case 'shifted': {
      if (namesNoDay(reading.moment, question, settings)) return describeMissingDate(original);
      const notes = notesOf(reading);
      // The time is 9:00 of today, for example, and was read as 21:00 because it has passed.
      const isEvening = notes.some((note) => /^Read as (?:19|2\d):\d\d, not /.test(note));
      if (isEvening && reading.moment.instant.getTime() - now.getTime() < DAY_MS / 2)
        return describePast(original);
      const passedYear = findPassedYear(reading.moment, question, settings);
      const { year } = DateTime.fromJSDate(now, { zone });
      if (passedYear === year)
        return refuse(`“${original}” has passed this year. Write a later time, or its year too.`);
      // In January, a day of December is this year's.
      const isUntold = passedYear !== undefined && !notes.join().includes(`${year}`);
      const yearNotes = isUntold ? [`No year given: ${year}.`] : [];
      return { kind: 'moment', ...reading.moment, notes: [...notes, ...yearNotes] };
    }
    case 'now':
      return refuse(`“${original}” is now. Write a later time.`);
    case 'past':
      return describePast(original);
    case 'ambiguous': {
      const names = reading.candidates.slice(0, 3).map((moment) => formatMoment(moment, { now }));
      return refuse(`“${original}” can be ${names.join(' or ')}. ${EXAMPLE}`);
    }
    case 'not-understood':
      return reading;
  }
}

/** Whether a phrase is a time of day alone. It can then be read with a date, and is otherwise within a day from now. */
function namesNoDay({ instant }: Moment, question: Question, settings: TimeSettings): boolean {
  if (instant.getTime() - question.now.getTime() > DAY_MS) return false;
  const text = `2099-03-03 ${question.text}`;
  return readInBudget(settings, () => understandMoment({ ...question, text }))?.kind === 'understood';
}

/** How long ago the first dates of a plan can be, in milliseconds. Without a year, they aren't next year's. */
const LATELY_MS = 60 * DAY_MS;

/** The year of the same date without a year, if that has passed lately. */
function findPassedYear({ instant }: Moment, question: Question, settings: TimeSettings): number | undefined {
  const nowMs = question.now.getTime();
  if (instant.getTime() - nowMs < 365 * DAY_MS - LATELY_MS) return undefined;
  const now = new Date(nowMs - LATELY_MS - DAY_MS);
  const reading = readInBudget(settings, () => understandMoment({ ...question, now }));
  if (reading?.kind !== 'understood' || reading.moment.instant > question.now) return undefined;
  return DateTime.fromJSDate(reading.moment.instant, { zone: question.zone }).year;
}
