import { expect, test } from 'vitest';
import { findSlackMember } from '../../../src/features/users/invite-user.ts';
import type { Call } from '../../../src/handlers/call.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot();

async function openForm(options: Parameters<typeof startBot>[0] = {}, line = '/invite-user') {
  await startBot(options);
  running.service.on('POST /invite', data({ Id: 'u1' }));
  const form = await askForForm(ana, line, 'Invite to service');
  await form.press('More options');
  await ana.sees(PICKER);
  return { ana, form };
}
type OpenedForm = Awaited<ReturnType<typeof openForm>>['form'];

const PICKER = 'Somebody in Slack';

/** Chooses a person, and waits until the form shows a value that is filled in. */
async function choosePerson(form: OpenedForm, person: string, filled: Partial<Record<string, string>>) {
  await form.choose(PICKER, person);
  await expect.poll(() => readDetails(form)).toMatchObject(filled);
}

const readDetails = (form: OpenedForm) => ({
  first: form.value('First name'),
  last: form.value('Last name'),
  email: form.value('Email'),
});

const BEN = { first: 'Ben', last: 'Okafor', email: 'ben@example.com' };
const NOBODY = { first: '', last: '', email: '' };

test('a colleague is invited with six presses and without typing', async () => {
  const { ana, form } = await openForm();
  // [More options].
  let presses = 1;
  await choosePerson(form, 'Ben Okafor', BEN);
  await form.choose('Role in the scheduling service', 'EDITOR');
  // Each choice takes two presses: one opens the menu.
  presses += 2 * 2;
  const { closed } = await form.submit();
  presses += 1;
  expect(closed).toBe(true);
  await ana.sees('Ben Okafor is invited to Harbour Coffee.');
  expect(presses).toBeLessThanOrEqual(6);
  const request = running.service.calls.find(({ method }) => method === 'POST');
  expect(request?.body).toMatchObject({ FirstName: 'Ben', LastName: 'Okafor', Email: 'ben@example.com' });
});

test('the invitation of a colleague as an admin still needs a confirmation', async () => {
  const { form } = await openForm();
  await choosePerson(form, 'Ben Okafor', BEN);
  const { view } = await submitWith(form, { 'Role in the scheduling service': ['ADMIN'] });
  expect(view?.text()).toContain('They’ll have the role Admin in Harbour Coffee.');
  expect(view?.text()).not.toContain('First invite');
});

test('an email that was changed afterwards needs the usual confirmation', async () => {
  const { form } = await openForm();
  await choosePerson(form, 'Ben Okafor', BEN);
  await fillIn(form, { Email: 'ben@exmaple.com', 'Role in the scheduling service': ['EDITOR'] });
  expect((await form.submit()).view?.text()).toContain('First invite from Slack to exmaple.com');
});

test('typed values stay, and only empty fields are filled in', async () => {
  const { form } = await openForm({}, '/invite-user ben@agency.example Benjamin');
  await choosePerson(form, 'Ben Okafor', { ...BEN, first: 'Benjamin', email: 'ben@agency.example' });
});

test('choosing somebody else replaces values from Slack, but not typed values', async () => {
  const { form } = await openForm();
  await choosePerson(form, 'Ben Okafor', BEN);
  await form.fill('Last name', 'Typed');
  await choosePerson(form, 'Mira Vos', { first: 'Mira', last: 'Typed', email: 'mira@example.com' });
});

test('without the permission to read emails, the name is filled in and the email is typed', async () => {
  const { form } = await openForm({ missingScopes: ['users:read.email'] });
  await choosePerson(form, 'Ben Okafor', { ...BEN, email: '' });
  expect(form.text()).toContain('Slack doesn’t share this person’s email with me. Type it.');
  await fillIn(form, { Email: 'ben@example.com', 'Role in the scheduling service': ['EDITOR'] });
  expect((await form.submit()).view?.text()).toContain('First invite from Slack to example.com');
});

test('the details of a guest are filled in, and the form says that the person is a guest', async () => {
  const { form } = await openForm();
  await choosePerson(form, 'Tom Sato', { first: 'Tom', last: 'Sato' });
  expect(form.text()).toContain('This person is a guest in this Slack workspace.');
});

test.each([
  ['Upnext', 'That’s an app. Choose a person, or type the details.'],
  ['Lena Hofer', 'This Slack account is deactivated. Choose somebody else, or type the details.'],
])('nothing is filled in for %s, and the form says why', async (name, expected) => {
  const { form } = await openForm();
  await form.choose(PICKER, name);
  await expect.poll(() => form.text()).toContain(expected);
  expect(readDetails(form)).toEqual(NOBODY);
});

test('if Slack doesn’t answer or refuses, the details can be typed', async () => {
  const findAccess = async () => ({ kind: 'member', isAdmin: false, roles: [], isIncomplete: false });
  const fetchInfo = async () => {
    throw new Error('An API error occurred: missing_scope');
  };
  const call = {
    context: { access: { findAccess } },
    actor: { workspace: 'T1', user: 'U1' },
    client: { users: { info: fetchInfo } },
  } as unknown as Call;
  expect(await findSlackMember(call, 'U2')).toMatchObject({
    details: NOBODY,
    isColleague: false,
    note: 'I couldn’t look up this person in Slack. Type the details.',
  });
});
