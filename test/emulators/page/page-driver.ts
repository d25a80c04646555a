import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../../support/browser.ts';
import { type Examples, startExamples } from './examples-app.ts';

/** A browser and the example workspace, for one test file. */
export interface Stage {
  examples: Examples;
  browser: TestBrowser;
  /** The page as somebody, on a screen of that width; a script error on it fails the test that asks {@link complaints}. */
  open(as?: string, size?: { width: number; height: number }): Promise<Page>;
  /** What pages wrote to their consoles as errors. */
  complaints: string[];
  /** Everything as on the first day, and no page open. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const [examples, browser] = await Promise.all([startExamples(), startBrowser()]);
  const complaints: string[] = [];
  return {
    examples,
    browser,
    complaints,
    open: async (as = 'ana', size = { width: 1280, height: 800 }) => {
      const page = await browser.newPage({ viewport: size });
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(`${examples.workspace.url}/?as=${as}`);
      await composer(page).waitFor();
      return page;
    },
    reset: async () => {
      await Promise.all(browser.browser.contexts().map((context) => context.close()));
      await fetch(`${examples.workspace.url}/page/reset`, { method: 'POST' });
      examples.submitted.length = 0;
      examples.actions.length = 0;
      examples.asked.length = 0;
    },
    close: async () => {
      await browser.close();
      await examples.close();
    },
  };
}

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / });

/** Types a command as a person who knows it, and sends it. */
export async function command(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** What has focus: its accessible name where it has a label, else its words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    `(() => {
      const one = document.activeElement;
      const label = one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent;
      return label.replace(' (optional)', '').trim();
    })()`,
  );
}

/** Presses Tab until this has focus; throws what had it instead. */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const visited: string[] = [];
  // A date alone has four stops.
  for (let press = 0; press < 80; press += 1) {
    const here = await focused(page);
    if (here === name) return;
    visited.push(here);
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never came to “${name}”, only to ${[...new Set(visited)].join(', ')}`);
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
