import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isValidSlackRequest } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../src/workspace.ts';
import { closeAfterwards, openServer, openWorkspace } from './support/fixtures.ts';
import { createSlackClient, SILENT } from './support/workspace.ts';

describe('delivery to an app', () => {
  const startEmptyWorkspace = async (
    delivery: { kind: 'socket' } | { kind: 'http'; url: string } = { kind: 'socket' },
  ) => (await openWorkspace({ delivery })).workspace;

  async function connectApp(workspace: Workspace, onCommand: (text: string) => void): Promise<void> {
    const socket = new SocketModeClient({
      appToken: workspace.appToken,
      logger: SILENT,
      clientOptions: { slackApiUrl: workspace.apiUrl },
    });
    socket.on('slash_commands', ({ ack, body }) => {
      onCommand(body.text);
      void ack();
    });
    closeAfterwards(() => socket.disconnect());
    await socket.start();
  }

  it('a command to an app that is not connected fails with a message to the person', async () => {
    const workspace = await startEmptyWorkspace();
    await workspace.as('Ana').type('/say hello');
    await workspace.as('Ana').sees('/say failed with the error "dispatch_failed"');
  });

  it('a command sent while the app connects reaches the app', async () => {
    const workspace = await startEmptyWorkspace();
    const received: string[] = [];
    const typing = workspace.as('Ana').type('/say hello');
    await connectApp(workspace, (text) => received.push(text));
    await typing;
    expect(received).toEqual(['hello']);
    expect(workspace.as('Ana').read()).not.toContain('dispatch_failed');
  });

  it('an app with two sockets gets each request once', async () => {
    const workspace = await startEmptyWorkspace();
    const received: string[][] = [[], []];
    await connectApp(workspace, (text) => received[0]?.push(text));
    await connectApp(workspace, (text) => received[1]?.push(text));
    const texts = ['1', '2', '3', '4', '5', '6'];
    for (const number of texts) await workspace.as('Ana').type(`/say ${number}`);
    expect(received.flat().toSorted()).toEqual(texts);
    expect(received.map((list) => list.length)).toEqual([3, 3]);
  });

  it('each ticket for a socket works once', async () => {
    const workspace = await startEmptyWorkspace();
    const { url } = await createSlackClient(workspace, workspace.appToken).apps.connections.open({});
    const first = new WebSocket(url ?? '');
    closeAfterwards(() => first.terminate());
    const [hello] = await once(first, 'message');
    expect(JSON.parse(String(hello))).toMatchObject({ type: 'hello', num_connections: 1 });
    first.ping();
    await once(first, 'pong');
    const second = new WebSocket(url ?? '');
    const [error] = await once(second, 'error');
    expect(error.message).toContain('404');
  });

  it('an app may open ten sockets, and an eleventh is refused and closed', async () => {
    const workspace = await startEmptyWorkspace();
    const { apps } = createSlackClient(workspace, workspace.appToken);
    const openSocket = async () => {
      const { url } = await apps.connections.open({});
      const socket = new WebSocket(url ?? '');
      closeAfterwards(() => socket.terminate());
      const [first] = await once(socket, 'message');
      return { socket, first: JSON.parse(String(first)) };
    };
    const sockets: WebSocket[] = [];
    for (let count = 1; count <= 10; count += 1) {
      const { socket, first } = await openSocket();
      expect(first).toMatchObject({ type: 'hello', num_connections: count });
      sockets.push(socket);
    }
    const eleventh = await openSocket();
    expect(eleventh.first).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    await once(eleventh.socket, 'close');
    const [firstSocket] = sockets;
    firstSocket?.close();
    if (firstSocket) await once(firstSocket, 'close');
    await expect.poll(async () => (await openSocket()).first.type).toBe('hello');
  });

  it('an HTTP request has a signature that Bolt accepts, and a changed body is refused', async () => {
    const requests: { request: IncomingMessage; body: string }[] = [];
    const { url } = await openServer((request, response) => {
      void text(request).then((body) => {
        requests.push({ request, body });
        response.end();
      });
    });
    const workspace = await startEmptyWorkspace({ kind: 'http', url });
    await workspace.as('Ana').type('/say <hello> & goodbye');
    const [command] = requests;
    expect(command?.request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(new URLSearchParams(command?.body).get('text')).toBe('&lt;hello&gt; &amp; goodbye');
    const { headers } = command?.request ?? {};
    expect(headers?.['x-slack-signature']).toMatch(/^v0=[0-9a-f]{64}$/);
    expect(headers?.['x-slack-request-timestamp']).toMatch(/^\d{10}$/);
    expect(headers).not.toHaveProperty('x-slack-retry-num');
    const buildSignedRequest = (body: string) => ({
      signingSecret: workspace.signingSecret,
      body,
      headers: {
        'x-slack-signature': String(command?.request.headers['x-slack-signature']),
        'x-slack-request-timestamp': Number(command?.request.headers['x-slack-request-timestamp']),
      },
    });
    expect(isValidSlackRequest(buildSignedRequest(command?.body ?? ''))).toBe(true);
    expect(isValidSlackRequest(buildSignedRequest(`${command?.body} `))).toBe(false);
  });

  it('a command that the app never answers is sent once, also over a connection that was used before', async () => {
    let requests = 0;
    const { url } = await openServer((_, response) => {
      requests += 1;
      // Only the first request is answered, and its connection stays open.
      if (requests === 1) response.end();
    });
    const workspace = await startEmptyWorkspace({ kind: 'http', url });
    await workspace.as('Ana').type('/say hello');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const typing = workspace.as('Ana').type('/say hang');
    await expect.poll(() => requests).toBe(2);
    vi.advanceTimersByTime(10_000);
    await typing;
    await expect
      .poll(() => workspace.app.requests().map(({ outcome }) => outcome))
      .toEqual(['acknowledged', 'failed']);
    expect(requests).toBe(2);
  });

  it('a command to an app that answers with an error fails with a message to the person', async () => {
    const { url } = await openServer((_, response) => void response.writeHead(500).end());
    const workspace = await startEmptyWorkspace({ kind: 'http', url });
    await workspace.as('Ana').type('/say hello');
    await workspace.as('Ana').sees('/say failed with the error "dispatch_failed"');
  });
});
