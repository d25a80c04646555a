import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { startTestWorkspace } from '../../support/workspace.ts';
import { openLivePage } from '../../support/workspace-page.ts';

describe('the page’s server', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    ({ workspace } = await startTestWorkspace());
  });
  afterAll(() => workspace.close());

  /** fetch sets Host itself: this does not. */
  function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request(`${workspace.url}${path}`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
    return promise;
  }

  it('serves the page with a policy that lets in nothing from elsewhere, and a nonce of its own', async () => {
    const [one, other] = await Promise.all([fetch(workspace.url), fetch(workspace.url)]);
    const policy = one.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    const html = await one.text();
    expect(html).toContain(`nonce="${nonce}"`);
    expect(html).not.toContain('__NONCE__');
    expect(other.headers.get('content-security-policy')).not.toBe(policy);
    expect(one.headers.get('x-content-type-options')).toBe('nosniff');
    expect(one.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('serves the page’s files and what they import, with their types', async () => {
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

  it.each([
    '/page/../start-workspace.ts',
    '/page/%2e%2e/start-workspace.ts',
    '/page/..%2fstart-workspace.ts',
    '/page/tsconfig.json',
    '/page/vendor/pg.js',
    '/page/vendor/__proto__',
    '/anything',
  ])('serves nothing else: %s', async (path) => {
    expect(await ask(path)).toBe(404);
  });

  it('answers only to its own name, so that a foreign name cannot be pointed at it', async () => {
    const { port } = new URL(workspace.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(await ask('/', { headers: { host } })).toBe(200);
    }
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `localhost:1`]) {
      expect(await ask('/', { headers: { host } })).toBe(403);
      expect(await ask('/api/auth.test', { method: 'POST', headers: { host } })).toBe(403);
    }
  });

  it('lets no other site’s page open its socket or reset it', async () => {
    const origin = 'https://evil.example';
    await expect(openLivePage(workspace, '', origin)).rejects.toThrow('403');
    expect(await ask('/page/reset', { method: 'POST', headers: { origin } })).toBe(403);
    expect(await ask('/page/reset', { method: 'POST', headers: { origin: 'null' } })).toBe(403);
    expect(await ask('/page/reset', { method: 'POST', headers: { origin: workspace.url } })).toBe(200);
  });

  it('shows a page what its person sees: by id, by handle, else the owner', async () => {
    for (const [query, name] of [
      ['?person=U02BENOKAF', 'ben'],
      ['?person=ben', 'ben'],
      ['', 'ana'],
      ['?person=nobody', 'ana'],
    ] as const) {
      const page = await openLivePage(workspace, query);
      expect(await page.next()).toMatchObject({ type: 'snapshot', me: { name }, app: { name: 'Tester' } });
      page.close();
    }
  });

  it('answers what a page asks, and what it cannot understand', async () => {
    const page = await openLivePage(workspace, '?person=ana');
    await page.next();
    const asked = async (body: unknown) => {
      page.send(body);
      for (;;) {
        const message = await page.next();
        if (message.type === 'result') return message;
      }
    };
    expect(await asked({ id: 1, act: 'message', channel: 'C01GENERAL', text: 'hello' })).toMatchObject({
      ok: true,
    });
    expect(await asked({ id: 2, act: 'message', channel: 'C0NOTHERE', text: 'hello' })).toMatchObject({
      id: 2,
      ok: false,
      error: 'channel_not_found',
    });
    expect(await asked({ id: 3, act: 'sing' })).toMatchObject({
      id: 3,
      ok: false,
      error: 'invalid_arguments',
    });
    expect(await asked({ id: 4, act: 'submit', viewId: 'V0', values: {} })).toMatchObject({
      error: 'not_found',
    });
    page.send('not JSON');
    expect(await asked({ id: 5, act: 'open-dm', user: 'U09UPNEXTB' })).toMatchObject({ id: 5, ok: true });
    page.close();
  });

  it('begins anew for every open page when it is reset', async () => {
    const page = await openLivePage(workspace, '?person=ana');
    await page.next();
    await workspace.as('Ben').in('#general').type('soon forgotten');
    expect(await page.next()).toMatchObject({ type: 'message', message: { text: 'soon forgotten' } });
    await fetch(`${workspace.url}/page/reset`, { method: 'POST' });
    const again = await page.next();
    expect(again.type).toBe('snapshot');
    expect(JSON.stringify(again)).not.toContain('soon forgotten');
    page.close();
  });
});
