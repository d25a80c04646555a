import { beforeEach, describe, expect, it } from 'vitest';
import { createHeader } from './support/blocks.ts';
import { expectError } from './support/fixtures.ts';
import { SMALL_PNG } from './support/small-png.ts';
import { startTeamsApp } from './support/teams-app.ts';
import { uploadFile } from './support/upload-file.ts';
import { createSlackClient } from './support/workspace.ts';

let fixture: Awaited<ReturnType<typeof startTeamsApp>>;
beforeEach(async () => {
  fixture = await startTeamsApp();
});

describe('an organisation with the app', () => {
  const people = [
    { name: 'Nora Quist', id: 'U0NORAQUIS' },
    { name: 'Sam Poe', role: 'member' as const },
  ];
  const addOrganisation = () => {
    const organisation = fixture.workspace.admin.addOrganisation({
      name: 'Starship',
      teams: [
        { name: 'Starship North', people },
        {
          name: 'Starship South',
          people: [{ name: 'Yara Dom' }, { name: 'Nora Quist', id: 'U0NORAQUIS', role: 'admin' }],
        },
      ],
    });
    const [north, south] = organisation.teams;
    if (!north || !south) throw new Error('No teams');
    return { organisation, north, south };
  };
  const install = async () => {
    const added = addOrganisation();
    await added.north.as('Nora').install(fixture.installUrl, { organisation: true });
    return { ...added, client: createSlackClient(fixture.workspace, added.organisation.botToken()) };
  };

  it('an organisation has one token for all its workspaces, and the app is one user in them', async () => {
    const { organisation, north, south, client } = await install();
    const installation = fixture.installations.get(organisation.id);
    expect(installation).toMatchObject({
      isEnterpriseInstall: true,
      team: undefined,
      enterprise: { id: organisation.id, name: 'Starship' },
      user: { id: 'U0NORAQUIS' },
    });
    expect([north.botToken, south.botToken]).toEqual([organisation.botToken(), organisation.botToken()]);
    expect(await client.auth.test()).toMatchObject({
      team_id: organisation.id,
      enterprise_id: organisation.id,
      is_enterprise_install: true,
      user_id: installation?.bot?.userId,
    });
  });

  it('the app of an organisation must name the workspace in calls that need one', async () => {
    const { organisation, north, south, client } = await install();
    for (const method of ['users.list', 'conversations.list', 'users.conversations', 'usergroups.list']) {
      await expectError(client.apiCall(method), 'missing_argument');
      expect((await client.apiCall(method, { team_id: south.id })).ok).toBe(true);
      await expectError(client.apiCall(method, { team_id: 'T01HARBOUR' }), 'team_access_not_granted');
    }
    const { members } = await client.users.list({ team_id: south.id });
    expect(members?.map(({ name }) => name)).toEqual(['yara', 'nora', 'tester', 'slackbot']);
    expect(members?.[1]?.enterprise_user).toMatchObject({
      enterprise_id: organisation.id,
      teams: [north.id, south.id],
    });
    expect((await client.team.info({ team_id: south.id } as object)).team).toMatchObject({
      id: south.id,
      enterprise_id: organisation.id,
    });
  });

  it('the channel of a message determines its workspace, and one uploaded picture works in every workspace', async () => {
    const { north, south, client } = await install();
    const file = await uploadFile(client, { file: SMALL_PNG, filename: 'week.png' });
    fixture.workspace.clock.advance(1000);
    for (const team of [north, south]) {
      await team.as('Nora').in('#general').inviteApp();
      const { channels = [] } = await client.users.conversations({ team_id: team.id });
      const image = { type: 'image', alt_text: 'the week', slack_file: { id: file.id } };
      const message = { channel: channels[0]?.id, text: 'x', blocks: [createHeader(team.name), image] };
      await client.apiCall('chat.postMessage', message);
      expect(team.as('Nora').in('#general').messages().join()).toContain(team.name);
    }
    await expectError(client.chat.postMessage({ channel: 'C01GENERAL', text: 'x' }), 'channel_not_found');
  });

  it('a person has one Home in all workspaces of the organisation', async () => {
    const { north, south, client } = await install();
    await client.views.publish({
      user_id: 'U0NORAQUIS',
      view: { type: 'home', blocks: [createHeader('Welcome')] },
    });
    for (const team of [north, south]) await team.as('Nora').home('Welcome');
  });

  it('every payload from a workspace of the organisation names the organisation', async () => {
    const { organisation, south } = await install();
    fixture.bodies.length = 0;
    await fixture.useEveryPart(south, 'Yara');
    const [mention] = fixture.listEvents('app_mention');
    expect(mention).toMatchObject({
      team_id: south.id,
      enterprise_id: organisation.id,
      authorizations: [
        { team_id: null, enterprise_id: organisation.id, is_bot: true, is_enterprise_install: true },
      ],
    });
    const command = fixture.bodies.find((body) => body.command === '/say');
    expect(command).toMatchObject({
      team_id: south.id,
      enterprise_id: organisation.id,
      enterprise_name: 'Starship',
      is_enterprise_install: 'true',
    });
    const enterprise = { id: organisation.id, name: 'Starship' };
    const inMessage = fixture.bodies.find(({ type, message }) => type === 'block_actions' && message);
    expect(inMessage).toMatchObject({
      team: { id: south.id, enterprise_id: organisation.id },
      enterprise,
      is_enterprise_install: true,
    });
    for (const type of ['shortcut', 'view_submission']) {
      expect(fixture.findBody(type)).toMatchObject({
        team: null,
        user: { team_id: south.id },
        enterprise,
        is_enterprise_install: true,
      });
    }
    expect(fixture.findBody('view_submission').view).toMatchObject({
      team_id: south.id,
      app_installed_team_id: organisation.id,
    });
  });

  it('the app is notified which workspaces it may use, and cannot use any other', async () => {
    const { organisation, north, south } = addOrganisation();
    await north.as('Nora').install(fixture.installUrl, { organisation: true, teams: [north.id] });
    // Bolt refuses events until it has stored the installation. Slack then sends them again after a minute.
    const listEvents = () => {
      fixture.workspace.clock.advance(60_000);
      return fixture.listEvents().map(({ event }) => event);
    };
    await expect.poll(listEvents).toMatchObject([{ type: 'team_access_granted', team_ids: [north.id] }]);
    await south.as('Yara').in('#general').type('/say');
    await south.as('Yara').sees('/say is not a valid command');
    organisation.grantAccess(south);
    await south.as('Yara').type('/say');
    await south.as('Yara').sees(`Heard in ${south.id}`);
    organisation.revokeAccess(north);
    const findLastAbout = (id: string) => listEvents().findLast((event) => String(event?.team_ids) === id);
    await expect.poll(() => findLastAbout(north.id)).toMatchObject({ type: 'team_access_revoked' });
  });

  it('uninstalling the app removes it from all workspaces of the organisation at once', async () => {
    const { organisation, north, south, client } = await install();
    north.admin.uninstall();
    await expectError(client.auth.test(), 'account_inactive');
    await expect.poll(() => fixture.listEvents('app_uninstalled')).toHaveLength(1);
    const [event] = fixture.listEvents('app_uninstalled');
    expect([event?.enterprise_id, event?.team_id]).toEqual([organisation.id, undefined]);
    await south.as('Yara').in('#general').type('/say');
    await south.as('Yara').sees('/say is not a valid command');
  });

  it('only admins can install the app for the organisation; a member can install it for one workspace', async () => {
    const { north } = addOrganisation();
    const sam = north.as('Sam');
    const refused = sam.install(fixture.installUrl, { organisation: true });
    await expect(refused).rejects.toThrow('can’t install');
    expect((await sam.install(fixture.installUrl)).status).toBe(200);
    expect(fixture.installations.get(north.id)).toMatchObject({
      isEnterpriseInstall: false,
      enterprise: { name: 'Starship' },
    });
  });
});
