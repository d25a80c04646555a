import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSignedRequestListener } from '../../../src/handlers/bolt/signed-requests.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';

const SECRET = 'a signing secret';
const NOW = 1_790_000_000;
const BODY = 'command=%2Fupnext&text=help';
const FORM = 'application/x-www-form-urlencoded';

let handledBodies: unknown[] = [];
let results: string[] = [];
let differences: number[] = [];
let now = NOW * 1000;
let url = '';
const server = createServer(
  createSignedRequestListener({
    signingSecret: SECRET,
    clock: () => now,
    onResult: (result) => results.push(result),
    onWrongTime: (aheadSeconds) => differences.push(aheadSeconds),
    handle: ({ body }, respond) => {
      handledBodies.push(body);
      respond({ status: 200 });
    },
  }),
);

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnFreePort(server)}/slack/events`;
});
beforeEach(() => {
  handledBodies = [];
  results = [];
  differences = [];
  now = NOW * 1000;
});
afterAll(() => server.close());

const sign = (timestamp: string, body = BODY, secret = SECRET) =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

interface RequestOptions {
  timestamp?: string;
  signature?: string;
  body?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

function sendRequest(options: RequestOptions = {}) {
  const { timestamp = String(NOW), body = BODY, method = 'POST', headers = {} } = options;
  const signature = options.signature ?? sign(timestamp, body);
  const signatureHeaders = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  return fetch(new URL(options.path ?? '/slack/events', url), {
    method,
    headers: { 'content-type': FORM, ...signatureHeaders, ...headers },
    ...(method === 'POST' && { body }),
  });
}

test('a request that Slack signed within the last five minutes is handled', async () => {
  now += 300_000;
  expect((await sendRequest({ body: 'control' })).status).toBe(200);
  expect(handledBodies).toEqual([{ control: '' }]);
  now += 1;
  expect((await sendRequest({ body: 'control' })).status).toBe(401);
  expect(handledBodies).toHaveLength(1);
});

test.each([300, -300])('a clock skew of %d s is accepted', async (seconds) =>
  expect((await sendRequest({ timestamp: String(NOW + seconds) })).status).toBe(200),
);

test('a wrong clock is told from a wrong signature', async () => {
  now += 20 * 60_000;
  await sendRequest();
  await sendRequest({ signature: sign(String(NOW), BODY, 'another secret') });
  now = NOW * 1000;
  await sendRequest();
  expect(results).toEqual(['wrong-time', 'refused', 'taken']);
  expect(differences).toEqual([20 * 60]);
});

describe('requests that are refused or answered without a handler', () => {
  const validSignature = sign(String(NOW));
  test.each([
    ['a timestamp 301 s ago', { timestamp: String(NOW - 301) }],
    ['a timestamp 301 s ahead', { timestamp: String(NOW + 301) }],
    ['a timestamp ten years ahead', { timestamp: String(NOW + 315_360_000) }],
    ['a hexadecimal timestamp', { timestamp: `0x${NOW.toString(16)}` }],
    ['a timestamp with a decimal point', { timestamp: `${NOW}.5` }],
    ['the timestamp NaN', { timestamp: 'NaN' }],
    ['no timestamp', { timestamp: '' }],
    ['the signature of another secret', { signature: sign(String(NOW), BODY, 'another') }],
    ['the signature of another body', { signature: validSignature, body: `${BODY}&x=1` }],
    ['a re-encoded body', { signature: validSignature, body: BODY.replace('%2F', '/') }],
    ['text after the signature', { signature: `${validSignature}=x` }],
    ['a signature in capital letters', { signature: validSignature.toUpperCase().replace('V0', 'v0') }],
    ['a signature of version v1', { signature: validSignature.replace('v0', 'v1') }],
    ['no signature', { signature: '' }],
    ['a short signature', { signature: validSignature.slice(0, -1) }],
    ['ssl_check and a payload', { signature: '', body: 'ssl_check=1&payload=%7B%7D' }],
  ])('a request with %s is refused', async (_kind, request) => {
    expect((await sendRequest(request)).status).toBe(401);
    expect(handledBodies).toEqual([]);
  });

  test.each([
    ['a certificate check', { signature: '', body: 'ssl_check=1&token=abc' }, 200],
    ['another path', { path: '/slack/other' }, 404],
    ['GET', { method: 'GET' }, 405],
    ['a payload that is null', { body: 'payload=null' }, 400],
    ['a null payload with an escaped name', { body: 'a=1&p%61yload=null' }, 400],
    ['a payload without a value', { body: 'a=1&payload' }, 400],
    ['a payload that is a list', { body: 'payload=%5B%5D' }, 400],
    ['a truncated payload', { body: 'payload=%7B%22type%22' }, 400],
    ['two payloads', { body: 'payload=%7B%7D&payload=%7B%7D' }, 400],
    ['JSON that is a number', { body: '7', headers: { 'content-type': 'application/json' } }, 400],
    ['a type that Slack never sends', { headers: { 'content-type': 'text/plain' } }, 415],
    ['another charset', { headers: { 'content-type': `${FORM}; charset=utf-16` } }, 415],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415],
    [
      'a certificate check as JSON',
      { signature: '', body: 'ssl_check=1', headers: { 'content-type': 'application/json' } },
      401,
    ],
    ['a body of more than a megabyte', { body: 'x'.repeat(2 ** 20 + 1) }, 413],
  ])('no handler runs for %s', async (_kind, request, status) => {
    expect((await sendRequest(request).catch(() => ({ status: 413 }))).status).toBe(status);
    expect(handledBodies).toEqual([]);
  });
});

test('a form with a charset is accepted', async () => {
  const headers = { 'content-type': `${FORM}; charset=utf-8` };
  expect((await sendRequest({ body: 'with=charset', headers })).status).toBe(200);
  expect(handledBodies).toEqual([{ with: 'charset' }]);
});
