import { expect, test } from 'vitest';
import { findViolations } from '../support/find-violations.ts';
import { focusByTab } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const readChannel = async () =>
  (await fixture.examples.client.conversations.info({ channel: 'C01GENERAL' })).channel;
const readBen = async () => (await fixture.examples.client.users.info({ user: 'U02BENOKAF' })).user;

test('a channel is shared with an organisation by a press, and no longer by another', async () => {
  const page = await fixture.open();
  const settings = page.getByRole('button', { name: 'Settings of #general' });
  await settings.click();
  await page.getByRole('menuitem', { name: 'Share with Roastery North' }).click();
  await expect.poll(readChannel).toMatchObject({ is_ext_shared: true, connected_team_ids: ['T02ROASTER'] });
  await settings.click();
  await page.getByRole('menuitem', { name: 'Stop sharing with Roastery North' }).click();
  await expect.poll(readChannel).toMatchObject({ is_ext_shared: false });
});

test('a person becomes a guest and a full member again, also with the keyboard', async () => {
  const page = await fixture.open();
  await page.getByRole('navigation').getByRole('button', { name: 'Ben Okafor' }).click();
  await page.getByRole('heading', { name: 'Ben Okafor' }).waitFor();
  await focusByTab(page, 'Settings of Ben Okafor', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Make a guest' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(readBen).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
  await page.getByText('@ben · guest').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Make a full member' }).click();
  await expect.poll(readBen).toMatchObject({ is_restricted: false });
});

test('the owner, apps and people of other organisations have no such menu', async () => {
  const page = await fixture.open('ben');
  for (const name of ['Ana Ferreira', 'Upnext', 'Priya Nair']) {
    await page.getByRole('navigation').getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('heading', { name, level: 2 }).first().waitFor();
    expect(await page.getByRole('button', { name: `Settings of ${name}` }).count()).toBe(0);
  }
});

test('axe finds no violation in the menu, on a wide screen and on a narrow one with dark colours', async () => {
  const page = await fixture.open();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Settings of #general' }).click();
  await page.getByRole('menu').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findViolations(page)).toEqual([]);
});
