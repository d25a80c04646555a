import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import {
  answerLine,
  describeAs,
  describeReading,
  isZone,
  type Question,
  READINGS,
  understandMoment,
} from '../when/when.ts';

const USAGE = `Shows how Upnext understands a date phrase.

  npm run when -- "tomorrow 9am" --zone Europe/Berlin [--now 2026-12-01T08:00:00Z] [--locale en-GB]
  npm run when -- "weekdays 8:30" --as recurrence     or range, or moments; defaults to moment
  npm run when -- --json-lines        reads one question per line from standard input, and prints one answer per line`;

const OPTIONS = {
  zone: { type: 'string', default: 'Etc/UTC' },
  now: { type: 'string' },
  locale: { type: 'string', default: 'en-US' },
  as: { type: 'string', default: 'moment' },
  'json-lines': { type: 'boolean', default: false },
} as const;

process.exitCode = await run(process.argv.slice(process.argv[2] === '--' ? 3 : 2));

/**
 * Returns the exit status: 0 if the phrase was understood, even if it is past or ambiguous; 1 if it wasn't; 2 for wrong
 * arguments.
 */
async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values['json-lines']) return await answerLines();
    const now = values.now === undefined ? new Date() : new Date(values.now);
    const question = { text: positionals.join(' '), now, zone: values.zone, locale: values.locale };
    return answerPerson(question, values.as);
  } catch (error) {
    return failWithUsage(error instanceof Error ? error.message : USAGE);
  }
}

async function answerLines(): Promise<number> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${answerLine(line)}\n`);
  }
  return 0;
}

function answerPerson(question: Question, as: string): number {
  const { text, now, zone } = question;
  if (text === '') return failWithUsage(USAGE);
  if (!isZone(zone)) return failWithUsage(`--zone ${zone} is not a time zone. Example: Europe/Berlin.`);
  if (Number.isNaN(now.getTime())) return failWithUsage('--now must be a time such as 2026-12-01T08:00:00Z.');
  const readingKind = READINGS.find((kind) => kind === as);
  if (readingKind !== undefined) {
    const { lines, isUnderstood } = describeAs(readingKind, question);
    process.stdout.write(`${lines}\n`);
    return isUnderstood ? 0 : 1;
  }
  if (as !== 'moment') return failWithUsage(`--as must be one of moment, ${READINGS.join(', ')}.`);
  const reading = understandMoment(question);
  process.stdout.write(`${describeReading(reading, now)}\n`);
  return reading.kind === 'not-understood' ? 1 : 0;
}

function failWithUsage(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}
