import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { clientFor, startTestWorkspace } from '../../support/workspace.ts';

const MINUTE = 60_000;

describe('an event that the app did not take', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** An app that answers so, and what it heard: when, the event's id, the headers about retries. */
  async function overHttp(answer: (response: ServerResponse) => void) {
    const heard: { at: number; id: string; num: unknown; reason: unknown }[] = [];
    const listen = async (request: IncomingMessage, response: ServerResponse) => {
      const { event_id: id } = JSON.parse(await text(request));
      const { 'x-slack-retry-num': num, 'x-slack-retry-reason': reason } = request.headers;
      heard.push({ at: workspace.clock.now(), id, num, reason });
      answer(response);
    };
    const server = createServer((request, response) => void listen(request, response));
    const port = await listeningPort(server);
    closing.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const { workspace } = await startTestWorkspace({
      delivery: { kind: 'http', url: `http://127.0.0.1:${port}/` },
    });
    closing.push(() => workspace.close());
    return { workspace, heard, server };
  }

  const mention = (workspace: Workspace) => workspace.as('Ana').in('#general').type('@tester hello');

  it('comes again at once, after one minute and after five, with how often and why', async () => {
    const { workspace, heard } = await overHttp((response) => response.writeHead(500).end());
    await mention(workspace);
    await expect.poll(() => heard.length).toBe(2);
    const passing = (ms: number) => () => {
      workspace.clock.advance(ms);
      return heard.length;
    };
    await expect.poll(passing(MINUTE / 2)).toBe(3);
    await expect.poll(passing(MINUTE)).toBe(4);
    workspace.clock.advance(60 * MINUTE);
    await mention(workspace);
    await expect.poll(() => heard.length).toBe(6);
    const [first, ...again] = heard.slice(0, 4);
    expect(first).toMatchObject({ num: undefined, reason: undefined });
    expect(again).toMatchObject(['1', '2', '3'].map((num) => ({ id: first?.id, num, reason: 'http_error' })));
    const [atOnce = 0, minute = 0, five = 0] = again.map(({ at }) => at);
    expect(atOnce - (first?.at ?? 0)).toBeLessThan(MINUTE);
    expect(minute - atOnce).toBeGreaterThanOrEqual(MINUTE);
    expect(five - minute).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(heard[4]).toMatchObject({ num: undefined });
    expect(heard[4]?.id).not.toBe(first?.id);
  });

  it('does not come again after any 2xx, or where the app wants it not to', async () => {
    const answers = [
      (response: ServerResponse) => response.writeHead(204).end(),
      (response: ServerResponse) => response.writeHead(503, { 'X-Slack-No-Retry': '1' }).end(),
    ];
    const { workspace, heard } = await overHttp((response) =>
      (answers[heard.length - 1] ?? answers[0])?.(response),
    );
    await mention(workspace);
    await expect.poll(() => heard.length).toBe(1);
    await mention(workspace);
    await expect.poll(() => heard.length).toBe(2);
    workspace.clock.advance(10 * MINUTE);
    await mention(workspace);
    await expect.poll(() => heard.map(({ num }) => num)).toEqual([undefined, undefined, undefined]);
  });

  it('comes again where nobody listened: connection_failed', async () => {
    const { workspace, heard, server } = await overHttp((response) => response.end());
    const { port } = server.address() as { port: number };
    server.close();
    await mention(workspace);
    server.listen(port, '127.0.0.1');
    await expect
      .poll(() => {
        workspace.clock.advance(MINUTE);
        return heard.map(({ reason }) => reason);
      })
      .toEqual(['connection_failed']);
  });

  it('in Socket Mode comes again after three seconds: timeout; what nobody was connected for is lost', async () => {
    const { workspace } = await startTestWorkspace();
    closing.push(() => workspace.close());
    await mention(workspace);
    const { url } = await clientFor(workspace, workspace.appToken).apps.connections.open({});
    const socket = new WebSocket(url ?? '');
    closing.push(() => socket.terminate());
    const heard: { retry_attempt: number; retry_reason: string; envelope_id: string; said: string }[] = [];
    socket.on('message', (data) => {
      const { payload, type, ...envelope } = JSON.parse(String(data));
      if (type === 'events_api') heard.push({ ...envelope, said: payload.event.text });
    });
    await expect.poll(() => socket.readyState).toBe(WebSocket.OPEN);
    workspace.clock.advance(10 * MINUTE);
    await workspace.as('Ana').in('#general').type('@tester anybody there?');
    await expect.poll(() => heard.length, { timeout: 6_000 }).toBe(2);
    expect(heard).toMatchObject([
      { retry_attempt: 0, retry_reason: '', said: expect.stringContaining('anybody there?') },
      { retry_attempt: 1, retry_reason: 'timeout', said: expect.stringContaining('anybody there?') },
    ]);
    expect(heard[0]?.envelope_id).not.toBe(heard[1]?.envelope_id);
  });
});
