import { sql } from 'kysely';
import type { Team } from 'slack-workspace-emulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { COMMAND, sendSigned } from '../support/send-signed.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask, askForForm } from '../support/steps.ts';
import {
  DELETED_DATA,
  insertWorkspaceData,
  readDigests,
  readWorkspaceData,
  SECRET,
} from './workspace-data.ts';

const database = await setUpBotDatabase();
let installedBot: InstalledBot;
const TABLES = [
  ...['installation', 'installed_workspace', 'credential', 'open_form', 'submission', 'once_claim'],
  ...['access_grant', 'digest', 'digest_occurrence'],
] as const;

beforeEach(async () => {
  installedBot = await startInstalledBot({ db: database.db });
});
afterEach(async () => {
  await installedBot.close();
  for (const table of TABLES) await database.db.deleteFrom(table).execute();
});

const listInstallations = async () =>
  (await database.db.selectFrom('installation').select('id').execute()).map(({ id }) => id);

const send = (payload: Record<string, unknown>, nonce = 1) => sendSigned(installedBot.target, payload, nonce);
const sendEvent = (fields: object, nonce = 1) =>
  send({ type: 'event_callback', api_app_id: 'A01UPNEXTA', event_id: `Ev${nonce}`, ...fields }, nonce);

describe('a workspace that the app leaves', () => {
  const createUninstallation = (afterSeconds: number) => ({
    ...{ team_id: 'T01HARBOUR', event: { type: 'app_uninstalled' } },
    event_time: Math.floor(Date.now() / 1000) + afterSeconds,
  });

  test('after an uninstallation, tokens, credentials and contents are deleted, and nothing is sent', async () => {
    const { workspace, installUrl } = installedBot;
    await workspace.as('Ana').install(installUrl);
    const books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    await books.as('Rosa').install(installUrl);
    await insertWorkspaceData(database.db, 'T01HARBOUR');
    await insertWorkspaceData(database.db, books.id);

    workspace.admin.uninstall();
    await expect.poll(listInstallations).toEqual([books.id]);
    await expect.poll(() => readWorkspaceData(database.db, 'T01HARBOUR')).toEqual(DELETED_DATA);
    // The workspace without the app gets no digest, and nobody is notified about one.
    expect(await readDigests(database.db, 'T01HARBOUR')).toEqual({
      digests: [{ state: 'paused', pause_reason: 'uninstalled', next_at: null, notify_at: null }],
      occurrences: [
        { state: 'paused', next_at: null, notify_at: null, follow_ups: null },
        { state: 'paused', next_at: null, notify_at: null, follow_ups: null },
        { state: 'missed', next_at: null, notify_at: null, follow_ups: null },
      ],
    });
    // The other workspace keeps its data.
    expect(await readWorkspaceData(database.db, books.id)).toMatchObject({
      credentials: 1,
      forms: 1,
      submissions: [{ state: 'retryable' }, {}, {}],
    });
    expect(installedBot.logged.join('\n')).not.toContain(SECRET);
  });

  test('after tokens are revoked, digests are paused, and submissions and forms wait for a reinstallation', async () => {
    const { workspace, installUrl } = installedBot;
    await workspace.as('Ana').install(installUrl);
    await insertWorkspaceData(database.db, 'T01HARBOUR');
    workspace.admin.revokeToken();
    await expect.poll(listInstallations).toEqual([]);
    expect(await readWorkspaceData(database.db, 'T01HARBOUR')).toMatchObject({
      credentials: 1,
      forms: 1,
      submissions: [{ state: 'retryable' }, { state: 'unsure' }, {}],
    });
    const { digests } = await readDigests(database.db, 'T01HARBOUR');
    expect(digests).toMatchObject([{ state: 'paused', pause_reason: 'no-access', next_at: null }]);
    await workspace.as('Ana').install(installUrl);
    expect(await listInstallations()).toEqual(['T01HARBOUR']);
    expect(await readWorkspaceData(database.db, 'T01HARBOUR')).toMatchObject({
      credentials: 1,
      submissions: [{ state: 'retryable' }, {}, {}],
    });
  });

  test('the audit log says who installed the app, and that it was uninstalled', async () => {
    const { workspace, installUrl } = installedBot;
    const team = workspace.admin.addTeam({ name: 'Quay Books', people: [{ name: 'Rosa Lima' }] });
    await team.as('Rosa').install(installUrl);
    const readInstallEntries = () =>
      database.db
        .selectFrom('audit_entry')
        .select(['actor', 'action', 'decision'])
        .where('workspace', '=', team.id)
        .where('action', 'like', '%installed')
        .orderBy('seq')
        .execute();
    const rosa = { actor: expect.stringMatching(/^U/), action: 'installed', decision: 'done' };
    await expect.poll(readInstallEntries).toEqual([rosa]);
    team.admin.uninstall();
    const uninstallEntry = { actor: 'slack', action: 'uninstalled', decision: 'done' };
    await expect.poll(readInstallEntries).toEqual([rosa, uninstallEntry]);
  });

  test('a late uninstall event deletes nothing of a new installation', async () => {
    const { workspace, installUrl } = installedBot;
    const ana = workspace.as('Ana').in('#general');
    await ana.install(installUrl);
    expect((await sendEvent(createUninstallation(-60))).status).toBe(200);
    await ask(ana, '/upnext help', 'Common commands');
    expect(await listInstallations()).toEqual(['T01HARBOUR']);
  });

  test('an uninstallation that fails is processed when Slack sends it again', async () => {
    const { workspace, installUrl } = installedBot;
    await workspace.as('Ana').install(installUrl);
    const event = createUninstallation(60);
    await sql`alter table uninstalled_workspace rename to uninstalled_workspace_away`.execute(database.db);
    expect((await sendEvent(event)).status).toBe(500);
    await sql`alter table uninstalled_workspace_away rename to uninstalled_workspace`.execute(database.db);
    expect(await listInstallations()).toEqual(['T01HARBOUR']);
    expect((await sendEvent(event, 2)).status).toBe(200);
    await expect.poll(listInstallations).toEqual([]);
  });
});

describe('a request from a workspace without the app', () => {
  const sender = { team: { id: 'T0NOWHERE', domain: 'nowhere' }, user: { id: 'U1', team_id: 'T0NOWHERE' } };
  const notInstalledText = expect.stringMatching(
    /^Upnext isn’t installed in this workspace\. .*\/slack\/install>$/,
  );
  const view = { id: 'V1', type: 'modal', callback_id: 'connect', blocks: [], state: { values: {} } };

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'a command',
      { ...COMMAND, team_id: 'T0NOWHERE', user_id: 'U1' },
      { text: notInstalledText, response_type: 'ephemeral' },
    ],
    [
      'a form',
      { type: 'view_submission', ...sender, view },
      { response_action: 'push', view: expect.objectContaining({ type: 'modal' }) },
    ],
    [
      'a menu',
      { type: 'block_suggestion', ...sender, action_id: 'a', block_id: 'b', value: '' },
      { options: [] },
    ],
    ['a shortcut', { type: 'shortcut', ...sender, callback_id: 'x', trigger_id: '1.1.x' }, undefined],
    [
      'a mention',
      {
        type: 'event_callback',
        team_id: 'T0NOWHERE',
        event_id: 'Ev1',
        event_time: 1,
        event: { type: 'app_mention', user: 'U1', channel: 'C1', text: '<@U2> next', ts: '1.1' },
      },
      undefined,
    ],
  ])('%s in a workspace without the app is acknowledged', async (_, payload, body) => {
    expect(await send(payload)).toMatchObject({ status: 200, body });
  });
});

describe('an organisation', () => {
  const installForOrganisation = async () => {
    const { workspace, installUrl } = installedBot;
    const organisation = workspace.admin.addOrganisation({
      name: 'Starship',
      teams: [
        { name: 'North', people: [{ name: 'Nora Quist', id: 'U0NORAQUIS' }] },
        { name: 'South', people: [{ name: 'Nora Quist', id: 'U0NORAQUIS' }, { name: 'Sam Ito' }] },
      ],
    });
    const [north, south] = organisation.teams as [Team, Team];
    const page = await north.as('Nora').install(installUrl, { organisation: true });
    expect(page.html).toContain('Upnext is installed in Starship');
    // Slack says so a moment later. If that came after a test's own events, it would count as a newer grant of access.
    const grants = () => north.app.requests().filter(({ name }) => name === 'team_access_granted');
    await expect.poll(grants).toMatchObject([{ outcome: 'acknowledged' }]);
    return { organisation, north, south };
  };

  test('an organisation installs the app once, and each of its workspaces has its own data', async () => {
    const { organisation, north, south } = await installForOrganisation();
    expect(await listInstallations()).toEqual([organisation.id]);
    for (const team of [north, south]) {
      const nora = team.as('Nora').in('#general');
      await ask(nora, '/upnext help', 'Common commands');
      // In an organisation, views and global shortcuts have no team.
      const form = await askForForm(nora, '/upnext connect', 'Connect a service');
      await form.fill('Address of the service', 'http://posts.example.com');
      await form.fill('Token', 'a-token-of-eight');
      await form.submit();
      expect(form.errors()).toEqual({ 'Address of the service': 'The address must begin with https://' });
      await form.close();
    }
    const storedWorkspaces = await database.db.selectFrom('installed_workspace').selectAll().execute();
    expect(
      storedWorkspaces.toSorted((first, second) => first.workspace.localeCompare(second.workspace)),
    ).toEqual(
      [north.id, south.id]
        .toSorted()
        .map((workspace) => ({ workspace, installation: organisation.id, since: expect.any(Date) })),
    );
    const forms = await database.db.selectFrom('open_form').select('workspace').distinct().execute();
    expect(new Set(forms.map(({ workspace }) => workspace))).toEqual(new Set([north.id, south.id]));
  });

  test('an organisation can remove the app from one workspace, and then from all', async () => {
    const { organisation, north, south } = await installForOrganisation();
    for (const team of [north, south]) {
      await ask(team.as('Nora').in('#general'), '/upnext help', 'Common commands');
      await insertWorkspaceData(database.db, team.id);
    }
    organisation.revokeAccess(south);
    await expect.poll(() => readWorkspaceData(database.db, south.id)).toEqual(DELETED_DATA);
    expect(await readWorkspaceData(database.db, north.id)).toMatchObject({ credentials: 1 });
    north.admin.uninstall();
    await expect.poll(() => readWorkspaceData(database.db, north.id)).toEqual(DELETED_DATA);
    await expect.poll(listInstallations).toEqual([]);
  });

  const listKnown = async (table: 'installed_workspace' | 'uninstalled_workspace') =>
    (await database.db.selectFrom(table).select('workspace').execute()).map(({ workspace }) => workspace);

  test('a late request of a workspace without access keeps nothing, and a repeated event deletes nothing of a workspace that has access again', async () => {
    const { organisation, south } = await installForOrganisation();
    const nora = south.as('Nora').in('#general');
    const countAnswers = () => nora.read().split('Common commands').length;
    const askForHelp = async () => {
      const before = countAnswers();
      await nora.type('/upnext help');
      await expect.poll(countAnswers).toBe(before + 1);
    };
    await askForHelp();
    // It is recorded after the answer.
    await expect.poll(() => listKnown('installed_workspace')).toContain(south.id);
    // Events have whole seconds, and this one concerns only workspaces that were recorded before it.
    const revokedAt = Math.ceil(Date.now() / 1000);
    const event = { type: 'team_access_revoked', team_ids: [south.id] };
    const revocation = { enterprise_id: organisation.id, team_id: null, event_time: revokedAt, event };
    await sendEvent(revocation, 1);
    await expect.poll(() => listKnown('installed_workspace')).not.toContain(south.id);
    await askForHelp();
    expect(await listKnown('installed_workspace')).not.toContain(south.id);
    expect(await listKnown('uninstalled_workspace')).toContain(south.id);

    const granted = { type: 'team_access_granted', team_ids: [south.id] };
    // Slack repeats an event that is older than the revocation.
    await sendEvent({ ...revocation, event_time: revokedAt - 60, event: granted }, 4);
    expect(await listKnown('uninstalled_workspace')).toContain(south.id);
    await sendEvent({ ...revocation, event_time: revokedAt + 1, event: granted }, 3);
    await expect.poll(() => listKnown('uninstalled_workspace')).not.toContain(south.id);
    await askForHelp();
    await expect.poll(() => listKnown('installed_workspace')).toContain(south.id);
    await insertWorkspaceData(database.db, south.id);
    await database.db
      .updateTable('installed_workspace')
      .set({ since: new Date((revokedAt + 2) * 1000) })
      .execute();
    await sendEvent(revocation, 2);
    expect(await readWorkspaceData(database.db, south.id)).toMatchObject({ credentials: 1 });
    expect(await listKnown('installed_workspace')).toContain(south.id);
  });

  test('a later request of a workspace without access shows that it has access again', async () => {
    const { south } = await installForOrganisation();
    await database.db
      .insertInto('uninstalled_workspace')
      .values({ workspace: south.id, installation: null, uninstalled_at: sql`now() - interval '11 minutes'` })
      .execute();
    await ask(south.as('Nora').in('#general'), '/upnext help', 'Common commands');
    expect(await listKnown('uninstalled_workspace')).not.toContain(south.id);
  });

  test('an uninstallation of the whole organisation has no workspace, which Slack may send as null', async () => {
    const { organisation } = await installForOrganisation();
    const event_time = Math.floor(Date.now() / 1000);
    const event = { type: 'app_uninstalled' };
    await sendEvent({ team_id: null, enterprise_id: organisation.id, event_time, event });
    await expect.poll(listInstallations).toEqual([]);
  });
});
