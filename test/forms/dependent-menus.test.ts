import { OPTIONS_STATES } from 'slack-workspace-emulator';
import { afterEach, describe, expect, test } from 'vitest';
import { showMoreOptions } from '../support/filled-form.ts';
import { fillIn } from '../support/form-steps.ts';
import { data, listProjects, type ServiceCall } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { askForForm } from '../support/steps.ts';

const { running, startBot } = setUpBot();

afterEach(() => expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]));

const getProjectId = ({ path }: ServiceCall) => /projects\/(\w+)\//.exec(path)?.[1] ?? '';

/** Starts a bot with two projects, each with its own template and source. */
async function startWithProjects(optionsState: (typeof OPTIONS_STATES)[number] = 'stale'): Promise<void> {
  await startBot({ optionsState });
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market'));
  const createListResponder =
    (kind: string) => (call: ServiceCall, response: Parameters<ReturnType<typeof data>>[1]) =>
      data([
        { Id: `${kind}-${getProjectId(call)}`, Name: `${kind} of ${getProjectId(call)}`, Content: 'Hi' },
      ])(call, response);
  running.service.on('GET /templates', createListResponder('Template'));
  running.service.on('GET /sources', createListResponder('Source'));
}

async function openForm(command: string, title: string) {
  const ana = running.workspace.as('Ana').in('#general');
  return askForForm(ana, command, title);
}

describe.each(OPTIONS_STATES)('when the form’s state in requests for options is %s', (optionsState) => {
  test('a menu offers the templates of the project that was just chosen', async () => {
    await startWithProjects(optionsState);
    const form = await openForm('/schedule-post', 'Schedule a post');
    await showMoreOptions(running.workspace.as('Ana').in('#general'), form);
    expect(await form.search('Template', '')).toEqual(['Choose a project first']);
    await form.choose('Project', 'Harbour Coffee');
    expect(await form.search('Template', '')).toEqual(['Template of p1']);
    await form.choose('Project', 'Night Market');
    expect(await form.search('Template', '')).toEqual(['Template of p2']);
  });
});

test('a form that was prefilled with a project offers the sources of that project', async () => {
  await startWithProjects();
  const form = await openForm('/update-source night market', 'Update a source');
  expect(await form.search('Source', '')).toEqual(['Source of p2']);
  await form.choose('Project', 'Harbour Coffee');
  await expect.poll(() => form.search('Source', '').catch(() => [])).toEqual(['Source of p1']);
});

test('a menu offers the roles of the project that was just chosen', async () => {
  await startWithProjects();
  running.service.on('POST /invite', data({ Id: 'u1', Email: 'ana@example.com' }));
  const firstForm = await openForm('/invite-user ana@example.com Ana Ferreira', 'Invite to service');
  await fillIn(firstForm, { Project: ['Night Market'], 'Role in the scheduling service': ['EDITOR'] });
  const { view } = await firstForm.submit();
  expect((await view?.submit())?.closed).toBe(true);
  const secondForm = await openForm('/invite-user ben@example.com Ben Okafor', 'Invite to service');
  await secondForm.choose('Project', 'Harbour Coffee');
  expect(await secondForm.search('Role in the scheduling service', '')).toEqual(['Admin']);
  await secondForm.choose('Project', 'Night Market');
  expect(await secondForm.search('Role in the scheduling service', '')).toEqual(['Admin', 'Editor']);
});
