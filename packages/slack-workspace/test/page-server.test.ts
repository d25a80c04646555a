import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openWorkspace } from './support/fixtures.ts';
import { SMALL_PNG } from './support/small-png.ts';
import { createSlackClient, startTestWorkspace } from './support/workspace.ts';
import { openLivePage } from './support/workspace-page.ts';

const { workspace } = await openWorkspace();

describe('the server of the practice workspace’s page', () => {
  /** Sends a request with its own Host header, which fetch would overwrite. Returns the status of the response. */
  function requestStatus(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request(`${workspace.url}${path}`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
    return promise;
  }

  it('the page has a policy that forbids content from elsewhere, and its own nonce', async () => {
    const [firstResponse, secondResponse] = await Promise.all([fetch(workspace.url), fetch(workspace.url)]);
    const policy = firstResponse.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    const html = await firstResponse.text();
    expect(html).toContain(`nonce="${nonce}"`);
    expect(html).not.toContain('__NONCE__');
    expect(secondResponse.headers.get('content-security-policy')).not.toBe(policy);
    expect(firstResponse.headers.get('x-content-type-options')).toBe('nosniff');
    expect(firstResponse.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('the page’s files and their imports have the correct content types', async () => {
    for (const name of ['app.js', 'vendor/preact.js', 'vendor/preact-hooks.js', 'vendor/htm.js']) {
      const response = await fetch(`${workspace.url}/page/${name}`);
      expect([name, response.status, response.headers.get('content-type')]).toEqual([
        name,
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect(await response.text()).toMatch(/\b(import|export)\b/);
    }
  });

  it('the page’s script is one file with all its modules', async () => {
    const text = await (await fetch(`${workspace.url}/page/app.js`)).text();
    const imported = [...text.matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name);
    expect(imported.toSorted()).toEqual(['htm', 'preact', 'preact/hooks']);
    expect(text).not.toMatch(/^export /m);
  });

  it('the page’s style sheet has the text of all the sheets it imports', async () => {
    const text = await (await fetch(`${workspace.url}/page/style.css`)).text();
    expect(text).not.toMatch(/@import/);
    const folder = join(import.meta.dirname, '../src/page/style');
    for (const name of readdirSync(folder))
      expect(text.includes(readFileSync(join(folder, name), 'utf8')), name).toBe(true);
  });

  it.each([
    '/page/../start-workspace.ts',
    '/page/%2e%2e/start-workspace.ts',
    '/page/..%2fstart-workspace.ts',
    '/page/tsconfig.json',
    '/page/vendor/pg.js',
    '/page/vendor/__proto__',
    '/anything',
  ])('the path %s is not served', async (path) => {
    expect(await requestStatus(path)).toBe(404);
  });

  it('requests are answered only under the server’s own names (protection against DNS rebinding)', async () => {
    const { port } = new URL(workspace.url);
    // Python's WebSocket client leaves out the port.
    const withoutPort = ['localhost', '127.0.0.1', '[::1]'];
    for (const host of [...withoutPort, ...withoutPort.map((name) => `${name}:${port}`)]) {
      expect(await requestStatus('/', { headers: { host } })).toBe(200);
    }
    const foreignHosts = [
      'slack.com',
      'evil.example',
      `evil.example:${port}`,
      'slack.com.evil.example',
      'evilslack.com',
    ];
    for (const host of [...foreignHosts, 'localhost:1', 'localhost:', '::1']) {
      expect(await requestStatus('/', { headers: { host } })).toBe(403);
      expect(await requestStatus('/api/auth.test', { method: 'POST', headers: { host } })).toBe(403);
    }
  });

  it('an app connects with a Host header without a port, as Python’s WebSocket client does', async () => {
    const response = await fetch(`${workspace.apiUrl}apps.connections.open`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.appToken}` },
    });
    const { url } = (await response.json()) as { url: string };
    const socket = new WebSocket(url, { headers: { host: '127.0.0.1' } });
    const [hello] = await once(socket, 'message');
    expect(JSON.parse(String(hello))).toMatchObject({ type: 'hello' });
    socket.terminate();
  });

  it('pages of other sites can neither open the live connection nor reset the workspace', async () => {
    const origin = 'https://evil.example';
    await expect(openLivePage(workspace, '', origin)).rejects.toThrow('403');
    expect(await requestStatus('/page/reset', { method: 'POST', headers: { origin } })).toBe(403);
    expect(await requestStatus('/page/reset', { method: 'POST', headers: { origin: 'null' } })).toBe(403);
    expect(await requestStatus('/page/reset', { method: 'POST', headers: { origin: workspace.url } })).toBe(
      200,
    );
  });

  it('a page shows the view of the person in its address, by id or handle, and defaults to the owner', async () => {
    for (const [query, name] of [
      ['?person=U02BENOKAF', 'ben'],
      ['?person=ben', 'ben'],
      ['', 'ana'],
      ['?person=nobody', 'ana'],
    ] as const) {
      const page = await openLivePage(workspace, query);
      const apps = [{ name: 'Tester' }];
      expect(await page.receiveMessage()).toMatchObject({ type: 'snapshot', me: { name }, apps });
    }
  });

  it('requests of the page are answered, even if they are invalid', async () => {
    const page = await openLivePage(workspace, '?person=ana');
    await page.receiveMessage();
    const message = { act: 'message', channel: 'C01GENERAL', text: 'hello' };
    expect(await page.request(message)).toMatchObject({ ok: true });
    for (const [body, error] of [
      [{ ...message, id: 2, channel: 'C0NOTHERE' }, 'channel_not_found'],
      [{ id: 3, act: 'sing' }, 'invalid_arguments'],
      [{ id: 4, act: 'submit', viewId: 'V0', values: {} }, 'not_found'],
    ] as const)
      expect(await page.request(body)).toMatchObject({ id: body.id, ok: false, error });
    page.send('not JSON');
    expect(await page.request({ id: 5, act: 'open-dm', user: 'U09UPNEXTB' })).toMatchObject({
      id: 5,
      ok: true,
    });
  });

  it('a reset clears every open page', async () => {
    const page = await openLivePage(workspace, '?person=ana');
    await page.receiveMessage();
    await workspace.as('Ben').in('#general').type('soon forgotten');
    const message = { text: 'soon forgotten' };
    expect(await page.receiveMessage()).toMatchObject({ type: 'message', message });
    await fetch(`${workspace.url}/page/reset`, { method: 'POST' });
    const newSnapshot = await page.receiveMessage();
    expect(newSnapshot.type).toBe('snapshot');
    expect(JSON.stringify(newSnapshot)).not.toContain('soon forgotten');
  });
});

const HARBOUR = 'C02HARBOUR';

interface PageMessage {
  ts: string;
  text: string;
  files?: { url: string }[];
  replyCount?: number;
}

type Found = { messages: PageMessage[]; hasMore: boolean };

describe('a page of the practice workspace', () => {
  it('the page gets the newest messages of a channel, and older messages on request', async () => {
    const { workspace } = await openWorkspace();
    const ben = workspace.as('Ben').in('#harbour-coffee');
    for (let count = 1; count <= 420; count += 1) await ben.type(`no. ${count}`);
    const page = await openLivePage(workspace, '?person=ana');
    const { messages, older } = (await page.receiveMessage()) as {
      messages: Record<string, PageMessage[]>;
      older: string[];
    };
    expect(older).toEqual([HARBOUR]);
    const newest = messages[HARBOUR] ?? [];
    expect([newest.length, newest[0]?.text]).toEqual([200, 'no. 221']);
    const requestMessagesBefore = async (ts: string | undefined) =>
      (await page.request({ act: 'history', channel: HARBOUR, before: ts })).data as Found;
    const first = await requestMessagesBefore(newest[0]?.ts);
    expect([first.messages[0]?.text, first.messages.at(-1)?.text, first.hasMore]).toEqual([
      'no. 121',
      'no. 220',
      true,
    ]);
    const second = await requestMessagesBefore(first.messages[0]?.ts);
    const last = await requestMessagesBefore(second.messages[0]?.ts);
    expect([last.messages.at(-1)?.text, last.hasMore]).toEqual(['no. 20', false]);
  });

  it('the page gets a thread and its number of replies', async () => {
    const { workspace } = await openWorkspace();
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.type('Who comes?');
    await ana.reply('Who comes?', 'I do');
    const page = await openLivePage(workspace, '?person=ana');
    const { messages } = (await page.receiveMessage()) as { messages: Record<string, PageMessage[]> };
    const first = messages[HARBOUR]?.find(({ text }) => text === 'Who comes?');
    expect(first).toMatchObject({ replyCount: 1, replyUsers: ['U01ANAFERR'] });
    const { data } = await page.request({ act: 'replies', channel: HARBOUR, ts: first?.ts });
    expect((data as Found).messages.map(({ text }) => text)).toEqual(['Who comes?', 'I do']);
  });

  it('the page gets the files of a message even after a restart, and none after a reset', async () => {
    await mkdir('.cache', { recursive: true });
    const folder = await mkdtemp(join('.cache', 'workspace-'));
    const { workspace, client } = await startTestWorkspace({ folder });
    await client.files.uploadV2({ channel_id: HARBOUR, file: SMALL_PNG, filename: 'roast.png' });
    await workspace.close();
    const restarted = (await startTestWorkspace({ folder })).workspace;
    const page = await openLivePage(restarted, '?person=ana');
    const { messages } = (await page.receiveMessage()) as { messages: Record<string, PageMessage[]> };
    const newest = messages[HARBOUR]?.at(-1);
    const [file] = newest?.files ?? [];
    expect(file).toMatchObject({ name: 'roast.png', mimetype: 'image/png', size: SMALL_PNG.length });
    const readStatus = async () => (await fetch(`${restarted.url}${file?.url}`)).status;
    expect(await readStatus()).toBe(200);
    await fetch(`${restarted.url}/page/reset`, { method: 'POST' });
    expect(await readStatus()).toBe(404);
    expect((await createSlackClient(restarted).auth.test()).ok).toBe(true);
    page.close();
    await restarted.close();
    await rm(folder, { recursive: true });
  });
});
