import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../../support/bot.ts';
import { type InstalledBot, startInstalledBot } from '../../support/installed-bot.ts';

const FAULT = 'Nobody would own Upnext here any more. Make somebody else an owner first.';

let database: BotDatabase;
let running: InstalledBot;
beforeAll(async () => {
  database = await openBotDatabase();
  running = await startInstalledBot({ db: database.db });
  // Ana installs it, and is its first owner.
  await running.workspace.as('Ana').install(running.installUrl);
});
afterAll(async () => {
  await running.close();
  await database.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('access_grant').where('reason', '!=', 'installed').execute();
});

const ana = () => running.workspace.as('Ana').in('#general');
const owners = async () =>
  (await database.db.selectFrom('access_grant').select('role').where('role', '=', 'owner').execute()).length;

async function give(people: string[], role: string) {
  await ana().type('/upnext roles');
  await ana().press('Give a role');
  const form = await ana().modal('Give a role');
  await form.choose('People', people);
  await form.choose('Role', role);
  const { errors, view } = await form.submit();
  // A new owner is worth a second look; what was refused stands open.
  const last = role === 'owner' ? await view?.submit() : undefined;
  await (last?.view ?? view ?? form).close();
  return errors;
}

test('the last owner’s role is not taken back', async () => {
  await ana().type('/upnext roles');
  await ana().press('Take back');
  await ana().sees('Not taken back: nobody would own Upnext here any more.');
  expect(await owners()).toBe(1);
});

test('nor is another given in its place, to the last one or to all of them at once', async () => {
  expect(await give(['Ana'], 'viewer')).toEqual({ Role: FAULT });
  await give(['Mira'], 'owner');
  expect(await owners()).toBe(2);
  expect(await give(['Ana', 'Mira'], 'manager')).toEqual({ Role: FAULT });
  expect(await owners()).toBe(2);
});

test('where somebody else owns it too, an owner may become less', async () => {
  await give(['Mira'], 'owner');
  expect(await give(['Ana'], 'viewer')).toEqual({});
  expect(await owners()).toBe(1);
});
