import { expect, test } from 'vitest';
import { ASSISTANT_MANIFEST } from '../support/assistant.ts';
import { findViolations } from '../support/find-violations.ts';
import { openBolt } from '../support/fixtures.ts';
import { readFocus } from './page-driver.ts';
import { openBrowser } from './page-fixture.ts';

const given: unknown[] = [];

const { app, workspace } = await openBolt({ manifest: ASSISTANT_MANIFEST });
app.function('approve', async ({ inputs, complete, fail }) => {
  const { opener: _, ...typed } = inputs;
  given.push(typed);
  if (inputs.text === 'No') await fail({ error: 'Ben said no' });
  else await complete({ outputs: { approved: true, note: 'U02BENOKAF' } });
});
const page = await (await openBrowser()).newPage();
await page.goto(`${workspace.url}/?as=ana`);

const step = page.getByRole('region', { name: 'Approve' });

test('the form of a step shows an error under each field that isn’t right', async () => {
  await page.getByRole('button', { name: 'Steps' }).click();
  await step.getByLabel('Count').fill('2.5');
  await step.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => readFocus(page)).toBe('Approver');
  const errors = step.locator('.input-error');
  await expect
    .poll(() => errors.allInnerTexts())
    .toEqual([
      'Please complete this required field.',
      'Please complete this required field.',
      'Please enter a whole number.',
    ]);
  await step.getByLabel('Text').fill('Spring menu');
  await expect.poll(() => errors.count()).toBe(2);
  expect(given).toEqual([]);
});

test('a person runs a step, and sees its outputs', async () => {
  await step.getByRole('combobox', { name: 'Approver' }).click();
  await step.getByRole('option', { name: 'Ben Okafor' }).waitFor();
  expect(await step.getByRole('option', { name: 'Lena Hofer' }).count()).toBe(0);
  await step.getByRole('option', { name: 'Ben Okafor' }).click();
  await step.getByLabel('Text').fill('Spring menu');
  await step.getByLabel('Count').fill('2');
  await step.getByRole('button', { name: 'Run' }).click();
  await step.getByText('Completed').waitFor();
  expect(given).toEqual([{ approver: 'U02BENOKAF', text: 'Spring menu', count: 2 }]);
  await expect.poll(() => step.getByRole('definition').allInnerTexts()).toEqual(['true', 'Ben Okafor']);
});

test('a person sees why a step failed', async () => {
  await step.getByLabel('Text').fill('No');
  await step.getByRole('button', { name: 'Run' }).click();
  await step.getByText('Failed').waitFor();
  await step.getByText('Ben said no').waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test('Escape closes the steps, and the focus returns to their button', async () => {
  await page.getByRole('button', { name: 'Run' }).press('Escape');
  await page.getByRole('region', { name: 'Approve' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('steps-button');
});
