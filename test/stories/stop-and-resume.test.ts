import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPracticePage, type PracticePage, sendLine } from '../support/practice-page.ts';

/** The screenshots of the last run, for a person to look at. */
const SCREENSHOTS = join(import.meta.dirname, '..', '..', '.cache', 'stories');

let practice: PracticePage;
let page: Page;
beforeAll(async () => {
  practice = await openPracticePage();
  page = await practice.openPage('ana', { viewport: { width: 1100, height: 900 } });
  await sendLine(page, '/upnext use Harbour Coffee');
  await page.getByText('This channel now follows').waitFor();
});
afterAll(() => practice?.close());

const takePicture = (name: string, shownPage = page) =>
  shownPage.screenshot({ path: join(SCREENSHOTS, `stop-${name}.png`) });

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();

test('Ana stops a project, reads what can’t be stopped, and resumes it without sending anything late', async () => {
  await sendLine(page, '/upnext stop');
  const form = page.getByRole('dialog', { name: 'Stop sending?' });
  await form.getByText(/I’ll send nothing more for/).waitFor();
  await form.getByRole('textbox', { name: /^Reason/ }).fill('Wrong price in the launch posts');
  await takePicture('1-form');
  await press('Stop sending');
  const stopped = page.getByRole('dialog', { name: 'Stopped' });
  await stopped.getByText('Upnext can’t stop these').waitFor();
  await stopped.getByText(/The scheduling service has/).waitFor();
  await takePicture('2-stopped');
  await stopped.getByRole('button', { name: 'Close' }).last().click();

  await sendLine(page, '/schedule-post tomorrow 9am on x: The new roast is here');
  await press('Schedule');
  await page.getByText(/Sending is stopped, so it waits/).waitFor();
  await takePicture('3-waiting');
  await press('Close');
  await sendLine(page, '/schedule-post wed 9am on x: Open late on Friday');
  await press('Schedule');
  await page
    .getByRole('dialog')
    .getByText(/Sending is stopped, so it waits/)
    .waitFor();
  await press('Close');
  await sendLine(page, '/upnext status');
  await page.getByText('1 issue: Harbour Coffee is stopped.').waitFor();
  await takePicture('4-status');

  practice.moveClock('2026-11-23T10:00:00Z');
  await sendLine(page, '/upnext resume');
  await page.getByText('1 post missed its time').waitFor();
  await takePicture('5-resume');
  await press('Resume, keep it for its author');
  await page.getByText('Harbour Coffee is resumed.').waitFor();
  // The answer, and the message that tells the channel.
  await page
    .getByText('Ana Ferreira resumed sending for Harbour Coffee. 1 post goes out as planned.')
    .waitFor();
  await page.getByText('1 post goes out as planned.', { exact: true }).waitFor();
  await takePicture('6-resumed');
  const listTexts = async () => {
    const state = await practice.startedBot.db
      .selectFrom('submission')
      .select(['state', 'publish_at'])
      .orderBy('publish_at')
      .execute();
    return state.map(({ state: name }) => name);
  };
  await expect.poll(listTexts).toEqual(['blocked', 'confirmed']);
});
