import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { openPracticePage, type PracticePage, sendLine } from '../support/practice-page.ts';

/** The screenshots of the last run, for a person to look at. */
const SCREENSHOTS = join(import.meta.dirname, '..', '..', '.cache', 'stories');

let practice: PracticePage;
let [ana, ben] = [] as unknown as [Page, Page];
beforeAll(async () => {
  practice = await openPracticePage();
  const viewport = { width: 1100, height: 1000 };
  ana = await practice.openPage('ana', { viewport });
  await sendLine(ana, '/upnext use Harbour Coffee');
  await ana.getByText('This channel now follows').waitFor();
  const { db } = practice.startedBot;
  const { project } = await db.selectFrom('channel_project').select('project').executeTakeFirstOrThrow();
  const policy = { ...DEFAULT_POLICY, leadMinutes: 60 };
  const change = { changedBy: 'U01ANAFERR', changedAt: new Date() };
  await savePolicy(db, { workspace: 'T01HARBOUR', project }, policy, change);
  ben = await practice.openPage('ben', { viewport });
});
afterAll(() => practice?.close());

const takePicture = (name: string, page: Page) =>
  page.screenshot({ path: join(SCREENSHOTS, `two-editors-${name}.png`) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

/** Opens the post of the list in the form. */
async function openForEdit(page: Page) {
  await sendLine(page, '/upnext posts 1 dec');
  await page
    .getByRole('button', { name: /^Open:/ })
    .last()
    .click();
  await press(page, 'Edit');
  const text = page.getByRole('textbox', { name: /^Text/ });
  await text.waitFor();
  return text;
}

test('Ana and Ben edit one post, and the second to save sees what changed and loses nothing', async () => {
  await sendLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
  await press(ana, 'Schedule');
  await ana
    .getByText(/Editable until/)
    .last()
    .waitFor();
  const [anaText, benText] = [await openForEdit(ana), await openForEdit(ben)];
  await benText.fill('We open at ten');
  await press(ben, 'Save');
  await ben.getByText('Saved', { exact: true }).last().waitFor();
  await anaText.fill('We open at nine, with cake');
  await press(ana, 'Save');
  await ana.getByText(/changed this post since you opened this form/).waitFor();
  await ana.getByText('Text: “We open at nine” → “We open at ten”').waitFor();
  expect(await ana.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe('We open at nine, with cake');
  await takePicture('1-conflict', ana);
  await press(ana, 'Save');
  await ana.getByText('Saved', { exact: true }).last().waitFor();
  await takePicture('2-saved', ana);
  const rows = await practice.startedBot.db.selectFrom('held_post').select(['version', 'state']).execute();
  expect(rows).toEqual([{ version: 3, state: 'held' }]);
});
