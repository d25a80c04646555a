import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type PracticePage, sendLine } from '../test/support/practice-page.ts';
import { buildAnimatedPng, type Frame } from './animated-png.ts';

/** The pictures of the README, taken from the practice workspace. Those that change are animated PNGs. */

const FOLDER = '.github';
const SIZE = { width: 960, height: 640 };
/** A message fills a picture of this width. */
const MESSAGE_SIZE = { width: 1000, height: 900 };
/** A month has a grid on wide screens. */
const PAGE_SIZE = { width: 1280, height: 900 };
const WHEN = 'next tue half past 8 pm';
const TEXT = 'Cupping night: six coffees, one table.';
/** How long a typed character is shown. */
const TYPING_MS = 90;
const GLANCE_MS = 700;
const LOOK_MS = 2_500;
/** The form opens at once, and shows the channel's project when the service has answered. */
const PROJECT_IS_SHOWN = `(() => {
  const form = document.querySelector('.modal');
  const values = [...form.querySelectorAll('input')].map(({ value }) => value);
  return [form.innerText, ...values].some((text) => text.includes('Harbour Coffee'));
})()`;

/** In this order, because the channel follows a project from the second picture on. */
const PICTURES = {
  'role-request': photographRoleRequest,
  'schedule-a-post': filmScheduling,
  outbox: filmOutage,
  digest: photographDigest,
  month: photographMonth,
};

/** Takes the pictures, each as a PNG. */
export async function takeReadmePictures(practice: PracticePage): Promise<void> {
  for (const [name, take] of Object.entries(PICTURES)) {
    const png = await take(practice);
    writeFileSync(`${FOLDER}/${name}.png`, png);
    console.log(`  ${FOLDER}/${name}.png, ${Math.round(png.length / 1024)} KB`);
  }
}

/** Somebody writes a time in words, reads the date that it means, and schedules the post. */
async function filmScheduling(practice: PracticePage): Promise<Buffer> {
  const page = await practice.openPage('ana', { viewport: SIZE });
  await sendLine(page, '/upnext use Harbour Coffee');
  await page.getByText('This channel now follows').waitFor();
  const frames: Frame[] = [];
  const film = async (showMs: number) => {
    frames.push({ png: await page.screenshot(), showMs });
  };
  const typeText = async (text: string) => {
    for (const character of text) {
      await page.keyboard.type(character);
      await film(TYPING_MS);
    }
  };
  await page.getByRole('textbox', { name: /^Message/ }).click();
  await film(GLANCE_MS);
  await typeText('/schedule-post');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  await form.waitFor();
  await page.waitForFunction(PROJECT_IS_SHOWN);
  await film(GLANCE_MS);
  await form.getByRole('textbox', { name: /^Text/ }).click();
  await typeText(TEXT);
  await form.getByRole('combobox', { name: /^Platforms/ }).click();
  await film(GLANCE_MS);
  await page.getByRole('option', { name: 'LinkedIn' }).click();
  await page.keyboard.press('Escape');
  await film(GLANCE_MS);
  await form.getByRole('textbox', { name: /^When/ }).click();
  await typeText(WHEN);
  const reading = form.getByText(/Tue 24 Nov, 20:30/).last();
  await reading.waitFor();
  await reading.scrollIntoViewIfNeeded();
  await film(LOOK_MS);
  await form.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page
    .getByText(/Scheduled · Tue 24 Nov/)
    .last()
    .waitFor();
  await film(LOOK_MS);
  await closeDialogs(page);
  await page.context().close();
  return buildAnimatedPng(frames);
}

/** A post waits while the service is down. When the service is back, the author reads that it is scheduled. */
async function filmOutage(practice: PracticePage): Promise<Buffer> {
  const page = await practice.openPage('ana', { viewport: SIZE });
  const frames: Frame[] = [];
  const film = async () => {
    frames.push({ png: await page.screenshot(), showMs: LOOK_MS });
  };
  await practice.service.faults.set({ down: true });
  await sendLine(page, '/schedule-post thursday 17:00 on linkedin: The new roast is in the shop.');
  await page.getByRole('button', { name: 'Schedule', exact: true }).last().click();
  await page
    .getByText(/I’ll keep retrying/)
    .last()
    .waitFor();
  await page.keyboard.press('Escape');
  await sendLine(page, '/upnext outbox');
  await page.getByText('Outbox', { exact: true }).last().waitFor();
  await film();
  await practice.service.faults.clear();
  const upnext = page.getByRole('button', { name: /^Upnext/ });
  await upnext.filter({ hasText: 'new messages' }).waitFor();
  await film();
  await upnext.click();
  await page
    .getByText(/Scheduled · Thu 26 Nov/)
    .last()
    .waitFor();
  await film();
  await page.context().close();
  return buildAnimatedPng(frames);
}

async function photographDigest(practice: PracticePage): Promise<Buffer> {
  const page = await practice.openPage('ana', { viewport: MESSAGE_SIZE });
  await sendLine(page, '/upnext digest weekly monday 9:00 in Europe/Lisbon');
  await page
    .getByText(/^Saved/)
    .last()
    .waitFor();
  practice.moveClock('2026-11-23T09:00:01Z');
  const message = page.locator('.message', { has: page.locator('img') }).last();
  await message.waitFor();
  // The picture of the week is loaded after the message.
  await page.waitForFunction(`[...document.images].every(({ complete }) => complete)`);
  return message.screenshot();
}

/** The link of [Open the plan] leads to the month, in a window of its own. */
async function photographMonth(practice: PracticePage): Promise<Buffer> {
  const page = await practice.openPage('ana', { viewport: PAGE_SIZE });
  await sendLine(page, '/upnext plan Harbour Coffee');
  const opening = page.context().waitForEvent('page');
  await page.getByText('Open the plan', { exact: true }).last().click();
  const month = await opening;
  await month.getByRole('heading', { name: 'Harbour Coffee' }).waitFor();
  const png = await month.screenshot();
  await page.context().close();
  return png;
}

async function photographRoleRequest(practice: PracticePage): Promise<Buffer> {
  const mira = await practice.openPage('mira');
  await sendLine(mira, '/schedule-post');
  await mira.getByRole('button', { name: 'Request access' }).click();
  const owner = await practice.openPage('ana', { viewport: MESSAGE_SIZE });
  await owner.getByRole('button', { name: /^Upnext/ }).click();
  const request = owner.locator('.message', { hasText: 'requested the Publisher role' }).last();
  const png = await request.screenshot();
  await Promise.all([mira.context().close(), owner.context().close()]);
  return png;
}

async function closeDialogs(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  while ((await dialog.count()) > 0) {
    const count = await page.getByRole('dialog').count();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog')
      .nth(count - 1)
      .waitFor({ state: 'detached' });
  }
}
