import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMPlatformError } from '@slack/socket-mode';
import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createBoltLogger } from '../../../src/handlers/bolt/bolt.ts';
import { createLog } from '../../../src/observability/redact.ts';

test('a file that Slack is still processing isn’t logged as an error, but other refusals are', () => {
  const lines: string[] = [];
  const record = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level}: ${message}`);
  const log = { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') };
  const logger = createBoltLogger(log);
  logger.error('invalid slack file [json-pointer:/blocks/1/slack_file]');
  logger.error('must be less than 25 characters [json-pointer:/view/title/text]');
  expect(lines).toEqual(['debug: invalid slack file', 'error: line of Slack’s client']);
});

const CANARY = 'canary-7c1f9a words of a post';

/** The log lines of a call that Slack answers with `answer`, and of its error. */
async function logCall(answer: () => Response): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const client = new WebClient('xoxb-1', {
    logger: createBoltLogger(log),
    retryConfig: { retries: 0 },
    fetch: async () => answer(),
  });
  const call = client.chat.postMessage({ channel: 'C1', text: 'Hello' });
  await call.catch((error: unknown) => log.error({ err: error, reason: error }, 'request failed'));
  return lines;
}

const refuse = (fields: object) => () => Response.json({ ok: false, error: 'invalid_blocks', ...fields });

test.each([
  ['a message', refuse({ response_metadata: { messages: [`[ERROR] ${CANARY} [json-pointer:/blocks/0]`] } })],
  ['a warning', () => Response.json({ ok: true, response_metadata: { messages: [`[WARN] ${CANARY}`] } })],
  ['a list of errors', refuse({ errors: [`${CANARY} [json-pointer:/blocks/0]`] })],
  ['a pointer', refuse({ errors: [`no [json-pointer:${CANARY}]`] })],
  ['an error code', refuse({ error: CANARY })],
  ['a warning code', () => Response.json({ ok: true, response_metadata: { warnings: [CANARY] } })],
  [
    'an HTTP error',
    () => new Response(CANARY, { status: 500, statusText: 'no', headers: { 'x-a': CANARY } }),
  ],
  ['a body that isn’t JSON', () => new Response(`{${CANARY}`)],
  [
    'a broken connection',
    () => {
      throw new TypeError(CANARY, { cause: Object.assign(new Error(CANARY), { code: 'ECONNRESET' }) });
    },
  ],
])('%s of Slack with text of a post is logged without that text', async (_, answer) => {
  const lines = await logCall(answer);
  expect(lines).not.toEqual([]);
  expect(lines.join()).not.toContain('canary');
});

test('an error of Slack is logged with its code, and with the path or the cause', async () => {
  const refused = await logCall(refuse({ errors: [`${CANARY} [json-pointer:/blocks/0/text]`] }));
  expect(JSON.parse(refused.at(-1) ?? '')).toMatchObject({
    err: {
      type: 'WebAPIPlatformError',
      slack: 'invalid_blocks',
      pointers: ['[json-pointer:/blocks/0/text]'],
    },
  });
  const broken = await logCall(() => {
    throw new TypeError(CANARY, { cause: Object.assign(new Error(CANARY), { code: 'ECONNRESET' }) });
  });
  expect(JSON.parse(broken.at(-1) ?? '')).toMatchObject({
    err: { code: 'slack_webapi_request_error', cause: [{ cause: { code: 'ECONNRESET' } }, {}] },
  });
});

test('the client of the socket is logged without Slack’s texts', () => {
  const lines: string[] = [];
  const logger = createBoltLogger(createLog('debug', { write: (line: string) => void lines.push(line) }));
  logger.warn("A pong wasn't received from the server before the timeout of 5000ms!");
  logger.error(`WebSocket error! ${CANARY}`);
  logger.error(`Failed to retrieve a new WSS URL (error: ${CANARY})`);
  logger.error(`Slack API error: ${CANARY}`, new WebAPIPlatformError({ ok: false, error: CANARY }));
  logger.info(CANARY);
  const platformError = new SMPlatformError({ error: { msg: CANARY } });
  createLog('debug', { write: (line: string) => void lines.push(line) }).error(
    { err: platformError },
    'failed',
  );
  expect(lines.join()).not.toContain('canary');
  expect(lines.map((line): unknown => JSON.parse(line).msg)).toEqual([
    "A pong wasn't received from the server before the timeout of 5000ms",
    'WebSocket error',
    'Failed to retrieve a new WSS URL',
    'line of Slack’s client',
    'line of Slack’s client',
    'failed',
  ]);
});

test('no log line contains the text of an error, which only the redactor may read', () => {
  const root = join(import.meta.dirname, '..', '..', '..', 'src');
  const files = globSync('**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const calls = texts.flatMap((text) => text.match(/\blog\.(?:debug|info|warn|error)\([^;]*/g) ?? []);
  expect(calls.length).toBeGreaterThan(50);
  expect(
    calls.filter((call) => /String\((?:err|error|reason)\)|\b(?:err|error|reason)\.message\b/.test(call)),
  ).toEqual([]);
});
