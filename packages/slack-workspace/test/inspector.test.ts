import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ServerMessage, TrafficRecord } from '../src/protocol.ts';
import type { Workspace } from '../src/workspace.ts';
import { openServer, openWorkspace } from './support/fixtures.ts';
import { catchRefusal } from './support/workspace.ts';
import { openLivePage } from './support/workspace-page.ts';

const parseParts = ({ payload, answer, ...record }: TrafficRecord) => ({
  ...record,
  payload: JSON.parse(payload) as unknown,
  ...(answer !== undefined && { answer: JSON.parse(answer) as unknown }),
});

describe('the inspector', () => {
  /** Starts a workspace whose app is a server with `answer`. `nextRecord` waits for the page's next record. */
  async function startInspectedWorkspace(answer: RequestListener = (_, response) => response.end()) {
    const { server, url } = await openServer(answer);
    const now = () => Date.UTC(2026, 10, 20, 9);
    const { workspace, client } = await openWorkspace({ delivery: { kind: 'http', url }, now });
    const page = await openLivePage(workspace, '?person=ana');
    const nextRecord = async () => {
      for (;;) {
        const message = (await page.receiveMessage()) as ServerMessage;
        if (message.type === 'traffic') return parseParts(message.record);
      }
    };
    return { workspace, client, server, nextRecord };
  }

  const typeCommand = (workspace: Workspace) => workspace.as('Ana').in('#general').type('/say hello');

  it('the inspector shows calls of methods that the workspace doesn’t have', async () => {
    const { client, nextRecord } = await startInspectedWorkspace();
    await catchRefusal(client.apiCall('chat.sing', { song: 'Home' }));
    expect(await nextRecord()).toMatchObject({ outcome: 'waiting' });
    expect(await nextRecord()).toMatchObject({
      kind: 'Web API',
      label: 'chat.sing',
      payload: { song: 'Home' },
      outcome: 'failed',
      reason: 'unknown_method',
    });
  });

  it('the inspector shows a call with its arguments, answer, duration and scopes, and no complete token', async () => {
    const { workspace, client, nextRecord } = await startInspectedWorkspace();
    const secret = workspace.clientSecret;
    const { ts } = await client.chat.postMessage({
      channel: '#general',
      text: `Mind ${workspace.botToken}`,
      blocks: [{ type: 'divider', block_id: 'line' }],
    });
    const waiting = await nextRecord();
    expect(waiting).toMatchObject({ direction: 'from-app', label: 'chat.postMessage', outcome: 'waiting' });
    const answered = await nextRecord();
    expect(answered).toMatchObject({
      id: waiting.id,
      at: Date.UTC(2026, 10, 20, 9),
      payload: { channel: '#general', blocks: [{ type: 'divider', block_id: 'line' }] },
      answer: { ok: true, ts },
      durationMs: expect.any(Number),
      outcome: 'answered',
      call: { token: 'bot', accepted: ['chat:write'], granted: expect.arrayContaining(['chat:write']) },
    });
    await catchRefusal(client.oauth.v2.access({ client_id: 'x', client_secret: secret, code: 'none' }));
    const refused = [await nextRecord(), await nextRecord()];
    expect(refused.at(-1)).toMatchObject({ label: 'oauth.v2.access', outcome: 'failed' });
    const seen = JSON.stringify([waiting, answered, ...refused]);
    expect(seen).toContain(`xoxb-…${workspace.botToken.slice(-4)}`);
    expect(seen).not.toContain(workspace.botToken);
    expect(seen).not.toContain(secret);
  });

  it('the inspector shows the app’s requests to a response_url', async () => {
    const { workspace, nextRecord } = await startInspectedWorkspace();
    await typeCommand(workspace);
    const { payload } = await nextRecord();
    await nextRecord();
    const { response_url: address } = payload as { response_url: string };
    await fetch(address, { method: 'POST', body: '{"text":"Done"}' });
    await nextRecord();
    expect(await nextRecord()).toMatchObject({
      direction: 'from-app',
      kind: 'response_url',
      payload: { text: 'Done' },
      answer: 'ok',
      outcome: 'answered',
    });
  });

  it('a page that opens later gets the newest 500 records', async () => {
    const { workspace, client } = await startInspectedWorkspace();
    for (let count = 0; count < 510; count += 1) await client.apiCall('api.test', { count });
    const page = await openLivePage(workspace, '?person=ben');
    expect(await page.receiveMessage()).toMatchObject({ type: 'snapshot', maxRecords: 500 });
    const first = (await page.receiveMessage()) as Extract<ServerMessage, { type: 'traffic' }>;
    expect(JSON.parse(first.record.payload)).toEqual({ count: '10' });
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
    const { durationMs, ...acknowledged } = await nextRecord();
    expect(acknowledged).toEqual({ ...first, outcome: 'acknowledged', answer: { text: 'Hello' } });
    expect(durationMs).toBeGreaterThan(0);
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
    expect(lateRecord).not.toHaveProperty('durationMs');
    answer.resolve();
    const answeredRecord = await nextRecord();
    expect(answeredRecord).toMatchObject({ outcome: 'late' });
    expect(answeredRecord.durationMs).toBeGreaterThanOrEqual(3_000);
  });
});
