import { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { expect, test } from 'vitest';
import { answerFailure } from '../../../src/handlers/bolt/failure.ts';
import { buildLateResponse } from '../../../src/handlers/bolt/interactions.ts';
import type { Request } from '../../../src/handlers/bolt/payloads.ts';
import { createAcknowledgement } from '../../../src/handlers/bolt/routing.ts';
import { isSlackAddress, ResponseRefused, respond } from '../../../src/handlers/bolt/view-replies.ts';
import type { AppContext } from '../../../src/handlers/call.ts';
import { DatabaseUnavailable } from '../../../src/store/database-unavailable.ts';

const actor = { workspace: 'T1', user: 'U1' };
const request: Extract<Request, { kind: 'view' }> = {
  kind: 'view',
  type: 'view_submission',
  team: { id: actor.workspace },
  user: { id: actor.user },
  view: {
    id: 'V1',
    type: 'modal',
    hash: '',
    callback_id: 'f',
    private_metadata: '',
    blocks: [],
    state: { values: {} },
  },
};

/** Returns the message about a form that failed before or after its acknowledgement. */
async function readFailureMessage(
  isAcknowledged: boolean,
  hasChanged = false,
  place: Partial<typeof request.view> = {},
  error = new Error('oops'),
): Promise<string> {
  const messages: unknown[] = [];
  const client = new WebClient('xoxb-test', { logger: SILENT });
  // No fallback was sent.
  client.views.update = async () => Promise.reject(new Error('not_found'));
  const call = {
    context: { pace: { afterAcknowledgementMs: 0 } } as AppContext,
    catalogue: [],
    actor,
    client,
    log: SILENT,
    reference: 'abcd1234',
    receivedAt: 0,
    now: () => new Date(0),
    may: () => true,
    lacks: () => false,
    permit: async () => {},
    requireFormPermission: async () => {},
    countCostlyAction() {},
    acknowledge: async () => {},
    reply: async (message: object) => void messages.push(message),
    openView: async () => ({ id: 'V2' }),
    sealButtons: (message: never) => message,
    openFeature: async () => {},
    runLine: async () => {},
  };
  const acknowledge = async (payload?: unknown) => {
    if (!isAcknowledged) messages.push(payload);
    return !isAcknowledged;
  };
  await answerFailure({
    error,
    request: { ...request, view: { ...request.view, ...place } },
    call,
    ack: { isSent: () => isAcknowledged, send: acknowledge, stopDeadline() {} },
    hasChanged,
  });
  return JSON.stringify(messages);
}

test('a form that fails before its acknowledgement stays open and can be submitted again', async () =>
  expect(await readFailureMessage(false)).toMatch(/"push".*Try again.*abcd1234/));

test('a form whose handler is slow stays open, and says in time that its outcome isn’t known', async () => {
  const sent: unknown[] = [];
  const acknowledgement = createAcknowledgement(async (payload) => void sent.push(payload), {
    arrivedAt: performance.now(),
    deadlineMs: 20,
    fallback: () => buildLateResponse(request, 'abcd1234'),
    onFailure: (error) => sent.push(error),
  });
  await expect.poll(() => sent).toHaveLength(1);
  expect(JSON.stringify(sent)).toMatch(/"push".*don’t know whether it was done.*abcd1234/);
  expect(await acknowledgement.send({ response_action: 'clear' })).toBe(false);
  expect(sent).toHaveLength(1);
});

test.each([
  ['first', { previous_view_id: null, root_view_id: 'V1' }, 'push'],
  ['second', { previous_view_id: 'V0', root_view_id: 'V0' }, 'push'],
  ['third', { previous_view_id: 'V0', root_view_id: 'VR' }, 'update'],
])('the error of the %s modal never opens a fourth', async (_, place, action) =>
  expect(await readFailureMessage(false, false, place)).toContain(`"response_action":"${action}"`),
);

test('nobody is asked to repeat a request that may have succeeded', async () => {
  const message = await readFailureMessage(true);
  expect(message).toMatch(/don’t know whether.*abcd1234/);
  expect(message).not.toContain('try again');
});

test('if the outcome is unknown, the person is asked to check first', async () => {
  const message = await readFailureMessage(false, true, {}, new DatabaseUnavailable(new Error('down')));
  expect(message).toMatch(/not sure this was done.*Check before you try again.*abcd1234/);
});

test('while the database can’t be reached, the person reads that it isn’t their fault', async () => {
  const message = await readFailureMessage(false, false, {}, new DatabaseUnavailable(new Error('down')));
  expect(message).toMatch(/I can’t reach my database. Try again in a minute.*abcd1234/);
});

const REAL = 'https://slack.com/api/';
const LOCAL = 'http://127.0.0.1:3001/api/';

test.each([
  ['https://hooks.slack.com/actions/T1/1/abc', REAL, true],
  ['https://hooks.slack-gov.com/commands/T1/1/abc', undefined, true],
  ['http://127.0.0.1:3001/response/abc', LOCAL, true],
  ['http://127.0.0.1:3002/response/abc', LOCAL, false],
  ['http://127.0.0.1:3001/response/abc', REAL, false],
  ['http://hooks.slack.com/actions/abc', REAL, false],
  ['https://hooks.slack.com.evil.example/abc', REAL, false],
  ['https://hooks.slack.com@evil.example/abc', REAL, false],
  ['https://evil.example/hooks.slack.com', REAL, false],
  ['file:///etc/passwd', LOCAL, false],
  ['', REAL, false],
])('the address “%s”, with the API at %s, is Slack’s: %s', (address, apiUrl, expected) =>
  expect(isSlackAddress(address, apiUrl)).toBe(expected),
);

test('nothing is sent to addresses outside Slack, and errors don’t contain the address', async () => {
  let callCount = 0;
  const response = respond(
    'https://evil.example/secret',
    { text: 'hello' },
    {
      replace: false,
      apiUrl: REAL,
      fetch: async () => {
        callCount += 1;
        return new Response();
      },
    },
  );
  const error = await response.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ResponseRefused);
  expect(String(error)).not.toContain('evil');
  expect(callCount).toBe(0);
});
