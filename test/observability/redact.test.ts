import { describe, expect, test } from 'vitest';
import { createLog, redactError, redactText, registerSecrets } from '../../src/observability/redact.ts';

const CANARY = 'canary-7c1f9a';

function createTestLog() {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

test('ids, error names and the app’s own messages are logged unchanged', () => {
  const { log, lines } = createTestLog();
  log.warn({ reference: 'ab12', user: 'U1', err: new RangeError('no project of that name') }, 'it failed');
  const line: unknown = JSON.parse(lines[0] ?? '');
  expect(line).toMatchObject({
    reference: 'ab12',
    user: 'U1',
    msg: 'it failed',
    err: { type: 'RangeError', message: 'no project of that name' },
  });
  expect(lines[0]).toContain('redact.test.ts');
});

describe('the log', () => {
  registerSecrets(`${CANARY}-registered`);
  const makeError = (fields: object, message = 'it failed') => Object.assign(new Error(message), fields);
  const parseError = (): unknown => {
    try {
      return JSON.parse(CANARY);
    } catch (parseFailure) {
      return parseFailure;
    }
  };
  test.each<[string, object]>([
    ['a token by its name', { token: CANARY }],
    ['a token deep inside', { a: { b: [{ accessToken: CANARY }] } }],
    ['a header', { headers: { authorization: `Bearer ${CANARY}` } }],
    ['a header in a text', { reason: `cannot send authorization: Bearer ${CANARY}` }],
    ['a bot token in a text', { reason: `xoxb-1-2-${CANARY} was refused` }],
    ['an app token in a text', { reason: `xapp-1-${CANARY}` }],
    ['a refresh token in a text', { reason: `xoxe-1-${CANARY}` }],
    ['a response_url', { responseUrl: `https://hooks.slack.com/commands/T1/${CANARY}` }],
    ['a response_url in a text', { reason: `https://hooks.slack.com/commands/T1/${CANARY} did not answer` }],
    ['a response_url of the practice workspace', { reason: `http://127.0.0.1:1/response/${CANARY} failed` }],
    ['a password in an address', { reason: `postgres://ana:${CANARY}@db/upnext is down` }],
    ['a password in an address after a long word', { reason: `${'a'.repeat(40)}https://ana:${CANARY}@db/` }],
    ['a query in an address', { reason: `https://service.example/x?key=${CANARY} failed` }],
    ['text from a person', { text: CANARY, Content: CANARY }],
    ['a payload', { payload: { anything: CANARY } }],
    ['bytes', { thing: Buffer.from(CANARY) }],
    ['a registered secret', { reason: `${CANARY}-registered is too short` }],
    [
      'properties of an error',
      { err: makeError({ data: { messages: [CANARY] }, config: { data: CANARY } }) },
    ],
    [
      'the cause of an error',
      { err: new Error('outer', { cause: makeError({ body: CANARY }, `xoxb-1-${CANARY}`) }) },
    ],
    ['a quotation by JSON.parse', { err: parseError() }],
    [
      'a quotation by the database',
      { err: makeError({ severity: 'ERROR', detail: CANARY }, `bad input: "${CANARY}"`) },
    ],
    ['a thrown value that is not an error', { err: { anything: { text: CANARY } } }],
  ])('the log redacts %s', (_kind, fields) => {
    const { log, lines } = createTestLog();
    log.error(fields, 'it failed');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('it failed');
    expect(lines[0]).not.toContain(CANARY);
  });

  test('the log redacts a secret in the message itself', () => {
    const { log, lines } = createTestLog();
    log.error({}, `Slack refuses xoxb-1-${CANARY}`);
    expect(lines[0]).toContain('Slack refuses');
    expect(lines[0]).not.toContain(CANARY);
  });
});

test('an error from Slack is logged with its code and the path of the invalid field', () => {
  const messages = [
    '[ERROR] must be less than 25 characters [json-pointer:/view/title/text]',
    'secret words',
  ];
  const data = { ok: false, error: 'invalid_arguments', response_metadata: { messages } };
  const line = JSON.stringify(redactError(Object.assign(new Error('An API error occurred'), { data })));
  expect(line).toContain('"slack":"invalid_arguments"');
  expect(line).toContain('/view/title/text');
  expect(line).not.toContain('secret words');
});

test('an error that contains itself is logged', () => {
  const circularError: Error & { cause?: unknown } = new Error('round and round');
  circularError.cause = circularError;
  expect(JSON.stringify(redactError(circularError))).toContain('round and round');
});

test('an address without secrets is not redacted', () => {
  expect(redactText('https://service.example/projects did not answer')).toBe(
    'https://service.example/projects did not answer',
  );
});
