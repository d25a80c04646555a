import type { BrowserContextOptions, Page } from 'playwright-core';
import { openSharedBrowser } from 'slack-workspace-emulator/test-support/browser';
import { type Running, startBot } from './bot.ts';
import { openBotDatabase } from './bot-database.ts';
import { startPracticeService } from './practice-service.ts';

/** A Sunday, shortly after noon in Lisbon. */
const START = new Date('2026-11-22T12:05:00Z');

/** Upnext with the practice workspace and the practice service as `npm start` runs them, on a clock that begins at START. */
export interface PracticePage {
  startedBot: Running;
  service: Awaited<ReturnType<typeof startPracticeService>>;
  /** Opens the workspace's page as a person, by handle, in #harbour-coffee. */
  openPage(person: string, options?: BrowserContextOptions): Promise<Page>;
  moveClock(to: string): void;
  close(): Promise<void>;
}

/** `takesFiles`: whether people can add files to posts, as with `npm start`. */
export async function openPracticePage({
  takesFiles = false,
  openBrowser = openSharedBrowser,
} = {}): Promise<PracticePage> {
  let now = () => START;
  const [database, browser, service] = await Promise.all([
    openBotDatabase(),
    openBrowser(),
    startPracticeService({ now: () => now() }),
  ]);
  const startedBot = await startBot({
    db: database.db,
    service: { url: service.url, token: service.token },
    isEmulated: true,
    takesFiles,
    followsClock: true,
    startTime: START,
    owners: { kind: 'emulator' },
    membersDefaultRole: null,
  });
  const { workspace, bot } = startedBot;
  now = () => new Date(workspace.clock.now());
  return {
    startedBot,
    service,
    openPage: async (person, options) => {
      // The page's policy forbids the code with which playwright waits for conditions.
      const page = await browser.newPage({ reducedMotion: 'reduce', bypassCSP: true, ...options });
      page.setDefaultTimeout(60_000);
      await page.goto(`${workspace.url}/?as=${person}`);
      await page.getByText('Connected to Slack', { exact: true }).waitFor();
      await openChannel(page);
      return page;
    },
    moveClock: (to) => {
      workspace.clock.set(Date.parse(to));
      bot.engine.handleClockChange();
    },
    close: async () => {
      await browser.close();
      await startedBot.close();
      await service.close();
      await database.close();
    },
  };
}

export async function openChannel(page: Page, name = 'harbour-coffee'): Promise<void> {
  const workspace = page.getByRole('navigation', { name: 'Workspace' });
  await workspace.getByRole('button', { name: new RegExp(name) }).click();
}

/** Types a line into the composer and sends it. */
export async function sendLine(page: Page, line: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message/ });
  // Waits until a modal that is closing is gone, because a covered composer loses the text.
  await composer.click();
  await composer.fill(line);
  // Closes the list of matching commands.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}
