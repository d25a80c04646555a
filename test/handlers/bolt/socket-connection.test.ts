import { EventEmitter } from 'node:events';
import { WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createSocketConnection } from '../../../src/handlers/bolt/transport.ts';
import { SlackRefused } from '../../../src/slack/slack-errors.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const createPlatformError = (error: string) => new WebAPIPlatformError({ ok: false, error });

/** Stands for a `start()` that rejects with undefined, as Slack's client does if the socket closes before the hello. */
const CLOSED = 'closed before the hello';

/** Creates a client whose attempts to connect fail with these errors, in turn. Later attempts succeed. */
function createScriptedClient(...failures: (Error | typeof CLOSED | undefined)[]) {
  const events = new EventEmitter();
  let attemptCount = 0;
  return {
    countAttempts: () => attemptCount,
    dropConnection: () => events.emit('disconnected'),
    async start() {
      const failure = failures[attemptCount];
      attemptCount += 1;
      if (!failure) return;
      // `disconnected` is also emitted for a socket that closes before Slack's hello.
      events.emit('disconnected');
      throw failure === CLOSED ? undefined : failure;
    },
    async disconnect() {},
    on: (event: 'disconnected', listener: () => void) => events.on(event, listener),
    off: (event: 'disconnected', listener: () => void) => events.off(event, listener),
  };
}

function createTestConnection(
  client: ReturnType<typeof createScriptedClient>,
  { firstBackoffMs = 1, maxStartMs = 10_000 } = {},
) {
  const fatalErrors: Error[] = [];
  const onFatal = (reason: Error) => fatalErrors.push(reason);
  const connection = createSocketConnection({ client, log, onFatal, firstBackoffMs, maxStartMs });
  return { connection, fatal: fatalErrors };
}

test('a connection that Slack refuses at the start reports the reason', async () => {
  const { connection } = createTestConnection(createScriptedClient(createPlatformError('invalid_auth')));
  await expect(connection.start()).rejects.toThrow('Slack refuses the app token: invalid_auth');
});

test('a connection that Slack closes before its hello is retried at the start', async () => {
  const client = createScriptedClient(CLOSED, new Error('no network'), CLOSED, undefined);
  const { connection } = createTestConnection(client);
  await connection.start();
  expect(client.countAttempts()).toBe(4);
  await connection.stop();
});

test('a connection that Slack keeps closing before its hello fails with a reason', async () => {
  const endlessFailures = Array.from<typeof CLOSED>({ length: 10_000 }).fill(CLOSED);
  const { connection } = createTestConnection(createScriptedClient(...endlessFailures), { maxStartMs: 20 });
  const reason: unknown = await connection.start().catch((error: unknown) => error);
  expect(reason).toEqual(new Error('Slack closed the connection before its hello'));
});

test('a connection that Slack refuses during retries fails at once', async () => {
  const client = createScriptedClient(CLOSED, createPlatformError('token_revoked'));
  await expect(createTestConnection(client).connection.start()).rejects.toBeInstanceOf(SlackRefused);
  expect(client.countAttempts()).toBe(2);
});

test('a connection that can’t be closed properly doesn’t delay a stop', async () => {
  const client = { ...createScriptedClient(), disconnect: () => Promise.reject(new Error('not open')) };
  const { connection } = createTestConnection(client);
  await connection.start();
  await connection.stop();
});

test('a dropped connection reconnects after several failures', async () => {
  const client = createScriptedClient(
    undefined,
    new Error('no network'),
    createPlatformError('internal_error'),
    undefined,
  );
  const { connection, fatal } = createTestConnection(client);
  await connection.start();
  client.dropConnection();
  await expect.poll(client.countAttempts).toBe(4);
  expect(fatal).toEqual([]);
  await connection.stop();
});

test('a connection whose token is revoked ends with the reason and isn’t retried', async () => {
  const client = createScriptedClient(undefined, createPlatformError('token_revoked'));
  const { connection, fatal } = createTestConnection(client);
  await connection.start();
  client.dropConnection();
  await expect.poll(() => fatal).toHaveLength(1);
  expect(fatal[0]).toBeInstanceOf(SlackRefused);
  expect(client.countAttempts()).toBe(2);
  await connection.stop();
});

test('a stopped connection doesn’t reconnect', async () => {
  const client = createScriptedClient();
  const { connection } = createTestConnection(client);
  await connection.start();
  await connection.stop();
  client.dropConnection();
  expect(client.countAttempts()).toBe(1);
});

test('a connection that is stopped while it connects isn’t opened again', async () => {
  const client = createScriptedClient();
  const hello = Promise.withResolvers<void>();
  const { connection } = createTestConnection({
    ...client,
    start: () => client.start().then(() => hello.promise),
    async disconnect() {
      hello.resolve();
      await started;
      client.dropConnection();
    },
  });
  const started = connection.start();
  await connection.stop();
  expect(client.countAttempts()).toBe(1);
});

test('a connection that is stopped before the next attempt fails with the reason of the last one', async () => {
  const client = createScriptedClient(new Error('no network'));
  const { connection } = createTestConnection(client, { firstBackoffMs: 100_000, maxStartMs: 200_000 });
  const started = expect(connection.start()).rejects.toThrow('no network');
  await expect.poll(client.countAttempts).toBe(1);
  await connection.stop();
  await started;
  expect(client.countAttempts()).toBe(1);
});
