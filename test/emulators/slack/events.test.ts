import { afterEach, describe, expect, it, vi } from 'vitest';
import { EVENT_RULES } from '../../../src/emulators/slack/rules/event-rules.ts';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { SMALL_PNG } from '../../support/small-png.ts';
import { clientFor, refusal, TEST_MANIFEST } from '../../support/workspace.ts';
import { type Running, startWithBolt } from '../../support/workspace-bolt.ts';

const ALL = Object.keys(EVENT_RULES);

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** An app that subscribed to these and has these scopes; what it is sent, by type. */
async function start(
  mode: 'socket' | 'http',
  events: readonly string[],
  scopes: readonly string[] | undefined = undefined,
) {
  const bot = scopes ?? TEST_MANIFEST.oauth_config.scopes.bot;
  const settings = { event_subscriptions: { bot_events: events } };
  const manifest = { ...TEST_MANIFEST, settings, oauth_config: { scopes: { bot } } };
  running = await startWithBolt(mode, undefined, { manifest, ignoreSelf: false });
  const got: Record<string, unknown>[] = [];
  // Bolt asks the same as it starts, and would be refused where a test ends the app at once.
  await running.app.client.auth.test();
  running.app.use(async ({ body, next }) => {
    if ('event' in body) got.push({ ...body.event });
    await next();
  });
  return { got, workspace: running.workspace, app: running.app };
}

const types = (got: readonly Record<string, unknown>[]) => got.map(({ type }) => type);

/** A private channel that the app is in. */
function owners({ admin }: Workspace): Workspace['admin'] {
  admin.addChannel('#owners', { private: true, members: ['Ana', 'tester'] });
  return admin;
}

/** The app uploads a file into a channel. Answers its id. */
async function share(workspace: Workspace): Promise<string> {
  const client = clientFor(workspace, workspace.botToken);
  const file = { file: SMALL_PNG, filename: 'a.png', channel_id: 'C01GENERAL' };
  const said = (await client.files.uploadV2(file)) as { files?: { files?: { id?: string }[] }[] };
  return said.files?.[0]?.files?.[0]?.id ?? '';
}

/** What makes each happen. */
const DOING: Readonly<Record<string, (workspace: Workspace) => unknown>> = {
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
    owners(workspace);
    return workspace.as('Ana').in('#owners').type('hello');
  },
  group_archive: (workspace) => owners(workspace).archive('#owners'),
  group_unarchive: (workspace) => {
    owners(workspace).archive('#owners');
    workspace.admin.unarchive('#owners');
  },
  group_deleted: (workspace) => owners(workspace).deleteChannel('#owners'),
  group_left: (workspace) => owners(workspace).remove('#owners', 'tester'),
  file_shared: share,
  file_deleted: async (workspace) => {
    await clientFor(workspace, workspace.botToken).files.delete({ file: await share(workspace) });
  },
  user_change: ({ admin }) => admin.changePerson('Ben', { tz: 'Europe/Rome' }),
  app_uninstalled: ({ admin }) => admin.uninstall(),
  tokens_revoked: ({ admin }) => admin.revokeToken(),
};
/** What stands in each beside its type. */
const HELD: Readonly<Record<string, object>> = {
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
  channel_left: { channel: 'C02HARBOUR', actor_id: 'U01ANAFERR' },
  member_joined_channel: { channel: 'C04RANDOM0', user: 'U09UPNEXTB', inviter: 'U01ANAFERR' },
  member_left_channel: { channel: 'C02HARBOUR', user: 'U02BENOKAF' },
  'message.im': { user: 'U01ANAFERR', text: 'hello', channel_type: 'im' },
  user_change: { user: expect.objectContaining({ id: 'U02BENOKAF', tz: 'Europe/Rome', locale: 'en-US' }) },
  'message.channels': { user: 'U01ANAFERR', text: 'hello', channel_type: 'channel' },
  'message.groups': { user: 'U01ANAFERR', text: 'hello', channel_type: 'group' },
  group_left: { actor_id: 'U01ANAFERR' },
  file_shared: { user_id: 'U09UPNEXTB', channel_id: 'C01GENERAL' },
  tokens_revoked: { tokens: { oauth: [], bot: ['U09UPNEXTB'] } },
};

describe.each(['socket', 'http'] as const)('over %s an app that subscribed to it hears of', (mode) => {
  it.each(Object.entries(DOING))('%s', async (name, happens) => {
    const { got, workspace } = await start(mode, [name]);
    await happens(workspace);
    await vi.waitFor(() => expect(got).toHaveLength(1));
    expect(got[0]).toMatchObject({ type: name.split('.')[0], ...HELD[name] });
  });
});

it('every event of the table happens in these tests', () => {
  // The two of an organisation have a file of their own.
  expect(ALL.filter((name) => !DOING[name] && !name.startsWith('team_access_'))).toEqual([]);
});

describe('an app', () => {
  it('that did not subscribe hears nothing', async () => {
    const { got, workspace } = await start('socket', ['app_mention']);
    for (const [name, happens] of Object.entries(DOING)) {
      if (!/^(app_|message|tokens|file_|group_|channel_deleted)/.test(name)) await happens(workspace);
    }
    await workspace.as('Ana').in('#general').mention('last');
    await vi.waitFor(() => expect(types(got)).toEqual(['app_mention']));
  });

  it.each(Object.entries(EVENT_RULES).filter(([, { scopes }]) => scopes.length > 0))(
    'without the scope hears nothing: %s',
    async (name) => {
      const { got, workspace } = await start(
        'socket',
        [name, 'app_uninstalled'],
        ['chat:write', 'files:write'],
      );
      await DOING[name]?.(workspace);
      workspace.admin.uninstall();
      await vi.waitFor(() => expect(types(got)).toContain('app_uninstalled'));
      expect(types(got)).toEqual(['app_uninstalled']);
    },
  );

  it('that was uninstalled hears that, that its tokens are gone, and nothing more', async () => {
    const { got, workspace, app } = await start('socket', ALL);
    workspace.admin.uninstall();
    await workspace.as('Ana').in('#general').mention('are you there?');
    workspace.admin.archive('#harbour-coffee');
    await vi.waitFor(() => expect(types(got).toSorted()).toEqual(['app_uninstalled', 'tokens_revoked']));
    expect((await refusal(app.client.auth.test())).error).toBe('account_inactive');
  });

  it('hears of a private channel by other names, and only where it is a member', async () => {
    const { got, workspace } = await start('socket', ALL);
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
    await vi.waitFor(() => expect(types(got)).toContain('group_deleted'));
    expect(types(got).filter((type) => type !== 'message')).toEqual([
      'group_archive',
      'group_unarchive',
      'member_left_channel',
      'group_left',
      'member_joined_channel',
      'group_deleted',
    ]);
  });

  it('whose direct messages are read-only is not written to', async () => {
    const app_home = { messages_tab_enabled: true, messages_tab_read_only_enabled: true };
    const manifest = { ...TEST_MANIFEST, features: { ...TEST_MANIFEST.features, app_home } };
    running = await startWithBolt('socket', undefined, { manifest });
    const ana = running.workspace.as('Ana');
    await ana.directMessage('hello');
    await ana.sees('Sending messages to this app has been turned off.');
    expect(ana.messages()).toEqual([]);
  });
});

describe('a channel that was deleted', () => {
  it('is not there any more, for people and for the app', async () => {
    const { workspace, app } = await start('socket', []);
    workspace.admin.deleteChannel('#harbour-coffee');
    const post = app.client.chat.postMessage({ channel: 'C02HARBOUR', text: 'x' });
    expect((await refusal(post)).error).toBe('channel_not_found');
    expect(() => workspace.as('Ana').in('#harbour-coffee')).toThrow('There is no channel');
  });
});

describe('a mention', () => {
  it('in a thread names the thread', async () => {
    const { got, workspace } = await start('socket', ['app_mention']);
    const ana = workspace.as('Ana').in('#general');
    await ana.mention('next', { inThreadOf: 'Good morning!' });
    await vi.waitFor(() => expect(got).toHaveLength(1));
    expect(got[0]).toMatchObject({
      text: '<@U09UPNEXTB> next',
      thread_ts: expect.stringMatching(/^\d+\.\d+$/),
    });
  });
});
