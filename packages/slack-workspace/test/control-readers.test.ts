import { expect, test } from 'vitest';
import { createControlClient } from './support/control-client.ts';
import { openBolt } from './support/fixtures.ts';

const { app, workspace } = await openBolt({
  manifest: {
    display_information: { name: 'Watcher' },
    features: { bot_user: { display_name: 'Watcher' } },
    oauth_config: { scopes: { bot: ['channels:read', 'team:read', 'users:read'] } },
    settings: {
      event_subscriptions: { bot_events: ['channel_shared', 'channel_unshared', 'user_change'] },
    },
  },
});
const control = await createControlClient(workspace.controlUrl);
const events: object[] = [];
for (const type of ['channel_shared', 'channel_unshared', 'user_change'] as const)
  app.event(type, async ({ event }) => void events.push(event));

test('over the control API a channel is shared with two organisations, and no longer with them', async () => {
  const from = { id: 'E0SUPPLIER', name: 'Bean Suppliers' };
  await control.call('addPerson', {}, { name: 'Noa Levi', from });
  const channel = 'C01GENERAL';
  await control.call('shareChannel', { channel: '#general' }, { id: 'T02ROASTER' });
  const shared = await control.call('shareChannel', { channel: '#general' }, { id: from.id });
  expect(shared.shared_with).toEqual(['T02ROASTER', from.id]);
  expect((await app.client.conversations.info({ channel })).channel).toMatchObject({
    is_ext_shared: true,
    connected_team_ids: ['T02ROASTER', from.id],
  });
  expect((await app.client.team.info({ team: from.id })).team?.name).toBe('Bean Suppliers');
  await control.call('unshareChannel', { channel: '#general', organisation: 'T02ROASTER' });
  await control.call('unshareChannel', { channel: '#general', organisation: from.id });
  const after = await app.client.conversations.info({ channel });
  expect(after.channel).toMatchObject({ is_ext_shared: false });
  await expect
    .poll(() => events.splice(0))
    .toMatchObject([
      { type: 'channel_shared', channel, connected_team_id: 'T02ROASTER' },
      { type: 'channel_shared', channel, connected_team_id: from.id },
      { type: 'channel_unshared', channel, previously_connected_team_id: 'T02ROASTER', is_ext_shared: true },
      { type: 'channel_unshared', channel, previously_connected_team_id: from.id, is_ext_shared: false },
    ]);
  const wrong = await control.fail('shareChannel', { channel: '#general' }, { id: 'nobody' });
  expect(wrong.error.code).toBe('invalid_request');
});

test('over the control API a person becomes a guest, and a member again', async () => {
  const readUser = async () => (await app.client.users.info({ user: 'U02BENOKAF' })).user;
  const expected = [
    ['guest', { is_restricted: true, is_ultra_restricted: false }],
    ['single-channel-guest', { is_restricted: true, is_ultra_restricted: true }],
    ['member', { is_restricted: false, is_ultra_restricted: false }],
  ] as const;
  for (const [role, flags] of expected) {
    const { id } = await control.call('changePerson', { person: 'Ben' }, { role });
    expect((await app.client.users.info({ user: id })).user).toMatchObject(flags);
    await expect
      .poll(() => events.splice(0))
      .toMatchObject([{ type: 'user_change', user: { id, ...flags } }]);
  }
  expect(await readUser()).toMatchObject({ name: 'ben' });
});
