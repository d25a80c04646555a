import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findSlackMember } from '../../../src/features/users/invite-user.ts';
import { findEmailFault, parseDomain, parseInvitation } from '../../../src/features/users/people.ts';
import type { Call } from '../../../src/handlers/call.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts, expectValues, fillIn, submitWith } from '../../support/form-steps.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { data, invalid, json, listProjects } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm } from '../../support/steps.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, running, startBot } = setUpBot();

const startWithInvitations = async () => {
  await startBot({ pace: RECEIPT_PACE });
  running.service.on('POST /invite', data({ Id: 'u1', Email: 'ana@harbour.example' }));
};

/** Opens the form and fills all required fields. A role that isn't offered is typed. */
async function fillForm(values: { email?: string; role?: string } = {}) {
  await ana.type(`/invite-user ${values.email ?? 'cleo@harbour.example'} Cleo Marsh`);
  const form = await ana.modal('Invite to service');
  await form.choose('Role in the scheduling service', values.role ?? 'EDITOR');
  return { ana, form };
}

/** Invites somebody at harbour.example. Later invitations to this domain need no confirmation. */
async function makeDomainKnown() {
  const { form } = await fillForm();
  const { view } = await form.submit();
  expect((await view?.submit())?.closed).toBe(true);
  running.service.calls.length = 0;
}

const listSentInvitations = () =>
  running.service.calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('an invitation', () => {
  beforeEach(() => startWithInvitations());

  test('an invitation to an unknown domain is sent unchanged after a confirmation', async () => {
    const { ana, form } = await fillForm();
    expectValues(form, { Email: 'cleo@harbour.example', 'First name': 'Cleo', 'Last name': 'Marsh' });
    expect(form.labels()).toEqual(['First name', 'Last name', 'Email', 'Role in the scheduling service']);
    await form.press('More options');
    await ana.sees('Phone number');
    expect(form.value('Status')).toBe('Active');
    const { view } = await submitWith(form, { 'Phone number': ' +351 900 000 000 ' });
    expect(view?.title()).toBe('Invite them?');
    expect(view?.text()).toContain('First invite from Slack to');
    expect(listSentInvitations()).toEqual([]);
    expect((await view?.submit())?.closed).toBe(true);
    await ana.sees('Cleo Marsh is invited to Harbour Coffee.');
    expect(listSentInvitations()).toEqual([
      {
        FirstName: 'Cleo',
        LastName: 'Marsh',
        Email: 'cleo@harbour.example',
        PhoneNumber: '+351 900 000 000',
        Role: 'EDITOR',
        Status: 'ACTIVE',
      },
    ]);
  });

  test('an invitation to a known domain with a role other than ADMIN needs no confirmation', async () => {
    await makeDomainKnown();
    const { form } = await fillForm({ email: 'dora@HARBOUR.example' });
    expect(await form.search('Role in the scheduling service', '')).toEqual(['Admin', 'Editor']);
    expect((await form.submit()).closed).toBe(true);
    expect(listSentInvitations()).toHaveLength(1);
    expect(listSentInvitations()[0]).not.toHaveProperty('PhoneNumber');
  });

  test('the next form preselects the role of the latest invitation, but never an admin’s', async () => {
    await makeDomainKnown();
    const readPreselectedRole = async () => {
      const form = await askForForm(ana, '/invite-user dora@harbour.example Dora Marsh', 'Invite to service');
      return { form, role: form.value('Role in the scheduling service') };
    };
    const { form, role } = await readPreselectedRole();
    expect(role).toBe('Editor');
    const { view } = await submitWith(form, { 'Role in the scheduling service': ['ADMIN'] });
    expect((await view?.submit())?.closed).toBe(true);
    expect((await readPreselectedRole()).role).toBe('');
  });

  test.each([
    ['ADMIN', 'Admin'],
    ['ＡＤＭＩＮ', 'ＡＤＭＩＮ'],
    ['SUPERADMIN', 'Superadmin'],
  ])('an invitation as %s needs a confirmation, and [Back] restores every value', async (role, shownRole) => {
    await makeDomainKnown();
    const { form } = await fillForm({ role });
    const { view } = await form.submit();
    expect(view?.text()).toContain(`They’ll have the role ${shownRole} in Harbour Coffee.`);
    await view?.close();
    const reopenedForm = await running.workspace.as('Ana').modal('Invite to service');
    expect(reopenedForm.value('Email')).toBe('cleo@harbour.example');
    expect(reopenedForm.value('Role in the scheduling service')).toContain(role);
    expect(listSentInvitations()).toEqual([]);
  });

  test('a waiting invitation isn’t called a post', async () => {
    await makeDomainKnown();
    running.service.on('POST /invite', json(429, {}));
    const { ana, form } = await fillForm({ email: 'eve@harbour.example' });
    await (await form.submit()).view?.close();
    await ask(ana, '/upnext status', '1 submission is waiting. See /upnext outbox.');
  });

  test('an invitation to an unknown domain lists the known domains', async () => {
    await makeDomainKnown();
    const { form } = await fillForm({ email: 'eve@hárbour.example' });
    const { view } = await form.submit();
    expect(view?.text()).toContain(
      'hárbour.example (xn--hrbour-pta.example) isn’t among the latest invites from Slack to Harbour Coffee: harbour.example.',
    );
  });
});

test('a project that has to be chosen leaves the other options closed', async () => {
  await startWithTwoProjects(startBot);
  const ana = await running.workspace.as('Ana').inDirectMessage();
  const form = await askForForm(ana, '/invite-user cleo@harbour.example Cleo Marsh', 'Invite to service');
  await fillIn(form, { Project: ['Night Market Books'], 'Role in the scheduling service': ['EDITOR'] });
  expect(form.labels()).not.toContain('Phone number');
  expect(form.text()).toContain('[More options]');
});

test('a role must be chosen, and each invalid value has an error under its field', async () => {
  await startWithInvitations();
  const form = await askForForm(ana, '/invite-user', 'Invite to service');
  expect(form.value('Role in the scheduling service')).toBe('');
  await fillIn(form, { 'First name': ' \u200b ', 'Last name': 'Marsh', Email: 'cleo at example' });
  await form.press('More options');
  await ana.sees('Phone number');
  await form.fill('Phone number', 'none');
  expect(Object.keys((await form.submit()).errors)).toEqual(['Role in the scheduling service']);
  const { errors } = await submitWith(form, { 'Role in the scheduling service': ['admin\u200b'] });
  expect(Object.keys(errors)).toEqual([
    'First name',
    'Email',
    'Role in the scheduling service',
    'Phone number',
  ]);
  expect(listSentInvitations()).toEqual([]);
});

describe('an error of the service', () => {
  const refuse = (...names: string[]) =>
    running.service.on(
      'POST /invite',
      invalid(...names.map((name) => ({ loc: ['body', name], msg: `${name} is not to our taste <!here>` }))),
    );

  test('each error of the service is shown under its field, which is shown if it was hidden', async () => {
    await startWithInvitations();
    await makeDomainKnown();
    refuse('FirstName', 'LastName', 'Email', 'Role');
    const { form } = await fillForm();
    expect((await form.submit()).errors).toEqual({
      'First name': 'FirstName is not to our taste <!here>',
      'Last name': 'LastName is not to our taste <!here>',
      Email: 'Email is not to our taste <!here>',
      'Role in the scheduling service': 'Role is not to our taste <!here>',
    });
    expect(form.value('Email')).toBe('cleo@harbour.example');
    expect(form.value('Role in the scheduling service')).toContain('EDITOR');
    refuse('PhoneNumber', 'Status');
    const { view } = await form.submit();
    expect(view?.labels()).toEqual(expect.arrayContaining(['Phone number', 'Status']));
    for (const name of ['PhoneNumber', 'Status'])
      expect(view?.text()).toContain(`${name} is not to our taste`);
  });

  test('an error after the confirmation reopens the form with every value', async () => {
    await startWithInvitations();
    running.service.on('POST /invite', invalid({ loc: ['body', 'Email'], msg: 'is taken' }));
    const { form } = await fillForm();
    const confirmation = await form.submit();
    const result = await confirmation.view?.submit();
    expect(result?.view?.title()).toBe('Invite to service');
    expect(result?.view?.text()).toContain('is taken');
    expect(result?.view?.value('Email')).toBe('cleo@harbour.example');
    expect(result?.view?.value('Role in the scheduling service')).toBe('EDITOR');
  });
});

test('a retry after a lost response doesn’t invite the person twice', async () => {
  const service = await startPracticeService({ now: () => NOW });
  onTestFinished(() => service.close());
  await startBot({ isEmulated: true, service });
  await ask(ana, '/upnext use harbour', 'This channel now follows Harbour Coffee');
  await service.faults.set({
    rules: [{ operation: 'addNonPlatformUserToProject', fault: 'cut', commit: 'first', times: 1 }],
  });
  const { form } = await fillForm({ email: 'eve@bücher.example' });
  const { view } = (await (await form.submit()).view?.submit()) ?? {};
  expect(view?.title()).toBe('Not sure');
  expect(view?.text()).toContain('may invite them twice');
  await view?.press('Send again');
  await ana.sees('Somebody with this e-mail is already in the project');
  await ask(ana, '/upnext logs', 'was invited as');
  expect(ana.read().match(/was invited as/g)).toHaveLength(1);
});

test('an invitation with an unknown outcome is never retried automatically', async () => {
  await startWithInvitations();
  await makeDomainKnown();
  running.service.on('POST /invite', json(500, {}));
  const { ana, form } = await fillForm();
  const { view } = await form.submit();
  expect(view?.title()).toBe('Not sure');
  expectParts(view?.text(), 'I can’t check whether it has your invitation', 'may invite them twice');
  expect(view?.text()).toContain('[Send again]');
  await ask(ana, '/upnext outbox', 'Invitation of Cleo Marsh (cleo@harbour.example) to Harbour Coffee');
  expect(listSentInvitations()).toHaveLength(1);
});

test('while the service is down, an invitation waits in the outbox and can be edited', async () => {
  await startWithInvitations();
  const { ana, form } = await fillForm();
  running.service.on('POST /invite', json(429, {}));
  const { view } = await form.submit();
  const result = await view?.submit();
  expect(result?.view?.text()).toContain('Saved, not sent yet.');
  await result?.view?.close();
  await ask(ana, '/upnext outbox', 'Invitation of Cleo Marsh');
  const reopenedForm = await pressForForm(ana, 'Edit', 'Invite to service');
  expectValues(reopenedForm, { Email: 'cleo@harbour.example', 'Role in the scheduling service': 'Editor' });
  await running.service.stop();
  const secondConfirmation = await reopenedForm.submit();
  expect((await secondConfirmation.view?.submit())?.view?.text()).toContain('Saved, not sent yet.');
});

test('with cached projects, the form opens while the service is down', async () => {
  await startWithInvitations();
  await ask(ana, '/upnext projects', 'Harbour Coffee');
  await running.service.stop();
  const reopenedForm = await askForForm(ana, '/invite-user', 'Invite to service');
  expect(reopenedForm.text()).toContain(
    'so this list may be old or incomplete. I’ll save what you submit and send it when I can.',
  );
});

test('a domain that is known in one project is unknown in another project', async () => {
  await startBot();
  running.service.on('POST /invite', data({ Id: 'u1', Email: 'x' }));
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  const invite = async (project: string) => {
    const { ana, form } = await fillForm();
    if (project !== 'Harbour Coffee') {
      await form.press('More options');
      await ana.sees('Phone number');
      await form.choose('Project', project);
    }
    return form.submit();
  };
  const firstResult = await invite('Harbour Coffee');
  expect((await firstResult.view?.submit())?.closed).toBe(true);
  expect((await invite('Harbour Coffee')).closed).toBe(true);
  expect((await invite('Night Market Books')).view?.text()).toContain('First invite from Slack to');
});

test('very long and unusual names are shown and sent unchanged', async () => {
  await startWithInvitations();
  const { form } = await fillForm();
  const name = `<!channel> ${'👩‍👩‍👧‍👦'.repeat(200)} ‏שלום`;
  const confirmation = await submitWith(form, { 'First name': name, 'Last name': 'x'.repeat(3_000) });
  expect((await confirmation.view?.submit())?.closed).toBe(true);
  expect(listSentInvitations()).toMatchObject([{ FirstName: name, LastName: 'x'.repeat(3_000) }]);
});

test.each([
  'ana@example.com',
  ' ana@example.com ',
  'ana+news@example.co.uk',
  'josé@bücher.example',
  '用户@例子.广告',
  'अनु@उदाहरण.भारत',
  '"ana maria"@example.com',
  "o'brien@example.com",
  'ana@[192.0.2.1]',
  'ana@localhost',
])('the address %s is accepted', (address) => expect(findEmailFault(address)).toBeUndefined());

test.each([
  'ana',
  '@example.com',
  'ana@',
  'ana@@example.com',
  'ana@example.com\r\nBcc: all@example.com',
  'ana@example.com, ben@example.com',
  'Ana <ana@example.com>',
  'ana @example.com',
  'ana@exa\u202emple.com',
  'an\u200ba@example.com',
  'ana@example.com\u0000',
  `${'a'.repeat(50_000)} @`,
])('the address %j is rejected', (address) => expect(findEmailFault(address)).toBeTypeOf('string'));

test.each([
  ['ana@EXAMPLE.com', 'example.com'],
  ['ana@example.com.', 'example.com'],
  ['ana@bücher.example', 'xn--bcher-kva.example'],
  ['ana@xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['"a@b"@example.com', 'example.com'],
  ['ana@[192.0.2.1]', '[192.0.2.1]'],
])('the domain of %s is %s', (address, domain) => expect(parseDomain(address)).toBe(domain));

test.each([
  ['', {}],
  ['ana@example.com Ana Ferreira', { email: 'ana@example.com', first: 'Ana', last: 'Ferreira' }],
  ['Ana de Souza <ana@example.com>', { email: 'ana@example.com', first: 'Ana', last: 'de Souza' }],
  ['<mailto:ana@example.com|ana@example.com> Ana', { email: 'ana@example.com', first: 'Ana' }],
  ['@Mira Vos', { first: 'Mira', last: 'Vos' }],
  ['ana@example.com, Ana', { email: 'ana@example.com', first: 'Ana' }],
])('the text “%s” is parsed as %j', (text, expected) => expect(parseInvitation(text)).toEqual(expected));

async function openPicker(options: Parameters<typeof startBot>[0] = {}, line = '/invite-user') {
  await startBot(options);
  running.service.on('POST /invite', data({ Id: 'u1' }));
  const form = await askForForm(ana, line, 'Invite to service');
  await form.press('More options');
  await ana.sees(PICKER);
  return { ana, form };
}
type OpenedForm = Awaited<ReturnType<typeof openPicker>>['form'];

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
  const { ana, form } = await openPicker();
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
  const { form } = await openPicker();
  await choosePerson(form, 'Ben Okafor', BEN);
  const { view } = await submitWith(form, { 'Role in the scheduling service': ['ADMIN'] });
  expect(view?.text()).toContain('They’ll have the role Admin in Harbour Coffee.');
  expect(view?.text()).not.toContain('First invite');
});

test('an email that was changed afterwards needs the usual confirmation', async () => {
  const { form } = await openPicker();
  await choosePerson(form, 'Ben Okafor', BEN);
  await fillIn(form, { Email: 'ben@exmaple.com', 'Role in the scheduling service': ['EDITOR'] });
  expect((await form.submit()).view?.text()).toContain('First invite from Slack to exmaple.com');
});

test('typed values stay, and only empty fields are filled in', async () => {
  const { form } = await openPicker({}, '/invite-user ben@agency.example Benjamin');
  await choosePerson(form, 'Ben Okafor', { ...BEN, first: 'Benjamin', email: 'ben@agency.example' });
});

test('choosing somebody else replaces values from Slack, but not typed values', async () => {
  const { form } = await openPicker();
  await choosePerson(form, 'Ben Okafor', BEN);
  await form.fill('Last name', 'Typed');
  await choosePerson(form, 'Mira Vos', { first: 'Mira', last: 'Typed', email: 'mira@example.com' });
});

test('without the permission to read emails, the name is filled in and the email is typed', async () => {
  const { form } = await openPicker({ missingScopes: ['users:read.email'] });
  await choosePerson(form, 'Ben Okafor', { ...BEN, email: '' });
  expect(form.text()).toContain('Slack doesn’t share this person’s email with me. Type it.');
  await fillIn(form, { Email: 'ben@example.com', 'Role in the scheduling service': ['EDITOR'] });
  expect((await form.submit()).view?.text()).toContain('First invite from Slack to example.com');
});

test('the details of a guest are filled in, and the form says that the person is a guest', async () => {
  const { form } = await openPicker();
  await choosePerson(form, 'Tom Sato', { first: 'Tom', last: 'Sato' });
  expect(form.text()).toContain('This person is a guest in this Slack workspace.');
});

test.each([
  ['Upnext', 'That’s an app. Choose a person, or type the details.'],
  ['Lena Hofer', 'This Slack account is deactivated. Choose somebody else, or type the details.'],
])('nothing is filled in for %s, and the form says why', async (name, expected) => {
  const { form } = await openPicker();
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
