import { expect, it } from 'vitest';
import { catchRefusal, startTestWorkspace, TEST_MANIFEST } from './support/workspace.ts';

it('any one of the scopes of a method is enough', async () => {
  const scopes = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
  for (const scope of scopes) {
    const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot: [scope] } } };
    const { workspace, client } = await startTestWorkspace({ manifest });
    expect((await catchRefusal(client.conversations.info({ channel: 'C0NOWHERE00' }))).error).toBe(
      'channel_not_found',
    );
    await workspace.close();
  }
});

it('api.test returns its arguments', async () => {
  const { workspace, client } = await startTestWorkspace();
  expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({ ok: true, args: { foo: 'bar' } });
  await workspace.close();
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
