import { expect, test } from 'vitest';
import { expectValues, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json, listProjects } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();

const TWO_PROJECTS = listProjects('Harbour Coffee', 'Night Market Books');

async function startWithUser() {
  await startBot({ pace: RECEIPT_PACE });
  running.service.on('PUT /u1', data(null));
  return running.workspace.as('Ana').in('#harbour-coffee');
}

/** Invites Cleo to a project. `answer` is the service's response, with or without her id. */
async function inviteCleo(answer: unknown = { Id: 'u1', Email: 'x' }, project?: string) {
  running.service.on('POST /invite', data(answer));
  const form = await askForForm(ana, '/invite-user cleo@harbour.example Cleo Marsh', 'Invite to service');
  if (project !== undefined) {
    await form.press('More options');
    await ana.sees('Phone number');
    await form.choose('Project', project);
  }
  const { view } = await submitWith(form, { 'Role in the scheduling service': ['EDITOR'] });
  expect((await view?.submit())?.closed).toBe(true);
  running.service.calls.length = 0;
}

async function openForm(args = '') {
  return askForForm(ana, `/upnext user ${args}`, 'Service access');
}

async function makeViewer(person: string, status = 'ACTIVE') {
  const form = await openForm(person);
  await form.choose('Role in the scheduling service', 'VIEWER');
  await form.choose('Status', status);
  const { view } = await form.submit();
  return (await view?.submit())?.view;
}

const listSentChanges = () => running.service.calls.filter(({ method }) => method === 'PUT');

test('an invited user can be changed after a confirmation with old and new values', async () => {
  const ana = await startWithUser();
  await inviteCleo();
  const form = await openForm();
  expectValues(form, { 'Role in the scheduling service': '', Status: '' });
  await form.choose('Person', 'Cleo Marsh, cleo@harbour.example');
  await ana.sees('Invited as Editor, Active.');
  await fillIn(form, { 'Role in the scheduling service': ['Admin'], Status: ['PAUSED'] });
  const { view } = await form.submit();
  expect(view?.title()).toBe('Change this person?');
  expect(view?.text()).toContain('Role: Editor → Admin\nStatus: Active → Paused');
  expect(view?.text()).toContain('They’ll have the role Admin in Harbour Coffee.');
  expect(listSentChanges()).toEqual([]);
  const result = await view?.submit();
  expect(result?.view?.title()).toBe('Changed');
  expect(listSentChanges()).toMatchObject([
    { path: '/api/v1/projects/p1/users/u1', body: { Role: 'ADMIN', Status: 'PAUSED' } },
  ]);
  await result?.view?.close();

  const nextForm = await openForm('CLEO@harbour.example');
  expect(nextForm.value('Person')).toBe('Cleo Marsh, cleo@harbour.example');
  expect(nextForm.text()).toContain('Last set to Admin, Paused.');
  expect(await nextForm.search('Role in the scheduling service', '')).toEqual(['Admin', 'Editor']);
  expect(await nextForm.search('Status', '')).toEqual(['Active', 'Paused']);
});

test('a user is missing from the list if the service returned no id, and the form says so', async () => {
  await startWithUser();
  await inviteCleo(null);
  expect(ana.read()).not.toContain('/upnext user');
  const form = await openForm();
  expect(form.text()).toContain(
    'One invited person isn’t listed. Change their role in the scheduling service.',
  );
  expect(await form.search('Person', '')).toEqual(['Nobody is listed. Paste an ID']);
});

test('a user is only listed in their project', async () => {
  const ana = await startWithUser();
  running.service.on('GET /projects', TWO_PROJECTS);
  await inviteCleo(undefined, 'Night Market Books');
  const form = await openForm('cleo@harbour.example');
  // The channel has its name.
  expect(form.value('Project')).toBe('Harbour Coffee');
  expect(await form.search('Person', '')).toEqual(['Nobody is listed. Paste an ID']);
  await form.choose('Project', 'Night Market Books');
  await ana.sees('Invited as Editor, Active.');
  expect(form.value('Person')).toBe('Cleo Marsh, cleo@harbour.example');
});

test('a user with a typed id can be changed, and the old values are shown as unknown', async () => {
  await startWithUser();
  running.service.on('PUT /u9', data({ Id: 'u9' }));
  const form = await openForm('u9');
  await fillIn(form, { 'Role in the scheduling service': ['Admin'], Status: ['PAUSED'] });
  const { view: question } = await form.submit();
  expect(question?.text()).toContain('Role: not known → Admin');
  expect(question?.text()).not.toContain('last set from Slack');
  const answer = await makeViewer('u9');
  expect(answer?.text()).toContain('u9 now has the role Viewer and the status Active.');
  expect(answer?.text()).toContain('Role: not known → Viewer');
  expect((await openForm('u9')).text()).toContain('Last set to Viewer, Active.');
});

test.each(['..', '../../p2/users/u1', '%2e%2e%2f', 'u1/../u2', 'a?b#c', '__proto__', '<!channel>'])(
  'the typed id %s stays one segment of the request path, and matches nobody',
  async (id) => {
    await startWithUser();
    const answer = await makeViewer(id);
    expect(answer?.text()).toContain('The scheduling service doesn’t know this person in this project.');
    expect(answer?.value('Person')).toBe(id);
    for (const { path } of listSentChanges())
      expect(path).toBe(`/api/v1/projects/p1/users/${encodeURIComponent(id)}`);
  },
);

test('an error of the service about each field reopens the form', async () => {
  await startWithUser();
  const names = ['Role', 'Status', 'user_id', 'project_id'];
  const problems = names.map((name) => ({ loc: ['body', name], msg: `${name} is not allowed` }));
  running.service.on('PUT /u9', invalid(...problems));
  const reopened = await makeViewer('u9', 'GONE');
  const text = reopened?.text() ?? '';
  for (const name of ['Role', 'Status', 'user_id']) expect(text).toContain(`⚠️ ${name} is not allowed`);
  expect(text).toContain('Project: project_id is not allowed');
  expect(reopened?.value('Status')).toBe('GONE');
});

test('if the service refuses the token, the change waits, and can be edited with every value', async () => {
  const ana = await startWithUser();
  await inviteCleo();
  running.service.on('PUT /u1', json(401, {}));
  const waiting = await makeViewer('cleo@harbour.example');
  expect(waiting?.text()).toContain('the service refuses my access');
  await waiting?.close();
  const reopenedForm = await askForForm(ana, '/upnext outbox', 'Service access', 'Edit');
  expect(reopenedForm.value('Person')).toBe('Cleo Marsh, cleo@harbour.example');
  expect([reopenedForm.value('Role in the scheduling service'), reopenedForm.value('Status')]).toEqual([
    'Viewer',
    'Active',
  ]);
});

test('a change with an unknown outcome is retried automatically', async () => {
  const ana = await startWithUser();
  await inviteCleo();
  running.service.on('PUT /u1', json(503, {}));
  const uncertain = await makeViewer('cleo@harbour.example');
  expect(uncertain?.text()).toContain('I’ll send it again');
  running.service.on('PUT /u1', data(null));
  await uncertain?.close();
  await (await ana.inDirectMessage()).sees('Cleo Marsh, cleo@harbour.example now has the role Viewer');
  expect(listSentChanges().length).toBeGreaterThan(1);
  for (const { body } of listSentChanges()) expect(body).toEqual({ Role: 'VIEWER', Status: 'ACTIVE' });
});
