import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../../src/workspace.ts';
import { createModal, createPlainText } from '../support/blocks.ts';
import { openServer, openWorkspace } from '../support/fixtures.ts';
import { createSlackClient } from '../support/workspace.ts';
import { type BoltFixture, startWithBolt } from '../support/workspace-bolt.ts';

/** Delayed requests wait for `vi.advanceTimersByTime`, however slow the machine is. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
afterEach(() => {
  vi.useRealTimers();
});

describe.each(['socket', 'http'] as const)('over %s', (mode) => {
  let fixture: BoltFixture;
  const received: string[] = [];
  const mentions: string[] = [];
  let onMention: () => void = () => undefined;

  beforeAll(async () => {
    fixture = await startWithBolt({ mode });
    const { app } = fixture;
    app.command('/say', async ({ ack, body }) => {
      received.push(`command ${body.trigger_id}`);
      await ack(`answer ${received.length}`);
    });
    app.command('/form', async ({ ack, body, client }) => {
      await ack();
      const blocks = [{ type: 'section' as const, text: createPlainText('Nothing to fill in') }];
      const view = createModal('A form', blocks, { callback_id: 'form' });
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    app.view('form', async ({ ack, body }) => {
      received.push(`submission ${body.view.id} ${body.view.hash}`);
      await ack();
    });
    app.event('app_mention', async ({ body, event }) => {
      received.push(`event ${body.event_id}`);
      mentions.push(event.text);
      onMention();
    });
  });

  afterEach(() => {
    fixture.workspace.faults.clear();
    received.length = 0;
    mentions.length = 0;
  });
  afterAll(() => fixture.stop());

  const getAna = () => fixture.workspace.as('Ana').in('#general');

  /** Lets somebody act, and then three seconds pass, for which Slack waits for an acknowledgement. */
  async function passDeadline<Result>(act: () => Promise<Result>): Promise<Result> {
    const countRequests = () => fixture.workspace.app.requests().length;
    const count = countRequests();
    stopTimers();
    const acting = act();
    await expect.poll(countRequests).toBeGreaterThan(count);
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();
    return acting;
  }

  test.each([
    ['command', 'slash_commands', () => getAna().type('/say')],
    ['event', 'app_mention', () => getAna().type('@tester hello')],
    [
      'submission',
      'view_submission',
      async () => {
        await getAna().type('/form');
        await (await getAna().modal('A form')).submit();
      },
    ],
  ] as const)('a %s is delivered twice if that fault is set, and otherwise once', async (name, kind, act) => {
    fixture.workspace.faults.set({ deliveries: [{ fault: 'duplicate', kind, times: 1 }] });
    await act();
    await expect.poll(() => received).toHaveLength(2);
    expect(received[0]).toMatch(name);
    expect(received[1]).toBe(received[0]);
    await act();
    await expect.poll(() => received).toHaveLength(3);
    expect(received[2]).not.toBe(received[0]);
  });

  test('a delayed event comes after a later one', async () => {
    const listTexts = () => mentions.map((text) => text.split(' ').at(-1));
    fixture.workspace.faults.set({
      deliveries: [{ fault: 'delayed', kind: 'app_mention', afterMs: 100, times: 1 }],
    });
    stopTimers();
    // Each look of `expect.poll` would advance the stopped timers.
    const firstMention = Promise.withResolvers<void>();
    onMention = firstMention.resolve;
    await getAna().type('@tester first');
    await getAna().type('@tester second');
    await firstMention.promise;
    expect(listTexts()).toEqual(['second']);
    vi.advanceTimersByTime(100);
    await expect.poll(listTexts).toEqual(['second', 'first']);
  });

  test('Slack uses the first of two responses', async () => {
    fixture.workspace.faults.set({ deliveries: [{ fault: 'duplicate', afterMs: 50 }] });
    stopTimers();
    await getAna().type('/say');
    vi.advanceTimersByTime(50);
    await expect.poll(() => received).toHaveLength(2);
    await getAna().sees('answer 1');
    expect(getAna().read()).not.toContain('answer 2');
  });

  test('a submission whose acknowledgement was lost can be sent again', async () => {
    await getAna().type('/form');
    const form = await getAna().modal('A form');
    fixture.workspace.faults.set({
      deliveries: [{ fault: 'unacknowledged', kind: 'view_submission', times: 1 }],
    });
    expect(await passDeadline(() => form.submit())).toMatchObject({
      closed: false,
      trouble: expect.stringContaining('trouble connecting'),
    });
    await form.submit();
    expect(received).toEqual([received[0], received[0]]);
  });

  test('a lost command never reaches the app', async () => {
    fixture.workspace.faults.set({ deliveries: [{ fault: 'lost', kind: 'slash_commands', times: 1 }] });
    await passDeadline(() => getAna().type('/say'));
    await getAna().sees('/say failed with the error "operation_timeout"');
    expect(received).toEqual([]);
  });
});

test.each(['reset', 'close'] as const)('no request to an app outlives a %s', async (end) => {
  const received: string[] = [];
  const { url } = await openServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      // The second event comes over the connection of the first. Without an answer it would be sent again.
      if (received.length !== 2) response.end();
    });
  });
  const { workspace } = await openWorkspace({ delivery: { kind: 'http', url } });
  const books = workspace.admin.addTeam({ name: 'Books', people: [{ name: 'Rosa' }], installed: true });
  const ana = workspace.as('Ana').in('#general');
  const rosa = books.as('Rosa').in('#general');
  await rosa.inviteApp();
  await ana.type('@tester hello');
  await expect.poll(() => workspace.app.requests().at(-1)?.outcome).toBe('acknowledged');
  stopTimers();
  await ana.type('@tester without an answer');
  await expect.poll(() => received).toHaveLength(2);
  workspace.faults.set({ deliveries: [{ fault: 'delayed', afterMs: 100 }] });
  await ana.type('@tester delayed');
  await rosa.type('@tester delayed');
  await workspace[end]();
  const recordedCount = workspace.app.requests().length;
  // Longer than the three seconds after which Slack repeats an event.
  await vi.advanceTimersByTimeAsync(3_500);
  // The practice workspace records each request before it sends it.
  expect(workspace.app.requests()).toHaveLength(recordedCount);
  await fetch(url, { method: 'POST', body: 'the last' });
  expect(received.slice(2)).toEqual(['the last']);
});

test('over HTTP a retry by Slack is the same request, byte by byte', async () => {
  const received: { signature: unknown; timestamp: unknown; body: string }[] = [];
  const { url } = await openServer((request, response) => {
    void text(request).then((body) => {
      const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = request.headers;
      received.push({ signature, timestamp, body });
      response.end(`answer ${received.length}`);
    });
  });
  // A clock that advances by a second with each reading.
  let now = 1_790_000_000_000;
  const { workspace } = await openWorkspace({
    delivery: { kind: 'http', url },
    now: () => {
      now += 1_000;
      return now;
    },
  });
  const ana = workspace.as('Ana').in('#general');
  stopTimers();
  for (const isIdentical of [true, false]) {
    workspace.faults.set({ deliveries: [{ fault: 'duplicate', identical: isIdentical, afterMs: 10 }] });
    received.length = 0;
    await ana.type('/say');
    vi.advanceTimersByTime(10);
    await expect.poll(() => received).toHaveLength(2);
    const [first, retry] = received;
    expect(retry?.body).toBe(first?.body);
    expect(retry?.signature === first?.signature).toBe(isIdentical);
    expect(retry?.timestamp === first?.timestamp).toBe(isIdentical);
    await ana.sees('answer 1');
    expect(ana.read()).not.toContain('answer 2');
  }
});

test('in Socket Mode a retry is the same envelope, and an event says that it is a retry', async () => {
  const { workspace } = await openWorkspace();
  const socket = await openSocket(workspace);
  const envelopes: Record<string, unknown>[] = [];
  socket.on('message', (data) => {
    const message: Record<string, unknown> = JSON.parse(String(data));
    if (message.type === 'events_api') envelopes.push(message);
    socket.send(JSON.stringify({ envelope_id: message.envelope_id }));
  });
  workspace.faults.set({ deliveries: [{ fault: 'duplicate', kind: 'events_api' }] });
  await workspace.as('Ana').in('#general').type('@tester hello');
  await expect.poll(() => envelopes.length).toBe(2);
  const [first, retry] = envelopes;
  expect(first).toMatchObject({ retry_attempt: 0, retry_reason: '' });
  expect(retry).toEqual({ ...first, retry_attempt: 1, retry_reason: 'timeout' });
  expect(workspace.faults.counts().faults).toEqual({ duplicate: 1 });
});

async function openSocket(workspace: Workspace): Promise<WebSocket> {
  const { url = '' } = await createSlackClient(workspace, workspace.appToken).apps.connections.open();
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
}
