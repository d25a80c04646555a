import { expect, test } from 'vitest';
import { ASSISTANT_MANIFEST } from '../support/assistant.ts';
import { findViolations } from '../support/find-violations.ts';
import { openBolt } from '../support/fixtures.ts';
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
page.setDefaultTimeout(10_000);
await page.goto(`${workspace.url}/?as=ana`);

test('a person runs a step, and sees its outputs', async () => {
  await page.getByRole('button', { name: 'Steps' }).click();
  const step = page.getByRole('region', { name: 'Approve' });
  await step.getByRole('combobox', { name: 'Approver' }).click();
  await step.getByRole('option', { name: 'Ben Okafor' }).click();
  await step.getByLabel('Text').fill('Spring menu');
  await step.getByLabel('Count').fill('2');
  await step.getByRole('button', { name: 'Run' }).click();
  await step.getByText('Completed').waitFor();
  expect(given).toEqual([{ approver: 'U02BENOKAF', text: 'Spring menu', count: 2 }]);
  expect(await step.getByRole('definition').allInnerTexts()).toEqual(['true', 'Ben Okafor']);
});

test('a person sees why a step failed', async () => {
  const step = page.getByRole('region', { name: 'Approve' });
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
