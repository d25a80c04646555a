import { createInterface } from 'node:readline';
import { readLocalTime } from '../local-time.ts';
import { failWithUsage, readArguments } from '../start/usage.ts';
import {
  answerLine,
  describeAs,
  describeReading,
  findZonesByName,
  isLocale,
  isZone,
  type Question,
  READINGS,
  understandMoment,
} from '../when/when.ts';

const USAGE = `Usage: npm run when -- "PHRASE" [OPTIONS]

Shows how Upnext understands a date phrase.

  --zone ZONE       the time zone that is meant; defaults to Etc/UTC
  --now TIME        the time from which "tomorrow" counts, such as 2026-12-01T08:00:00Z; defaults to now
  --locale LOCALE   the person's language; defaults to en-US, and one that isn't supported reads English
  --as KIND         moment (default), moments, range or recurrence
  --json-lines      reads one question a line from standard input, and prints one answer or error a line

Settings: none.

Example: npm run when -- "tomorrow 9am" --zone Europe/Berlin`;

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
    { text: positionals.join(' '), now, zone: placeOfAbbreviation(values.zone), locale: values.locale },
    values.as,
  );
}

/** The zone database takes "EST" for Panama's clock. People mean New York's. */
function placeOfAbbreviation(zone: string): string {
  const [place] = /^[a-z]{3,4}$/i.test(zone) ? findZonesByName(zone.toUpperCase()).zones : [];
  return place ?? zone;
}

async function answerLines(): Promise<number> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${answerLine(line)}\n`);
  }
  return 0;
}

function answerPerson(question: Question, as: string): number {
  const { text, now, zone, locale = '' } = question;
  if (text === '') failWithUsage(USAGE, 'PHRASE is missing');
  if (!isZone(zone)) failWithUsage(USAGE, `--zone ${zone} is not a time zone. Example: Europe/Berlin.`);
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
