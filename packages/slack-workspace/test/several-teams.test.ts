import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Team } from '../src/acting/team.ts';
import { expectError } from './support/fixtures.ts';
import { SMALL_PNG } from './support/small-png.ts';
import { FORM, startTeamsApp } from './support/teams-app.ts';
import { uploadFile } from './support/upload-file.ts';
import { createSlackClient } from './support/workspace.ts';

let fixture: Awaited<ReturnType<typeof startTeamsApp>>;
beforeEach(async () => {
  fixture = await startTeamsApp();
});

describe('a workspace beside others', () => {
  let books: Team;
  let booksClient: WebClient;
  let harbourClient: WebClient;
  beforeEach(async () => {
    const { workspace, installUrl } = fixture;
    books = workspace.admin.addTeam({
      name: 'Night Market Books',
      people: [{ name: 'Rosa Lima' }, { name: 'Ken Abe' }],
      channels: ['#general', '#posts'],
    });
    await workspace.as('Ana').install(installUrl);
    await books.as('Rosa').install(installUrl);
    booksClient = createSlackClient(workspace, books.botToken);
    harbourClient = createSlackClient(workspace, workspace.team.botToken);
  });

  it('each workspace has its own token, people, channels and messages', async () => {
    const { workspace, installations } = fixture;
    expect([...installations.keys()]).toEqual(['T01HARBOUR', books.id]);
    expect(books.botToken).not.toBe(workspace.team.botToken);
    expect((await booksClient.auth.test()).team_id).toBe(books.id);
    expect((await booksClient.team.info()).team?.name).toBe('Night Market Books');
    const listNames = async (client: WebClient) =>
      (await client.users.list({})).members?.map(({ name }) => name);
    expect(await listNames(booksClient)).toEqual(['rosa', 'ken', 'tester', 'slackbot']);
    expect(await listNames(harbourClient)).not.toContain('rosa');
    await books.as('Rosa').in('#posts').inviteApp();
    const { channels = [] } = await booksClient.users.conversations({});
    const message = { channel: channels[0]?.id ?? '', text: 'for readers' };
    expect((await booksClient.chat.postMessage(message)).ok).toBe(true);
    await expectError(harbourClient.chat.postMessage(message), 'channel_not_found');
    await expectError(booksClient.conversations.info({ channel: 'C02HARBOUR' }), 'channel_not_found');
    await expectError(booksClient.users.info({ user: 'U01ANAFERR' }), 'user_not_found');
    const home = { user_id: 'U01ANAFERR', view: { type: 'home' as const, blocks: [] } };
    await expectError(booksClient.views.publish(home), 'invalid_arguments');
  });

  it('triggers, files and response_urls of one workspace are useless in another', async () => {
    const { workspace } = fixture;
    await workspace.as('Ana').in('#general').type('/form');
    await workspace.as('Ana').modal('A form');
    const { trigger_id: trigger } = fixture.bodies.find(({ command }) => command === '/form') as {
      trigger_id: string;
    };
    await expectError(booksClient.views.open({ trigger_id: trigger, view: FORM }), 'invalid_trigger_id');
    const file = await uploadFile(booksClient, { file: SMALL_PNG, filename: 'a.png' });
    await expectError(harbourClient.files.info({ file: file.id }), 'file_not_found');
    const readFile = (token: string) =>
      fetch(file.url_private, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
    expect([
      (await readFile(books.botToken)).status,
      (await readFile(workspace.team.botToken)).status,
    ]).toEqual([200, 302]);
  });

  it('every payload from a workspace names that workspace', async () => {
    await fixture.useEveryPart(books, 'Rosa');
    const [user] = (await booksClient.users.list({})).members ?? [];
    expect(fixture.findBody('event_callback')).toMatchObject({
      team_id: books.id,
      authorizations: [{ team_id: books.id, enterprise_id: null, is_enterprise_install: false }],
    });
    for (const type of ['block_actions', 'shortcut', 'view_submission']) {
      expect(fixture.findBody(type)).toMatchObject({
        team: { id: books.id, domain: 'night-market-books' },
        user: { id: user?.id, team_id: books.id },
        enterprise: null,
        is_enterprise_install: false,
      });
    }
    expect(fixture.findBody('view_submission').view).toMatchObject({
      team_id: books.id,
      app_installed_team_id: books.id,
    });
    expect(JSON.stringify(fixture.bodies)).not.toContain('T01HARBOUR');
  });

  it('a workspace keeps the app if another workspace uninstalls the app', async () => {
    fixture.workspace.admin.uninstall();
    expect((await booksClient.auth.test()).ok).toBe(true);
    await books.as('Rosa').in('#general').type('/say');
    await books.as('Rosa').sees(`Heard in ${books.id}`);
  });
});
