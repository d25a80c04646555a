import { describe, expect, test } from 'vitest';
import { isSameName } from '../../../src/features/webhook/webhook.ts';
import { submitWith } from '../../support/form-steps.ts';
import { data, json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();

type Person = ReturnType<typeof running.workspace.as>;

async function openFormOf(person: Person, args: string) {
  await person.type(`/upnext webhook ${args}`);
  return person.modal('Delete the webhook');
}

async function openForm(args = '', projects?: ReturnType<typeof data>) {
  await startBot();
  running.service.on('DELETE /webhook', data(null));
  if (projects) running.service.on('GET /projects', projects);
  return { ana, form: await openFormOf(ana, args) };
}

const listDeletedPaths = () =>
  running.service.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path);

const NAME = 'Type the project’s name';

test('a webhook is deleted after the project’s name was typed', async () => {
  const { form } = await openForm();
  expect(form.text()).toContain('This can’t be undone. Whatever listens to the webhook stops hearing');
  expect(form.text()).toContain('A webhook lets the scheduling service tell another tool what happens');
  expect((await submitWith(form, { [NAME]: 'harbour coffee' })).errors).toEqual({
    [NAME]: 'This isn’t the project’s name. It is: Harbour Coffee',
  });
  expect(listDeletedPaths()).toEqual([]);
  const { view } = await submitWith(form, { [NAME]: ' Harbour Coffee ' });
  expect(view?.title()).toBe('Done');
  expect(view?.text()).toContain('Harbour Coffee has no webhook now.');
  expect(listDeletedPaths()).toEqual(['/api/v1/projects/p1/webhook']);
});

test('the audit log doesn’t say that there was a webhook, because the service confirms the deletion of none, too', async () => {
  const { ana, form } = await openForm();
  await (await submitWith(form, { [NAME]: 'Harbour Coffee' })).view?.close();
  await ask(ana, '/upnext audit', 'asked the service to delete the webhook of Harbour Coffee');
});

describe('with several projects', () => {
  const TWO_PROJECTS = listProjects('Harbour Coffee', 'Night Market Books');

  test('none is preselected if the channel is named after none', async () =>
    expect((await openForm('', listProjects('Bakery', 'Books'))).form.value('Project')).toBe(''));

  test('that with the channel’s name is preselected, and its name must be typed all the same', async () => {
    const { form } = await openForm('', TWO_PROJECTS);
    expect(form.value('Project')).toBe('Harbour Coffee');
    expect(Object.keys((await form.submit()).errors)).toEqual([NAME]);
    expect(listDeletedPaths()).toEqual([]);
  });

  test('a project that is named in the command is chosen, and typing another project’s name deletes nothing', async () => {
    const { form } = await openForm('night market books', TWO_PROJECTS);
    expect(form.value('Project')).toBe('Night Market Books');
    await form.fill(NAME, 'Harbour Coffee');
    expect((await form.submit()).errors[NAME]).toContain('It is: Night Market Books');
    await submitWith(form, { [NAME]: 'Night Market Books' });
    expect(listDeletedPaths()).toEqual(['/api/v1/projects/p2/webhook']);
  });

  test('if the command names an unknown project, no project is chosen, even if the channel has one', async () => {
    const { ana, form } = await openForm('', TWO_PROJECTS);
    await form.close();
    await ask(ana, '/upnext use harbour', 'This channel now follows Harbour Coffee');
    expect((await openFormOf(ana, 'Night Market')).value('Project')).toBe('');
  });
});

test.each([
  ['Slack markup', '<!channel> & <b>'],
  ['right-to-left letters', 'שלום \u202eevil'],
  ['3,600 characters', 'Books '.repeat(600).trim()],
  ['80 flags', '🏴‍☠️'.repeat(80)],
])('a project whose name is %s can be confirmed by typing the name as shown', async (_kind, name) => {
  const { form } = await openForm('', listProjects(name, 'Night Market Books'));
  await form.choose('Project', form.options('Project')[0] ?? '');
  expect((await submitWith(form, { [NAME]: form.value('Project') })).view?.title()).toBe('Done');
});

describe('when the service does not delete the webhook', () => {
  const submitWithResponse = async (respond: ReturnType<typeof json>) => {
    const { ana, form } = await openForm();
    running.service.on('DELETE /webhook', respond);
    return { ana, view: (await submitWith(form, { [NAME]: 'Harbour Coffee' })).view };
  };

  test('a missing webhook is an error on the first attempt', async () =>
    expect((await submitWithResponse(json(404, {}))).view?.text()).toContain(
      'Not sent. The service has no webhook for Harbour Coffee, or doesn’t know this project.',
    ));

  test('a missing webhook after an unknown outcome isn’t called deleted: there may have been none', async () => {
    const { ana, view } = await submitWithResponse(json(502, {}));
    running.service.on('DELETE /webhook', json(404, {}));
    await view?.close();
    await (await ana.inDirectMessage()).sees('Harbour Coffee has no webhook now.');
    expect(listDeletedPaths()).toHaveLength(2);
    await ana.type('/upnext audit');
    await ana.sees('asked the service to delete the webhook of Harbour Coffee after 1 retry');
  });
});

test.each([
  ['Harbour Coffee', 'Harbour Coffee'],
  ['  Harbour  Coffee\n', 'Harbour Coffee'],
  ['Harbour Coffee', 'Harbour\u00a0Coffee'],
  ['Cafe\u0301', 'Café'],
  ['Ana’s “Books”', 'Ana\'s "Books"'],
  ['Books', 'Bo\u200boks'],
])('typing %j matches the name %j', (typedName, name) => expect(isSameName(typedName, name)).toBe(true));

test.each([
  ['harbour coffee', 'Harbour Coffee'],
  ['Harbour', 'Harbour Coffee'],
  ['', ''],
  ['\u200b', '\u200b'],
  ['Cafe', 'Café'],
  ['Ｂooks', 'Books'],
])('typing %j does not match the name %j', (typedName, name) =>
  expect(isSameName(typedName, name)).toBe(false),
);
