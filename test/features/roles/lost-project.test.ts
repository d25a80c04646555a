import { beforeEach, expect, test } from 'vitest';
import { showMoreOptions } from '../../support/filled-form.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { grantBen, revokeBen, startWithTwoProjects } from '../../support/two-projects.ts';

/** Ben manages both projects, until he loses his role in Night Market Books. */
const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startWithTwoProjects(startBot, {
    membersDefaultRole: null,
    pace: { reconcileDelaysMs: [10], retryBackoff: { firstMs: 60_000, maxMs: 60_000 } },
  });
  for (const project of ['p1', 'p2']) await grantBen(database.db, 'manager', project);
});

const REFUSED = 'You need the ';
const ben = () => running.workspace.as('Ben').in('#harbour-coffee');
const takeRoleBack = () => revokeBen(database.db, 'p2');

/** Submits a post for Night Market Books as Ben. */
async function submitAsBen() {
  await ben().type('/schedule-post');
  const form = await ben().modal('Schedule a post');
  await form.choose('Project', 'Night Market Books');
  await form.fill('Text', 'New shelves');
  await form.choose('Platforms', ['X']);
  await form.fill('When', '1 Dec 9am');
  expect((await form.submit()).errors).toEqual({});
}

test('a person who lost access to a project can’t open its posts from an older list', async () => {
  running.service.on(
    'GET /posts',
    data([{ Id: 'a', Content: 'New shelves', Status: 'SCHEDULED', ScheduleDate: '2026-11-25T09:00:00Z' }]),
  );
  await ben().type('/upnext edit Night Market Books');
  await ben().sees('New shelves');
  await takeRoleBack();
  await ben().press('Duplicate');
  await ben().sees(REFUSED);
});

test('a person who lost access to a project can’t share their own post in the project', async () => {
  await submitAsBen();
  await ben().sees('[Share with channel]');
  await takeRoleBack();
  await ben().press('Share with channel');
  await ben().sees(REFUSED);
  const rows = await database.db.selectFrom('submission').select('shared_at').execute();
  expect(rows).toEqual([{ shared_at: null }]);
});

test('a person who lost access to a project can’t duplicate their own post in the project', async () => {
  await submitAsBen();
  await ben().sees('[Duplicate]');
  await takeRoleBack();
  await ben().press('Duplicate');
  await ben().sees(REFUSED);
});

test('a person who lost access to a project can’t submit a form that they opened for it', async () => {
  running.service.on('GET /sources', data([{ Id: 's', Name: 'Blog', Source: { Source: 'a feed' } }]));
  await ben().type('/update-source Night Market Books blog');
  const form = await ben().modal('Update a source');
  await form.fill('Value', 'another feed');
  await takeRoleBack();
  const { view } = await form.submit();
  expect(view?.text()).toContain(REFUSED);
  expect(view?.text()).not.toContain('a feed');
});

test('a person who lost access to a project can’t check whether their own post in the project was sent', async () => {
  running.service.on('POST /posts', json(500, 'oops'));
  await submitAsBen();
  await (await ben().modal('Not sure')).close();
  await takeRoleBack();
  await ben().type('/upnext outbox');
  await ben().press('Check again');
  await ben().sees('I didn’t check');
});

test('a person who lost access to a project can’t discard another author’s post that was moved to the project', async () => {
  await takeRoleBack();
  running.service.on('POST /posts', json(429, {}));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.choose('Project', 'Harbour Coffee');
  await form.fill('Text', 'New shelves');
  await form.choose('Platforms', ['X']);
  await form.fill('When', 'today 13:30');
  await (await form.submit()).view?.close();
  await ben().type('/upnext outbox');
  await ben().sees('Sent by');
  await ana.type('/upnext outbox');
  await ana.press('Edit');
  const reopenedForm = await ana.modal('Schedule a post');
  await reopenedForm.choose('Project', 'Night Market Books');
  await (await reopenedForm.submit()).view?.close();
  await ben().press('Discard', { dialog: 'confirm' });
  await ben().sees('This button isn’t yours');
  const rows = await database.db.selectFrom('submission').select(['project', 'state']).execute();
  expect(rows).toContainEqual({ project: 'p2', state: 'retryable' });
});

test('a person who lost access to a project can’t save their own overdue post in the project as a draft', async () => {
  running.service.on('POST /posts', json(429, {}));
  await submitAsBen();
  await (await ben().modal('Waiting')).close();
  const overdue = { state: 'needs-person', reason: 'overdue', next_at: null, lease_until: null } as const;
  await database.db.updateTable('submission').set(overdue).execute();
  running.service.on('POST /posts', data({ Id: 'made' }));
  const sentCount = running.service.created().length;
  await ben().type('/upnext outbox');
  await ben().sees('[Save as draft]');
  await takeRoleBack();
  await ben().press('Save as draft');
  await ben().sees('You no longer have');
  expect(running.service.created()).toHaveLength(sentCount);
});

test('a person who may only save drafts by now is offered all that they had typed into a post', async () => {
  await ben().type('/schedule-post');
  const form = await ben().modal('Schedule a post');
  await form.choose('Project', 'Night Market Books');
  await form.fill('Text', 'New shelves');
  await form.choose('Platforms', ['X']);
  await form.fill('When', '1 Dec 9am');
  await showMoreOptions(ben(), form);
  await form.fill('Media', 'https://example.com/shelves.jpg');
  await expect.poll(() => form.labels()).toContain('Alt text');
  await form.fill('Alt text', 'A shelf');
  await takeRoleBack();
  await grantBen(database.db, 'contributor', 'p2');
  const { view } = await form.submit();
  expect(view?.text()).toContain(REFUSED);
  await view?.close();
  await form.close();
  await ben().type('/schedule-post');
  await (await ben().modal('Schedule a post')).press('Continue');
  await ben().sees('New shelves');
  const continuedForm = await ben().modal('Schedule a post');
  await expect.poll(() => continuedForm.labels()).toContain('Alt text');
  expect(continuedForm.value('Alt text')).toBe('A shelf');
});
