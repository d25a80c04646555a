import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/emulators/slack/web-api/methods.ts';
import { startTestWorkspace, TEST_MANIFEST } from '../../support/workspace.ts';

const READ = 'channels:read,groups:read,im:read,mpim:read';
const HISTORY = 'channels:history,groups:history,im:history,mpim:history';

/** What each method asks for, written down a second time from Slack's documents; any one of the scopes is enough. */
const NEEDED: Record<string, string> = {
  'api.test': '',
  'apps.uninstall': '',
  'auth.revoke': '',
  'auth.test': '',
  'bots.info': 'users:read',
  'chat.delete': 'chat:write',
  'chat.getPermalink': '',
  'chat.postEphemeral': 'chat:write',
  'chat.postMessage': 'chat:write',
  'chat.update': 'chat:write',
  'conversations.history': HISTORY,
  'conversations.info': READ,
  'conversations.join': 'channels:join',
  'conversations.list': READ,
  'conversations.members': READ,
  'conversations.open': 'channels:manage,groups:write,im:write,mpim:write',
  'conversations.replies': HISTORY,
  'emoji.list': 'emoji:read',
  'files.completeUploadExternal': 'files:write',
  'files.delete': 'files:write',
  'files.getUploadURLExternal': 'files:write',
  'files.info': 'files:read',
  'oauth.v2.access': '',
  'team.info': 'team:read',
  'usergroups.list': 'usergroups:read',
  'usergroups.users.list': 'usergroups:read',
  'users.conversations': READ,
  'users.info': 'users:read',
  'users.list': 'users:read',
  'views.open': '',
  'views.publish': '',
  'views.push': '',
  'views.update': '',
};

const LISTED: Record<string, string> = {
  'channels:read': 'public_channel',
  'groups:read': 'private_channel',
  'im:read': 'im',
  'mpim:read': 'mpim',
};

type Answer = { ok: boolean; error?: string; needed?: string; provided?: string };

/** A workspace whose manifest has these scopes, and a way to call it without any argument. */
async function startWithScopes(scopes: readonly string[]) {
  const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: scopes } } };
  const { workspace } = await startTestWorkspace({ manifest });
  const call = async (method: string, token?: string): Promise<Answer> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${workspace.apiUrl}${method}`, { method: 'POST', headers });
    return (await answer.json()) as Answer;
  };
  return { workspace, call };
}

type Started = Awaited<ReturnType<typeof startWithScopes>>;

describe.each([...METHODS.keys()])('%s', (method) => {
  let without: Started;
  let withEach: Started[];
  const needed = (NEEDED[method] ?? 'unknown').split(',').filter((scope) => scope !== '');

  beforeAll(async () => {
    without = await startWithScopes(['reactions:read']);
    withEach = await Promise.all(needed.map((scope) => startWithScopes([scope])));
  });
  afterAll(() => Promise.all([without, ...withEach].map(({ workspace }) => workspace.close())));

  it('asks for its scopes, by name', async () => {
    const said = await without.call(method, without.workspace.botToken);
    const refused = {
      ok: false,
      error: 'missing_scope',
      needed: needed.join(','),
      provided: 'reactions:read',
    };
    if (needed.length > 0) expect(said).toEqual(refused);
    else expect(said.error).not.toBe('missing_scope');
  });

  it('is content with any one of them', async () => {
    for (const [index, { call, workspace }] of withEach.entries()) {
      // A list wants the scope of the kind of conversation that is asked for.
      const types = LISTED[needed[index] ?? ''] ?? '';
      expect((await call(`${method}?types=${types}`, workspace.botToken)).error).not.toBe('missing_scope');
    }
  });

  it('asks for a token of the right kind', async () => {
    const errors = [await without.call(method), await without.call(method, 'xoxb-not-one')];
    const asApp = await without.call(method, without.workspace.appToken);
    if (method === 'oauth.v2.access') expect(asApp.error).toBe('invalid_client_id');
    else if (method === 'api.test')
      expect([...errors, asApp].map(({ ok }) => ok)).toEqual([true, true, true]);
    else {
      expect(errors.map(({ error }) => error)).toEqual(['not_authed', 'invalid_auth']);
      expect(asApp.error).toBe('not_allowed_token_type');
    }
  });
});

it('knows what the app is called: bots.info', async () => {
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

it('lets the app into a public channel, and says where it was already: conversations.join', async () => {
  const { workspace, client } = await startTestWorkspace();
  expect((await client.conversations.join({ channel: 'C04RANDOM0' })).channel).toMatchObject({
    is_member: true,
  });
  await workspace.as('Tom').in('#random').sees('has joined the channel');
  const again = await client.conversations.join({ channel: 'C04RANDOM0' });
  expect(again).toMatchObject({ ok: true, warning: 'already_in_channel' });
  await workspace.close();
});
