import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../src/workspace.ts';
import { closeAfterwards, openServer, openWorkspace } from './support/fixtures.ts';
import { createSlackClient } from './support/workspace.ts';

const MINUTE_MS = 60_000;

describe('an event that the app did not accept', () => {
  /** Starts an app that answers with `answer`, and records each request: its time, event id and retry headers. */
  async function startHttpApp(answer: (response: ServerResponse) => void) {
    const received: { at: number; id: string; retryNumber: unknown; reason: unknown }[] = [];
    const recordRequest = async (request: IncomingMessage, response: ServerResponse) => {
      const { event_id: id } = JSON.parse(await text(request));
      const { 'x-slack-retry-num': retryNumber, 'x-slack-retry-reason': reason } = request.headers;
      received.push({ at: workspace.clock.now(), id, retryNumber, reason });
      answer(response);
    };
    const { server, url } = await openServer((request, response) => void recordRequest(request, response));
    const { workspace } = await openWorkspace({ delivery: { kind: 'http', url } });
    return { workspace, received, server };
  }

  const mentionApp = (workspace: Workspace) => workspace.as('Ana').in('#general').type('@tester hello');

  it('an event is sent again at once, after one minute and after five, with the reason', async () => {
    const { workspace, received } = await startHttpApp((response) => response.writeHead(500).end());
    await mentionApp(workspace);
    await expect.poll(() => received.length).toBe(2);
    const advanceAndCount = (ms: number) => () => {
      workspace.clock.advance(ms);
      return received.length;
    };
    // Each look advances the clock, so that looks that are too close would pass the time of the next request, too.
    await expect.poll(advanceAndCount(MINUTE_MS / 2), { interval: 200 }).toBe(3);
    await expect.poll(advanceAndCount(MINUTE_MS), { interval: 200 }).toBe(4);
    workspace.clock.advance(60 * MINUTE_MS);
    await mentionApp(workspace);
    await expect.poll(() => received.length).toBe(6);
    const [first, ...retries] = received.slice(0, 4);
    expect(first).toMatchObject({ retryNumber: undefined, reason: undefined });
    expect(retries).toMatchObject(
      ['1', '2', '3'].map((retryNumber) => ({ id: first?.id, retryNumber, reason: 'http_error' })),
    );
    const [firstRetryAt = 0, secondRetryAt = 0, thirdRetryAt = 0] = retries.map(({ at }) => at);
    expect(firstRetryAt - (first?.at ?? 0)).toBeLessThan(MINUTE_MS);
    expect(secondRetryAt - firstRetryAt).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(thirdRetryAt - secondRetryAt).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(received[4]).toMatchObject({ retryNumber: undefined });
    expect(received[4]?.id).not.toBe(first?.id);
  });

  it('an event is not sent again after any 2xx status, or if the app forbids retries', async () => {
    const answers = [
      (response: ServerResponse) => response.writeHead(204).end(),
      (response: ServerResponse) => response.writeHead(503, { 'X-Slack-No-Retry': '1' }).end(),
    ];
    const { workspace, received } = await startHttpApp((response) =>
      (answers[received.length - 1] ?? answers[0])?.(response),
    );
    await mentionApp(workspace);
    await expect.poll(() => received.length).toBe(1);
    await mentionApp(workspace);
    await expect.poll(() => received.length).toBe(2);
    workspace.clock.advance(10 * MINUTE_MS);
    await mentionApp(workspace);
    await expect
      .poll(() => received.map(({ retryNumber }) => retryNumber))
      .toEqual([undefined, undefined, undefined]);
  });

  it('an event is sent again with the reason connection_failed if the app was unreachable', async () => {
    const { workspace, received, server } = await startHttpApp((response) => response.end());
    const { port } = server.address() as { port: number };
    server.close();
    await mentionApp(workspace);
    server.listen(port, '127.0.0.1');
    await expect
      .poll(() => {
        workspace.clock.advance(MINUTE_MS);
        return received.map(({ reason }) => reason);
      })
      .toEqual(['connection_failed']);
  });

  it('in Socket Mode an event is sent again after three seconds, and is lost if no app was connected', async () => {
    const { workspace } = await openWorkspace();
    await mentionApp(workspace);
    const { url } = await createSlackClient(workspace, workspace.appToken).apps.connections.open({});
    const socket = new WebSocket(url ?? '');
    closeAfterwards(() => socket.terminate());
    const received: { retry_attempt: number; retry_reason: string; envelope_id: string; text: string }[] = [];
    socket.on('message', (data) => {
      const { payload, type, ...envelope } = JSON.parse(String(data));
      if (type === 'events_api') received.push({ ...envelope, text: payload.event.text });
    });
    await expect.poll(() => socket.readyState).toBe(WebSocket.OPEN);
    workspace.clock.advance(10 * MINUTE_MS);
    await workspace.as('Ana').in('#general').type('@tester anybody there?');
    await expect.poll(() => received.length).toBe(2);
    expect(received).toMatchObject([
      { retry_attempt: 0, retry_reason: '', text: expect.stringContaining('anybody there?') },
      { retry_attempt: 1, retry_reason: 'timeout', text: expect.stringContaining('anybody there?') },
    ]);
    expect(received[0]?.envelope_id).not.toBe(received[1]?.envelope_id);
  });
});
