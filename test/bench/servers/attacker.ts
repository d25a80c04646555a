import { connect } from 'node:net';
import { sendSigned } from '../../support/send-signed.ts';

/** Sends the configured requests as fast as they are answered, until it is killed. Prints `under way` when it has started. */

const { WAY = '', URL: url = '', PORT = '', SECRET = '', PAYLOADS = '[]' } = process.env;
const TOGETHER = 16;
const PIPELINED = 1_000;

/** Ambiguous text: each word begins another date, in another language. */
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
    if (count === TOGETHER) console.log('under way');
  }
};

function alter(payload: Record<string, unknown>): Record<string, unknown> {
  // Each request has its own trigger, because a repeated request would be a replay.
  const fresh = { ...payload, trigger_id: `${count}.2.3` };
  if (WAY === 'words') return replaceTexts(fresh, /^(tomorrow 9am|WORDS)$/, hostileLines());
  if (WAY === 'projects') return replaceTexts(fresh, /^p\d+$/, `p${count}`);
  return fresh;
}

function hostileLines(): string {
  const line = (from: number) =>
    Array.from({ length: 25 }, (_, index) => WORDS[(from * 7 + index * (1 + (from % 5))) % WORDS.length])
      .join(' ')
      .slice(0, 200);
  return Array.from({ length: 20 }, (_, index) => line(count + index)).join('\n');
}

function replaceTexts(payload: Record<string, unknown>, text: RegExp, by: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(payload, (_key, value: unknown) =>
      typeof value === 'string' && text.test(value) ? by : value,
    ),
  ) as Record<string, unknown>;
}

function pipeline(): void {
  const socket = connect(Number(PORT), '127.0.0.1');
  const requests = ['/metrics', '/health/ready'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${PORT}\r\n\r\n`,
  );
  socket.on('connect', () => socket.write(requests.join('').repeat(PIPELINED)));
  // Reads nothing, so the server has to buffer its answers.
  socket.on('error', () => undefined).on('close', () => setTimeout(pipeline, 10));
}

if (WAY === 'pipelined') {
  for (let each = 0; each < 10 * TOGETHER; each += 1) pipeline();
  console.log('under way');
} else {
  await Promise.all(Array.from({ length: TOGETHER }, sendRepeatedly));
}
