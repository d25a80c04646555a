import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { answerLine } from './when/answer-line.ts';
import { describeReading } from './when/describe-reading.ts';
import { understandMoment } from './when/understand-moment.ts';
import { isZone } from './when/zones.ts';

const USAGE = `What the bot understands by words for a moment.

  npm run when -- "tomorrow 9am" --zone Europe/Berlin [--now 2026-12-01T08:00:00Z] [--locale en-GB]
  npm run when -- --json-lines        one question a line on standard input, one answer a line`;

const OPTIONS = {
  zone: { type: 'string', default: 'Etc/UTC' },
  now: { type: 'string' },
  locale: { type: 'string', default: 'en-US' },
  'json-lines': { type: 'boolean', default: false },
} as const;

process.exitCode = await run(process.argv.slice(process.argv[2] === '--' ? 3 : 2));

/** The exit status: 0 for a moment, over or asked about too, 1 for words not understood, 2 for a wrong call. */
async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values['json-lines']) return await answerLines();
    const now = values.now === undefined ? new Date() : new Date(values.now);
    return answerPerson({ text: positionals.join(' '), now, zone: values.zone, locale: values.locale });
  } catch (error) {
    return wrongCall(error instanceof Error ? error.message : USAGE);
  }
}

async function answerLines(): Promise<number> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${answerLine(line)}\n`);
  }
  return 0;
}

function answerPerson(question: { text: string; now: Date; zone: string; locale: string }): number {
  const { text, now, zone } = question;
  if (text === '') return wrongCall(USAGE);
  if (!isZone(zone)) return wrongCall(`--zone ${zone} is no time zone; Europe/Berlin is one.`);
  if (Number.isNaN(now.getTime())) return wrongCall('--now takes a time such as 2026-12-01T08:00:00Z.');
  const reading = understandMoment(question);
  process.stdout.write(`${describeReading(reading, now)}\n`);
  return reading.kind === 'not-understood' ? 1 : 0;
}

function wrongCall(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}
