import { createServer } from 'node:http';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, expect, test, vi } from 'vitest';
import { createBoltLogger, RespondingApp } from '../../../src/handlers/bolt/bolt-app.ts';
import { createSignedRequestListener } from '../../../src/handlers/bolt/signed-requests.ts';
import { createHttpReceiver } from '../../../src/handlers/bolt/transport.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';
import { sendSigned } from '../../support/send-signed.ts';

type ResponseOptions = ConstructorParameters<typeof RespondingApp>[2];
const signingSecret = 'a secret';
const EVENT = { type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event: { type: 'message' } };

const closeFunctions: (() => void)[] = [];
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close();
});

/** Starts an app that handles each request with `handle`. */
async function startApp(handle: ResponseOptions['handle']) {
  const logLines: string[] = [];
  const addLine = (_fields: object, message: string) => void logLines.push(message);
  const log = { debug: addLine, info: addLine, warn: addLine, error: addLine };
  const { receiver, handle: receive } = createHttpReceiver(log);
  new RespondingApp(receiver, createBoltLogger(log), { log, pace: PACE, handle });
  const server = createServer(createSignedRequestListener({ signingSecret, handle: receive }));
  closeFunctions.push(() => server.close());
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/slack/events`;
  return {
    logLines,
    send: (payload: Record<string, unknown>) => sendSigned({ url, signingSecret }, payload, 1),
  };
}

test('requests that only check the address are answered without the app', async () => {
  const handle = vi.fn(async () => {});
  const { send } = await startApp(handle);
  const challenge = await send({ type: 'url_verification', challenge: 'a challenge' });
  expect(challenge).toMatchObject({ status: 200, body: { challenge: 'a challenge' } });
  expect(await send({ command: '/upnext', ssl_check: '1' })).toMatchObject({ status: 200, body: undefined });
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  ['nothing', undefined, undefined],
  ['a text', 'Saved.', 'Saved.'],
  ['JSON', { options: [] }, { options: [] }],
])('%s is sent as the acknowledgement', async (_what, payload, body) => {
  const { send } = await startApp(({ ack }) => ack(payload));
  expect(await send({ type: 'block_suggestion' })).toMatchObject({ status: 200, body });
});

test('an event that fails before its acknowledgement is refused, so Slack sends it again', async () => {
  const { send, logLines } = await startApp(() => Promise.reject(new Error('oops')));
  expect((await send(EVENT)).status).toBe(500);
  expect(logLines).toEqual(['request could not be processed']);
});

test('a request that isn’t acknowledged is refused before Slack stops waiting, and logged', async () => {
  const lateAck = Promise.withResolvers<() => Promise<void>>();
  const { send, logLines } = await startApp(({ ack }) => {
    lateAck.resolve(() => ack());
    return new Promise(() => undefined);
  });
  const { status, ms } = await send(EVENT);
  expect([status, ms < 3_000]).toEqual([503, true]);
  expect(logLines).toEqual(['request not acknowledged in time']);
  await (await lateAck.promise)();
});

test('the time counts from the arrival of a request', async () => {
  const { receiver, handle } = createHttpReceiver(SILENT);
  new RespondingApp(receiver, SILENT, {
    log: SILENT,
    pace: PACE,
    handle: () => new Promise(() => undefined),
  });
  const startedAt = performance.now();
  const status = await new Promise((resolve) =>
    handle({ body: EVENT, arrivedAt: startedAt - 2_700, sentAt: Date.now() }, (response) =>
      resolve(response.status),
    ),
  );
  expect([status, performance.now() - startedAt < 2_000]).toEqual([503, true]);
});
