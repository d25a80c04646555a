import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../support/find-violations.ts';
import { focusByTab, openTool, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

/** The states of the page to check, with how to reach each. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  'a channel with every block': async (page) => {
    await typeCommand(page, '/blocks ');
    await typeCommand(page, '/card ');
    await page.getByText('Up next in Harbour Coffee').last().waitFor();
  },
  'the list of commands': async (page) => {
    await page.keyboard.type('/');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
  },
  'a modal with errors': async (page) => {
    await typeCommand(page, '/schedule-post ');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('never');
    await page.keyboard.press('Enter');
    await page.locator('.input-error').first().waitFor();
  },
  'a modal with every element and an open list': async (page) => {
    await typeCommand(page, '/examples ');
    await page.getByRole('dialog').getByLabel('Drink').click();
    await page.getByRole('listbox').waitFor();
  },
  'a confirmation dialog': async (page) => {
    await typeCommand(page, '/examples ');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'the inspector': async (page) => {
    await typeCommand(page, '/card ');
    await openTool(page, 'Inspector');
    const entry = page.getByRole('complementary').getByRole('listitem').first();
    await entry.locator('summary').click();
    await entry.locator('pre').first().waitFor();
  },
  'the practice faults with one fault enabled': async (page) => {
    await openTool(page, 'Faults');
    await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
    await page.getByRole('status').getByText('Slack delivers').waitFor();
  },
  'the menu of the practice tools': async (page) => {
    const button = page.getByRole('button', { name: 'Practice tools' });
    if (!(await button.isVisible())) return;
    await button.click();
    await page.getByRole('menu').waitFor();
  },
  'a thread': async (page) => {
    await focusByTab(page, 'Reply in a thread', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Reply in the thread').waitFor();
  },
  'the app’s Home and an open menu': async (page) => {
    const channels = page.getByRole('button', { name: 'Channels and people' });
    if (await channels.isVisible()) await channels.click();
    await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Every block' }).waitFor();
  },
  'the menu of people': async (page) => {
    const channels = page.getByRole('button', { name: 'Channels and people' });
    if (await channels.isVisible()) await channels.click();
    await page.getByRole('button', { name: /Acting as/ }).click();
    await page.getByRole('menu').waitFor();
  },
};

// Colours don't depend on the width of the screen.
describe.each([
  ['wide', 'light', WIDE],
  ['narrow', 'dark', NARROW],
] as const)('on a %s screen, in %s colours, axe finds no violation in', (_name, colorScheme, size) => {
  test.each(Object.entries(STATES))('%s', async (_state, arrange) => {
    const page = await fixture.open('ana', size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await arrange(page);
    expect(await findViolations(page)).toEqual([]);
  });
});

test('axe reports a button without a name', async () => {
  const page = await fixture.open();
  await page.evaluate(
    `document.querySelector('.send').removeAttribute('aria-label'); document.querySelector('.send').title = ''`,
  );
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^button-name/)]);
});
