import { expect, test } from 'vitest';
import { createLink } from '../../../src/web/links.ts';
import { NOW } from '../../support/bot.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { grantBen } from '../../support/two-projects.ts';
import { readText } from '../../web/open-link.ts';

const { ana, ben, database, running, startBot } = setUpBot();

/** Lists the addresses of pages in everything that the app has sent, the last one at the end. */
function listAddresses(): string[] {
  const { app } = running.workspace;
  const sent = JSON.stringify([app.requests().map(({ answer }) => answer), app.calls()]);
  return [...sent.matchAll(/http:\/\/127\.0\.0\.1:\d+\/w\/[\w-]{43}\/[^"\\`]*/g)].map(([address]) => address);
}

const startWithPages = async () => {
  await startBot({ takesFiles: true, membersDefaultRole: null, owners: { kind: 'slack' } });
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
};

test('/upnext plan gives a person a link of their own, which begins with the project that they name', async () => {
  await startWithPages();
  await ana.type('/upnext plan night market books');
  await ana.sees('[Open the plan] [Calendar feed] [End all my links]');
  const [address = ''] = listAddresses();
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<h1><bdi>Night Market Books</bdi></h1>');
  // Only Ana sees the message.
  expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('Open the plan');
});

test('/upnext plan makes no link for a text that is no project', async () => {
  await startWithPages();
  await ana.type('/upnext plan night marqet');
  await ana.sees('I don’t know which project “night marqet” is, so I made no link.');
  expect(await database.db.selectFrom('web_link').selectAll().execute()).toEqual([]);
});

test('Home has no [Plan] where no page can be opened', async () => {
  const readHome = async () => (await running.workspace.as('Ana').home('Commands')).text();
  await startBot();
  expect(await readHome()).not.toContain('[Plan]');
  await startWithPages();
  expect(await readHome()).toContain('[Plan]');
});

test('[Calendar feed] gives an address to copy, and [End all my links] ends that and the page', async () => {
  await startWithPages();
  await ana.type('/upnext plan');
  await ana.press('Calendar feed');
  await ana.sees('/upnext.ics');
  const addresses = listAddresses();
  await ana.press('End all my links', { dialog: 'confirm' });
  await ana.sees('I ended your 2 links.');
  for (const address of addresses) expect((await fetch(address)).status).toBe(404);
});

test('an Owner sees who has links, and ends those of somebody else', async () => {
  await startWithPages();
  await grantBen(database.db, 'viewer', 'p1');
  await ben.type('/upnext plan');
  await ben.sees('Open the plan');
  await ben.type('/upnext plan links');
  await ben.sees('Owner');
  await ana.type('/upnext plan links');
  await ana.sees('@Ben Okafor · 1 link · last opened');
  await ana.press('End links');
  await ana.sees('Ben Okafor’s link');
  expect(await database.db.selectFrom('web_link').selectAll().execute()).toEqual([]);
});

test('the list of people with links says how many more there are', async () => {
  await startWithPages();
  for (let count = 1; count <= 43; count += 1)
    await createLink(
      { db: database.db, now: () => NOW },
      { workspace: 'T01HARBOUR', user: `U0PERSON${String(count).padStart(3, '0')}` },
      'pages',
    );
  await ana.type('/upnext plan links');
  await ana.sees('and 3 more');
});

test('the list of posts leads to the page, which begins with its project', async () => {
  await startWithPages();
  await ana.type('/upnext week harbour coffee');
  await ana.press('Open as page');
  await ana.sees('Your plan as a page');
  const response = await fetch(listAddresses().at(-1) ?? '');
  expect(readText(await response.text())).toContain('Harbour Coffee');
});

test('without a public address there are no links, and the answer says who can change that', async () => {
  await startBot();
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  await ana.type('/upnext plan');
  await ana.sees('Whoever runs Upnext can set');
  await ana.type('/upnext week');
  await ana.sees('New post');
  expect(ana.read()).not.toContain('Open as page');
  expect(await database.db.selectFrom('web_link').selectAll().execute()).toEqual([]);
});
