import { EventEmitter } from 'node:events';
import { WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { createSocketConnection } from '../../../src/slack/bolt/socket-connection.ts';
import { SlackRefused } from '../../../src/slack/slack-refused.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const platformError = (error: string) => new WebAPIPlatformError({ ok: false, error });

/** The rejection of Slack's own client if the socket closes before the hello. */
const closed = 'closed before the hello';

/** A client that connects or fails as configured: one entry for each attempt. Later attempts connect. */
function scriptedClient(...failures: (Error | typeof closed | undefined)[]) {
  const events = new EventEmitter();
  let attempts = 0;
  return {
    attempts: () => attempts,
    drop: () => events.emit('disconnected'),
    async start() {
      const failure = failures[attempts];
      attempts += 1;
      if (!failure) return;
      // `disconnected` is also emitted for a socket that closes before Slack's hello.
      events.emit('disconnected');
      throw failure === closed ? undefined : failure;
    },
    async disconnect() {},
    on: (event: 'disconnected', listener: () => void) => events.on(event, listener),
    removeAllListeners: (event: 'disconnected') => events.removeAllListeners(event),
  };
}

function connect(client: ReturnType<typeof scriptedClient>, startMs = 10_000) {
  const fatal: Error[] = [];
  const onFatal = (reason: Error) => fatal.push(reason);
  const connection = createSocketConnection({ client, log, onFatal, firstBackoffMs: 1, maxStartMs: startMs });
  return { connection, fatal };
}

describe('a connection to Slack', () => {
  test('that is refused at the start reports the reason', async () => {
    const { connection } = connect(scriptedClient(platformError('invalid_auth')));
    await expect(connection.start()).rejects.toThrow('Slack refuses the app token: invalid_auth');
  });

  test('that Slack closes before its hello is retried at the start', async () => {
    const client = scriptedClient(closed, new Error('no network'), closed, undefined);
    const { connection } = connect(client);
    await connection.start();
    expect(client.attempts()).toBe(4);
    await connection.stop();
  });

  test('that Slack keeps closing before its hello fails with a reason', async () => {
    const always = Array.from<typeof closed>({ length: 10_000 }).fill(closed);
    const { connection } = connect(scriptedClient(...always), 20);
    const reason: unknown = await connection.start().catch((error: unknown) => error);
    expect(reason).toEqual(new Error('Slack closed the connection before its hello'));
  });

  test('that is refused during retries fails at once', async () => {
    const client = scriptedClient(closed, platformError('token_revoked'));
    await expect(connect(client).connection.start()).rejects.toBeInstanceOf(SlackRefused);
    expect(client.attempts()).toBe(2);
  });

  test('that can’t be closed properly doesn’t delay a stop', async () => {
    const client = { ...scriptedClient(), disconnect: () => Promise.reject(new Error('not open')) };
    const { connection } = connect(client);
    await connection.start();
    await connection.stop();
  });

  test('that is dropped reconnects after any number of failures', async () => {
    const client = scriptedClient(
      undefined,
      new Error('no network'),
      platformError('internal_error'),
      undefined,
    );
    const { connection, fatal } = connect(client);
    await connection.start();
    client.drop();
    await expect.poll(client.attempts).toBe(4);
    expect(fatal).toEqual([]);
    await connection.stop();
  });

  test('whose token is revoked ends with the reason and isn’t retried', async () => {
    const client = scriptedClient(undefined, platformError('token_revoked'));
    const { connection, fatal } = connect(client);
    await connection.start();
    client.drop();
    await expect.poll(() => fatal).toHaveLength(1);
    expect(fatal[0]).toBeInstanceOf(SlackRefused);
    expect(client.attempts()).toBe(2);
    await connection.stop();
  });

  test('that was stopped doesn’t reconnect', async () => {
    const client = scriptedClient();
    const { connection } = connect(client);
    await connection.start();
    await connection.stop();
    client.drop();
    expect(client.attempts()).toBe(1);
  });
});
