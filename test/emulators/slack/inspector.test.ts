import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { startTestWorkspace } from '../../support/workspace.ts';
import { openLivePage } from '../../support/workspace-page.ts';

interface Requested {
  type: string;
  request: { kind: string; label: string; at: number; payload: object; outcome: string; ackMs?: number };
}

describe('the inspector', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A workspace whose app is a server that answers so, and the records that a page gets, in order. */
  async function inspected(answer: Parameters<typeof createServer>[1]) {
    const server: Server = createServer(answer);
    const port = await listeningPort(server);
    closing.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const { workspace } = await startTestWorkspace({
      delivery: { kind: 'http', url: `http://127.0.0.1:${port}/` },
      now: () => Date.UTC(2026, 10, 20, 9),
    });
    closing.push(() => workspace.close());
    const page = await openLivePage(workspace, '?person=ana');
    closing.push(() => page.close());
    const record = async () => {
      for (;;) {
        const said = await page.next();
        if (said.type === 'request') return (said as unknown as Requested).request;
      }
    };
    return { workspace, server, record };
  }

  const say = (workspace: Workspace) => workspace.as('Ana').in('#general').type('/say hello');

  it('has what was asked, when, how long it took and what was answered', async () => {
    const { workspace, record } = await inspected((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello"}');
    });
    await say(workspace);
    const first = await record();
    expect(first).toMatchObject({
      kind: 'slash_commands',
      label: '/say hello',
      at: Date.UTC(2026, 10, 20, 9),
      payload: { command: '/say', text: 'hello', user_id: 'U01ANAFERR' },
      outcome: 'waiting',
    });
    const { ackMs, ...answered } = await record();
    expect(answered).toEqual({ ...first, outcome: 'acknowledged', ackPayload: { text: 'Hello' } });
    expect(ackMs).toBeGreaterThan(0);
  });

  it('has why a request failed: by its status', async () => {
    const { workspace, record } = await inspected((_, response) => void response.writeHead(500).end());
    await say(workspace);
    await record();
    expect(await record()).toMatchObject({ outcome: 'failed', reason: 'HTTP 500' });
  });

  it('has why a request failed: nobody was there', async () => {
    const { workspace, server, record } = await inspected(() => {});
    server.close();
    await say(workspace);
    await record();
    expect(await record()).toMatchObject({ outcome: 'failed', reason: 'the app is not connected' });
  });

  it('has an acknowledgement that comes too late as late, and then how long it took', async () => {
    const answer = Promise.withResolvers<void>();
    const { workspace, record } = await inspected((_, response) => {
      void answer.promise.then(() => response.writeHead(200).end());
    });
    await say(workspace);
    await record();
    const late = await record();
    expect(late).toMatchObject({ outcome: 'late' });
    expect(late).not.toHaveProperty('ackMs');
    answer.resolve();
    const came = await record();
    expect(came).toMatchObject({ outcome: 'late' });
    expect(came.ackMs).toBeGreaterThanOrEqual(3_000);
  });
});
