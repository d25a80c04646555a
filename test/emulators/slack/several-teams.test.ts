import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Team } from '../../../src/emulators/slack/acting/team.ts';
import { SMALL_PNG } from '../../support/small-png.ts';
import { FORM, startTeamsApp } from '../../support/teams-app.ts';
import { uploadFile } from '../../support/upload-file.ts';
import { clientFor, refusal } from '../../support/workspace.ts';

let running: Awaited<ReturnType<typeof startTeamsApp>>;
beforeEach(async () => {
  running = await startTeamsApp();
});
afterEach(() => running.stop());

describe('a workspace beside others', () => {
  let books: Team;
  beforeEach(async () => {
    const { workspace, installUrl } = running;
    books = workspace.admin.addTeam({
      name: 'Night Market Books',
      people: [{ name: 'Rosa Lima' }, { name: 'Ken Abe' }],
      channels: ['#general', '#posts'],
    });
    await workspace.as('Ana').install(installUrl);
    await books.as('Rosa').install(installUrl);
  });

  it('has a token, people, channels and messages of its own, and knows nothing of another', async () => {
    const { workspace, installations } = running;
    expect([...installations.keys()]).toEqual(['T01HARBOUR', books.id]);
    expect(books.botToken).not.toBe(workspace.team.botToken);
    const [here, there] = [
      clientFor(workspace, workspace.team.botToken),
      clientFor(workspace, books.botToken),
    ];
    expect((await there.auth.test()).team_id).toBe(books.id);
    expect((await there.team.info()).team?.name).toBe('Night Market Books');
    const names = async (client: typeof here) =>
      (await client.users.list({})).members?.map(({ name }) => name);
    expect(await names(there)).toEqual(['rosa', 'ken', 'tester']);
    expect(await names(here)).not.toContain('rosa');
    await books.as('Rosa').in('#posts').inviteApp();
    const { channels = [] } = await there.users.conversations({});
    const [posts] = channels;
    expect((await there.chat.postMessage({ channel: posts?.id ?? '', text: 'for readers' })).ok).toBe(true);
    expect((await refusal(here.chat.postMessage({ channel: posts?.id ?? '', text: 'x' }))).error).toBe(
      'channel_not_found',
    );
    expect((await refusal(there.conversations.info({ channel: 'C02HARBOUR' }))).error).toBe(
      'channel_not_found',
    );
    expect((await refusal(there.users.info({ user: 'U01ANAFERR' }))).error).toBe('user_not_found');
    expect(
      (await refusal(there.views.publish({ user_id: 'U01ANAFERR', view: { type: 'home', blocks: [] } })))
        .error,
    ).toBe('invalid_arguments');
  });

  it('a trigger, a view, a file and a response_url of one are nothing to another', async () => {
    const { workspace } = running;
    const there = clientFor(workspace, books.botToken);
    await workspace.as('Ana').in('#general').type('/form');
    await workspace.as('Ana').modal('A form');
    const { trigger_id: trigger } = running.bodies.find(({ command }) => command === '/form') as {
      trigger_id: string;
    };
    expect((await refusal(there.views.open({ trigger_id: trigger, view: FORM }))).error).toBe(
      'invalid_trigger_id',
    );
    const file = await uploadFile(there, { file: SMALL_PNG, filename: 'a.png' });
    const here = clientFor(workspace, workspace.team.botToken);
    expect((await refusal(here.files.info({ file: file.id }))).error).toBe('file_not_found');
    const read = (token: string) =>
      fetch(file.url_private, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
    expect([(await read(books.botToken)).status, (await read(workspace.team.botToken)).status]).toEqual([
      200, 302,
    ]);
  });

  it('stands in everything that comes from there', async () => {
    await running.useAll(books, 'Rosa');
    const [user] = (await clientFor(running.workspace, books.botToken).users.list({})).members ?? [];
    expect(running.ofType('event_callback')).toMatchObject({
      team_id: books.id,
      authorizations: [{ team_id: books.id, enterprise_id: null, is_enterprise_install: false }],
    });
    for (const type of ['block_actions', 'shortcut', 'view_submission']) {
      expect(running.ofType(type)).toMatchObject({
        team: { id: books.id, domain: 'night-market-books' },
        user: { id: user?.id, team_id: books.id },
        enterprise: null,
        is_enterprise_install: false,
      });
    }
    expect(running.ofType('view_submission').view).toMatchObject({
      team_id: books.id,
      app_installed_team_id: books.id,
    });
    expect(JSON.stringify(running.bodies)).not.toContain('T01HARBOUR');
  });

  it('keeps the app when it is uninstalled elsewhere', async () => {
    const { workspace } = running;
    workspace.admin.uninstall();
    expect((await clientFor(workspace, books.botToken).auth.test()).ok).toBe(true);
    await books.as('Rosa').in('#general').type('/say');
    await books.as('Rosa').sees(`Heard in ${books.id}`);
  });
});
