import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { createOAuthSteps, REDIRECT } from './support/oauth-steps.ts';
import { createSlackClient } from './support/workspace.ts';
import { buildOAuthManifest, SCOPES, startWithOAuth } from './support/workspace-oauth.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MISMATCH = 'redirect_uri did not match';

let workspace: Workspace;
let steps: ReturnType<typeof createOAuthSteps>;
const startWithScopes = async (settings: object = {}, optionalScopes: readonly string[] = []) => {
  const { oauth_config: oauthConfig, ...otherParts } = buildOAuthManifest(REDIRECT, settings);
  const scopes = { ...oauthConfig.scopes, bot_optional: optionalScopes };
  const manifest = { ...otherParts, oauth_config: { ...oauthConfig, scopes } };
  ({ workspace } = await openWorkspace({ manifest, installed: false }));
  steps = createOAuthSteps(workspace);
};

describe('an installation', () => {
  beforeEach(() => startWithScopes());

  it('a code is exchanged for a token of its workspace', async () => {
    const redirect = new URL(await workspace.as('Ana').consent(steps.buildAuthorizeUrl()));
    expect(redirect.origin + redirect.pathname).toBe(REDIRECT);
    expect(redirect.searchParams.get('state')).toBe('s1');
    const code = redirect.searchParams.get('code') ?? '';
    const response = await steps.requestToken({ ...steps.credentials, code, redirect_uri: REDIRECT });
    expect(response).toEqual({
      ok: true,
      access_token: expect.stringMatching(/^xoxb-/),
      token_type: 'bot',
      scope: SCOPES.join(','),
      bot_user_id: 'U09UPNEXTB',
      app_id: 'A01UPNEXTA',
      team: { id: 'T01HARBOUR', name: 'Harbour Coffee' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: 'U01ANAFERR' },
    });
    expect(await steps.createClient(response).auth.test()).toMatchObject({
      team_id: 'T01HARBOUR',
      user_id: 'U09UPNEXTB',
    });
  });

  it('a link to slack.com leads to the workspace, for apps that know no other address', async () => {
    const link = steps.buildAuthorizeUrl().replace(workspace.url, 'https://slack.com');
    const redirect = await workspace.as('Ana').consent(link);
    expect(redirect).toMatch(/^https:\/\/app\.example\.com\/slack\/oauth_redirect\?code=/);
  });

  it('the app may send its credentials with Basic authentication', async () => {
    const { client_id: id, client_secret: secret } = steps.credentials;
    const requestWith = async (pair: string) => {
      const args = { code: await steps.requestCode(), redirect_uri: REDIRECT };
      return steps.requestToken(args, { authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    };
    expect((await requestWith(`${id}:${secret}`)).ok).toBe(true);
    expect((await requestWith(`${id}:wrong`)).error).toBe('bad_client_secret');
  });

  it('a code works only once', async () => {
    const args = { ...steps.credentials, code: await steps.requestCode(), redirect_uri: REDIRECT };
    expect((await steps.requestToken(args)).ok).toBe(true);
    expect(await steps.requestToken(args)).toEqual({ ok: false, error: 'code_already_used' });
  });

  it('a code is valid for ten minutes', async () => {
    const [early, late] = [await steps.requestCode(), await steps.requestCode()];
    const args = { ...steps.credentials, redirect_uri: REDIRECT };
    workspace.clock.advance(10 * MINUTE_MS - 1000);
    expect((await steps.requestToken({ ...args, code: early })).ok).toBe(true);
    workspace.clock.advance(2000);
    expect((await steps.requestToken({ ...args, code: late })).error).toBe('invalid_code');
  });

  it('a code is unknown after a reset', async () => {
    const code = await steps.requestCode();
    workspace.reset();
    const args = { ...steps.credentials, code, redirect_uri: REDIRECT };
    expect((await steps.requestToken(args)).error).toBe('invalid_code');
  });

  it.each([
    ['another client id', { client_id: '1.1' }, 'invalid_client_id'],
    ['another secret', { client_secret: 'wrong' }, 'bad_client_secret'],
    ['another code', { code: 'wrong' }, 'invalid_code'],
    ['another redirect address', { redirect_uri: `${REDIRECT}/other` }, 'bad_redirect_uri'],
    ['another grant type', { grant_type: 'password' }, 'invalid_grant_type'],
  ])('an exchange that is refused for %s installs nothing', async (_, override, error) => {
    expect(await steps.exchangeCode(override)).toEqual({ ok: false, error });
    expect(() => workspace.team.botToken).toThrow('not installed');
  });

  it('the exchange must repeat the redirect address if the installation request had one', async () => {
    const exchange = (code: string) => steps.requestToken({ ...steps.credentials, code });
    expect((await exchange(await steps.requestCode())).error).toBe('bad_redirect_uri');
    expect((await exchange(await steps.requestCode({ redirect_uri: undefined }))).ok).toBe(true);
  });

  it.each([
    ['another client id', { client_id: '1.1' }, 'Invalid client_id parameter'],
    ['an address that is not in the manifest', { redirect_uri: 'https://evil.example.com/' }, MISMATCH],
    ['an address that only starts with one in the manifest', { redirect_uri: `${REDIRECT}evil` }, MISMATCH],
    ['a scope beyond the manifest', { scope: 'chat:write,admin' }, 'Invalid permissions requested: admin'],
    ['no scope', { scope: '' }, 'Invalid permissions requested'],
  ])(
    'an installation request with %s shows an error page and redirects nobody',
    async (_, override, message) => {
      const response = await fetch(steps.buildAuthorizeUrl(override), { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(await response.text()).toContain(message);
      await expect(workspace.as('Ana').consent(steps.buildAuthorizeUrl(override))).rejects.toThrow(message);
    },
  );

  it('a subpath of a redirect address in the manifest is accepted', async () => {
    expect(
      await workspace.as('Ana').consent(steps.buildAuthorizeUrl({ redirect_uri: `${REDIRECT}/eu` })),
    ).toContain('code=');
  });

  it('the page names the app, the requested scopes, and the people who may install the app', async () => {
    const response = await fetch(steps.buildAuthorizeUrl({ user_scope: 'users:read' }));
    const html = await response.text();
    expect(html).toContain('Tester is requesting access to a workspace');
    for (const message of ['chat:write', 'users:read (as you)', 'Ana Ferreira', 'Harbour Coffee'])
      expect(html).toContain(message);
    for (const guest of ['Tom Sato', 'Priya Nair', 'Lena Hofer']) expect(html).not.toContain(guest);
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.example.com;",
    );
  });

  it('a guest cannot install the app, and declining sends the person back to the app with an error', async () => {
    await expect(workspace.as('Tom').consent(steps.buildAuthorizeUrl())).rejects.toThrow(
      'can’t install apps',
    );
    const redirect = new URL(await workspace.as('Ana').consent(steps.buildAuthorizeUrl(), { cancel: true }));
    expect(Object.fromEntries(redirect.searchParams)).toEqual({ error: 'access_denied', state: 's1' });
  });

  it('another site cannot approve the installation for a person', async () => {
    const body = new URLSearchParams({ choice: 'T01HARBOUR U01ANAFERR', answer: 'allow' });
    const headers = { origin: 'https://evil.example.com' };
    expect(
      (await fetch(steps.buildAuthorizeUrl(), { method: 'POST', body, headers, redirect: 'manual' })).status,
    ).toBe(403);
  });

  it('a second installation returns the same token with more scopes', async () => {
    const first = await steps.exchangeCode({}, { scope: 'chat:write' });
    await expectError(steps.createClient(first).users.list({}), 'missing_scope');
    const second = await steps.exchangeCode({}, { scope: 'users:read' });
    expect([second.access_token, second.scope]).toEqual([first.access_token, 'chat:write,users:read']);
    expect((await steps.createClient(first).users.list({})).ok).toBe(true);
  });

  it('an installation with user scopes also returns a token of the person', async () => {
    const response = await steps.exchangeCode({}, { user_scope: 'users:read' });
    expect(response.authed_user).toMatchObject({ id: 'U01ANAFERR', scope: 'users:read', token_type: 'user' });
    const { access_token = '' } = response.authed_user as { access_token?: string };
    const client = createSlackClient(workspace, access_token);
    expect(await client.auth.test()).toMatchObject({ user_id: 'U01ANAFERR' });
    const message = client.chat.postMessage({ channel: 'C01GENERAL', text: 'x' });
    await expectError(message, 'not_allowed_token_type');
  });
});

describe('optional scopes', () => {
  beforeEach(() => startWithScopes({}, ['users:read', 'files:write']));

  it('a person can leave out optional scopes, and calls without them are refused with their names', async () => {
    const redirect = await workspace
      .as('Ana')
      .consent(steps.buildAuthorizeUrl(), { declinedScopes: ['users:read', 'chat:write'] });
    const code = new URL(redirect).searchParams.get('code') ?? '';
    const response = await steps.requestToken({ ...steps.credentials, code, redirect_uri: REDIRECT });
    // The page offers no way to leave out chat:write.
    const grantedScopes = SCOPES.filter((scope) => scope !== 'users:read');
    expect(response.scope).toBe(grantedScopes.join(','));
    const headers = { authorization: `Bearer ${response.access_token}` };
    const call = await fetch(`${workspace.apiUrl}users.list`, { method: 'POST', headers });
    expect(await call.json()).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'users:read',
      provided: grantedScopes.join(','),
    });
  });

  it('the page lists required scopes, and has a checkbox for each optional one', async () => {
    const html = await (await fetch(steps.buildAuthorizeUrl())).text();
    expect(
      [...html.matchAll(/type="checkbox" name="scope ([^"]+)" checked/g)].map(([, name]) => name),
    ).toEqual(SCOPES.filter((scope) => ['users:read', 'files:write'].includes(scope)));
    expect(html).toContain('<li>chat:write</li>');
    expect(html).not.toContain('<li>users:read</li>');
  });
});

describe('an app made with Bolt', () => {
  it('a person installs the app from its own page, mentions it and uninstalls it', async () => {
    const { workspace: slack, app, installUrl, installations } = await startWithOAuth();
    const uninstalledTeams: string[] = [];
    app.event('app_mention', async ({ say }) => void (await say('At your service')));
    app.event('app_uninstalled', async ({ body }) => void uninstalledTeams.push(body.team_id));
    const ana = slack.as('Ana').in('#general');
    const page = await ana.install(installUrl);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('Thank you')]);
    expect(installations.get('T01HARBOUR')?.bot?.token).toBe(slack.team.botToken);
    await ana.inviteApp();
    await ana.mention('hello');
    await ana.sees('At your service');
    slack.admin.uninstall();
    await expect.poll(() => uninstalledTeams).toEqual(['T01HARBOUR']);
  });

  it('the app is notified if somebody declines the installation', async () => {
    const { workspace: slack, installUrl, installations } = await startWithOAuth();
    expect((await slack.as('Ana').install(installUrl, { cancel: true })).status).toBe(500);
    expect(installations.size).toBe(0);
  });
});

describe('an app before installation and after uninstallation', () => {
  beforeEach(() => startWithScopes());

  it('the app has no commands, no user and no token', async () => {
    const ana = workspace.as('Ana').in('#general');
    await ana.type('/say hello');
    await ana.sees('/say is not a valid command');
    await expectError(createSlackClient(workspace).auth.test(), 'invalid_auth');
    const client = steps.createClient(await steps.exchangeCode());
    await ana.inviteApp();
    await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Here I am' });
    expect((await client.apps.uninstall(steps.credentials)).ok).toBe(true);
    await expectError(client.auth.test(), 'account_inactive');
    await ana.type('/say goodbye');
    await ana.sees('/say is not a valid command');
    const reinstalled = steps.createClient(await steps.exchangeCode());
    const message = reinstalled.chat.postMessage({ channel: 'C01GENERAL', text: 'x' });
    await expectError(message, 'not_in_channel');
    await expectError(client.auth.test(), 'account_inactive');
  });

  it('auth.revoke revokes a token, and revoking the last one uninstalls the app', async () => {
    const response = await steps.exchangeCode({}, { user_scope: 'users:read' });
    const { access_token = '' } = response.authed_user as { access_token?: string };
    const [app, person] = [steps.createClient(response), createSlackClient(workspace, access_token)];
    expect(await app.auth.revoke({ test: true })).toMatchObject({ revoked: false });
    expect(await person.auth.revoke()).toMatchObject({ revoked: true });
    await expectError(person.auth.test(), 'token_revoked');
    expect((await app.auth.test()).ok).toBe(true);
    await app.auth.revoke();
    await expectError(app.auth.test(), 'token_revoked');
    await workspace.as('Ana').in('#general').type('/say hello');
    await workspace.as('Ana').sees('/say is not a valid command');
  });
});

describe('a rotating token', () => {
  beforeEach(() => startWithScopes({ token_rotation_enabled: true }));

  const refresh = (token = '') =>
    steps.requestToken({ ...steps.credentials, grant_type: 'refresh_token', refresh_token: token });

  it('a rotating token is valid for twelve hours', async () => {
    const response = await steps.exchangeCode();
    expect(response).toMatchObject({
      access_token: expect.stringMatching(/^xoxe\.xoxb-1-/),
      expires_in: 43_200,
    });
    workspace.clock.advance(12 * HOUR_MS - 1000);
    expect((await steps.createClient(response).auth.test()).ok).toBe(true);
    workspace.clock.advance(1000);
    await expectError(steps.createClient(response).auth.test(), 'token_expired');
    const refreshed = await refresh(response.refresh_token);
    expect(refreshed).toMatchObject({
      ok: true,
      token_type: 'bot',
      expires_in: 43_200,
      team: { id: 'T01HARBOUR' },
      scope: SCOPES.join(','),
    });
    expect((await steps.createClient(refreshed).auth.test()).ok).toBe(true);
  });

  it('a refresh token works again for a minute, in case the response was lost', async () => {
    const first = await steps.exchangeCode();
    const lostResponse = await refresh(first.refresh_token);
    workspace.clock.advance(30_000);
    const second = await refresh(first.refresh_token);
    for (const response of [lostResponse, second])
      expect((await steps.createClient(response).auth.test()).ok).toBe(true);
    workspace.clock.advance(30_001);
    expect((await refresh(first.refresh_token)).error).toBe('invalid_refresh_token');
  });

  it('two access tokens are valid simultaneously, and a third revokes the first', async () => {
    const first = await steps.exchangeCode();
    const second = await refresh(first.refresh_token);
    workspace.clock.advance(60_001);
    expect((await refresh(first.refresh_token)).error).toBe('invalid_refresh_token');
    for (const response of [first, second])
      expect((await steps.createClient(response).auth.test()).ok).toBe(true);
    const third = await refresh(second.refresh_token);
    await expectError(steps.createClient(first).auth.test(), 'token_revoked');
    for (const response of [second, third])
      expect((await steps.createClient(response).auth.test()).ok).toBe(true);
  });

  it('a token cannot be refreshed after the app was uninstalled', async () => {
    const response = await steps.exchangeCode();
    workspace.admin.uninstall();
    expect((await refresh(response.refresh_token)).error).toBe('invalid_refresh_token');
  });
});
