import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../support/find-violations.ts';
import { focusByTab, openTool, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

/** The states of the page to check, with how to reach each. Returns what then is visible. */
const STATES: Record<string, (page: Page) => Promise<Locator>> = {
  'a channel with every block': async (page) => {
    await typeCommand(page, '/blocks ');
    await typeCommand(page, '/card ');
    return page.getByText('Up next in Harbour Coffee').last();
  },
  'the list of commands': async (page) => {
    await page.keyboard.type('/');
    return page.getByRole('listbox', { name: 'Commands' });
  },
  'a modal with errors': async (page) => {
    await typeCommand(page, '/schedule-post ');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('never');
    await page.keyboard.press('Enter');
    return page.locator('.input-error').first();
  },
  'a modal with every element and an open list': async (page) => {
    await typeCommand(page, '/examples ');
    await page.getByRole('dialog').getByLabel('Drink').click();
    return page.getByRole('listbox');
  },
  'a confirmation dialog': async (page) => {
    await typeCommand(page, '/examples ');
    await page.getByRole('button', { name: 'Delete' }).click();
    return page.getByRole('alertdialog');
  },
  'the inspector': async (page) => {
    await typeCommand(page, '/card ');
    await openTool(page, 'Inspector');
    // Not simply the first, because more records may come.
    const entry = page.getByRole('complementary').getByRole('listitem').filter({ hasText: '/card' });
    await entry.locator('summary').click();
    return entry.locator('pre').first();
  },
  'the practice faults with one fault enabled': async (page) => {
    await openTool(page, 'Faults');
    await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
    return page.getByRole('status').getByText('Slack delivers');
  },
  'a thread': async (page) => {
    await focusByTab(page, 'Reply in a thread', 'Shift+Tab');
    await page.keyboard.press('Enter');
    return page.getByLabel('Reply in the thread');
  },
  'the app’s Home and an open menu': async (page) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    return page.getByRole('heading', { name: 'Every block' });
  },
};

const useLightColours = (page: Page) => page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });

/** Colours don't depend on the width of the screen, so these two combinations are enough. */
async function useNarrowScreenAndDarkColours(page: Page): Promise<void> {
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'dark' });
}

test.each(Object.entries(STATES))('axe finds no violation in %s', async (_state, arrange) => {
  const page = await fixture.open('ana', WIDE);
  await useLightColours(page);
  const shown = await arrange(page);
  await shown.waitFor();
  expect(await findViolations(page)).toEqual([]);
  await useNarrowScreenAndDarkColours(page);
  await shown.waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test('axe finds no violation in the menus of people and of the practice tools', async () => {
  const page = await fixture.open('ana', WIDE);
  const openMenu = async (name: string | RegExp) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('menu').waitFor();
  };
  await useLightColours(page);
  await openMenu(/Acting as/);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await useNarrowScreenAndDarkColours(page);
  await openMenu('Practice tools');
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Channels and people' }).click();
  await openMenu(/Acting as/);
  expect(await findViolations(page)).toEqual([]);
});

test('axe reports a button without a name', async () => {
  const page = await fixture.open();
  await page.evaluate(
    `document.querySelector('.send').removeAttribute('aria-label'); document.querySelector('.send').title = ''`,
  );
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^button-name/)]);
});
