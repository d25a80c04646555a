import type { Team } from 'slack-workspace-emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { sendSigned } from '../support/send-signed.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask, pressAndSee } from '../support/steps.ts';

// The app is installed once for an organisation. One person is in two of its workspaces.

const database = await setUpBotDatabase();
let installedBot: InstalledBot;
let organisation: string;
let north: Team;
let south: Team;

beforeAll(async () => {
  installedBot = await startInstalledBot({ db: database.db });
  const nora = { name: 'Nora Quist', id: 'U0NORAQUIS' };
  const starship = installedBot.workspace.admin.addOrganisation({
    name: 'Starship',
    teams: [
      { name: 'North', people: [nora] },
      { name: 'South', people: [nora, { name: 'Sam Ito', id: 'U0SAMITO00' }] },
    ],
  });
  [north, south] = starship.teams as [Team, Team];
  organisation = starship.id;
  await north.as('Nora').install(installedBot.installUrl, { organisation: true });
});
afterAll(async () => {
  await installedBot.close();
});

test('the installer is an owner everywhere, and other roles apply in one workspace only', async () => {
  const [southChannel, northChannel] = [south.as('Nora').in('#general'), north.as('Nora').in('#general')];
  const sam = south.as('Sam').in('#general');
  await ask(southChannel, '/upnext roles', 'Owner in the whole workspace (by installing Upnext');
  await sam.type('/upnext status');
  await pressAndSee(sam, 'Request access', 'Request sent for the Viewer role.');
  const directMessages = await south.as('Nora').inDirectMessage();
  await directMessages.sees(
    'requested the Viewer role in the whole workspace. Viewers can view posts and templates.',
  );
  await directMessages.press('Approve');
  await (await sam.inDirectMessage()).sees('made you a Viewer.');
  await sam.in('#general').type('/upnext roles');
  await sam.sees('You’re a Viewer in the whole workspace (given by');

  await ask(northChannel, '/upnext roles', 'People with a role');
  expect(northChannel.read()).not.toContain('Sam');
  const grants = await database.db
    .selectFrom('access_grant')
    .select(['workspace', 'subject', 'role'])
    .execute();
  expect(grants).toHaveLength(3);
  expect(grants).toEqual(
    expect.arrayContaining([
      { workspace: north.id, subject: 'U0NORAQUIS', role: 'owner' },
      { workspace: south.id, subject: 'U0NORAQUIS', role: 'owner' },
      { workspace: south.id, subject: 'U0SAMITO00', role: 'viewer' },
    ]),
  );
});

test('a mention is answered in the workspace where it was sent', async () => {
  const sam = south.as('Sam').in('#general');
  await sam.inviteApp();
  await sam.mention('status');
  await sam.sees('isn’t connected to a scheduling service');
});

describe('the workspace of a form', () => {
  const createSubmission = (user: object, fields: object) => ({
    type: 'view_submission',
    team: null,
    enterprise: { id: organisation, name: 'Starship' },
    is_enterprise_install: true,
    user,
    trigger_id: '1.1.x',
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: 'give-role',
      blocks: [],
      state: { values: {} },
      app_installed_team_id: organisation,
      ...fields,
    },
  });
  const send = (payload: Record<string, unknown>, nonce: number) =>
    sendSigned(installedBot.target, payload, nonce);

  test('the role in the person’s own workspace applies if a submitted form has no team', async () => {
    const { body: response } = await send(createSubmission({ id: 'U0SAMITO00', team_id: south.id }, {}), 1);
    expect(JSON.stringify(response)).toContain('You need the Owner role for this.');
  });

  test('a person who is not a member of the workspace has no role in it', async () => {
    const { body: response } = await send(createSubmission({ id: 'U0SAMITO00', team_id: north.id }, {}), 2);
    expect(JSON.stringify(response)).toContain('Only members of this workspace can use Upnext here.');
  });

  test('a form that is open in one workspace cannot be submitted in another', async () => {
    const nora = south.as('Nora').in('#general');
    await nora.type('/upnext roles');
    await nora.press('Give a role');
    await nora.modal('Give a role');
    const form = await database.db.selectFrom('open_form').selectAll().executeTakeFirstOrThrow();
    expect(form.workspace).toBe(south.id);
    const metadata = { private_metadata: `1.${form.id}` };
    const { body: response } = await send(
      createSubmission({ id: 'U0NORAQUIS', team_id: north.id }, metadata),
      3,
    );
    expect(JSON.stringify(response)).toContain('This form is out of date');
  });
});
