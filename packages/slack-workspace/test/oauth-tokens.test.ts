import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { createOAuthSteps, REDIRECT } from './support/oauth-steps.ts';
import { createSlackClient } from './support/workspace.ts';
import { buildOAuthManifest, SCOPES } from './support/workspace-oauth.ts';

const HOUR_MS = 60 * 60_000;

let workspace: Workspace;
let steps: ReturnType<typeof createOAuthSteps>;
const startWithSettings = async (settings: object = {}) => {
  const manifest = buildOAuthManifest(REDIRECT, settings);
  ({ workspace } = await openWorkspace({ manifest, installed: false }));
  steps = createOAuthSteps(workspace);
};

describe('an app before installation and after uninstallation', () => {
  beforeEach(() => startWithSettings());

  it('the app has no commands, no user and no token', async () => {
    const ana = workspace.as('Ana').in('#general');
    await ana.type('/say hello');
    await ana.sees('/say is not a valid command');
    await expectError(createSlackClient(workspace, workspace.botToken).auth.test(), 'invalid_auth');
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
  beforeEach(() => startWithSettings({ token_rotation_enabled: true }));

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
