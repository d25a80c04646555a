import { describe, expect, it } from 'vitest';
import { EVENT_RULES } from '../src/rules/event-rules.ts';
import type { Workspace } from '../src/workspace.ts';
import { expectError, openBolt } from './support/fixtures.ts';
import { SMALL_PNG } from './support/small-png.ts';
import { uploadFile } from './support/upload-file.ts';
import { createSlackClient, TEST_MANIFEST } from './support/workspace.ts';

const ALL_EVENTS = Object.keys(EVENT_RULES);

/** Starts an app with these event subscriptions and scopes. `received` contains the events that the app receives. */
async function startApp(
  mode: 'socket' | 'http',
  events: readonly string[],
  bot: readonly string[] = TEST_MANIFEST.oauth_config.scopes.bot,
) {
  const metadata_subscriptions = [{ app_id: '*', event_type: 'order' }];
  const settings = { event_subscriptions: { bot_events: events, metadata_subscriptions } };
  const manifest = { ...TEST_MANIFEST, settings, oauth_config: { scopes: { bot } } };
  const fixture = await openBolt({ mode, manifest, ignoreSelf: false });
  const received: Record<string, unknown>[] = [];
  // Resolves after Bolt's own auth.test call, which would fail if a test uninstalled the app first.
  await fixture.app.client.auth.test();
  fixture.app.use(async ({ body, next }) => {
    if ('event' in body) received.push({ ...body.event });
    await next();
  });
  return { received, workspace: fixture.workspace, app: fixture.app };
}

const listTypes = (received: readonly Record<string, unknown>[]) => received.map(({ type }) => type);

/** Creates a private channel that the app is in. */
function addOwnersChannel({ admin }: Workspace): Workspace['admin'] {
  admin.addChannel('#owners', { private: true, members: ['Ana', 'tester'] });
  return admin;
}

/** Uploads a file of the app's into a channel, and returns its id. */
async function uploadFileToGeneral(workspace: Workspace): Promise<string> {
  const file = { file: SMALL_PNG, filename: 'a.png', channel_id: 'C01GENERAL' };
  return (await uploadFile(createSlackClient(workspace), file)).id;
}

/** The app pins a message of its own. */
async function pinMessage(workspace: Workspace) {
  const client = createSlackClient(workspace);
  const { ts: timestamp = '' } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Keep this' });
  await client.pins.add({ channel: 'C01GENERAL', timestamp });
  return { client, channel: 'C01GENERAL', timestamp };
}

const createOrder = (cups: number) => ({ event_type: 'order', event_payload: { cups } });

/** The app sends a message with metadata. */
async function sendMetadata(workspace: Workspace) {
  const client = createSlackClient(workspace);
  const message = { channel: 'C01GENERAL', text: 'x', metadata: createOrder(1) };
  const { ts = '' } = await client.chat.postMessage(message);
  return { client, ts };
}

/** How to cause each event. */
const CAUSES: Readonly<Record<string, (workspace: Workspace) => unknown>> = {
  app_home_opened: (workspace) => workspace.as('Ana').home(''),
  app_mention: (workspace) => workspace.as('Ana').in('#general').mention('are you there?'),
  channel_archive: ({ admin }) => admin.archive('#harbour-coffee'),
  channel_unarchive: ({ admin }) => admin.unarchive('#summer-pop-up'),
  channel_deleted: ({ admin }) => admin.deleteChannel('#harbour-coffee'),
  channel_shared: ({ admin }) => admin.share('#harbour-coffee', 'T02ROASTER'),
  channel_unshared: ({ admin }) => admin.unshare('#roastery-north', 'T02ROASTER'),
  channel_left: ({ admin }) => admin.remove('#harbour-coffee', 'tester'),
  member_joined_channel: (workspace) => workspace.as('Ana').in('#random').inviteApp(),
  member_left_channel: ({ admin }) => admin.remove('#harbour-coffee', 'Ben'),
  'message.im': (workspace) => workspace.as('Ana').directMessage('hello'),
  'message.channels': (workspace) => workspace.as('Ana').in('#general').type('hello'),
  'message.groups': (workspace) => {
    addOwnersChannel(workspace);
    return workspace.as('Ana').in('#owners').type('hello');
  },
  'message.mpim': async (workspace) => {
    const client = createSlackClient(workspace);
    const { channel } = await client.conversations.open({ users: 'U01ANAFERR,U02BENOKAF' });
    await workspace
      .as('Ana')
      .in(channel?.id ?? '')
      .type('hello');
  },
  group_archive: (workspace) => addOwnersChannel(workspace).archive('#owners'),
  group_unarchive: (workspace) => {
    addOwnersChannel(workspace).archive('#owners');
    workspace.admin.unarchive('#owners');
  },
  group_deleted: (workspace) => addOwnersChannel(workspace).deleteChannel('#owners'),
  group_left: (workspace) => addOwnersChannel(workspace).remove('#owners', 'tester'),
  file_shared: uploadFileToGeneral,
  file_deleted: async (workspace) => {
    await createSlackClient(workspace).files.delete({ file: await uploadFileToGeneral(workspace) });
  },
  channel_created: ({ admin }) => admin.addChannel('#launch', { members: ['Ana'] }),
  channel_rename: ({ admin }) => admin.renameChannel('#harbour-coffee', 'harbour'),
  group_rename: (workspace) => addOwnersChannel(workspace).renameChannel('#owners', 'bosses'),
  reaction_added: (workspace) => workspace.as('Ana').in('#general').react('Good morning!', 'wave'),
  reaction_removed: async (workspace) => {
    const ana = workspace.as('Ana').in('#general');
    await ana.react('Good morning!', 'wave');
    await ana.react('Good morning!', 'wave');
  },
  link_shared: (workspace) => workspace.as('Ana').in('#general').type('https://links.example/1'),
  message_metadata_posted: async (workspace) => {
    await sendMetadata(workspace);
  },
  message_metadata_updated: async (workspace) => {
    const { client, ts } = await sendMetadata(workspace);
    await client.chat.update({ channel: 'C01GENERAL', ts, text: 'x', metadata: createOrder(2) });
  },
  message_metadata_deleted: async (workspace) => {
    const { client, ts } = await sendMetadata(workspace);
    await client.chat.delete({ channel: 'C01GENERAL', ts });
  },
  pin_added: (workspace) => pinMessage(workspace),
  pin_removed: async (workspace) => {
    const { client, ...message } = await pinMessage(workspace);
    await client.pins.remove(message);
  },
  team_join: ({ admin }) => admin.addPerson({ name: 'Zoe Lind' }),
  user_change: ({ admin }) => admin.changePerson('Ben', { tz: 'Europe/Rome' }),
  subteam_members_changed: ({ admin }) => {
    admin.addGroup('editors', ['Ana', 'Ben']);
    admin.changeGroup('editors', { members: ['Ben', 'Mira'] });
  },
  app_uninstalled: ({ admin }) => admin.uninstall(),
  tokens_revoked: ({ admin }) => admin.revokeToken(),
};
/** Expected fields of each event besides its type. */
const EXPECTED: Readonly<Record<string, object>> = {
  app_mention: { user: 'U01ANAFERR', text: '<@U09UPNEXTB> are you there?', channel: 'C01GENERAL' },
  channel_archive: { channel: 'C02HARBOUR', user: 'U01ANAFERR' },
  channel_unarchive: { channel: 'C06SUMMER0', user: 'U01ANAFERR' },
  channel_deleted: { channel: 'C02HARBOUR' },
  channel_shared: { channel: 'C02HARBOUR', connected_team_id: 'T02ROASTER' },
  channel_unshared: {
    channel: 'C05ROASTER',
    previously_connected_team_id: 'T02ROASTER',
    is_ext_shared: false,
  },
  channel_created: { channel: expect.objectContaining({ name: 'launch', creator: 'U01ANAFERR' }) },
  channel_rename: { channel: expect.objectContaining({ id: 'C02HARBOUR', name: 'harbour' }) },
  group_rename: { channel: expect.objectContaining({ name: 'bosses' }) },
  link_shared: { links: [{ url: 'https://links.example/1', domain: 'links.example' }] },
  message_metadata_posted: { channel_id: 'C01GENERAL', metadata: createOrder(1) },
  message_metadata_updated: { previous_metadata: createOrder(1), metadata: createOrder(2) },
  message_metadata_deleted: { previous_metadata: createOrder(1) },
  pin_added: { channel_id: 'C01GENERAL', pin_count: 1 },
  pin_removed: { channel_id: 'C01GENERAL', pin_count: 0, has_pins: false },
  reaction_added: { user: 'U01ANAFERR', reaction: 'wave', item_user: 'U01ANAFERR' },
  reaction_removed: { user: 'U01ANAFERR', reaction: 'wave', item_user: 'U01ANAFERR' },
  channel_left: { channel: 'C02HARBOUR', actor_id: 'U01ANAFERR' },
  member_joined_channel: { channel: 'C04RANDOM0', user: 'U09UPNEXTB', inviter: 'U01ANAFERR' },
  member_left_channel: { channel: 'C02HARBOUR', user: 'U02BENOKAF' },
  'message.im': { user: 'U01ANAFERR', text: 'hello', channel_type: 'im' },
  team_join: { user: expect.objectContaining({ name: 'zoe', real_name: 'Zoe Lind', is_bot: false }) },
  user_change: { user: expect.objectContaining({ id: 'U02BENOKAF', tz: 'Europe/Rome', locale: 'en-US' }) },
  subteam_members_changed: { added_users: ['U03MIRAVOS'], removed_users: ['U01ANAFERR'] },
  'message.channels': { user: 'U01ANAFERR', text: 'hello', channel_type: 'channel' },
  'message.groups': { user: 'U01ANAFERR', text: 'hello', channel_type: 'group' },
  'message.mpim': { user: 'U01ANAFERR', text: 'hello', channel_type: 'mpim' },
  group_left: { actor_id: 'U01ANAFERR' },
  file_shared: { user_id: 'U09UPNEXTB', channel_id: 'C01GENERAL' },
  tokens_revoked: { tokens: { oauth: [], bot: ['U09UPNEXTB'] } },
};

describe.each(['socket', 'http'] as const)(
  'over %s, an app with a subscription receives the event',
  (mode) => {
    it.each(Object.entries(CAUSES))('%s', async (name, cause) => {
      const { received, workspace } = await startApp(mode, [name]);
      await cause(workspace);
      await expect.poll(() => received).toHaveLength(1);
      expect(received[0]).toMatchObject({ type: name.split('.')[0], ...EXPECTED[name] });
    });
  },
);

it('every event in the table has a test', () => {
  // The others are tested in organisation.test.ts, assistant.test.ts and steps.test.ts.
  const isElsewhere = (name: string) => /^(team_access|assistant_thread|function)_/.test(name);
  expect(ALL_EVENTS.filter((name) => !CAUSES[name] && !isElsewhere(name))).toEqual([]);
});

describe('an app and its events', () => {
  it('an app receives an event for each opened tab, and a view only with the Home tab', async () => {
    const { received, workspace } = await startApp('socket', ['app_home_opened']);
    await workspace.as('Ana').openMessages();
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]).toMatchObject({ tab: 'messages', user: 'U01ANAFERR' });
    expect(received[0]).not.toHaveProperty('view');
  });

  it('an app receives no events without a subscription', async () => {
    const { received, workspace } = await startApp('socket', ['app_mention']);
    for (const [name, cause] of Object.entries(CAUSES)) {
      if (!/^(app_|message|tokens|file_|group_|channel_deleted)/.test(name)) await cause(workspace);
    }
    await workspace.as('Ana').in('#general').mention('last');
    await expect.poll(() => listTypes(received)).toEqual(['app_mention']);
  });

  it.each(Object.entries(EVENT_RULES).filter(([, scopes]) => scopes.length > 0))(
    'an app without the scope receives no such event: %s',
    async (name) => {
      const { received, workspace } = await startApp(
        'socket',
        [name, 'app_uninstalled'],
        ['chat:write', 'files:write', 'mpim:write', 'pins:write'],
      );
      await CAUSES[name]?.(workspace);
      workspace.admin.uninstall();
      await expect.poll(() => listTypes(received)).toContain('app_uninstalled');
      expect(listTypes(received)).toEqual(['app_uninstalled']);
    },
  );

  it('an uninstalled app receives only the events of its uninstallation and its revoked tokens', async () => {
    const { received, workspace, app } = await startApp('socket', ALL_EVENTS);
    workspace.admin.uninstall();
    await workspace.as('Ana').in('#general').mention('are you there?');
    workspace.admin.archive('#harbour-coffee');
    await expect.poll(() => listTypes(received).toSorted()).toEqual(['app_uninstalled', 'tokens_revoked']);
    await expectError(app.client.auth.test(), 'account_inactive');
  });

  it('a private channel has its own event names, and only its members receive them', async () => {
    const { received, workspace } = await startApp('socket', ALL_EVENTS);
    const { admin } = workspace;
    admin.addChannel('#owners', { private: true, members: ['Ana', 'tester'] });
    admin.addChannel('#not-ours', { private: true, members: ['Ana'] });
    for (const channel of ['#owners', '#not-ours']) {
      admin.archive(channel);
      admin.unarchive(channel);
    }
    admin.remove('#owners', 'tester');
    admin.invite('#owners', 'tester');
    admin.deleteChannel('#owners');
    admin.deleteChannel('#not-ours');
    await expect.poll(() => listTypes(received)).toContain('group_deleted');
    expect(listTypes(received).filter((type) => type !== 'message')).toEqual([
      'group_archive',
      'group_unarchive',
      'member_left_channel',
      'group_left',
      'member_joined_channel',
      'group_deleted',
    ]);
  });

  it('nobody can write to an app whose direct messages are read-only', async () => {
    const app_home = { messages_tab_enabled: true, messages_tab_read_only_enabled: true };
    const manifest = { ...TEST_MANIFEST, features: { ...TEST_MANIFEST.features, app_home } };
    const fixture = await openBolt({ manifest });
    const ana = fixture.workspace.as('Ana');
    await ana.directMessage('hello');
    await ana.sees('Sending messages to this app has been turned off.');
    expect(ana.messages()).toEqual([]);
  });

  it('a deleted channel no longer exists for people and for the app', async () => {
    const { workspace, app } = await startApp('socket', []);
    workspace.admin.deleteChannel('#harbour-coffee');
    const message = app.client.chat.postMessage({ channel: 'C02HARBOUR', text: 'x' });
    await expectError(message, 'channel_not_found');
    expect(() => workspace.as('Ana').in('#harbour-coffee')).toThrow('There is no channel');
  });

  it('the event of a mention in a thread names the thread', async () => {
    const { received, workspace } = await startApp('socket', ['app_mention']);
    const ana = workspace.as('Ana').in('#general');
    await ana.mention('next', { inThreadOf: 'Good morning!' });
    await expect.poll(() => received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      text: '<@U09UPNEXTB> next',
      thread_ts: expect.stringMatching(/^\d+\.\d+$/),
    });
  });
});
