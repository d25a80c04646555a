import { describe, expect, it } from 'vitest';
import { openWorkspace } from './support/fixtures.ts';

const HARBOUR = 'C02HARBOUR';
const ANA = 'U01ANAFERR';
const FORM = 'application/x-www-form-urlencoded';

const { workspace } = await openWorkspace();

describe('Slack’s treatment of request bodies', () => {
  /** Calls with a body of this type. Without a type, the request has no Content-Type header. */
  async function call(method: string, type: string | undefined, body: string | FormData, query = '') {
    const headers: Record<string, string> = { authorization: `Bearer ${workspace.botToken}` };
    if (type !== undefined) headers['content-type'] = type;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const response = await fetch(`${workspace.apiUrl}${method}${query}`, {
      method: 'POST',
      headers,
      body: bytes,
    });
    return { headers: response.headers, answer: (await response.json()) as Record<string, unknown> };
  }

  const message = JSON.stringify({ channel: HARBOUR, text: 'Hello' });
  const form = `channel=${HARBOUR}&text=Hello`;

  it.each([
    ['superfluous_charset', `${FORM}; charset=utf-8`, form],
    ['missing_charset', 'application/json', message],
  ])('%s: the call works, and the answer warns', async (warning, type, body) => {
    expect((await call('chat.postMessage', type, body)).answer).toMatchObject({
      ok: true,
      warning,
      response_metadata: { warnings: [warning] },
    });
  });

  it.each([
    [FORM, form],
    ['application/json; charset=utf-8', message],
    [undefined, 'multipart'],
  ])('a body of type %s is read, without a warning', async (type, body) => {
    const parts = new FormData();
    parts.set('channel', HARBOUR);
    parts.set('text', 'Hello');
    const { answer } = await call('chat.postMessage', type, type === undefined ? parts : body);
    expect(answer).toMatchObject({ ok: true, message: { text: 'Hello' } });
    expect(answer).not.toHaveProperty('warning');
  });

  it('a charset warning is added to the warning of the method', async () => {
    const join = () => call('conversations.join', 'application/json', JSON.stringify({ channel: HARBOUR }));
    await join();
    const { answer } = await join();
    expect(answer.warning).toBe('already_in_channel,missing_charset');
  });

  it('arguments in plain text are not read', async () => {
    const { answer } = await call('chat.postMessage', 'text/plain; charset=utf-8', form);
    expect(answer.ok).toBe(false);
  });

  it('JSON is ignored by methods that only accept forms, and never combined with arguments in the URL', async () => {
    const json = 'application/json; charset=utf-8';
    const user = await call('users.info', json, JSON.stringify({ user: ANA }));
    expect(user.answer).toEqual({ ok: false, error: 'user_not_found' });
    expect((await call('users.info', FORM, `user=${ANA}`)).answer.ok).toBe(true);
    const mixed = await call('chat.postMessage', json, '{"text":"Hello"}', `?channel=${HARBOUR}`);
    expect(mixed.answer.ok).toBe(false);
  });

  it('a token counts in the header, a form or the address, but not in JSON', async () => {
    const ask = async (body: string, type: string, query = '') => {
      const url = `${workspace.apiUrl}auth.test${query}`;
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
      return ((await response.json()) as { error?: string }).error;
    };
    const { botToken: token } = workspace;
    expect(await ask(JSON.stringify({ token }), 'application/json; charset=utf-8')).toBe('not_authed');
    expect(await ask(`token=${token}`, FORM)).toBe(undefined);
    expect(await ask('', FORM, `?token=${token}`)).toBe(undefined);
  });

  it('the headers name the scopes of the token, and those that the method accepts', async () => {
    const { headers } = await call('users.info', FORM, `user=${ANA}`);
    expect(headers.get('x-accepted-oauth-scopes')).toBe('users:read');
    expect(headers.get('x-oauth-scopes')).toContain('chat:write');
    expect((await call('auth.test', FORM, 'a=1')).headers.has('x-accepted-oauth-scopes')).toBe(false);
    const anonymous = await fetch(`${workspace.apiUrl}users.info`, { method: 'POST' });
    expect(anonymous.headers.has('x-oauth-scopes')).toBe(false);
  });
});
