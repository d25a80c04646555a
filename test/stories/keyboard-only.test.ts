import { findViolations } from 'slack-workspace-emulator/test-support/find-violations';
import { focusByTab } from 'slack-workspace-emulator/test-support/page-driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPracticePage, type PracticePage } from '../support/practice-page.ts';

let practice: PracticePage;
beforeAll(async () => {
  practice = await openPracticePage();
});
afterAll(() => practice?.close());

test('a post is written and scheduled with the keyboard only, and its form has no accessibility violation', async () => {
  const page = await practice.openPage('ana', { viewport: { width: 1280, height: 900 } });
  const { keyboard } = page;
  await focusByTab(page, 'Message #harbour-coffee');
  await keyboard.type('/schedule-post');
  await keyboard.press('Escape');
  await keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  await form.getByRole('textbox', { name: 'Text' }).waitFor();
  await focusByTab(page, 'Text');
  await keyboard.type('Written without a mouse');
  await focusByTab(page, 'Platforms');
  await keyboard.type('LinkedIn');
  await page.getByRole('option', { name: 'LinkedIn' }).waitFor();
  await keyboard.press('Enter');
  await focusByTab(page, 'When');
  await keyboard.type('thursday 17:00');
  await form.getByText('Thu 26 Nov, 17:00 (Lisbon)').waitFor();
  expect(await findViolations(page)).toEqual([]);
  // The choice “Schedule” comes before the button.
  await focusByTab(page, 'More options');
  await focusByTab(page, 'Schedule');
  await keyboard.press('Enter');
  await page.getByText('Scheduled · Thu 26 Nov, 17:00 (Lisbon)').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await expect.poll(() => practice.service.posts.countByContent('Written without a mouse')).toBe(1);
});
