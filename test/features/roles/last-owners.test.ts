import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InstalledBot, startInstalledBot } from '../../support/installed-bot.ts';
import { setUpBotDatabase } from '../../support/set-up-database.ts';
import { ask, askForForm } from '../../support/steps.ts';

const LAST_OWNER_ERROR = 'Upnext needs an Owner. Make somebody else an Owner first.';

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

test('the role of the last owner can’t be taken back', async () => {
  await ana().type('/upnext roles');
  await ana().press('Take back', { dialog: 'confirm' });
  await ana().sees('Not taken back. Upnext needs an Owner, so make somebody else one first.');
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

test('an owner can get a lower role while somebody else is an owner', async () => {
  await giveRole(['Mira'], 'owner');
  expect(await giveRole(['Ana'], 'viewer')).toEqual({});
  expect(await countOwners()).toBe(1);
});
