import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listExamples } from '../../../src/emulators/slack/page/examples/all-examples.js';
import { openPageFixture, type PageFixture } from './page-driver.ts';

let fixture: PageFixture;
let page: Page;
beforeAll(async () => {
  fixture = await openPageFixture();
  page = await fixture.open();
  await page.getByRole('link', { name: 'Examples of blocks' }).click();
  await page.getByRole('heading', { name: 'Examples of blocks' }).waitFor();
});
afterAll(() => fixture.close());

const findExample = (title: string) => page.getByRole('region', { name: title, exact: true });

test('every example is displayed', async () => {
  const examples = listExamples(fixture.examples.workspace.url);
  expect(await page.locator('.example').count()).toBe(examples.length);
  for (const { title } of examples) {
    // The content of the example, without its heading and JSON.
    expect(await findExample(title).locator('.blocks').first().innerHTML()).toMatch(/<\w+/);
  }
  expect(await page.locator('.not-rendered').allInnerTexts()).toEqual([]);
  const countBrokenImages = `[...document.images].filter((image) => image.complete && image.naturalWidth === 0).length`;
  expect(await page.evaluate(countBrokenImages)).toBe(0);
});

test('no text becomes HTML', async () => {
  expect(await page.locator('.example script, .example b').count()).toBe(0);
  expect(await findExample('section').innerText()).toContain('<script>alert(1)</script>');
});

test('a data table can be sorted and has pages', async () => {
  const table = findExample('data_table');
  const readRowHeaders = () => table.getByRole('rowheader').allInnerTexts();
  expect(await readRowHeaders()).toEqual(['Instagram', 'X', 'LinkedIn', 'TikTok', 'Facebook']);
  await table.getByRole('button', { name: 'Next' }).click();
  expect(await readRowHeaders()).toEqual(['Mastodon', 'Reddit']);
  await table.getByRole('button', { name: 'Readers' }).click();
  await table.getByRole('button', { name: 'Previous' }).click();
  expect(await readRowHeaders()).toEqual(['Mastodon', 'X', 'Reddit', 'LinkedIn', 'Facebook']);
  const column = table.getByRole('columnheader', { name: 'Readers' });
  expect(await column.getAttribute('aria-sort')).toBe('ascending');
  await table.getByRole('button', { name: 'Readers' }).click();
  expect(await column.getAttribute('aria-sort')).toBe('descending');
});

test('a container can be collapsed and expanded', async () => {
  const seeAllButton = findExample('container, collapsible').getByRole('button', { name: 'See all' });
  expect(await seeAllButton.isVisible()).toBe(true);
  await findExample('container, collapsible').getByText('Next week', { exact: true }).click();
  expect(await seeAllButton.isVisible()).toBe(false);
});

test('a button press shows the payload that an app would get', async () => {
  const feedback = findExample('context_actions');
  await feedback.getByRole('button', { name: 'Good' }).click();
  expect(await feedback.getByRole('button', { name: 'Good' }).getAttribute('aria-pressed')).toBe('true');
  await feedback.getByText('feedback: {"type":"feedback_buttons","value":"good"').waitFor();
  await feedback.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await feedback.getByText('remove: {"type":"icon_button"}').waitFor();
});

test('the link back leads to the workspace, as the same person', async () => {
  await page.getByRole('link', { name: 'Back to the workspace' }).click();
  await page.getByRole('button', { name: /Acting as Ana Ferreira/ }).waitFor();
  expect(fixture.pageErrors).toEqual([]);
});
