import { describe, expect, it } from 'vitest';
import { typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const DAY_MS = 24 * 60 * 60_000;

const fixture = await openPages();

describe('the practice clock on the page', () => {
  it('a jump to tomorrow before nine moves the messages, the page and the workspace', async () => {
    const { workspace } = fixture.examples;
    const page = await fixture.open();
    const menu = page.getByRole('button', { name: /Jump in time/ });
    await expect.poll(() => menu.textContent()).toContain('Real time');
    await menu.click();
    await page.getByRole('menuitem', { name: /Jump to tomorrow 8:59/ }).click();
    await page.getByRole('button', { name: /^Practice time: .*8:59/ }).waitFor();
    expect(workspace.clock.now() - Date.now()).toBeGreaterThan(0);
    expect(workspace.clock.now() - Date.now()).toBeLessThan(2 * DAY_MS);
    await typeCommand(page, 'what a night');
    const message = page.getByRole('listitem').filter({ hasText: 'what a night' });
    await message.waitFor();
    expect(await message.textContent()).toMatch(/8:59/);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Back to the real time' }).click();
    await page.getByRole('button', { name: /^Real time/ }).waitFor();
    expect(Math.abs(workspace.clock.now() - Date.now())).toBeLessThan(1000);
  });
});

describe('several workspaces on the page', () => {
  it('a person can switch to another workspace, and the page’s address contains that workspace', async () => {
    const { workspace } = fixture.examples;
    workspace.admin.addTeam({
      name: 'Night Market Books',
      people: [{ name: 'Rosa Lima' }],
      channels: ['#posts'],
    });
    const page = await fixture.open();
    await page.getByRole('button', { name: /Harbour Coffee. Switch workspace/ }).click();
    await page.getByRole('menuitemradio', { name: 'Night Market Books' }).click();
    await page.getByRole('button', { name: /Acting as Rosa Lima/ }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('team')).toMatch(/^T/);
    await typeCommand(page, 'hello from books');
    await page.getByText('hello from books').waitFor();
    await page.reload();
    await page.getByText('hello from books').waitFor();
    expect(workspace.as('Ana').in('#general').messages().join()).not.toContain('hello from books');
  });

  it('a single workspace has no switch', async () => {
    const page = await fixture.open();
    expect(await page.getByRole('button', { name: /Switch workspace/ }).count()).toBe(0);
  });
});

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

it('the inspector shows requests to the app and its calls', async () => {
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

it('records are filtered by text, by kind, and by errors', async () => {
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

it('a fault that couldn’t be enabled is off, also after a second attempt', async () => {
  const page = await fixture.open();
  await page.routeWebSocket('**/page/live*', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const { id, act } = JSON.parse(String(message));
      if (act === 'fault') socket.send(JSON.stringify({ type: 'result', id, ok: false, error: 'not_found' }));
      else server.send(message);
    });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Faults' }).click();
  const fault = page.getByRole('switch').first();
  for (const _ of ['first', 'second']) {
    await fault.click();
    await page.getByText('this couldn’t be changed').waitFor();
    await expect.poll(() => fault.isChecked()).toBe(false);
  }
});
