import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { openSharedBrowser } from '../support/browser.ts';
import { closeAfterwards } from '../support/fixtures.ts';
import { openPageFixture, typeCommand } from './page-driver.ts';

/** Opens a browser and the examples app for this file. Each test starts anew, and fails if a page has logged an error. */
export async function openPages() {
  const fixture = await openPageFixture();
  beforeEach(fixture.reset);
  afterEach(() => expect(fixture.pageErrors.splice(0)).toEqual([]));
  closeAfterwards(fixture.close);
  /** Opens the page and, with a command, a form. */
  async function openForm(command: string): Promise<Page> {
    const page = await fixture.open();
    await typeCommand(page, `${command} `);
    await page.getByRole('dialog').waitFor();
    return page;
  }
  return { ...fixture, openForm };
}

/** Opens a browser for this test, or for this file. */
export async function openBrowser() {
  const browser = await openSharedBrowser();
  closeAfterwards(browser.close);
  return browser;
}
