import { WebClient } from '@slack/web-api';
import type { Workspace } from 'slack-workspace-emulator';
import { SILENT, startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClientOptions, type SendToSlack } from '../../../src/handlers/bolt/transport.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

test('a greeting is answered although Slack accepts the answer only a second later', async () => {
  await startBot();
  failSlack(running, { fault: 'rate-limited', method: 'chat.postMessage', retryAfter: 1, times: 1 });
  const ana = running.workspace.as('Ana');
  await ana.directMessage('hello');
  await ana.sees('New post');
});

test('a person keeps their role although one lookup fails', async () => {
  await startBot();
  failSlack(running, { fault: 'status', status: 503, method: 'users.info', times: 1 });
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext outbox', 'Nothing pending');
});

describe('calls to Slack', () => {
  let workspace: Workspace;
  let client: WebClient;
  beforeEach(async () => {
    ({ workspace } = await startTestWorkspace());
    client = new WebClient(workspace.botToken, createClientOptions(workspace.apiUrl, SILENT));
  });
  afterEach(() => workspace.close());

  const countCalls = (method: string) => workspace.faults.counts().calls[method];
  const sendMessage = () => client.chat.postMessage({ channel: 'C02HARBOUR', text: 'x' });

  test('a wait of more than two seconds is left to the caller', async () => {
    workspace.faults.set({ webApi: [{ fault: 'rate-limited', retryAfter: 3 }] });
    await expect(sendMessage()).rejects.toMatchObject({ retryAfter: 3 });
    expect(countCalls('chat.postMessage')).toBe(1);
  });

  test.each([{ fault: 'cut', commit: 'never' } as const, { fault: 'status', status: 503 } as const])(
    'a lookup is repeated once after a failure ($fault)',
    async (fault) => {
      workspace.faults.set({ webApi: [{ ...fault, times: 1 }] });
      expect((await client.users.info({ user: 'U01ANAFERR' })).user?.name).toBe('ana');
      workspace.faults.set({ webApi: [fault] });
      await expect(client.users.info({ user: 'U01ANAFERR' })).rejects.toThrow();
      expect(countCalls('users.info')).toBe(4);
    },
  );

  test('a message whose answer is lost isn’t sent again', async () => {
    workspace.faults.set({ webApi: [{ fault: 'cut', commit: 'first' }] });
    await expect(sendMessage()).rejects.toThrow();
    expect(countCalls('chat.postMessage')).toBe(1);
  });
});

test('a call without an answer ends after ten seconds, and isn’t repeated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const sendCall = vi.fn<SendToSlack>(
      (_url, { signal } = {}) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const client = new WebClient('xoxb-1', createClientOptions(undefined, SILENT, sendCall));
    const result = client.users.info({ user: 'U01ANAFERR' }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await result).toMatchObject({ message: expect.stringContaining('within 10000 ms') });
    expect(sendCall).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
