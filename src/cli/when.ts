import { createInterface } from 'node:readline';
import { z } from 'zod';
import { readLocalTime } from '../durations.ts';
import { describeAs, describeReading, READINGS } from '../start/describe-readings.ts';
import { failWithUsage, readArguments } from '../start/run.ts';
import { type Moment, type MomentReading, momentsOf, type Question, understandMoment } from '../when/when.ts';
import { findZonesByName, isZone, wallClockAt } from '../when/zones.ts';

const USAGE = `Usage: npm run when -- "PHRASE" [OPTIONS]

Shows how Upnext understands a date phrase.

  --zone ZONE       the time zone that is meant; defaults to Etc/UTC
  --now TIME        the time from which "tomorrow" counts, such as 2026-12-01T08:00:00Z; defaults to now
  --locale LOCALE   the person's language; defaults to en-US, and one that isn't supported reads English
  --as KIND         moment (default), moments, range or recurrence
  --json-lines      reads one question a line from standard input, and prints one answer or error a line

Settings: none.

Example: npm run when -- "tomorrow 9am" --zone Europe/Berlin`;

/** What each kind of reading is called in the line protocol, which other parsers of the comparison answer too. */
const KINDS: Readonly<Record<MomentReading['kind'], string>> = {
  understood: 'ok',
  now: 'ok',
  ambiguous: 'ambiguous',
  shifted: 'gap-shifted',
  past: 'past',
  'not-understood': 'unparseable',
};

const lineQuestion = z.object({
  id: z.unknown(),
  text: z.string(),
  reference: z.string().refine((time) => !Number.isNaN(Date.parse(time)), 'is no time'),
  zone: z.string().refine(isZone, 'is no time zone').default('Etc/UTC'),
  locale: z.string().refine(isLocale, 'is no locale').default('en'),
});

const OPTIONS = {
  zone: { type: 'string', default: 'Etc/UTC' },
  now: { type: 'string' },
  locale: { type: 'string', default: 'en-US' },
  as: { type: 'string', default: 'moment' },
  'json-lines': { type: 'boolean', default: false },
} as const;

process.exitCode = await run(process.argv.slice(process.argv[2] === '--' ? 3 : 2));

/** Returns the exit status: 0 if the phrase was understood, even if it is past or ambiguous; 1 if it wasn't. */
async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(USAGE, { args, options: OPTIONS, allowPositionals: true });
  if (values['json-lines']) return await answerLines();
  const now = values.now === undefined ? new Date(readLocalTime()) : new Date(values.now);
  return answerPerson(
    { text: positionals.join(' '), now, zone: readZone(values.zone), locale: values.locale },
    values.as,
  );
}

/** The zone that the option names. "IST" names several, and "nonsense" none. */
function readZone(option: string): string {
  const { zones, coversWholeText } = findZonesByName(option);
  const [zone, ...others] = zones;
  if (!coversWholeText || zone === undefined || !isZone(zone))
    failWithUsage(USAGE, `--zone ${option} is not a time zone. Example: Europe/Berlin.`);
  if (others.length > 0) failWithUsage(USAGE, `--zone ${option} can mean ${zones.join(' or ')}.`);
  return zone;
}

async function answerLines(): Promise<number> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${answerLine(line)}\n`);
  }
  return 0;
}

function answerPerson(question: Question, as: string): number {
  const { text, now, locale = '' } = question;
  if (text === '') failWithUsage(USAGE, 'PHRASE is missing');
  if (!isLocale(locale)) failWithUsage(USAGE, `--locale ${locale} is not a locale. Example: de-DE.`);
  if (Number.isNaN(now.getTime())) failWithUsage(USAGE, '--now must be a time such as 2026-12-01T08:00:00Z.');
  const readingKind = READINGS.find((kind) => kind === as);
  if (readingKind !== undefined) {
    const { lines, isUnderstood } = describeAs(readingKind, question);
    process.stdout.write(`${lines}\n`);
    return isUnderstood ? 0 : 1;
  }
  if (as !== 'moment') failWithUsage(USAGE, `--as must be one of moment, ${READINGS.join(', ')}.`);
  const reading = understandMoment(question);
  process.stdout.write(`${describeReading(reading, question)}\n`);
  return reading.kind === 'not-understood' ? 1 : 0;
}

/**
 * Answers {"id", "text", "reference", "zone", "locale"} with {"id", "kind", "candidates": [{"instant", "wall",
 * "zone"}]}. Answers a line that is no such question with {"id", "error"}.
 */
function answerLine(line: string): string {
  const parsed = parseJson(line);
  const asked = lineQuestion.safeParse(parsed);
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
function isLocale(name: string): boolean {
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
