import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signedRequests } from '../../../src/slack/bolt/signed-requests.ts';
import { listeningPort } from '../../support/listening-port.ts';

const SECRET = 'a signing secret';
const NOW = 1_790_000_000;
const BODY = 'command=%2Fupnext&text=help';
const FORM = 'application/x-www-form-urlencoded';

let handled: string[] = [];
let url = '';
const server = createServer(
  signedRequests({
    signingSecret: SECRET,
    clock: () => NOW * 1000,
    next: (request, response) => {
      handled.push(request.rawBody.toString());
      response.end();
    },
  }),
);

beforeAll(async () => {
  url = `http://127.0.0.1:${await listeningPort(server)}/slack/events`;
});
beforeEach(() => {
  handled = [];
});
afterAll(() => server.close());

const sign = (timestamp: string, body = BODY, secret = SECRET) =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

function send(
  options: { timestamp?: string; signature?: string; body?: string; method?: string; path?: string } = {},
) {
  const { timestamp = String(NOW), body = BODY, method = 'POST' } = options;
  const signature = options.signature ?? sign(timestamp, body);
  return fetch(new URL(options.path ?? '/slack/events', url), {
    method,
    headers: { 'content-type': FORM, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature },
    ...(method === 'POST' && { body }),
  });
}

test('what Slack signed within five minutes is handed on once, with its body', async () => {
  expect((await send({ body: 'control' })).status).toBe(200);
  expect(handled).toEqual(['control']);
  expect((await send({ body: 'control' })).status).toBe(401);
  expect(handled).toHaveLength(1);
});

test.each([300, -300])('a clock that is %d s off is borne', async (seconds) => {
  expect((await send({ timestamp: String(NOW + seconds) })).status).toBe(200);
});

describe('no handler runs for', () => {
  const good = sign(String(NOW));
  test.each([
    ['301 s ago', { timestamp: String(NOW - 301) }],
    ['301 s ahead', { timestamp: String(NOW + 301) }],
    ['ten years ahead', { timestamp: String(NOW + 315_360_000) }],
    ['a hexadecimal timestamp', { timestamp: `0x${NOW.toString(16)}` }],
    ['a decimal point', { timestamp: `${NOW}.5` }],
    ['NaN', { timestamp: 'NaN' }],
    ['no timestamp', { timestamp: '' }],
    ['another secret', { signature: sign(String(NOW), BODY, 'another') }],
    ['another body', { signature: good, body: `${BODY}&x=1` }],
    ['a re-encoded body', { signature: good, body: BODY.replace('%2F', '/') }],
    ['more after the signature', { signature: `${good}=x` }],
    ['capital letters', { signature: good.toUpperCase().replace('V0', 'v0') }],
    ['v1', { signature: good.replace('v0', 'v1') }],
    ['no signature', { signature: '' }],
    ['a short signature', { signature: good.slice(0, -1) }],
    ['ssl_check with a payload', { signature: '', body: 'ssl_check=1&payload=%7B%7D' }],
  ])('%s', async (_what, request) => {
    expect((await send(request)).status).toBe(401);
    expect(handled).toEqual([]);
  });

  test.each([
    ['a look at the certificate', { signature: '', body: 'ssl_check=1&token=abc' }, 200],
    ['another path', { path: '/slack/other' }, 404],
    ['GET', { method: 'GET' }, 405],
    ['a payload that is no object', { body: 'payload=null' }, 400],
    ['more than a megabyte', { body: 'x'.repeat(2 ** 20 + 1) }, 413],
  ])('%s', async (_what, request, status) => {
    const answer = await send(request).catch(() => ({ status: 413 }));
    expect(answer.status).toBe(status);
    expect(handled).toEqual([]);
  });
});
