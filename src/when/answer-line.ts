import { type Moment, type MomentReading, momentsOf } from './moment.ts';
import { understandMoment } from './understand-moment.ts';
import { wallClockAt } from './zones/wall-clock.ts';
import { isZone } from './zones.ts';

/** What each kind of reading is called in the line protocol, which other parsers of the comparison answer too. */
const KINDS: Readonly<Record<MomentReading['kind'], string>> = {
  understood: 'ok',
  ambiguous: 'ambiguous',
  shifted: 'gap-shifted',
  past: 'past',
  'not-understood': 'unparseable',
};

/**
 * Answers {"id", "text", "reference", "zone", "locale"} with {"id", "kind", "candidates": [{"instant", "wall", "zone"}]}.
 * Throws for a line that is no JSON; a reference or zone that is none is "unparseable".
 */
export function answerLine(line: string): string {
  const question: unknown = JSON.parse(line);
  const reading = readingOf(question);
  const kind = reading === undefined ? 'unparseable' : KINDS[reading.kind];
  const candidates = reading === undefined ? [] : momentsOf(reading).map(candidate);
  return JSON.stringify({ id: idOf(question), kind, candidates });
}

function readingOf(question: unknown): MomentReading | undefined {
  const text = field(question, 'text') ?? '';
  const now = new Date(field(question, 'reference') ?? Number.NaN);
  const zone = field(question, 'zone') ?? 'Etc/UTC';
  if (Number.isNaN(now.getTime()) || !isZone(zone)) return undefined;
  return understandMoment({ text, now, zone, locale: field(question, 'locale') ?? 'en' });
}

function field(question: unknown, name: string): string | undefined {
  if (typeof question !== 'object' || question === null) return undefined;
  const value: unknown = Reflect.get(question, name);
  return typeof value === 'string' ? value : undefined;
}

function idOf(question: unknown): unknown {
  return typeof question === 'object' && question !== null ? Reflect.get(question, 'id') : undefined;
}

function candidate({ instant, zone }: Moment): { instant: string; wall: string; zone: string } {
  const wall = new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 16);
  return { instant: instant.toISOString(), wall, zone };
}
