import { allMatches } from '../grammar/word-edges.ts';
import { type FoundZone, findAbbreviation, findPlaceName, findUtcOffset } from './find-zones.ts';

const TIME =
  /(?<![\p{L}\p{N}:.,-]|\d\s?\/)(?:noon|midday|midnight|\d{1,2}(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m?\b\.?|h\b|uhr\b)?)/giu;

/** What people write between two clocks: "4pm ET / 1pm PT", "16:00 CET (10:00 ET)". */
const SEPARATOR = /^\s*[)\]]?\s*(?:[/|=,;([]|aka|i\.?e\.?)\s*$/i;

/** Characters after a time in which its zone is looked for. */
const MAX_ZONE_DISTANCE = 40;

interface Clock {
  start: number;
  end: number;
  zone: string;
}

/**
 * The text once for each clock of "4pm ET / 1pm PT thursday": with that clock and without the others. Empty unless
 * there are several, in different zones, next to each other.
 */
export function splitClocks(text: string): readonly string[] {
  const clocks = allMatches(text, TIME)
    .map((match) => clockAt(text, match))
    .filter((clock) => clock !== undefined);
  const [first] = clocks;
  const last = clocks.at(-1);
  if (first === undefined || last === undefined || new Set(clocks.map(({ zone }) => zone)).size < 2)
    return [];
  const isList = clocks
    .slice(1)
    .every((clock, index) => SEPARATOR.test(text.slice(clocks[index]?.end, clock.start)));
  if (!isList) return [];
  const before = text.slice(0, first.start);
  const after = text.slice(last.end).replace(/^\s*[)\]]/, '');
  return clocks.map(({ start, end }) => `${before} ${text.slice(start, end)} ${after}`);
}

/** The time with the zone that follows it; undefined without one. */
function clockAt(text: string, match: RegExpExecArray): Clock | undefined {
  const start = match.index;
  const timeEnd = start + match[0].trimEnd().length;
  const [next = ''] = text
    .slice(timeEnd, timeEnd + MAX_ZONE_DISTANCE)
    .split(/[/|=,;()[\]]|\d(?<!(?:UTC|GMT)\s?[+-].?\d)/i);
  const clock = text.slice(start, timeEnd) + next;
  const isNext = ({ start: at }: FoundZone) => clock.slice(timeEnd - start, at).trim() === '';
  const found =
    findUtcOffset(clock) ?? findAbbreviation(clock, false, isNext) ?? findPlaceName(clock, isNext);
  const [meaning] = found?.meanings ?? [];
  return (
    found && meaning && { start, end: start + found.end, zone: `${meaning.zone} ${meaning.offset ?? ''}` }
  );
}
