import { z } from 'zod';
import { type Moment, type MomentReading, momentsOf } from './moment.ts';
import { understandMoment } from './understand-moment.ts';
import { wallClockAt } from './zones/wall-clock.ts';
import { isZone } from './zones.ts';

/** What each kind of reading is called in the line protocol, which other parsers of the comparison answer too. */
const KINDS: Readonly<Record<MomentReading['kind'], string>> = {
  understood: 'ok',
  now: 'ok',
  ambiguous: 'ambiguous',
  shifted: 'gap-shifted',
  past: 'past',
  'not-understood': 'unparseable',
};

const question = z.object({
  id: z.unknown(),
  text: z.string(),
  reference: z.string().refine((time) => !Number.isNaN(Date.parse(time)), 'is no time'),
  zone: z.string().refine(isZone, 'is no time zone').default('Etc/UTC'),
  locale: z.string().refine(isLocale, 'is no locale').default('en'),
});

/**
 * Answers {"id", "text", "reference", "zone", "locale"} with {"id", "kind", "candidates": [{"instant", "wall", "zone"}]}.
 * Answers a line that is no such question with {"id", "error"}.
 */
export function answerLine(line: string): string {
  const parsed = parseJson(line);
  const asked = question.safeParse(parsed);
  if (!asked.success) {
    const [issue] = asked.error.issues;
    const id = z.object({ id: z.unknown() }).safeParse(parsed).data?.id;
    return JSON.stringify({ id, error: `${issue?.path.join('.') || 'line'}: ${issue?.message}` });
  }
  const { id, text, reference, zone, locale } = asked.data;
  const reading = understandMoment({ text, now: new Date(reference), zone, locale });
  return JSON.stringify({ id, kind: KINDS[reading.kind], candidates: momentsOf(reading).map(candidate) });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Whether the name of a locale is well formed, as "de-DE" and "de_DE" are. One that isn't supported reads English. */
export function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-')).length > 0;
  } catch {
    return false;
  }
}

function candidate({ instant, zone }: Moment): { instant: string; wall: string; zone: string } {
  const wall = new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 16);
  return { instant: instant.toISOString(), wall, zone };
}
