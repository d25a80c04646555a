import { describe, expect, test } from 'vitest';
import { HARBOUR, runService, TOKEN } from '../../emulators/service/running-service.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const projects = (...names: string[]) => data(names.map((Name, index) => ({ Id: `p${index + 1}`, Name })));

async function opened(words = '', answer?: ReturnType<typeof data>) {
  await startBot();
  running.service.on('DELETE /webhook', data(null));
  if (answer) running.service.on('GET /projects', answer);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type(`/upnext webhook ${words}`);
  return { ana, form: await ana.modal('Delete the webhook') };
}

const asked = () => running.service.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path);

const NAME = 'Type the project’s name';

test('a webhook is deleted once the project’s name was typed', async () => {
  const { form } = await opened();
  expect(form.text()).toContain('This cannot be undone through the API.');
  await form.fill(NAME, 'harbour coffee');
  expect((await form.submit()).errors).toEqual({
    [NAME]: 'This is not the project’s name. It is: Harbour Coffee',
  });
  expect(asked()).toEqual([]);
  await form.fill(NAME, ' Harbour Coffee ');
  const { view } = await form.submit();
  expect(view?.title()).toBe('Deleted');
  expect(view?.text()).toContain('The webhook of Harbour Coffee is deleted.');
  expect(asked()).toEqual(['/api/v1/projects/p1/webhook']);
});

describe('of several projects', () => {
  const TWO = projects('Harbour Coffee', 'Night Market Books');

  test('none is chosen before the person does', async () => {
    const { form } = await opened('', TWO);
    expect(form.value('Project')).toBe('');
  });

  test('the one that is named is chosen, and the name of another deletes nothing', async () => {
    const { form } = await opened('night market books', TWO);
    expect(form.value('Project')).toBe('Night Market Books');
    await form.fill(NAME, 'Harbour Coffee');
    expect((await form.submit()).errors[NAME]).toContain('It is: Night Market Books');
    await form.fill(NAME, 'Night Market Books');
    await form.submit();
    expect(asked()).toEqual(['/api/v1/projects/p2/webhook']);
  });

  test('one that is named and not there leaves none chosen, even where the channel has one', async () => {
    const { ana, form } = await opened('', TWO);
    await form.close();
    await ana.type('/upnext use harbour');
    await ana.sees('This channel is now about Harbour Coffee');
    await ana.type('/upnext webhook Night Market');
    expect((await ana.modal('Delete the webhook')).value('Project')).toBe('');
  });
});

test.each([
  ['marks of Slack’s', '<!channel> & <b>'],
  ['letters that run the other way', 'שלום \u202eevil'],
  ['3,600 characters', 'Books '.repeat(600).trim()],
  ['80 flags', '🏴‍☠️'.repeat(80)],
])('a project whose name is %s can be named as it is shown', async (_what, name) => {
  const { form } = await opened('', projects(name, 'Night Market Books'));
  await form.choose('Project', form.options('Project')[0] ?? '');
  await form.fill(NAME, form.value('Project'));
  const { view } = await form.submit();
  expect(view?.title()).toBe('Deleted');
});

test('one of a thousand projects can be searched for and named', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `Project ${index + 1}`);
  const { form } = await opened('', projects(...names));
  await form.choose('Project', 'Project 777');
  await form.fill(NAME, 'Project 777');
  await form.submit();
  expect(asked()).toEqual(['/api/v1/projects/p777/webhook']);
});

describe('what the service answers otherwise', () => {
  const tried = async (answer: ReturnType<typeof json>) => {
    const { ana, form } = await opened();
    running.service.on('DELETE /webhook', answer);
    await form.fill(NAME, 'Harbour Coffee');
    return { ana, view: (await form.submit()).view };
  };

  test('a refusal stands on top, and the name is still there', async () => {
    const { view } = await tried(invalid({ loc: ['path', 'project_id'], msg: 'has no webhook' }));
    expect(view?.text()).toContain('project_id: has no webhook');
    expect(view?.value(NAME)).toBe('Harbour Coffee');
  });

  test('none to delete is no success at first', async () => {
    const { view } = await tried(json(404, {}));
    expect(view?.text()).toContain('Not sent');
  });

  test('none to delete after nobody knew means that it is gone', async () => {
    const { ana, view } = await tried(json(502, {}));
    running.service.on('DELETE /webhook', json(404, {}));
    await view?.close();
    await (await ana.inDirectMessage()).sees('The webhook of Harbour Coffee is deleted.');
    expect(asked()).toHaveLength(2);
  });

  test('a service that is down has it later', async () => {
    const { form } = await opened();
    await form.fill(NAME, 'Harbour Coffee');
    await running.service.stop();
    expect((await form.submit()).view?.text()).toContain('Saved, not sent yet.');
  });
});

test('the practice service deletes it once, and says that there is none after that', async () => {
  const service = await runService();
  await startBot({ practice: true, service: { url: service.url, token: TOKEN } });
  const ana = running.workspace.as('Ana').in('#general');
  const deleted = async () => {
    await ana.type('/upnext webhook harbour coffee');
    const form = await ana.modal('Delete the webhook');
    await form.fill(NAME, 'Harbour Coffee');
    return (await form.submit()).view;
  };
  const first = await deleted();
  expect(first?.title()).toBe('Deleted');
  const { json: logs } = await service.send('GET', `${HARBOUR}/logs`);
  expect(logs.data[0].Message).toBe('The webhook was deleted.');
  await first?.close();
  expect((await deleted())?.text()).toContain('Not sent');
  await service.close();
});
