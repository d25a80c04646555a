import { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorkspace } from '../../src/slack.ts';
import type { Workspace } from '../../src/workspace.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { SILENT } from '../support/workspace.ts';
import { findComposer, typeCommand } from './page-driver.ts';

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

let workspace: Workspace;
let browser: TestBrowser;
let page: Page;
const apps: App[] = [];
const presses: string[] = [];

async function startApp(name: string, { boltOptions }: Pick<Workspace, 'boltOptions'>): Promise<void> {
  const app = new App({ ...boltOptions, logger: SILENT });
  app.command(/.+/, ({ ack }) => ack(`${name} answers`));
  app.event('app_home_opened', async ({ event, client }) => {
    const button = {
      type: 'button' as const,
      action_id: 'go',
      text: { type: 'plain_text' as const, text: `Go ${name}` },
    };
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'actions', elements: [button] }] },
    });
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

beforeAll(async () => {
  workspace = await startWorkspace({
    manifest: createManifest('First', '/first'),
    otherApps: [{ manifest: createManifest('Second', '/second') }],
  });
  await startApp('First', workspace);
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${workspace.url}/?as=ana`);
  await findComposer(page).waitFor();
});
afterAll(async () => {
  await browser.close();
  await Promise.all(apps.map((app) => app.stop()));
  await workspace.close();
});

test('the sidebar lists each app, and whether it is connected', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Workspace' });
  expect(await sidebar.getByRole('status').allInnerTexts()).toEqual([
    'Connected to Slack',
    'Connecting to Slack…',
  ]);
  const [second] = workspace.otherApps;
  if (second) await startApp('Second', second);
  await expect
    .poll(() => sidebar.getByRole('status').allInnerTexts())
    .toEqual(['Connected to Slack', 'Connected to Slack']);
});

test('each app has its own Home tab and direct message', async () => {
  for (const name of ['First', 'Second']) {
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name }).click();
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
