import { connect } from 'node:net';
import { sendSigned } from '../../support/send-signed.ts';

/**
 * Sends the configured requests as fast as they are answered, until the process is killed. Prints `under way` after
 * its start.
 */

const { MODE = '', URL: url = '', PORT = '', SECRET = '', PAYLOADS = '[]' } = process.env;
const CONCURRENCY = 16;
const PIPELINED = 1_000;

/** Words of ambiguous texts. Each starts a date in one of several languages. */
const WORDS = [
  'tomorrow 9am to',
  'friday',
  '9',
  '- 10',
  'and',
  'mañana',
  'bis',
  '3/4',
  'à',
  '明日',
  'every 2 days',
  'noon',
];

let count = 0;
const sendRepeatedly = async () => {
  for (;;) {
    const payloads = JSON.parse(PAYLOADS) as Record<string, unknown>[];
    const payload = payloads[count % payloads.length] ?? {};
    count += 1;
    await sendSigned({ url, signingSecret: SECRET }, alter(payload), count % 200).catch(() => undefined);
    if (count === CONCURRENCY) console.log('under way');
  }
};

function alter(payload: Record<string, unknown>): Record<string, unknown> {
  // Each request has its own trigger, because a repeated request would be a replay.
  const fresh = { ...payload, trigger_id: `${count}.2.3` };
  if (MODE === 'vary-words') return replaceTexts(fresh, /^(tomorrow 9am|WORDS)$/, createHostileLines());
  if (MODE === 'vary-projects') return replaceTexts(fresh, /^p\d+$/, `p${count}`);
  return fresh;
}

function createHostileLines(): string {
  const createLine = (from: number) =>
    Array.from({ length: 25 }, (_, index) => WORDS[(from * 7 + index * (1 + (from % 5))) % WORDS.length])
      .join(' ')
      .slice(0, 200);
  return Array.from({ length: 20 }, (_, index) => createLine(count + index)).join('\n');
}

function replaceTexts(
  payload: Record<string, unknown>,
  text: RegExp,
  replacement: string,
): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(payload, (_key, value: unknown) =>
      typeof value === 'string' && text.test(value) ? replacement : value,
    ),
  ) as Record<string, unknown>;
}

function pipeline(): void {
  const socket = connect(Number(PORT), '127.0.0.1');
  const requests = ['/metrics', '/health/ready'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${PORT}\r\n\r\n`,
  );
  socket.on('connect', () => socket.write(requests.join('').repeat(PIPELINED)));
  // The socket is never read, so the server has to buffer its responses.
  socket.on('error', () => undefined).on('close', () => setTimeout(pipeline, 10));
}

if (MODE === 'pipelined') {
  for (let each = 0; each < 10 * CONCURRENCY; each += 1) pipeline();
  console.log('under way');
} else {
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRepeatedly));
}
