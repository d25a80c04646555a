import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';
import { catchRefusal, createSlackClient, startTestWorkspace } from '../../support/workspace.ts';
import { openLivePage } from '../../support/workspace-page.ts';

interface RequestMessage {
  type: string;
  request: { kind: string; label: string; at: number; payload: object; outcome: string; ackMs?: number };
}

describe('the inspector', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of cleanups.splice(0).reverse()) await close();
  });

  /** Starts a workspace whose app is a server with `answer`. `nextRecord` waits for the page's next record. */
  async function startInspectedWorkspace(answer: Parameters<typeof createServer>[1]) {
    const server: Server = createServer(answer);
    const port = await listenOnFreePort(server);
    cleanups.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const { workspace } = await startTestWorkspace({
      delivery: { kind: 'http', url: `http://127.0.0.1:${port}/` },
      now: () => Date.UTC(2026, 10, 20, 9),
    });
    cleanups.push(() => workspace.close());
    const page = await openLivePage(workspace, '?person=ana');
    cleanups.push(() => page.close());
    const nextRecord = async () => {
      for (;;) {
        const message = await page.receiveMessage();
        if (message.type === 'request') return (message as unknown as RequestMessage).request;
      }
    };
    return { workspace, server, nextRecord };
  }

  const typeCommand = (workspace: Workspace) => workspace.as('Ana').in('#general').type('/say hello');

  it('the inspector shows calls of methods that the workspace doesn’t have', async () => {
    const { workspace, nextRecord } = await startInspectedWorkspace((_, response) => response.end());
    const client = createSlackClient(workspace, workspace.botToken);
    await catchRefusal(client.apiCall('chat.sing', { song: 'Home' }));
    expect(await nextRecord()).toMatchObject({
      kind: 'Web API',
      label: 'chat.sing',
      payload: { song: 'Home' },
      outcome: 'failed',
      reason: 'unknown_method',
    });
  });

  it('the inspector shows a request, its time, its duration and the response', async () => {
    const { workspace, nextRecord } = await startInspectedWorkspace((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello"}');
    });
    await typeCommand(workspace);
    const first = await nextRecord();
    expect(first).toMatchObject({
      kind: 'slash_commands',
      label: '/say hello',
      at: Date.UTC(2026, 10, 20, 9),
      payload: { command: '/say', text: 'hello', user_id: 'U01ANAFERR' },
      outcome: 'waiting',
    });
    const { ackMs, ...acknowledged } = await nextRecord();
    expect(acknowledged).toEqual({ ...first, outcome: 'acknowledged', ackPayload: { text: 'Hello' } });
    expect(ackMs).toBeGreaterThan(0);
  });

  it('the inspector shows the HTTP status of a failed request', async () => {
    const { workspace, nextRecord } = await startInspectedWorkspace(
      (_, response) => void response.writeHead(500).end(),
    );
    await typeCommand(workspace);
    await nextRecord();
    expect(await nextRecord()).toMatchObject({ outcome: 'failed', reason: 'HTTP 500' });
  });

  it('the inspector shows that the app is not connected', async () => {
    const { workspace, server, nextRecord } = await startInspectedWorkspace(() => {});
    server.close();
    await typeCommand(workspace);
    await nextRecord();
    expect(await nextRecord()).toMatchObject({ outcome: 'failed', reason: 'the app is not connected' });
  });

  it('the inspector shows a late acknowledgement as late, and later its duration', async () => {
    const answer = Promise.withResolvers<void>();
    const { workspace, nextRecord } = await startInspectedWorkspace((_, response) => {
      void answer.promise.then(() => response.writeHead(200).end());
    });
    await typeCommand(workspace);
    await nextRecord();
    const lateRecord = await nextRecord();
    expect(lateRecord).toMatchObject({ outcome: 'late' });
    expect(lateRecord).not.toHaveProperty('ackMs');
    answer.resolve();
    const answeredRecord = await nextRecord();
    expect(answeredRecord).toMatchObject({ outcome: 'late' });
    expect(answeredRecord.ackMs).toBeGreaterThanOrEqual(3_000);
  });
});
