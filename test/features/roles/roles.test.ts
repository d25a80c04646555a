import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { readAuditLines } from '../../support/audit-record.ts';
import { fillIn } from '../../support/form-steps.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, confirmAndSee, pressAndSee } from '../../support/steps.ts';
import { grantBen } from '../../support/two-projects.ts';

countRequestsInFlight();
const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ membersDefaultRole: null, owners: { kind: 'emulator' } });
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
});

const as = (name: string) => running.workspace.as(name).in('#general');

const capitalize = (role: string) => role.charAt(0).toUpperCase() + role.slice(1);

interface Assignment {
  people?: string[];
  groups?: string[];
  everybody?: boolean;
  role: string;
  projects?: string[];
}

async function fillRoleForm(assignment: Assignment) {
  const ana = as('Ana');
  const form = await askForForm(ana, '/upnext roles', 'Give a role', 'Give a role');
  if (assignment.people) await form.choose('People', assignment.people);
  if (assignment.groups) await form.choose('User groups', assignment.groups);
  if (assignment.everybody) await form.choose('Everybody', ['All full members of this workspace']);
  // Without people, the form is rendered again.
  await waitUntilIdle();
  await form.choose('Role', capitalize(assignment.role));
  if (assignment.projects) await form.choose('Projects', assignment.projects);
  return form;
}

const giveRole = async (assignment: Assignment) => (await fillRoleForm(assignment)).submit();

/** Fills in the form for a role while Slack takes longer to look people up than a submission may. */
async function fillSlowly(people: string[], delayMs = 200) {
  await startBot({
    membersDefaultRole: null,
    owners: { kind: 'emulator' },
    pace: { acknowledgementTimeoutMs: 50 },
  });
  const form = await fillRoleForm({ people, role: 'viewer' });
  running.workspace.faults.set({ webApi: [{ method: 'users.info', fault: 'slow', delayMs }] });
  const countGrants = async () => (await database.db.selectFrom('access_grant').selectAll().execute()).length;
  return { form, countGrants };
}

test('the list says that somebody who has left can’t use their role', async () => {
  await grantBen(running.db, 'publisher', 'p1');
  running.workspace.admin.deactivate('Ben');
  await ask(as('Ana'), '/upnext roles', 'This person has a deactivated account. The role has no effect.');
});

test('in the practice workspace, the first person is an owner, the second a publisher, and the others have no role', async () => {
  const [ana, ben, mira] = [as('Ana'), as('Ben'), as('Mira')];
  await ask(ana, '/upnext roles', 'Owner in the whole workspace (practice default)');
  await ask(ben, '/upnext roles', 'Publisher in the whole workspace');
  await ask(mira, '/upnext posts', 'You need the Viewer role for this.');
  expect(running.service.calls.map(({ path }) => path)).not.toContainEqual(
    expect.stringContaining('upnext-post'),
  );
  // Only given roles can be taken back.
  for (const role of ['@Ana Ferreira: Owner', '@Ben Okafor: Publisher'])
    await ana.sees(`${role} in the whole workspace\npractice default`);
  expect(ana.read()).not.toContain('[Take back]');
});

test.each(['/upnext help', '/upnext'])(
  '%s says to people without a role what Upnext is, and asks for a role with one press',
  async (line) => {
    const mira = as('Mira');
    await mira.type(line);
    await mira.sees('Hi! I’m Upnext, and I schedule your team’s social posts. You need a role to see them.');
    await pressAndSee(mira, 'Request access', 'Request sent for the Viewer role.');
  },
);

test('help and its buttons show only what the person may do', async () => {
  const [ana, ben] = [as('Ana'), as('Ben')];
  await ask(ana, '/upnext help all', '/upnext audit');
  await ask(ben, '/upnext help all', '/schedule-post');
  expect(ben.read()).not.toMatch(/webhook|\/upnext audit|list-logs/);
  await ask(ben, '/upnext webhok', 'I don’t understand “webhok”.');
  expect(ben.read()).not.toContain('Did you mean');
});

test.each([
  ['Ana', '/upnext roles ben owner', 'I didn’t read “ben owner”. To give a role, press Give a role.'],
  ['Ana', '/upnext give ben publisher', 'I didn’t read “ben publisher”. To give a role, press Give a role.'],
  ['Mira', '/upnext roles publisher', 'I didn’t read “publisher”. To ask for a role, choose it below.'],
])('%s types “%s” and reads what to do instead', (name, line, note) => ask(as(name), line, note));

test('people with a role in some projects can neither list nor find other projects', async () => {
  const { view } = await giveRole({ people: ['Mira'], role: 'publisher', projects: ['Harbour Coffee'] });
  expect(view?.text()).toContain(' is now a Publisher in Harbour Coffee.');
  const mira = as('Mira');
  await ask(mira, '/upnext projects', 'Harbour Coffee');
  await mira.type('/upnext templates Night Market Books');
  const form = await askForForm(mira, '/schedule-post', 'Schedule a post');
  expect(form.text()).toContain('For Harbour Coffee · ');
  expect(mira.read()).not.toContain('Night Market');
  expect(running.service.calls.filter(({ path }) => path.includes('p2'))).toEqual([]);
});

test('a publisher in one project can only save drafts in a project where they are a contributor', async () => {
  await giveRole({ people: ['Mira'], role: 'publisher', projects: ['Harbour Coffee'] });
  await giveRole({ people: ['Mira'], role: 'contributor', projects: ['Night Market Books'] });
  const mira = as('Mira');
  const form = await askForForm(mira, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Project: ['Night Market Books'], Text: 'Open late', Platforms: ['X'] });
  await form.fill('When', 'tomorrow 9am');
  await mira.sees('You can only save drafts in this project.');
  const draftForm = await mira.modal('Schedule a post');
  expect(draftForm.value('When you submit')).toBe('Save as draft');
  await draftForm.submit();
  expect(running.service.created()).toMatchObject([{ Content: 'Open late', Status: 'DRAFT' }]);
});

test.each([
  ['is given', 'Ben', 'Viewer role given to', 2],
  ['says why nobody got it', 'Tom', 'One of them is a guest', 0],
])('a role whose people can’t be looked up in time %s after the answer', async (_, other, result, count) => {
  const { form, countGrants } = await fillSlowly(['Mira', other]);
  expect((await form.submit()).view?.text()).toContain(
    'I’m still giving this role. The result follows here.',
  );
  await as('Ana').sees(result);
  expect(await countGrants()).toBe(count);
});

test('closing the late result of a confirmed form doesn’t show the form again', async () => {
  const { form } = await fillSlowly(['Mira'], 1_000);
  await form.choose('Role', 'Owner');
  await (await form.submit()).view?.submit();
  await as('Ana').sees('is now an Owner');
  await (await as('Ana').modal('Given')).close();
  expect(as('Ana').read()).not.toContain('[Cancel] [Give]');
});

test('the result of a role that takes long is sent to whoever has closed the form', async () => {
  // Long enough to close the form before.
  const { form, countGrants } = await fillSlowly(['Mira', 'Ben'], 2_000);
  await (await form.submit()).view?.close();
  await (await as('Ana').inDirectMessage()).sees('Viewer role given to');
  expect(await countGrants()).toBe(2);
  await (await as('Mira').inDirectMessage()).sees('made you a Viewer');
});

test.each([
  ['form', false],
  ['direct message, because the form is closed', true],
])('whether a role was given is said to be unknown in one place: a %s', async (_, closesForm) => {
  const { form } = await fillSlowly(['Mira', 'Ben'], closesForm ? 2_000 : 1_000);
  const { view } = await form.submit();
  if (closesForm) await view?.close();
  await sql`alter table access_grant rename to lost_grant`.execute(database.db);
  try {
    const reader = closesForm ? await as('Ana').inDirectMessage() : as('Ana');
    await reader.sees('I don’t know whether this was done. Check /upnext roles before you repeat it.');
    await waitUntilIdle();
  } finally {
    await sql`alter table lost_grant rename to access_grant`.execute(database.db);
  }
  expect(as('Ana').read()).not.toContain('I’m still giving this role');
  expect((await as('Ana').inDirectMessage()).messages()).toHaveLength(closesForm ? 1 : 0);
});

test('a person who gets a role in several projects is notified once', async () => {
  await giveRole({
    people: ['Mira'],
    role: 'publisher',
    projects: ['Harbour Coffee', 'Night Market Books'],
  });
  const directMessages = await as('Mira').inDirectMessage();
  await directMessages.sees('made you a Publisher in Harbour Coffee and Night Market Books.');
  expect(directMessages.messages()).toHaveLength(1);
});

test('people who leave a user group lose the role that the group has', async () => {
  const { admin } = running.workspace;
  admin.addGroup('@editors', ['Mira'], { name: 'Editors' });
  await giveRole({ groups: ['@editors (Editors)'], role: 'viewer' });
  const mira = as('Mira');
  await ask(mira, '/upnext roles', 'as a member of');
  await ask(mira, '/upnext status', 'service');
  admin.changeGroup('editors', { members: ['Ana'] });
  // An owner's request looks the group up in Slack again, and the result is cached for everybody.
  await as('Ana').type('/upnext roles');
  await ask(mira, '/upnext status', 'You need the Viewer role for this.');
});

test('an owner gives a role to everybody after a confirmation', async () => {
  const form = await fillRoleForm({ everybody: true, role: 'viewer' });
  const { view } = await form.submit();
  expect(view?.text()).toContain('Every full member gets this role');
  await view?.submit();
  const mira = as('Mira');
  await ask(mira, '/upnext roles', 'Viewer in the whole workspace (as every full member, given by');
});

test.each<[title: string, Assignment, errors: object]>([
  ['nobody', { role: 'viewer' }, { People: 'Please complete this required field.' }],
  [
    'a guest',
    { people: ['Tom'], role: 'viewer' },
    { People: 'This person is a guest. Only full members can have a role.' },
  ],
  [
    'somebody from elsewhere',
    { people: ['Priya'], role: 'viewer' },
    { People: 'This person belongs to another workspace.' },
  ],
  [
    'several people of whom one is from elsewhere',
    { people: ['Priya', 'Mira'], role: 'viewer' },
    { People: 'One of them belongs to another workspace.' },
  ],
  [
    'an owner of one project',
    { people: ['Mira'], role: 'owner', projects: ['Harbour Coffee'] },
    { Projects: 'Owners always own the whole workspace. Leave the project empty.' },
  ],
])('a role can’t be given to %s', async (_title, assignment, errors) => {
  expect((await giveRole(assignment)).errors).toEqual(errors);
  expect(await database.db.selectFrom('access_grant').selectAll().execute()).toEqual([]);
});

test('an owner can take roles back, and the person reads who did, and where', async () => {
  await giveRole({ people: ['Mira'], role: 'publisher', projects: ['Harbour Coffee'] });
  const [ana, mira] = [as('Ana'), as('Mira')];
  await mira.type('/upnext status');
  await ask(ana, '/upnext roles', 'People with a role');
  await ana.press('Take back', { dialog: 'confirm' });
  const listRemainingGrants = () => database.db.selectFrom('access_grant').selectAll().execute();
  await expect.poll(listRemainingGrants).toEqual([]);
  await (await mira.inDirectMessage()).sees('@Ana Ferreira took back your Publisher role in Harbour Coffee.');
  await ask(mira, '/upnext roles', 'You don’t have a role yet.');
  await ask(mira, '/upnext status', 'You need the Viewer role for this.');
});

test('a role that was given since isn’t taken back', async () => {
  await giveRole({ people: ['Mira'], role: 'viewer' });
  const ana = as('Ana');
  await ask(ana, '/upnext roles', '@Mira Vos: Viewer');
  await database.db.updateTable('access_grant').set({ role: 'manager' }).execute();
  await confirmAndSee(ana, 'Take back', '@Mira Vos: Manager');
  expect(await database.db.selectFrom('access_grant').select('role').execute()).toEqual([
    { role: 'manager' },
  ]);
});

test('an owner reads that a lower role changes nothing for somebody with a higher one elsewhere', async () => {
  const { view } = await giveRole({ people: ['Ben'], role: 'viewer', projects: ['Harbour Coffee'] });
  expect(view?.text()).toContain(
    'is now a Viewer in Harbour Coffee.\nA higher role that somebody has elsewhere',
  );
  await view?.close();
  const other = await giveRole({ people: ['Mira'], role: 'viewer' });
  expect(other.view?.text()).not.toContain('higher role');
});

test('whoever lost a role reads whom to ask about a post that waits', async () => {
  await giveRole({ people: ['Mira'], role: 'publisher' });
  running.service.on('POST /posts', json(429, {}));
  const mira = as('Mira');
  await mira.type('/schedule-post 1 Dec 9am on x for Harbour Coffee: Hello');
  await (await (await mira.modal('Schedule a post')).submit()).view?.close();
  await giveRole({ people: ['Mira'], role: 'contributor' });
  await ask(mira, '/upnext outbox', 'A Publisher can take it over.');
});

test('a changed role is recorded even if its effect on planned posts couldn’t be found out', async () => {
  running.bot.heldPosts.recheckAuthority = () => Promise.reject(new Error('no database'));
  await giveRole({ people: ['Mira'], role: 'viewer' });
  const ana = as('Ana');
  await ana.type('/upnext roles');
  await ana.press('Take back', { dialog: 'confirm' });
  await expect
    .poll(() => readAuditLines(database.db))
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^roles give \| person U\w+ viewer \| done$/),
        expect.stringMatching(/^roles take \| person U\w+ \| done$/),
      ]),
    );
});

test('only admins of the Slack workspace can claim the role of an owner, and the owners are notified', async () => {
  const mira = as('Mira');
  await mira.type('/upnext roles');
  await confirmAndSee(mira, 'Claim ownership', 'You now own Upnext in this workspace');
  await (await as('Ana').inDirectMessage()).sees('a workspace admin, now owns Upnext here');
  await ask(mira, '/upnext audit claim', 'claimed ownership of Upnext');
  const ben = as('Ben');
  await ask(ben, '/upnext roles', 'Publisher');
  await expect(ben.press('Claim ownership', { timeoutMs: 0 })).rejects.toThrow();
});

test('a claim is in the audit log, even if the posts that wait can’t be looked up', async () => {
  const mira = as('Mira');
  await ask(mira, '/upnext roles', '[Claim ownership]');
  const countClaims = async () =>
    (await readAuditLines(database.db)).filter((line) => /^roles claim .* done$/.test(line)).length;
  // The audit log has those of other tests too.
  const countBefore = await countClaims();
  await sql`alter table held_post rename to unreachable`.execute(database.db);
  try {
    await mira.press('Claim ownership', { dialog: 'confirm' });
    await expect.poll(countClaims).toBe(countBefore + 1);
  } finally {
    await sql`alter table unreachable rename to held_post`.execute(database.db);
  }
});

test('if Upnext runs with a bot token, the owners of the Slack workspace own Upnext', async () => {
  await running.close();
  await startBot({ membersDefaultRole: null });
  await ask(as('Ana'), '/upnext roles', 'Owner in the whole workspace (as an owner of this Slack workspace');
  expect(as('Ana').read()).toContain(
    '@Ana Ferreira: Owner in the whole workspace\nas an owner of this Slack workspace',
  );
  await ask(as('Ben'), '/upnext posts', 'You need the Viewer role for this.');
});
