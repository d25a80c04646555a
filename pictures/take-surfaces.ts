import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openChannel, type PracticePage, sendLine } from '../test/support/practice-page.ts';
import { waitUntilIdle } from '../test/support/requests-in-flight.ts';
import { SURFACES, type Visit } from './surfaces.ts';

/** Takes pictures of every surface for a review of the design: light, dark, and on a narrow screen. */

const FOLDER = join('.cache', 'surfaces');
const WIDE = { width: 1280, height: 1100 };
const NARROW = { width: 390, height: 844 };
/** A surface that isn't there after this time is reported. */
const MAX_WAIT_MS = 15_000;
/** The page is settled if it hasn't changed for this time. */
const QUIET_MS = 250;
/** Resolves when the page is settled and its pictures are loaded. */
const PAGE_IS_QUIET = `new Promise((resolve) => {
  const observer = new MutationObserver(() => wait());
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(finish, ${QUIET_MS});
  };
  const finish = () => {
    // The browser loads a lazy picture only when it is near the screen.
    if ([...document.images].some(({ complete, loading }) => !complete && loading !== 'lazy')) return wait();
    observer.disconnect();
    resolve();
  };
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  wait();
})`;

/** Takes the named pictures, or all. A surface that can't be reached is reported, and the others go on. */
export async function takeSurfacePictures(practice: PracticePage, names: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const pages = new Map<string, Page>();
  for (const { name, person = 'ana', show, scroll } of SURFACES) {
    if (names.length > 0 && !names.includes(name)) continue;
    const page = pages.get(person) ?? (await practice.openPage(person, { viewport: WIDE }));
    pages.set(person, page);
    page.setDefaultTimeout(MAX_WAIT_MS);
    try {
      await closeDialogs(page);
      await openChannel(page);
      await show(createVisit(page, practice));
      await settle(page);
      await scroll?.(page);
      console.log(`  ${name}`);
    } catch (error) {
      console.log(`  ${name}: not reached: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
    await takePictures(page, name, async () => scroll?.(page).catch(() => undefined));
  }
}

/** Waits for everything that a press or a line starts. Pictures show the state that people would see. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(PAGE_IS_QUIET);
  await waitUntilIdle();
  await page.evaluate(PAGE_IS_QUIET);
}

async function takePictures(page: Page, name: string, scroll: () => Promise<unknown>): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}-light.png`) });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.screenshot({ path: join(FOLDER, `${name}-dark.png`) });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(NARROW);
  await scroll();
  await page.screenshot({ path: join(FOLDER, `${name}-narrow.png`) });
  await page.setViewportSize(WIDE);
}

async function closeDialogs(page: Page): Promise<void> {
  for (let count = await page.getByRole('dialog').count(); count > 0; count -= 1) {
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog')
      .nth(count - 1)
      .waitFor({ state: 'detached' });
  }
}

function createVisit(page: Page, practice: PracticePage): Visit {
  /** The last dialog if one is open, else the channel. */
  const findFront = async (): Promise<Locator | Page> =>
    (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog').last() : page;
  return {
    page,
    practice,
    line: async (text) => {
      await closeDialogs(page);
      await sendLine(page, text);
      await settle(page);
    },
    press: async (name) => {
      const front = await findFront();
      const button = front.getByRole('button', { name, exact: typeof name === 'string' });
      await button.or(front.getByRole('radio', { name })).last().click();
      await settle(page);
    },
    fill: async (label, text) => {
      await (await findFront()).getByRole('textbox', { name: label }).fill(text);
      await settle(page);
    },
    choose: async (label, option) => {
      const select = (await findFront()).getByRole('combobox', { name: label });
      await select.click();
      const item = page.getByRole('option', { name: option, exact: true });
      // A press on a chosen option, such as a platform of the last post, would remove it.
      if ((await item.getAttribute('aria-selected')) !== 'true') await item.click();
      await page.keyboard.press('Tab');
    },
  };
}
