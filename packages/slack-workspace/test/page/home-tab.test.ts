import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Workspace } from '../../src/workspace.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { startWithBolt } from '../support/workspace-bolt.ts';
import { findComposer } from './page-driver.ts';

let workspace: Workspace;
let stop: () => Promise<void>;
let browser: TestBrowser;
beforeAll(async () => {
  const manifest = {
    display_information: { name: 'Quiet' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true },
      bot_user: { display_name: 'quiet' },
    },
    oauth_config: { scopes: { bot: ['im:history'] } },
    settings: { event_subscriptions: { bot_events: ['app_home_opened'] } },
  };
  ({ workspace, stop } = await startWithBolt('socket', undefined, { manifest }));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await stop();
});

test('an app whose manifest disables the Home tab has only a Messages tab', async () => {
  const page = await browser.newPage();
  await page.goto(`${workspace.url}/?as=ana`);
  await findComposer(page).waitFor();
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name: 'Quiet' }).click();
  await findComposer(page).and(page.getByLabel('Message Quiet')).waitFor();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Messages']);
  const listTabs = () =>
    workspace.app.requests().map(({ payload }) => (payload as { event: { tab: string } }).event.tab);
  await expect.poll(() => workspace.app.requests().length).toBeGreaterThan(0);
  expect([...new Set(listTabs())]).toEqual(['messages']);
});
