import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, setPolicy, startBot } = setUpBot();

/** Opens a list at Home, its form for a post, and the confirmation of a series: as many modals as Slack shows. */
async function openConfirmation() {
  for (const project of ['p1', 'p2']) await setPolicy({ leadMinutes: 60 }, project);
  const ana = running.workspace.as('Ana');
  const home = await ana.home('Commands');
  await home.press('All posts');
  const list = await ana.modal('All posts');
  await list.press('New post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', 'every weekday at 9');
  const { view: confirmation } = await form.submit();
  expect(confirmation?.title()).toBe('New series');
  return { ana, confirmation };
}

async function expectFormUnderneath({ ana, confirmation }: Awaited<ReturnType<typeof openConfirmation>>) {
  await confirmation?.close();
  const form = await ana.modal('Schedule a post');
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
}

test('an error of a confirmation in the third modal replaces it, and the form underneath keeps its text', async () => {
  await startBot();
  const opened = await openConfirmation();
  await database.db.schema.alterTable('open_form').renameTo('hidden').execute();
  try {
    await opened.confirmation?.submit();
    await opened.ana.sees('Something went wrong.');
  } finally {
    await database.db.schema.alterTable('hidden').renameTo('open_form').execute();
  }
  await expectFormUnderneath(opened);
});
