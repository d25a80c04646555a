import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/emulators/slack/web-api/methods.ts';
import { startTestWorkspace, TEST_MANIFEST } from '../../support/workspace.ts';

const READ = 'channels:read,groups:read,im:read,mpim:read';
const HISTORY = 'channels:history,groups:history,im:history,mpim:history';

const CHANGE = 'channels:manage,channels:write,groups:write,im:write,mpim:write';
const DESCRIBE =
  'channels:manage,channels:write.topic,groups:write,groups:write.topic,im:write,im:write.topic,mpim:write,mpim:write.topic';

/** The scopes of each method, copied from Slack's documents. Any one of the scopes is enough. */
const REQUIRED_SCOPES: Record<string, string> = {
  'api.test': '',
  'apps.uninstall': '',
  'auth.revoke': '',
  'auth.test': '',
  'blocks.validate': '',
  'bookmarks.add': 'bookmarks:write',
  'bookmarks.edit': 'bookmarks:write',
  'bookmarks.list': 'bookmarks:read',
  'bookmarks.remove': 'bookmarks:write',
  'bots.info': 'users:read',
  'chat.delete': 'chat:write',
  'chat.deleteScheduledMessage': 'chat:write',
  'chat.getPermalink': '',
  'chat.postEphemeral': 'chat:write',
  'chat.postMessage': 'chat:write',
  'chat.scheduleMessage': 'chat:write',
  'chat.scheduledMessages.list': '',
  'chat.unfurl': 'links:write',
  'chat.update': 'chat:write',
  'conversations.archive': CHANGE,
  'conversations.create': CHANGE,
  'conversations.history': HISTORY,
  'conversations.info': READ,
  'conversations.invite':
    'channels:manage,channels:write.invites,groups:write,groups:write.invites,im:write,mpim:write',
  'conversations.join': 'channels:join',
  'conversations.kick': CHANGE,
  'conversations.leave': CHANGE,
  'conversations.list': READ,
  'conversations.members': READ,
  'conversations.open': 'channels:manage,groups:write,im:write,mpim:write',
  'conversations.rename': CHANGE,
  'conversations.replies': HISTORY,
  'conversations.setPurpose': DESCRIBE,
  'conversations.setTopic': DESCRIBE,
  'conversations.unarchive': CHANGE,
  'emoji.list': 'emoji:read',
  'files.completeUploadExternal': 'files:write',
  'files.delete': 'files:write',
  'files.getUploadURLExternal': 'files:write',
  'files.info': 'files:read',
  'oauth.v2.access': '',
  'pins.add': 'pins:write',
  'pins.list': 'pins:read',
  'pins.remove': 'pins:write',
  'reactions.add': 'reactions:write',
  'reactions.get': 'reactions:read',
  'reactions.list': 'reactions:read',
  'reactions.remove': 'reactions:write',
  'team.info': 'team:read',
  'usergroups.list': 'usergroups:read',
  'usergroups.users.list': 'usergroups:read',
  'users.conversations': READ,
  'users.info': 'users:read',
  'users.list': 'users:read',
  'users.lookupByEmail': 'users:read.email',
  'users.profile.get': 'users.profile:read',
  'views.open': '',
  'views.publish': '',
  'views.push': '',
  'views.update': '',
};

const LIST_TYPES: Record<string, string> = {
  'channels:read': 'public_channel',
  'groups:read': 'private_channel',
  'im:read': 'im',
  'mpim:read': 'mpim',
};

type ApiResponse = { ok: boolean; error?: string; needed?: string; provided?: string };

/** Starts a workspace whose manifest has these scopes. `call` calls a method without arguments. */
async function startWithScopes(scopes: readonly string[]) {
  const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: scopes } } };
  const { workspace } = await startTestWorkspace({ manifest });
  const call = async (method: string, token?: string): Promise<ApiResponse> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const httpResponse = await fetch(`${workspace.apiUrl}${method}`, { method: 'POST', headers });
    return (await httpResponse.json()) as ApiResponse;
  };
  return { workspace, call };
}

type StartedWorkspace = Awaited<ReturnType<typeof startWithScopes>>;

describe.each([...METHODS.keys()])('%s', (method) => {
  let workspaceWithoutScopes: StartedWorkspace;
  let workspacesWithOneScope: StartedWorkspace[];
  const requiredScopes = (REQUIRED_SCOPES[method] ?? 'unknown').split(',').filter((scope) => scope !== '');

  beforeAll(async () => {
    workspaceWithoutScopes = await startWithScopes(['dnd:read']);
    workspacesWithOneScope = await Promise.all(requiredScopes.map((scope) => startWithScopes([scope])));
  });
  afterAll(() =>
    Promise.all(
      [workspaceWithoutScopes, ...workspacesWithOneScope].map(({ workspace }) => workspace.close()),
    ),
  );

  it('the method is refused without its scopes, and the error names them', async () => {
    const response = await workspaceWithoutScopes.call(method, workspaceWithoutScopes.workspace.botToken);
    const refusal = {
      ok: false,
      error: 'missing_scope',
      needed: requiredScopes.join(','),
      provided: 'dnd:read',
    };
    if (requiredScopes.length > 0) expect(response).toEqual(refusal);
    else expect(response.error).not.toBe('missing_scope');
  });

  it('any one of its scopes is enough', async () => {
    for (const [index, { call, workspace }] of workspacesWithOneScope.entries()) {
      // The required scope of a list depends on the requested kind of conversation.
      const types = LIST_TYPES[requiredScopes[index] ?? ''] ?? '';
      expect((await call(`${method}?types=${types}`, workspace.botToken)).error).not.toBe('missing_scope');
    }
  });

  it('the method is refused with a token of the wrong kind', async () => {
    const errors = [
      await workspaceWithoutScopes.call(method),
      await workspaceWithoutScopes.call(method, 'xoxb-not-one'),
    ];
    const appTokenResponse = await workspaceWithoutScopes.call(
      method,
      workspaceWithoutScopes.workspace.appToken,
    );
    if (method === 'oauth.v2.access') expect(appTokenResponse.error).toBe('invalid_client_id');
    else if (method === 'blocks.validate') expect(appTokenResponse.error).toBe('invalid_arguments');
    else if (method === 'api.test')
      expect([...errors, appTokenResponse].map(({ ok }) => ok)).toEqual([true, true, true]);
    else {
      expect(errors.map(({ error }) => error)).toEqual(['not_authed', 'invalid_auth']);
      expect(appTokenResponse.error).toBe('not_allowed_token_type');
    }
  });
});

it('bots.info returns the name of the app', async () => {
  const { workspace, client } = await startTestWorkspace();
  const { bot_id: bot = '', user_id } = await client.auth.test();
  expect((await client.bots.info({ bot })).bot).toMatchObject({
    id: bot,
    user_id,
    name: 'tester',
    deleted: false,
  });
  await expect(client.bots.info({ bot: 'B000NOBODY' })).rejects.toThrow('bot_not_found');
  await workspace.close();
});

it('conversations.join adds the app to a public channel, and warns if the app was already in it', async () => {
  const { workspace, client } = await startTestWorkspace();
  expect((await client.conversations.join({ channel: 'C04RANDOM0' })).channel).toMatchObject({
    is_member: true,
  });
  await workspace.as('Tom').in('#random').sees('has joined the channel');
  const secondJoin = await client.conversations.join({ channel: 'C04RANDOM0' });
  expect(secondJoin).toMatchObject({ ok: true, warning: 'already_in_channel' });
  await workspace.close();
});
