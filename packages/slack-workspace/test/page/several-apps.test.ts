import { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { startWorkspace } from '../../src/slack.ts';
import type { Workspace } from '../../src/workspace.ts';
import { createButtonRow } from '../support/blocks.ts';
import { closeAfterwards, openBolt } from '../support/fixtures.ts';
import { SILENT } from '../support/workspace.ts';
import { findComposer, typeCommand } from './page-driver.ts';
import { openBrowser } from './page-fixture.ts';

const createManifest = (name: string, command: string) => ({
  display_information: { name },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
    bot_user: { display_name: name.toLowerCase() },
    slash_commands: [{ command, description: `Asks ${name}` }],
  },
  oauth_config: { scopes: { bot: ['chat:write', 'commands', 'im:history'] } },
  settings: { event_subscriptions: { bot_events: ['app_home_opened', 'message.im'] } },
});

const apps: App[] = [];
const presses: string[] = [];

async function startApp(name: string, { boltOptions }: Pick<Workspace, 'boltOptions'>): Promise<void> {
  const app = new App({ ...boltOptions, logger: SILENT });
  app.command(/.+/, ({ ack }) => ack(`${name} answers`));
  app.event('app_home_opened', async ({ event, client }) => {
    // Opening a tab publishes again. With a random id, a button that is pressed meanwhile would be another one.
    const row = { ...createButtonRow('go', `Go ${name}`), block_id: 'row' };
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: [row] } });
  });
  app.action('go', async ({ ack }) => {
    presses.push(name);
    await ack();
  });
  app.message(async ({ say }) => {
    await say(`${name} heard you`);
  });
  await app.start();
  apps.push(app);
}

const workspace = await startWorkspace({
  manifest: createManifest('First', '/first'),
  otherApps: [{ manifest: createManifest('Second', '/second') }],
});
closeAfterwards(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  await workspace.close();
});
await startApp('First', workspace);
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(`${workspace.url}/?as=ana`);
await findComposer(page).waitFor();

test('the sidebar lists each app, and whether it is connected', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Workspace' });
  const expectStatuses = (...texts: string[]) =>
    expect.poll(() => sidebar.getByRole('status').allInnerTexts()).toEqual(texts);
  await expectStatuses('Connected to Slack', 'Connecting to Slack…');
  const [second] = workspace.otherApps;
  if (second) await startApp('Second', second);
  await expectStatuses('Connected to Slack', 'Connected to Slack');
});

test('each app has its own Home tab and direct message', async () => {
  for (const name of ['First', 'Second']) {
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name }).click();
    // The conversation opens when the workspace has answered. Until then, the tabs are those of the other app.
    await page.getByLabel(`Message ${name.toLowerCase()}`).waitFor();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('button', { name: `Go ${name}` }).click();
    await expect.poll(() => presses.at(-1)).toBe(name);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await typeCommand(page, 'Hello');
    await page.getByText(`${name} heard you`).waitFor();
  }
});

test('the inspector filters by app', async () => {
  await typeCommand(page, '/first ');
  await page.getByText('First answers').waitFor();
  await typeCommand(page, '/second ');
  await page.getByText('Second answers').waitFor();
  await page.getByRole('button', { name: 'Inspector' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByLabel('Kind').selectOption('slash_commands');
  const labels = inspector.locator('.traffic-label');
  await expect.poll(() => labels.allInnerTexts()).toEqual(['/second', '/first']);
  await inspector.getByLabel('App').selectOption('Second');
  await expect.poll(() => labels.allInnerTexts()).toEqual(['/second']);
});

test('an app whose manifest disables the Home tab has only a Messages tab', async () => {
  const manifest = {
    display_information: { name: 'Quiet' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true },
      bot_user: { display_name: 'quiet' },
    },
    oauth_config: { scopes: { bot: ['im:history'] } },
    settings: { event_subscriptions: { bot_events: ['app_home_opened'] } },
  };
  const { workspace } = await openBolt({ manifest });
  const page = await browser.newPage();
  await page.goto(`${workspace.url}/?as=ana`);
  await findComposer(page).waitFor();
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name: 'Quiet' }).click();
  await findComposer(page).and(page.getByLabel('Message Quiet')).waitFor();
  await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Messages']);
  const listTabs = () =>
    workspace.app.requests().map(({ payload }) => (payload as { event: { tab: string } }).event.tab);
  await expect.poll(() => workspace.app.requests().length).toBeGreaterThan(0);
  expect([...new Set(listTabs())]).toEqual(['messages']);
});
