import { EventEmitter } from 'node:events';
import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createSocketConnection, withRefreshes } from '../../../src/handlers/bolt/socket-connection.ts';
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
    onRefresh() {},
  };
}

function createTestConnection(
  client: ReturnType<typeof createScriptedClient>,
  { firstBackoffMs = 1, maxStartMs = 10_000 } = {},
) {
  const fatalErrors: Error[] = [];
  const onFatal = (reason: Error) => fatalErrors.push(reason);
  const connection = createSocketConnection({
    createClient: () => client,
    ...{ log, onFatal, firstBackoffMs, maxStartMs },
  });
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

/** Creates clients that record what becomes of them, and can announce that Slack closes the connection. */
function createRefreshableClients(startLater: () => Promise<void> = async () => undefined) {
  const lines: string[] = [];
  const clients: { refresh(): boolean; drop(): void }[] = [];
  return {
    lines,
    clients,
    createClient() {
      const number = clients.length + 1;
      const events = new EventEmitter();
      let onRefresh = () => false;
      clients.push({ refresh: () => onRefresh(), drop: () => void events.emit('disconnected') });
      return {
        async start() {
          if (number > 1) await startLater();
          lines.push(`open ${number}`);
        },
        async disconnect() {
          lines.push(`close ${number}`);
        },
        on: (event: 'disconnected', listener: () => void) => events.on(event, listener),
        off: (event: 'disconnected', listener: () => void) => events.off(event, listener),
        onRefresh(listener: () => boolean) {
          onRefresh = listener;
        },
      };
    },
  };
}

test('a connection that Slack is about to close is replaced before it is closed', async () => {
  const { lines, clients, createClient } = createRefreshableClients();
  const connection = createSocketConnection({ createClient, log, onFatal: () => undefined, answerMs: 5 });
  await connection.start();
  expect(clients[0]?.refresh()).toBe(true);
  await expect.poll(() => lines).toEqual(['open 1', 'open 2', 'close 1']);
  expect(connection.getClosedMs()).toBe(0);
  // Slack's second warning about the old one opens no third.
  expect(clients[0]?.refresh()).toBe(false);
  await connection.stop();
  expect(lines).toEqual(['open 1', 'open 2', 'close 1', 'close 2']);
});

test('a connection that Slack closes while the next one is opened counts as closed until then', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { lines, clients, createClient } = createRefreshableClients(() => promise);
  const connection = createSocketConnection({ createClient, log, onFatal: () => undefined });
  await connection.start();
  clients[0]?.refresh();
  clients[0]?.drop();
  await expect.poll(() => connection.getClosedMs()).toBeGreaterThan(0);
  resolve();
  await expect.poll(() => connection.getClosedMs()).toBe(0);
  expect(lines).toEqual(['open 1', 'open 2']);
  await connection.stop();
});

test('Slack’s client doesn’t close a connection by itself if another one is opened first', async () => {
  const { client } = new SocketModeReceiver({ appToken: 'xapp-1', autoReconnectEnabled: false });
  const refreshable = withRefreshes(client);
  let isTaken = true;
  let announced = 0;
  refreshable.onRefresh(() => {
    announced += 1;
    return isTaken;
  });
  const requests: unknown[] = [];
  client.on('slack_event', ({ body }) => requests.push(body));
  client.emit('ws_message', JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }), false);
  client.emit(
    'ws_message',
    JSON.stringify({ type: 'slash_commands', envelope_id: '1', payload: { text: '"disconnect"' } }),
    false,
  );
  expect([announced, requests]).toEqual([1, [{ text: '"disconnect"' }]]);
  isTaken = false;
  client.emit('ws_message', JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }), false);
  expect(announced).toBe(2);
});
