import { App, LogLevel } from '@slack/bolt';
import { expect, test } from 'vitest';
import { openWorkspace } from '../support/fixtures.ts';
import { findComposer, typeCommand } from './page-driver.ts';
import { openBrowser } from './page-fixture.ts';

const browser = await openBrowser();
const { workspace } = await openWorkspace();

test('the page shows that an app is connecting, and after 20 seconds that it isn’t connected', async () => {
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(workspace.url);
  await page.getByText('Tester is connecting to Slack…').waitFor();
  await page.clock.runFor(20_000);
  await page.getByText('Tester isn’t connected to Slack').waitFor();
  await page.getByRole('navigation').getByText('Not connected to Slack').waitFor();
});

test('a command sent while the app connects is answered without an error', async () => {
  const page = await browser.newPage();
  await page.goto(workspace.url);
  await findComposer(page).waitFor();
  const app = new App({ ...workspace.boltOptions, logLevel: LogLevel.ERROR });
  app.command('/say', ({ ack }) => ack('Here I am.'));
  await typeCommand(page, '/say hello');
  await app.start();
  await page.getByText('Here I am.').waitFor();
  expect(await page.getByText('failed with the error').count()).toBe(0);
  await page.getByText('Tester is connecting to Slack…').waitFor({ state: 'hidden' });
  await app.stop();
});
