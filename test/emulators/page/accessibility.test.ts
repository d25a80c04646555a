import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { command, openStage, type Stage, tabTo } from './page-driver.ts';

let stage: Stage;
let axe: string;
beforeAll(async () => {
  axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  stage = await openStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

/** What axe finds: the rule, and where it is broken. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html.slice(0, 160) + ' ' + node.failureSummary)))`);
}

/** The page in the state that the test is about. */
const STATES: [string, (page: Page) => Promise<unknown>][] = [
  [
    'a channel with every block',
    async (page) => {
      await command(page, '/blocks ');
      await command(page, '/card ');
      await page.getByText('Up next in Harbour Coffee').last().waitFor();
    },
  ],
  [
    'commands being offered',
    async (page) => {
      await page.keyboard.type('/');
      await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
  ],
  [
    'a modal with errors',
    async (page) => {
      await command(page, '/schedule-post ');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('never');
      await page.keyboard.press('Enter');
      await page.locator('.input-error').first().waitFor();
    },
  ],
  [
    'a modal with every element and an open list',
    async (page) => {
      await command(page, '/examples ');
      await page.getByRole('dialog').getByLabel('Drink').click();
      await page.getByRole('listbox').waitFor();
    },
  ],
  [
    'a question',
    async (page) => {
      await command(page, '/examples ');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  ],
  [
    'the inspector',
    async (page) => {
      await command(page, '/card ');
      await page.getByRole('button', { name: 'Inspector' }).click();
      await page.getByText('Payload').first().click();
    },
  ],
  [
    'the practice faults, one of them on',
    async (page) => {
      await page.getByRole('button', { name: 'Faults' }).click();
      await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
      await page.getByRole('status').getByText('Slack delivers').waitFor();
    },
  ],
  [
    'a thread',
    async (page) => {
      await tabTo(page, 'Reply in a thread', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByLabel('Reply in the thread').waitFor();
    },
  ],
  [
    'the app’s Home and an open menu',
    async (page) => {
      const channels = page.getByRole('button', { name: 'Channels and people' });
      if (await channels.isVisible()) await channels.click();
      await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
      await page.getByRole('tab', { name: 'Home' }).click();
      await page.getByRole('heading', { name: 'Every block' }).waitFor();
    },
  ],
  [
    'the menu of people',
    async (page) => {
      const channels = page.getByRole('button', { name: 'Channels and people' });
      if (await channels.isVisible()) await channels.click();
      await page.getByRole('button', { name: /Acting as/ }).click();
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'the examples',
    async (page) => {
      await page.goto(`${stage.examples.workspace.url}/?as=ana&examples`);
      await page.getByRole('heading', { name: 'Examples of blocks' }).waitFor();
    },
  ],
];

describe.each([
  ['wide', WIDE, 'light' as const],
  ['wide and dark', WIDE, 'dark' as const],
  ['narrow', NARROW, 'light' as const],
  ['narrow and dark', NARROW, 'dark' as const],
])('on a screen that is %s, axe finds nothing wrong with', (_name, size, colorScheme) => {
  test.each(STATES)('%s', async (_state, arrange) => {
    const page = await stage.open('ana', size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await arrange(page);
    expect(await findings(page)).toEqual([]);
  });
});

test('axe would find something if there were something', async () => {
  const page = await stage.open();
  await page.evaluate(
    `document.querySelector('.send').removeAttribute('aria-label'); document.querySelector('.send').title = ''`,
  );
  expect(await findings(page)).toEqual([expect.stringMatching(/^button-name/)]);
});
