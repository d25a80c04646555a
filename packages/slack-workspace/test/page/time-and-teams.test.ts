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
    expect(await menu.textContent()).toContain('Real time');
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
    expect(new URL(page.url()).searchParams.get('team')).toMatch(/^T/);
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
