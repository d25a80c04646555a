import { describe, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { fillIn } from '../../support/form-steps.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

const { ana, database, running } = setUpBot({});

const TWO_PROJECTS = listProjects('Night Market', 'Harbour Coffee');

const countConfirmed = async () =>
  (await database.db.selectFrom('submission').select('id').where('state', '=', 'confirmed').execute()).length;

async function openForm(line = '/schedule-post') {
  return askForForm(ana, line, 'Schedule a post');
}

test('the project that the channel is named after is preselected, and can be changed', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const form = await openForm();
  expect(form.value('Project')).toBe('Harbour Coffee');
  await form.choose('Project', 'Night Market');
  expect(form.value('Project')).toBe('Night Market');
});

test('the project that the channel follows is preselected, even if the channel is named after another project', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  await ask(ana, '/upnext use night market', 'This channel now follows Night Market.');
  expect((await openForm()).value('Project')).toBe('Night Market');
});

describe('the platforms', () => {
  async function sendPost(platforms: readonly string[], project?: string): Promise<void> {
    const { form } = await openFilledForm(running);
    if (project !== undefined) await form.choose('Project', project);
    await form.choose('Platforms', platforms);
    await form.fill('Text', `Open on ${platforms.join()}`);
    const countBefore = await countConfirmed();
    await form.submit();
    await expect.poll(countConfirmed).toBe(countBefore + 1);
  }

  test('the platforms of the last post in the project are preselected', async () => {
    await sendPost(['LinkedIn', 'Threads']);
    expect((await openForm()).value('Platforms')).toBe('LinkedIn, Threads');
    await ana.modal('Schedule a post').then((form) => form.close());
    expect((await openForm('/schedule-post tomorrow on x')).value('Platforms')).toBe('X');
  });

  test('the platforms change with the project until somebody chooses others', async () => {
    running.service.on('GET /projects', TWO_PROJECTS);
    await sendPost(['LinkedIn']);
    await sendPost(['Threads'], 'Night Market');
    const form = await openForm();
    expect(form.value('Platforms')).toBe('LinkedIn');
    await form.choose('Project', 'Night Market');
    await expect.poll(() => form.value('Platforms')).toBe('Threads');
    await fillIn(form, { Platforms: ['X'], Project: ['Harbour Coffee'], When: '1 Dec 9am' });
    await ana.sees('Tue 1 Dec, 09:00');
    expect(form.value('Platforms')).toBe('X');
  });

  test('no platforms are preselected again after somebody has removed them', async () => {
    await sendPost(['LinkedIn']);
    const form = await openForm();
    await fillIn(form, { Platforms: [], When: '1 Dec 9am' });
    await ana.sees('Tue 1 Dec, 09:00');
    expect(form.value('Platforms')).toBe('');
  });
});
