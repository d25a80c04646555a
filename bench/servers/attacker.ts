import { readFileSync } from 'node:fs';
import { CONNECTION_ATTACKS } from '../../test/support/hostile-connections.ts';
import { sendSigned } from '../../test/support/send-signed.ts';

/**
 * Sends the requests of a file as fast as the app answers, until this process is killed. Prints `under way` after the
 * start.
 */

const { MODE = '', URL: url = '', PORT = '', SECRET = '', PAYLOADS = '', SOCKETS, MEDIA_PATH } = process.env;
const CONCURRENCY = 16;

/** Words of ambiguous texts. A date can start with each of them, in one of several languages. */
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

const payloads = JSON.parse(readFileSync(PAYLOADS, 'utf8')) as Record<string, unknown>[];
let requestCount = 0;
const sendRepeatedly = async () => {
  for (;;) {
    const payload = payloads[requestCount % payloads.length] ?? {};
    requestCount += 1;
    await sendSigned({ url, signingSecret: SECRET }, alterPayload(payload), requestCount % 200).catch(
      () => undefined,
    );
    if (requestCount === CONCURRENCY) console.log('under way');
  }
};

function alterPayload(payload: Record<string, unknown>): Record<string, unknown> {
  // Each request has its own trigger, because the app refuses repeated requests.
  const freshPayload = { ...payload, trigger_id: `${requestCount}.2.3`, event_id: `Ev${requestCount}` };
  if (MODE === 'vary-words')
    return replaceTexts(freshPayload, /^(tomorrow 9am|WORDS)$/, createHostileLines());
  if (MODE === 'vary-projects') return replaceTexts(freshPayload, /^p\d+$/, `p${requestCount}`);
  return freshPayload;
}

function createHostileLines(): string {
  const createLine = (lineNumber: number) =>
    Array.from(
      { length: 25 },
      (_, index) => WORDS[(lineNumber * 7 + index * (1 + (lineNumber % 5))) % WORDS.length],
    )
      .join(' ')
      .slice(0, 200);
  return Array.from({ length: 20 }, (_, index) => createLine(requestCount + index)).join('\n');
}

function replaceTexts(
  payload: Record<string, unknown>,
  pattern: RegExp,
  replacement: string,
): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(payload, (_key, value: unknown) =>
      typeof value === 'string' && pattern.test(value) ? replacement : value,
    ),
  ) as Record<string, unknown>;
}

if (MODE === 'sockets') {
  const attack = CONNECTION_ATTACKS.find(({ name }) => name === SOCKETS);
  await attack?.start({ port: Number(PORT), ...(MEDIA_PATH && { mediaPath: MEDIA_PATH }) });
  console.log('under way');
} else {
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRepeatedly));
}
