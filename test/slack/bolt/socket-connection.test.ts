import { EventEmitter } from 'node:events';
import { WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { SlackRefused, socketConnection } from '../../../src/slack/bolt/socket-connection.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const refused = (error: string) => new WebAPIPlatformError({ ok: false, error });

/** A client that connects, or fails, as it is told: one entry for each attempt, then always. */
function scripted(...failures: (Error | undefined)[]) {
  const events = new EventEmitter();
  let attempts = 0;
  return {
    attempts: () => attempts,
    drop: () => events.emit('disconnected'),
    async start() {
      const failure = failures[attempts];
      attempts += 1;
      if (!failure) return;
      // A socket that closes before Slack's hello is announced as well.
      events.emit('disconnected');
      throw failure;
    },
    async disconnect() {},
    on: (event: 'disconnected', listener: () => void) => events.on(event, listener),
    removeAllListeners: (event: 'disconnected') => events.removeAllListeners(event),
  };
}

function connect(client: ReturnType<typeof scripted>) {
  const fatal: Error[] = [];
  const connection = socketConnection({ client, log, onFatal: (reason) => fatal.push(reason), waitMs: 1 });
  return { connection, fatal };
}

describe('a connection to Slack', () => {
  test('that is refused at the start says why', async () => {
    const { connection } = connect(scripted(refused('invalid_auth')));
    await expect(connection.start()).rejects.toThrow('Slack refuses the app token: invalid_auth');
  });

  test('that is dropped comes back, however often it fails', async () => {
    const client = scripted(undefined, new Error('no network'), refused('internal_error'), undefined);
    const { connection, fatal } = connect(client);
    await connection.start();
    client.drop();
    await expect.poll(client.attempts).toBe(4);
    expect(fatal).toEqual([]);
    await connection.stop();
  });

  test('whose token was revoked meanwhile ends with the reason, and is tried no more', async () => {
    const client = scripted(undefined, refused('token_revoked'));
    const { connection, fatal } = connect(client);
    await connection.start();
    client.drop();
    await expect.poll(() => fatal).toHaveLength(1);
    expect(fatal[0]).toBeInstanceOf(SlackRefused);
    expect(client.attempts()).toBe(2);
    await connection.stop();
  });

  test('that was stopped does not come back', async () => {
    const client = scripted();
    const { connection } = connect(client);
    await connection.start();
    await connection.stop();
    client.drop();
    expect(client.attempts()).toBe(1);
  });
});
