import { expect, test } from 'vitest';

import { typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

/** Opens the page and the inspector after a command to the app and a call by it. */
async function openInspector() {
  const page = await fixture.open();
  await typeCommand(page, '/card ');
  await page.getByText('Up next in Harbour Coffee').last().waitFor();
  await fixture.examples.client.chat.postMessage({ channel: 'C01GENERAL', text: 'Up next: nothing' });
  await page.getByRole('button', { name: 'Inspector' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  return { page, inspector, entries: inspector.getByRole('listitem') };
}

test('the inspector shows requests to the app and its calls', async () => {
  const { entries } = await openInspector();
  await expect
    .poll(() =>
      entries.locator('.traffic-head').evaluateAll((all) => all.map(({ textContent }) => textContent)),
    )
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Sent to the app:\s*\/card\s*\d+ ms/),
        expect.stringMatching(/Called by the app:\s*chat\.postMessage\s*\d+ ms/),
      ]),
    );
  const call = entries.filter({ hasText: 'chat.postMessage' }).first();
  await call.locator('summary').click();
  await call.getByText('chat:write').waitFor();
  expect(await call.getByLabel('Arguments').innerText()).toContain('"channel": "C01GENERAL"');
  expect(await call.getByLabel('Answer').innerText()).toContain('"ok": true');
});

test('records are filtered by text, by kind, and by errors', async () => {
  const { page, inspector, entries } = await openInspector();
  const listed = () => entries.locator('.traffic-label').allInnerTexts();
  await inspector.getByLabel('Filter by method, event or text').fill('postmessage up next');
  await expect.poll(async () => new Set(await listed())).toEqual(new Set(['chat.postMessage']));
  await inspector.getByLabel('Filter by method, event or text').fill('');
  await inspector.getByLabel('Kind').selectOption('Requests to the app');
  await expect.poll(async () => (await listed()).every((label) => label.startsWith('/'))).toBe(true);
  await inspector.getByLabel('Kind').selectOption('Everything');
  await fixture.examples.client.chat.postMessage({ channel: 'C0NOWHERE', text: 'Hello' }).catch(() => {});
  await inspector.getByLabel('Errors only').check();
  await expect.poll(() => entries.first().innerText()).toContain('failed: channel_not_found');
  await inspector.getByLabel('Filter by method, event or text').fill('nothing has this');
  await page.getByText('No matches.').waitFor();
});
