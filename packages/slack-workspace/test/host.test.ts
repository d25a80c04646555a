import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createControlClient } from './support/control-client.ts';
import { openWorkspace } from './support/fixtures.ts';
import { createSlackClient } from './support/workspace.ts';

const { workspace } = await openWorkspace({ host: '0.0.0.0' });
/** The address under which this machine reaches it in any case. */
const local = `http://127.0.0.1:${new URL(workspace.url).port}`;

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${local}${path}`, { headers, redirect: 'manual' });

const first = await open(`/${new URL(workspace.pageUrl).search}`);
const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('a practice workspace that other machines can reach', () => {
  it('the page opens with the token in the printed address only, and the token leaves the address', async () => {
    expect([first.status, first.headers.get('location')]).toEqual([302, '/']);
    expect((await open('/')).status).toBe(401);
    expect((await open('/?token=wrong')).status).toBe(401);
    expect(await (await open('/page/app.js')).text()).toContain(
      'Open the address that the workspace printed',
    );
    expect((await open('/', { cookie })).status).toBe(200);
    expect((await open('/page/app.js', { cookie })).status).toBe(200);
    expect((await open('/', { cookie: cookie.replace(/=.*/, '=wrong') })).status).toBe(401);
  });

  it('neither the live connection, a reset nor a private file is open to others', async () => {
    const connect = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${local.replace('http', 'ws')}/page/live`, { headers });
        socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode));
        socket.once('message', () => {
          resolve('connected');
          socket.terminate();
        });
      });
    expect(await connect({})).toBe(404);
    expect(await connect({ cookie })).toBe('connected');
    expect((await fetch(`${local}/page/reset`, { method: 'POST' })).status).toBe(401);
    const file = await open('/files-pri/T01-F01/a.png', { 'sec-fetch-site': 'same-origin' });
    expect(file.headers.get('location')).toMatch(/redir=/);
  });

  it('the control API answers only with the token', async () => {
    expect((await open('/control/workspace')).status).toBe(401);
    expect((await open('/control/openapi.json', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await open('/control/workspace', { cookie })).status).toBe(200);
    const token = new URL(workspace.pageUrl).searchParams.get('token') ?? '';
    const control = await createControlClient(`${local}/control`, { authorization: `Bearer ${token}` });
    expect(control.document).toHaveProperty('security', [{ token: [] }]);
  });

  it('an app connects by any name of the machine, and gets addresses that name it', async () => {
    const client = createSlackClient({ ...workspace, apiUrl: `${local}/api/` }, workspace.botToken);
    expect((await client.auth.test()).url).toBe(`${workspace.url}/`);
    expect(new URL(workspace.url).hostname).not.toMatch(/^(0\.0\.0\.0|127\.)/);
  });

  it('without a host, the page needs no token', async () => {
    const { workspace: ordinary } = await openWorkspace();
    expect(ordinary.pageUrl).toBe(ordinary.url);
    expect((await fetch(ordinary.url)).status).toBe(200);
  });
});
