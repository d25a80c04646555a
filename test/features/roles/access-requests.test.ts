import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyAuditRecord, readAuditLines } from '../../support/audit-record.ts';
import { NOW } from '../../support/bot.ts';
import { fillIn } from '../../support/form-steps.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import {
  ask,
  askAndPress,
  askForForm,
  chooseAndSee,
  confirmAndSee,
  pressAndSee,
} from '../../support/steps.ts';

/** A person without a role asks for one, and an owner answers. */

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ membersDefaultRole: null, owners: { kind: 'emulator' } });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
});

const as = (name: string) => running.workspace.as(name).in('#general');

/** Mira asks for the role of a viewer. */
async function requestAccess() {
  const mira = as('Mira');
  await askAndPress(mira, '/upnext posts', 'Request access');
  return mira;
}

async function giveRole(person: string, role: string) {
  const ana = as('Ana');
  const form = await askForForm(ana, '/upnext roles', 'Give a role', 'Give a role');
  await form.choose('People', [person]);
  await form.choose('Role', role);
  await form.submit();
}

const failUpdates = (times: number) =>
  failSlack(running, { method: 'chat.update', fault: 'error', error: 'internal_error', times });

/** Ana reads the request. */
async function seeRequest() {
  const ana = await as('Ana').inDirectMessage();
  await ana.sees('[Approve] [Decline]');
  return ana;
}

async function makeBenOwner() {
  await giveRole('Ben', 'Owner');
  await (await as('Ana').modal('Give this role?')).submit();
  const ben = await as('Ben').inDirectMessage();
  await ben.sees('made you an Owner');
  return ben;
}

test('a request for a role goes to the owners, who can give the role with one press, and the person is notified', async () => {
  const mira = await requestAccess();
  await mira.sees('Request sent for the Viewer role. I’ll DM you when an Owner answers.');
  expect(mira.read()).not.toContain('[Request access]');
  const ana = await as('Ana').inDirectMessage();
  await ana.sees(
    '@Mira Vos requested the Viewer role in the whole workspace. Viewers can view posts and templates.',
  );
  await ana.sees('[Approve] [Decline]');
  const question =
    '<@U03MIRAVOS> requested the *Viewer* role in the whole workspace. Viewers can view posts and templates.';
  await chooseAndSee(ana, question, 'Give Contributor instead', 'a Contributor.');
  await (await mira.inDirectMessage()).sees('made you a Contributor. /upnext help shows what you can do.');
  await mira.in('#general').type('/upnext prompt');
  await mira.modal('Create a prompt');
  expect(await readAuditLines(database.db)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^list-posts command posts \| refused$/),
      expect.stringMatching(/^roles ask \| person U\w+ viewer \| done$/),
      expect.stringMatching(/^roles give \| person U\w+ contributor \| done$/),
    ]),
  );
});

test('a request for a role can be sent from Home, which shows nothing else', async () => {
  const mira = as('Mira');
  const home = await mira.home('You need a role to see posts here.');
  expect(home.text()).not.toContain('Harbour Coffee');
  await home.press('Request access');
  await (await mira.inDirectMessage()).sees('Request sent');
});

test('a request for a role can be sent once a day, and only its first answer counts', async () => {
  const mira = await requestAccess();
  await mira.sees('Request sent');
  await ask(mira, '/upnext help', 'You requested the Viewer role');
  expect(mira.messages().at(-1)).not.toContain('[Request access]');
  await ask(mira, '/upnext roles', 'You don’t have a role yet.');
  expect(mira.messages().at(-1)).toContain('You requested the Viewer role');
  await expect(mira.choose('Request a role', 'Viewer')).rejects.toThrow('Offered: Contributor');
  const ana = await as('Ana').inDirectMessage();
  await pressAndSee(ana, 'Decline', 'declined');
  await (await mira.inDirectMessage()).sees('declined your request for the Viewer role.');
  await mira.in('#general').type('/upnext posts');
  await mira.sees('You need the Viewer role for this.');
});

test('a request goes only to owners who can answer, and if there are none, an admin can claim ownership', async () => {
  const ben = await makeBenOwner();
  running.workspace.admin.deactivate('Ben');
  await (await requestAccess()).sees('Request sent for the Viewer role.');
  await seeRequest();
  expect(ben.read()).not.toContain('requested the Viewer role');
  running.workspace.admin.deactivate('Ana');
  await as('Mira').type('/upnext roles');
  await chooseAndSee(as('Mira'), 'Request a role', 'Publisher', 'Nobody owns Upnext here now.');
});

test('an answer replaces the request at every owner, however it was given', async () => {
  const ben = await makeBenOwner();
  await requestAccess();
  await ben.sees('[Approve] [Decline]');
  await (await as('Ana').inDirectMessage()).press('Decline');
  await ben.sees('@Ana Ferreira declined @Mira Vos’s request for the Viewer role.');
  expect(ben.read()).not.toContain('[Approve]');
  await as('Mira').type('/upnext roles');
  await as('Mira').choose('Request a role', 'Publisher');
  await ben.sees('[Approve] [Decline]');
  await giveRole('Mira', 'Manager');
  await ben.sees('@Ana Ferreira made @Mira Vos a Manager.');
  expect(ben.read()).not.toContain('[Approve]');
});

test('an approval also answers the lower request at every owner, and says where the role applies', async () => {
  const ben = await makeBenOwner();
  await requestAccess();
  await ben.sees('requested the Viewer role');
  await as('Mira').type('/upnext roles');
  await as('Mira').choose('Request a role', 'Publisher');
  await ben.sees('requested the Publisher role');
  await database.db
    .updateTable('access_request')
    .set({ project: 'p1' })
    .where('role', '=', 'viewer')
    .execute();
  const ana = await as('Ana').inDirectMessage();
  await ana.sees('requested the Publisher role');
  await ana.press('Approve');
  await expect.poll(() => ben.read()).not.toContain('[Approve]');
  expect(ben.read()).not.toContain('in Harbour Coffee');
});

test('an answer that comes before all Owners have the request replaces it there too', async () => {
  await giveRole('Ben', 'Owner');
  const ben = await as('Ben').inDirectMessage();
  await (await as('Ana').modal('Give this role?')).submit();
  await ben.sees('an Owner');
  failSlack(running, {
    method: 'chat.postMessage',
    channel: 'U02BENOKAF',
    fault: 'slow',
    delayMs: 2_000,
    times: 1,
  });
  await requestAccess();
  await (await as('Ana').inDirectMessage()).press('Approve');
  await ben.sees('@Ana Ferreira made @Mira Vos a Viewer.');
  expect(ben.read()).not.toContain('[Approve]');
});

test('an answer isn’t shown to somebody who was asked as an Owner, and isn’t one any more', async () => {
  const ben = await makeBenOwner();
  await requestAccess();
  await ben.sees('[Approve] [Decline]');
  await database.db.deleteFrom('access_grant').where('subject', '=', 'U02BENOKAF').execute();
  await pressAndSee(await seeRequest(), 'Decline', 'declined @Mira Vos’s request');
  await ben.sees('This request was answered.');
  expect(ben.read()).not.toContain('declined');
});

test('an answer isn’t shown in a message whose time Slack didn’t say', async () => {
  const mira = await requestAccess();
  await mira.sees('Request sent');
  const messages = JSON.stringify(['', '1.2'].map((ts) => ({ channel: 'D01', ts, owner: 'U01ANAFERR' })));
  await database.db.updateTable('access_request').set({ messages }).execute();
  await (await as('Ana').inDirectMessage()).press('Decline');
  const listUpdates = () => running.workspace.app.calls('chat.update').map(({ payload }) => payload);
  await expect.poll(listUpdates).toContainEqual(expect.objectContaining({ ts: '1.2' }));
  expect(listUpdates()).toHaveLength(1);
});

test('somebody who has got the role meanwhile doesn’t request it', async () => {
  const mira = as('Mira');
  await mira.type('/upnext posts');
  await giveRole('Mira', 'Contributor');
  await pressAndSee(mira, 'Request access', 'You have the Viewer role or a higher one by now.');
  expect((await as('Ana').inDirectMessage()).read()).not.toContain('requested the Viewer role');
});

test('an approval of a role that the person has already leaves no buttons', async () => {
  await requestAccess();
  const ana = await as('Ana').inDirectMessage();
  await ana.sees('[Approve] [Decline]');
  const grant = { workspace: 'T01HARBOUR', subject_kind: 'person', subject: 'U03MIRAVOS', project: '' };
  const given = { role: 'manager', reason: 'given', granted_by: 'U01ANAFERR', granted_at: NOW };
  await database.db
    .insertInto('access_grant')
    .values({ ...grant, ...given })
    .execute();
  await pressAndSee(ana, 'Approve', '@Mira Vos already has this role or a higher one, so nothing changed.');
  expect(ana.read()).not.toContain('[Approve]');
});

test('a request that reached no owner isn’t said to be with them, and can be sent again', async () => {
  failSlack(running, { method: 'chat.postMessage', fault: 'error', error: 'user_not_found', times: 1 });
  const mira = await requestAccess();
  await mira.sees('I’m not sure that an Owner got your request. Please ask one yourself.');
  await ask(mira, '/upnext roles', 'You don’t have a role yet.');
  expect(mira.messages().at(-1)).not.toContain('You requested');
  await requestAccess();
  await mira.sees('Request sent for the Viewer role.');
  await seeRequest();
});

test('requests that reached no owner count towards the limit of a day, since each sends messages', async () => {
  const asked = { workspace: 'T01HARBOUR', person: 'U03MIRAVOS', role: 'viewer', created_at: NOW };
  const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);
  await database.db
    .insertInto('access_request')
    .values(ids.map((id) => ({ ...asked, id, project: id, requested_at: NOW, messages: '[]' })))
    .execute();
  await (await requestAccess()).sees('There were many requests today. Write to one of the Owners');
});

test('a request whose messages can’t be stored was sent', async () => {
  await sql`create function refuse_messages() returns trigger language plpgsql as
    'begin raise exception ''refused''; end'`.execute(database.db);
  await sql`create trigger refused before update of messages on access_request
    for each row execute function refuse_messages()`.execute(database.db);
  await (await requestAccess()).sees('Request sent for the Viewer role.');
  expect(await readAuditLines(database.db)).toContainEqual(
    expect.stringMatching(/^roles ask \| .* \| done$/),
  );
});

test('a request whose message Slack doesn’t confirm isn’t said to be lost', async () => {
  const mira = as('Mira');
  await mira.type('/upnext posts');
  failSlack(running, { method: 'chat.postMessage', fault: 'cut', commit: 'first', times: 1 });
  await mira.press('Request access');
  await mira.sees('I’m not sure that an Owner got your request. Please ask one yourself.');
  await (await as('Ana').inDirectMessage()).press('Approve');
  await (await mira.inDirectMessage()).sees('made you a Viewer.');
});

test('a request that has waited for a day can be sent again', async () => {
  const mira = await requestAccess();
  await mira.sees('Request sent');
  const dayMs = 24 * 60 * 60 * 1000;
  await database.db
    .updateTable('access_request')
    .set({ requested_at: new Date(NOW.getTime() - dayMs) })
    .execute();
  await askAndPress(mira, '/upnext help', 'Ask again');
  const ana = await as('Ana').inDirectMessage();
  await expect.poll(() => ana.read().match(/requested the Viewer role/g)).toHaveLength(2);
});

test('a role given in the form answers the request, and a later approval says which role it was', async () => {
  const mira = await requestAccess();
  const ana = await seeRequest();
  failUpdates(1);
  await giveRole('Mira', 'Manager');
  await ask(mira, '/upnext roles', 'You’re a Manager in the whole workspace');
  expect(mira.messages().at(-1)).not.toContain('You requested');
  await (await as('Ana').inDirectMessage()).press('Approve');
  await ana.sees('@Ana Ferreira made @Mira Vos a Manager.');
  await ana.in('#general').type('/upnext audit role');
  await ana.sees('made @Mira Vos a Manager');
  expect(ana.messages().at(-1)).not.toContain('gave a role that was asked for');
});

test('a role that the person has isn’t given again, and the request stays open', async () => {
  const mira = as('Mira');
  await mira.type('/upnext roles');
  await mira.choose('Request a role', 'Contributor');
  const ana = await seeRequest();
  await giveRole('Mira', 'Viewer');
  await as('Ana').inDirectMessage();
  const question =
    '<@U03MIRAVOS> requested the *Contributor* role in the whole workspace. Contributors can view posts and templates, and write drafts and prompts.';
  await ana.choose(question, 'Give Viewer instead');
  await ana.sees('@Mira Vos already has this role or a higher one, so nothing changed.');
  await pressAndSee(ana, 'Approve', '@Ana Ferreira made @Mira Vos a Contributor.');
});

test.each([
  ['is a guest by then', 'is a guest. Only full members can have a role.'],
  ['has a deactivated account by then', 'has a deactivated account.'],
])('a role isn’t given to somebody who %s, and can still be declined', async (_name, reason) => {
  await requestAccess();
  const ana = await seeRequest();
  const { admin } = running.workspace;
  if (reason.includes('guest')) admin.changePerson('Mira', { role: 'guest' });
  else admin.deactivate('Mira');
  await pressAndSee(ana, 'Approve', `Not given. @Mira Vos ${reason}`);
  await pressAndSee(ana, 'Decline', '@Ana Ferreira declined @Mira Vos’s request');
});

test('an Owner reads the first answer, even if the person is a guest by then', async () => {
  const ben = await makeBenOwner();
  await requestAccess();
  failUpdates(2);
  await (await as('Ana').inDirectMessage()).press('Decline');
  await ben.sees('[Approve] [Decline]');
  running.workspace.admin.changePerson('Mira', { role: 'guest' });
  await pressAndSee(ben, 'Approve', '@Ana Ferreira declined @Mira Vos’s request for the Viewer role.');
});

test('the Owner role is given after a question that says what Owners may do', async () => {
  await giveRole('Mira', 'Manager');
  const mira = as('Mira');
  await mira.type('/upnext roles');
  await mira.choose('Request a role', 'Owner');
  const ana = await seeRequest();
  await expect(ana.press('Approve')).rejects.toThrow('Owners can do everything, including giving roles');
  await ana.press('Approve', { dialog: 'deny' });
  expect(await mira.inDirectMessage().then((chat) => chat.read())).not.toContain('an Owner');
  await confirmAndSee(ana, 'Approve', 'made @Mira Vos an Owner.');
});

test('a press of the button of an older message, which shows no question, is asked about too', async () => {
  await giveRole('Mira', 'Manager');
  const mira = as('Mira');
  await mira.type('/upnext roles');
  await mira.choose('Request a role', 'Owner');
  const ana = await seeRequest();
  const message = ana.visible().findLast(({ text }) => text.includes('requested the'));
  const actionsBlock = message?.blocks?.find((block) => block.type === 'actions');
  const [approve] = (actionsBlock as { elements?: { value: string; confirm?: object }[] }).elements ?? [];
  // As it was before buttons said that they ask.
  if (approve) Object.assign(approve, { value: approve.value.split(' ')[0], confirm: undefined });
  await pressAndSee(ana, 'Approve', 'Make @Mira Vos an Owner? Owners can do everything');
  expect(await mira.inDirectMessage().then((chat) => chat.read())).not.toContain('an Owner');
  await pressAndSee(ana, 'Give', 'made @Mira Vos an Owner.');
});

test('nobody is told to choose a role if no role is left to choose', async () => {
  await giveRole('Mira', 'Manager');
  const mira = as('Mira');
  await mira.type('/upnext roles');
  await mira.choose('Request a role', 'Owner');
  await seeRequest();
  await ask(mira, '/upnext roles owner', 'I didn’t read “owner”.');
  expect(mira.messages().at(-1)).not.toContain('choose it below');
});

test('if the role can’t be stored, the request isn’t answered', async () => {
  const mira = await requestAccess();
  const ana = await seeRequest();
  await sql`alter table access_grant add constraint refused check (false)`.execute(database.db);
  try {
    await pressAndSee(ana, 'Approve', 'Something went wrong');
  } finally {
    await sql`alter table access_grant drop constraint refused`.execute(database.db);
  }
  await pressAndSee(ana, 'Approve', '@Ana Ferreira made @Mira Vos a Viewer.');
  await (await mira.inDirectMessage()).sees('made you a Viewer.');
});

test('a press that Slack sends twice asks the Owners once', async () => {
  const mira = as('Mira');
  await mira.type('/upnext posts');
  await Promise.all([mira.press('Request access'), mira.press('Request access')]);
  const ana = await seeRequest();
  expect(ana.read().match(/requested the Viewer role/g)).toHaveLength(1);
});

test('a refusal of a form has a button that asks for the role', async () => {
  await giveRole('Mira', 'Contributor');
  await as('Mira').type('/upnext prompt');
  const form = await as('Mira').modal('Create a prompt');
  await database.db.deleteFrom('access_grant').where('subject', '=', 'U03MIRAVOS').execute();
  await fillIn(form, { Title: 'Warm', Prompt: 'Write warmly.' });
  await form.submit();
  const refusal = await as('Mira').modal('Upnext');
  expect(refusal.text()).toContain('You need the Contributor role');
  await refusal.press('Request access');
  await as('Mira').modal('Upnext');
  await (await as('Ana').inDirectMessage()).sees('requested the Contributor role');
});

describe('a command that is refused again and again', () => {
  // Slack limits messages to one a second.
  beforeEach(() => startBot({ limits: false, membersDefaultRole: null, owners: { kind: 'emulator' } }));

  test('30 times leaves one audit entry and a count of the repeats', async () => {
    await emptyAuditRecord(database.db);
    for (let index = 0; index < 30; index += 1) await as('Mira').type('/upnext posts');
    await ask(as('Ana'), '/upnext audit refused', 'again (29 times)');
    expect((await readAuditLines(database.db)).filter((entry) => entry.includes('refused'))).toEqual([
      'list-posts command posts | refused',
      'list-posts command posts | 29 more times | refused',
    ]);
  });

  test('makes at most ten access requests to the owners a day', async () => {
    const ana = await running.workspace.as('Ana').inDirectMessage();
    const countRequests = () => ana.read().split(' requested the ').length - 1;
    for (let index = 0; index < 10; index += 1) {
      await askAndPress(as('Mira'), '/upnext posts', 'Request access');
      await expect.poll(countRequests).toBe(1);
      await ana.press('Decline');
      await expect.poll(countRequests).toBe(0);
    }
    await expect.poll(() => as('Mira').read()).not.toContain('[Request access]');
    await askAndPress(as('Mira'), '/upnext posts', 'Request access', 'There were many requests today');
    expect(countRequests()).toBe(0);
  });
});
