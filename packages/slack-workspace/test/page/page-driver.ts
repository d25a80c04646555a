import type { Page } from 'playwright-core';
import { openSharedBrowser, type TestBrowser } from '../support/browser.ts';
import { type Examples, startExamples } from './examples-app.ts';

/** A browser and the practice workspace with the examples app, for one test file. */
export interface PageFixture {
  examples: Examples;
  browser: TestBrowser;
  /** Opens the page as a person, by handle. Defaults to Ana, on a screen of 1280 × 800 pixels. */
  open(person?: string, size?: { width: number; height: number }): Promise<Page>;
  /** Script errors and console errors of all pages. */
  pageErrors: string[];
  /** Closes all pages, and resets the workspace and the recorded values. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openPageFixture(openBrowser = openSharedBrowser): Promise<PageFixture> {
  const [examples, browser] = await Promise.all([startExamples(), openBrowser()]);
  const pageErrors: string[] = [];
  return {
    examples,
    browser,
    pageErrors,
    open: async (person = 'ana', size = { width: 1280, height: 800 }) => {
      const page = await browser.newPage({ viewport: size });
      page.on('pageerror', (error) => pageErrors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && pageErrors.push(message.text()));
      await page.goto(`${examples.workspace.url}/?as=${person}`);
      await findComposer(page).waitFor();
      return page;
    },
    reset: async () => {
      await Promise.all(browser.browser.contexts().map((context) => context.close()));
      await fetch(`${examples.workspace.url}/page/reset`, { method: 'POST' });
      examples.submitted.length = 0;
      examples.actions.length = 0;
      examples.searchTexts.length = 0;
      examples.loadingViews.length = 0;
    },
    close: async () => {
      await browser.close();
      await examples.close();
    },
  };
}

export const findComposer = (page: Page) => page.getByRole('textbox', { name: /^Message / });

/** Types a command into the composer, and sends it. */
export async function typeCommand(page: Page, text: string): Promise<void> {
  await findComposer(page).fill(text);
  await findComposer(page).press('Enter');
}

/** Reads the label of the focused element, or its text if it has no label. */
export function readFocus(page: Page): Promise<string> {
  return page.evaluate(
    `(() => {
      const focused = document.activeElement;
      const label = focused.labels?.[0]?.textContent ?? focused.getAttribute('aria-label') ?? focused.textContent;
      return label.replace(' (optional)', '').trim();
    })()`,
  );
}

/** Presses Tab (or `key`) until the named element has the focus. Throws after 80 presses. */
export async function focusByTab(page: Page, name: string, key = 'Tab'): Promise<void> {
  const visited: string[] = [];
  // A date field alone has four stops.
  for (let press = 0; press < 80; press += 1) {
    const focusedName = await readFocus(page);
    if (focusedName === name) return;
    visited.push(focusedName);
    await page.keyboard.press(key);
  }
  throw new Error(`Tab doesn't reach “${name}”; it reached ${[...new Set(visited)].join(', ')}`);
}

/** Opens the faults or the inspector. On a narrow screen they are in a menu. */
export async function openTool(page: Page, name: 'Faults' | 'Inspector'): Promise<void> {
  const button = page.getByRole('button', { name });
  if (await button.isVisible()) return button.click();
  await page.getByRole('button', { name: 'Practice tools' }).click();
  await page.getByRole('menuitem', { name }).click();
}
