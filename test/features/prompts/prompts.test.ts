import { describe, expect, test } from 'vitest';
import { showMoreOptions } from '../../support/filled-form.ts';
import { fillIn } from '../../support/form-steps.ts';
import { data, invalid, json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm, seeAll } from '../../support/steps.ts';

const { ana, running } = setUpBot({});

async function openFilledForm(values: { title?: string; text?: string; description?: string } = {}) {
  const form = await askForForm(ana, '/upnext prompt', 'Create a prompt');
  await form.fill('Title', values.title ?? 'Greeting');
  await form.fill('Prompt', values.text ?? 'Say hello to the harbour');
  if (values.description !== undefined) await form.fill('Description', values.description);
  return { ana, form };
}

const listSentBodies = () =>
  running.service.calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('a prompt is created from the form, in the only project', async () => {
  running.service.on('POST /prompts', data({ Id: 'pr1' }));
  const { form } = await openFilledForm({ description: 'For mornings' });
  expect(form.text()).toContain('Project: Harbour Coffee');
  const { view } = await form.submit();
  expect(view?.title()).toBe('Created');
  expect(view?.text()).toContain('“Greeting”');
  expect(listSentBodies()).toEqual([
    { Title: 'Greeting', PromptText: 'Say hello to the harbour', Description: 'For mornings' },
  ]);
});

test('a prompt whose id the service doesn’t return can’t be chosen, and the receipt says so', async () => {
  running.service.on('POST /prompts', data(null));
  const { form } = await openFilledForm();
  const { view } = await form.submit();
  expect(view?.text()).toContain('To use it in a post, type its ID from the service.');
  expect(view?.text()).not.toContain('choose it');
});

test('errors are shown below their fields before anything is sent', async () => {
  const { form } = await openFilledForm({ title: ' \u200b ', text: 'nul \u0000' });
  const { errors } = await form.submit();
  expect(errors.Title).toContain('Fill in');
  expect(errors.Prompt).toContain('invisible character');
  expect(listSentBodies()).toEqual([]);
});

test.each([
  ['Title', 'Title'],
  ['PromptText', 'Prompt'],
  ['Description', 'Description'],
])('an error is shown below its field if the service refuses %s', async (name, label) => {
  running.service.on('POST /prompts', invalid({ loc: ['body', name], msg: 'is too loud <!here>' }));
  const { form } = await openFilledForm();
  expect((await form.submit()).errors).toEqual({ [label]: 'is too loud <!here>' });
  expect(form.value('Title')).toBe('Greeting');
});

test('a prompt with an unknown outcome is never retried automatically, and its author is asked', async () => {
  running.service.on('POST /prompts', json(500, 'oops'));
  const { ana, form } = await openFilledForm();
  await form.submit();
  await seeAll(ana, 'Prompt “Greeting” for Harbour Coffee', '[Send again]');
  expect(listSentBodies()).toHaveLength(1);
});

test('if the service is down, the author sees the whole prompt again', async () => {
  const { ana, form } = await openFilledForm();
  await running.service.stop();
  await form.submit();
  await ana.sees('Say hello to the harbour');
  expect(ana.read()).toContain('Prompt “Greeting”');
});

test('a created prompt can be chosen for a post', async () => {
  running.service.on('POST /prompts', data({ Id: 'pr1' }));
  const { ana, form } = await openFilledForm();
  await (await form.submit()).view?.close();
  const postForm = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await showMoreOptions(ana, postForm);
  expect(await postForm.search('Prompt', '')).toEqual(['Greeting']);
  expect(await postForm.search('Prompt', 'own-id')).toEqual(['Use the ID “own-id”']);
  await fillIn(postForm, { Prompt: ['Greeting'], 'When you submit': ['Save as draft'] });
  await ana.sees('[Save draft]');
  await postForm.submit();
  await ana.sees('Text from a prompt');
  expect(running.service.created()).toMatchObject([{ PromptId: 'pr1' }]);
});

describe('several projects', () => {
  test('that with the channel’s name is preselected', async () => {
    running.service.on('GET /projects', listProjects('Night Market Books', 'Harbour Coffee'));
    const { form } = await openFilledForm();
    expect(form.value('Project')).toBe('Harbour Coffee');
  });

  test('none is preselected if the channel is named after none', async () => {
    running.service.on('GET /projects', listProjects('Bakery', 'Night Market Books'));
    const { form } = await openFilledForm();
    expect(Object.keys((await form.submit()).errors)).toEqual(['Project']);
    await form.choose('Project', 'Night Market Books');
    running.service.on('POST /prompts', data({ Id: 'pr1' }));
    expect((await form.submit()).view?.title()).toBe('Created');
    expect(running.service.calls.at(-1)?.path).toContain('/p2/');
  });
});
