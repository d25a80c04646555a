import { DAY_MS } from '../../durations.ts';
import { parsePlatform, renderPlatformNames } from '../../posts/platforms.ts';
import { type Blackout, type PostingTimes, renderBlackoutDays } from '../../preferences/posting-times.ts';
import { sanitizeLine } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { understandRange } from '../../when/range.ts';
import {
  nextOccurrence,
  occurrencesOf,
  renderRecurrence,
  understandRecurrence,
} from '../../when/recurrence.ts';
import type { KnownDateOrder } from '../../when/when.ts';
import { dependsOnZone, wallClockAt } from '../../when/zones.ts';
import { clip, renderCount } from '../../words.ts';

/** How the words of a line are read. `zone`: an IANA name, for times without one; undefined if it isn't known. */
interface Reader {
  now: Date;
  zone: string | undefined;
  locale?: string | undefined;
  dateOrder?: KnownDateOrder | undefined;
}

/** The lines of a field as values, or what is wrong with one of them, with an example (plain text). */
type ParsedLines<Value> = { kind: 'values'; values: Value[] } | { kind: 'fault'; fault: string };

export const POSTING_TIMES_EXAMPLE = 'LinkedIn: weekdays 9:00, 16:30';
export const BLACKOUTS_EXAMPLE = '24–26 Dec: Christmas';

/** Maximum lines of each field, posting times in a week, and days of a blackout. Our own limits. */
const MAX_LINES = 40;
const MAX_TIMES_PER_WEEK = 24 * 7;
const MAX_BLACKOUT_DAYS = 366;
const MAX_NAME_LENGTH = 60;
const MAX_QUOTE_LENGTH = 60;

/**
 * Parses posting times, a line for each platform or for several: "LinkedIn: weekdays 9:00, 16:30". In a line, the times
 * after a semicolon are for the platforms before it: "LinkedIn: weekdays 9:00; weekends 11:00".
 */
export function parsePostingTimes(text: string, reader: Reader): ParsedLines<PostingTimes> {
  const example = `${POSTING_TIMES_EXAMPLE}${reader.zone === undefined ? ' in Berlin' : ''}`;
  const lines = text.split('\n').map(repeatPlatforms).join('\n');
  const parsed = parseLines(lines, example, (line) => parseTimesLine(line, reader), renderPostingTimes);
  if (parsed.kind === 'fault') return parsed;
  const week = { after: reader.now, until: new Date(reader.now.getTime() + 7 * DAY_MS) };
  const counts = parsed.values.map(({ recurrence }) => occurrencesOf(recurrence, week).length);
  return counts.reduce((sum, count) => sum + count, 0) > MAX_TIMES_PER_WEEK
    ? { kind: 'fault', fault: `At most ${MAX_TIMES_PER_WEEK} posting times a week.` }
    : parsed;
}

/** Parses blackout days, a line for each: "24–26 Dec: Christmas". */
export function parseBlackouts(text: string, reader: Reader): ParsedLines<Blackout> {
  return parseLines(text, BLACKOUTS_EXAMPLE, (line) => parseBlackoutLine(line, reader), renderBlackoutLine);
}

function parseLines<Value>(
  text: string,
  example: string,
  parseLine: (line: string) => Value | string,
  render: (value: Value) => string,
): ParsedLines<Value> {
  const lines = text
    .split(/[\n;]/)
    .map((line) => sanitizeLine(line).trim())
    .filter((line) => line !== '');
  if (lines.length > MAX_LINES) return { kind: 'fault', fault: `At most ${MAX_LINES} lines.` };
  const values: Value[] = [];
  for (const line of lines) {
    const value = parseLine(line);
    if (typeof value === 'string')
      return { kind: 'fault', fault: `${quote(line)}: ${value} Write it like “${example}”.` };
    values.push(value);
  }
  // The form shows the lines in full the next time.
  const excess = values.map(render).join('\n').length - LIMITS.inputText;
  if (excess > 0)
    return {
      kind: 'fault',
      fault: `Written out, these lines are ${renderCount(excess, 'character')} too long.`,
    };
  return { kind: 'values', values };
}

function repeatPlatforms(line: string): string {
  let platforms = '';
  const parts = line.split(';').map((part) => {
    const [own] = /^\D*?:/.exec(part) ?? [];
    platforms = own ?? platforms;
    const isWhole = own !== undefined || startsWithPlatform(part) || part.trim() === '';
    return isWhole ? part : `${platforms} ${part}`;
  });
  return parts.join(';');
}

function startsWithPlatform(line: string): boolean {
  return parsePlatform(line.trim().split(/[\s,]/)[0] ?? '') !== undefined;
}

function quote(text: string): string {
  return `“${clip(text, MAX_QUOTE_LENGTH)}”`;
}

function parseTimesLine(line: string, { zone, ...reader }: Reader): PostingTimes | string {
  // The colon of a time follows a digit.
  const [, names, words = line] = /^(\D*?):\s*(.*)$/.exec(line) ?? [];
  if (names === undefined && startsWithPlatform(line) && !/^all\b/i.test(line))
    return 'I need a colon after the platform.';
  const platforms = names === undefined ? [] : parseNames(names);
  if (typeof platforms === 'string') return platforms;
  const reading = understandRecurrence({ text: words, zone: zone ?? 'UTC', ...reader });
  switch (reading.kind) {
    case 'not-understood':
      return `I don’t understand ${quote(words)} as days and times.`;
    case 'ambiguous':
      return `This can be ${reading.candidates.slice(0, 3).map(renderRecurrence).join(', or ')}.`;
    case 'understood': {
      const zoneOfTimes = reading.recurrence.zone ?? zone;
      return zoneOfTimes === undefined
        ? 'I don’t know your time zone, so I need one here.'
        : { platforms, recurrence: { ...reading.recurrence, zone: zoneOfTimes } };
    }
  }
}

/** Parses "LinkedIn and X". An empty list stands for all platforms. */
function parseNames(names: string): string[] | string {
  const words = names
    .replaceAll(/\b(linked|tik|you|face)\s+(in|tok|tube|book)\b/gi, '$1$2')
    .split(/[\s,&+/]+|\band\b|\bund\b/i)
    .filter((word) => word !== '' && !/^(?:and|und|platforms?)$/i.test(word));
  const platforms = words.map(parsePlatform);
  const unknown = words[platforms.indexOf(undefined)];
  if (unknown !== undefined) return `I don’t know the platform ${quote(unknown)}.`;
  if (platforms.includes('all')) return [];
  return [...new Set(platforms.flatMap((platform) => platform ?? []))];
}

/** Days have no zone. It only says which day it is now, so an unknown one doesn't matter to most dates. */
function parseBlackoutLine(line: string, reader: Reader): Blackout | string {
  const parseIn = (zone: string) => parseBlackoutIn(line, { ...reader, zone });
  const listDays = (zone: string) => {
    const blackout = parseIn(zone);
    return typeof blackout === 'string' ? [] : [`${blackout.from} ${blackout.to}`];
  };
  if (reader.zone === undefined && dependsOnZone(listDays))
    return 'I don’t know your time zone, so I need dates here.';
  return parseIn(reader.zone ?? 'UTC');
}

function parseBlackoutIn(line: string, reader: Reader & { zone: string }): Blackout | string {
  const { now } = reader;
  const [, days = line, name = ''] =
    /^(.*?)(?::\s+|:(?!\d)|(?<!\s)\s+[-–—]\s+(?=\p{L}+$))(.*)$/u.exec(line) ?? [];
  const reading = understandRange({ ...reader, text: days, isAhead: true });
  if (reading.kind === 'not-understood') return `I don’t understand ${quote(days)} as days.`;
  if (reading.kind === 'ambiguous')
    return `This can be ${reading.candidates
      .slice(0, 3)
      .map((candidate) => candidate.text)
      .join(', or ')}.`;
  const { from, to } = reading.range;
  if (!from || !to) return 'It needs a first and a last day.';
  if (to.getTime() - from.getTime() > MAX_BLACKOUT_DAYS * DAY_MS)
    return `These are more than ${MAX_BLACKOUT_DAYS} days.`;
  const toDate = (instant: Date) =>
    new Date(wallClockAt(instant.getTime(), reading.range.zone)).toISOString().slice(0, 10);
  const blackout = { from: toDate(from), to: toDate(to), name: clip(name.trim(), MAX_NAME_LENGTH) };
  return hasPassed(blackout, now) ? 'These days have passed.' : blackout;
}

/** Whether the days have passed in every zone. */
function hasPassed({ to }: Blackout, now: Date): boolean {
  return to < new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
}

/** Renders the lines of the field. Times that have ended can't be read again, so they are left out. */
export function renderTimesLines(postingTimes: readonly PostingTimes[], now: Date): string {
  return postingTimes
    .filter(({ recurrence }) => nextOccurrence(recurrence, now) !== undefined)
    .map(renderPostingTimes)
    .join('\n');
}

/** Renders the lines of the field, without days that have passed. */
export function renderBlackoutLines(blackouts: readonly Blackout[], now: Date): string {
  return blackouts
    .filter((blackout) => !hasPassed(blackout, now))
    .map(renderBlackoutLine)
    .join('\n');
}

/** Renders posting times as the field reads them: "LinkedIn and X: weekdays at 09:00 (Lisbon)". Plain text. */
export function renderPostingTimes({ platforms, recurrence }: PostingTimes): string {
  return `${platforms.length === 0 ? 'All' : renderPlatformNames(platforms)}: ${renderRecurrence(recurrence)}`;
}

/** Renders a blackout as the field reads it: "24 Dec 2026 to 26 Dec 2026: Christmas". Plain text. */
export function renderBlackoutLine(blackout: Blackout): string {
  const days = renderBlackoutDays(blackout, { hasYear: true });
  return blackout.name === '' ? days : `${days}: ${blackout.name}`;
}
