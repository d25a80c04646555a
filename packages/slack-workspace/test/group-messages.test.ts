import type { WebClient } from '@slack/web-api';
import { beforeEach, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { TEST_MANIFEST, withScopes } from './support/workspace.ts';

const USERS = 'U01ANAFERR,U02BENOKAF';
let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await openWorkspace());
});

it('conversations.open with several people opens one group direct message with them', async () => {
  const { channel } = await client.conversations.open({ users: USERS, return_im: true });
  expect(channel).toMatchObject({
    name: 'mpdm-ana--ben--tester-1',
    is_mpim: true,
    is_private: true,
    is_channel: true,
    is_im: false,
  });
  const again = await client.conversations.open({ users: 'U02BENOKAF,U01ANAFERR' });
  expect(again).toMatchObject({ already_open: true, channel: { id: channel?.id } });
  const { members } = await client.conversations.members({ channel: channel?.id ?? '' });
  expect(members).toEqual(['U01ANAFERR', 'U02BENOKAF', 'U09UPNEXTB']);
  const { channels } = await client.conversations.list({ types: 'mpim' });
  expect(channels?.map(({ id }) => id)).toEqual([channel?.id]);
});

it('only its people read a group direct message', async () => {
  const { channel } = await client.conversations.open({ users: USERS });
  const id = channel?.id ?? '';
  await client.chat.postMessage({ channel: id, text: 'For two' });
  await workspace.as('Ben').in(id).sees('For two');
  expect(() => workspace.as('Mira').in(id)).toThrow(`Mira Vos doesn't see ${id}`);
});

it('a group direct message can’t be changed like a channel', async () => {
  const { channel } = await client.conversations.open({ users: USERS });
  const id = channel?.id ?? '';
  const call = client.conversations.invite({ channel: id, users: 'U03MIRAVOS' });
  await expectError(call, 'method_not_supported_for_channel_type');
  await client.conversations.setTopic({ channel: id, topic: 'Lunch' });
});

it('opening a group takes its own scope', async () => {
  const bot = TEST_MANIFEST.oauth_config.scopes.bot.filter((scope) => scope !== 'mpim:write');
  const other = await openWorkspace({ manifest: withScopes(...bot) });
  const refused = other.client.conversations.open({ users: USERS });
  await expectError(refused, 'missing_scope');
});
