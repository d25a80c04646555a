import { afterEach, expect, test } from 'vitest';
import { RATES } from '../../src/slack/rate-limits.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();
let installedBot: InstalledBot;

afterEach(() => installedBot.close());

test('a workspace with too many requests is limited, but can still uninstall the app', async () => {
  const tenant = { burst: 4, perSecond: 1 / 600 };
  const rates = { ...RATES, request: { ...RATES.request, tenant: [tenant] } };
  installedBot = await startInstalledBot({ db: database.db, rates });
  const { workspace, installUrl } = installedBot;
  const books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
  await workspace.as('Ana').install(installUrl);
  await books.as('Rosa').install(installUrl);
  const ana = workspace.as('Ana').in('#general');
  for (let times = 0; times < 4; times += 1) await ana.type('/upnext help');
  const ben = workspace.as('Ben').in('#general');
  await ben.type('/upnext help');
  await ben.sees('This workspace sends more requests than I can take, so nothing was done. Try again in');
  await books.as('Rosa').in('#general').type('/upnext help');
  await books.as('Rosa').in('#general').sees('Common commands');
  workspace.admin.uninstall();
  const listWorkspaces = async () =>
    (await database.db.selectFrom('installed_workspace').select('workspace').execute()).map(
      ({ workspace: id }) => id,
    );
  await expect.poll(listWorkspaces).toEqual([books.id]);
});
