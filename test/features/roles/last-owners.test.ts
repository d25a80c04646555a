import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { type InstalledBot, startInstalledBot } from '../../support/installed-bot.ts';
import { setUpBotDatabase } from '../../support/set-up-database.ts';
import { ask, askForForm } from '../../support/steps.ts';

const LAST_OWNER_ERROR = 'Upnext needs an Owner who can use it. Make somebody else an Owner first.';

const database = await setUpBotDatabase();
let running: InstalledBot;
beforeAll(async () => {
  running = await startInstalledBot({ db: database.db });
  // Ana installs the app, which makes her its first owner.
  await running.workspace.as('Ana').install(running.installUrl);
});
afterAll(() => running.close());
beforeEach(() => database.db.deleteFrom('access_grant').where('reason', '!=', 'installed').execute());

const ana = () => running.workspace.as('Ana').in('#general');
const countOwners = async () =>
  (await database.db.selectFrom('access_grant').select('role').where('role', '=', 'owner').execute()).length;

async function giveRole(people: string[], role: string) {
  const form = await askForForm(ana(), '/upnext roles', 'Give a role', 'Give a role');
  await form.choose('People', people);
  await form.choose('Role', role.charAt(0).toUpperCase() + role.slice(1));
  const { errors, view } = await form.submit();
  // A new owner has to be confirmed. A refused form stays open.
  const confirmation = role === 'owner' ? await view?.submit() : undefined;
  await (confirmation?.view ?? view ?? form).close();
  return errors;
}

/** Makes a new user group an owner. */
async function addOwnerGroup(handle: string, members: string[]) {
  const { admin, team } = running.workspace;
  await saveGrant(database.db, {
    ...{ workspace: team.id, subjectKind: 'group', subject: admin.addGroup(handle, members) },
    ...{ project: '', role: 'owner', reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: new Date() },
  });
}

test('the role of the last owner can’t be taken back', async () => {
  await ana().type('/upnext roles');
  await ana().press('Take back', { dialog: 'confirm' });
  await ana().sees(`Not taken back. ${LAST_OWNER_ERROR}`);
  expect(await countOwners()).toBe(1);
});

test('the last owner, or all owners at once, can’t get a lower role', async () => {
  expect(await giveRole(['Ana'], 'viewer')).toEqual({ Role: LAST_OWNER_ERROR });
  await giveRole(['Mira'], 'owner');
  expect(await countOwners()).toBe(2);
  expect(await giveRole(['Ana', 'Mira'], 'manager')).toEqual({ Role: LAST_OWNER_ERROR });
  expect(await countOwners()).toBe(2);
});

test('who stops being an owner reads that a role that was given since isn’t taken back', async () => {
  await giveRole(['Mira'], 'owner');
  await giveRole(['Ben'], 'owner');
  const mira = running.workspace.as('Mira').in('#general');
  await ask(mira, '/upnext roles', '[Take back]');
  const { db } = database;
  // The first button is Ana's.
  await db.updateTable('access_grant').set({ role: 'viewer' }).where('reason', '=', 'installed').execute();
  const { faults } = running.workspace;
  faults.set({ webApi: [{ method: 'users.info', fault: 'slow', delayMs: 1_000 }] });
  const countCalls = () => faults.counts().calls['users.info'] ?? 0;
  const callCount = countCalls();
  const press = mira.press('Take back', { dialog: 'confirm' });
  // While Slack is asked who presses, the grants have been read.
  await expect.poll(countCalls).toBeGreaterThan(callCount);
  await db.deleteFrom('access_grant').where('subject', '=', 'U03MIRAVOS').execute();
  await press;
  faults.set({ webApi: [] });
  await mira.sees('Not taken back, because this role has changed. You’re no longer an Owner.');
  await db.updateTable('access_grant').set({ role: 'owner' }).where('reason', '=', 'installed').execute();
});

test('somebody who is deactivated or a guest isn’t the owner who stays', async () => {
  const { admin } = running.workspace;
  admin.addPerson({ name: 'Zoe Lind' });
  await giveRole(['Zoe'], 'owner');
  admin.changePerson('Zoe', { role: 'guest' });
  expect(await giveRole(['Ana'], 'viewer')).toEqual({ Role: LAST_OWNER_ERROR });
  admin.changePerson('Zoe', { role: 'member' });
  admin.deactivate('Zoe');
  expect(await giveRole(['Ana'], 'viewer')).toEqual({ Role: LAST_OWNER_ERROR });
  await ask(ana(), '/upnext roles', '[Take back]');
  // The first button is Ana's.
  await ana().press('Take back', { dialog: 'confirm' });
  await ana().sees(`Not taken back. ${LAST_OWNER_ERROR}`);
  expect(await countOwners()).toBe(2);
});

test('a user group is an owner who stays only while a full member is in it', async () => {
  const { admin } = running.workspace;
  await addOwnerGroup('@keepers', []);
  expect(await giveRole(['Ana'], 'viewer')).toEqual({ Role: LAST_OWNER_ERROR });
  admin.changeGroup('@keepers', { members: ['Tom', 'Mira'] });
  expect(await giveRole(['Ana'], 'viewer')).toEqual({});
  expect(await countOwners()).toBe(1);
  // Her role of the beginning, for the next test.
  await database.db
    .updateTable('access_grant')
    .set({ role: 'owner', reason: 'installed' })
    .where('subject', '=', 'U01ANAFERR')
    .execute();
});

test('while Slack doesn’t say whether the other owner can act, nobody steps down', async () => {
  const { faults } = running.workspace;
  await addOwnerGroup('@stewards', ['Mira']);
  faults.set({ webApi: [{ method: 'usergroups.users.list', fault: 'error', error: 'fatal_error' }] });
  const error =
    'I couldn’t check in Slack that another Owner can take over. Try again in a minute, or make somebody else an Owner first.';
  expect(await giveRole(['Ana'], 'viewer')).toEqual({ Role: error });
  await ask(ana(), '/upnext roles', '[Take back]');
  await ana().press('Take back', { dialog: 'confirm' });
  await ana().sees(`Not taken back. ${error}`);
  faults.set({ webApi: [] });
  expect(await countOwners()).toBe(2);
});

test('an owner can get a lower role while somebody else is an owner', async () => {
  await giveRole(['Mira'], 'owner');
  expect(await giveRole(['Ana'], 'viewer')).toEqual({});
  expect(await countOwners()).toBe(1);
});
