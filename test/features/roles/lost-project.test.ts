import { beforeEach, expect, test } from 'vitest';
import { continuePost, showMoreOptions } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, confirmAndSee } from '../../support/steps.ts';
import { grantBen, revokeBen, startWithTwoProjects } from '../../support/two-projects.ts';

/** Ben manages both projects, until he loses his role in Night Market Books. */
const { ana, ben, database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startWithTwoProjects(startBot, {
    membersDefaultRole: null,
    pace: { reconcileDelaysMs: [10], retryBackoff: { firstMs: 60_000, maxMs: 60_000 } },
  });
  for (const project of ['p1', 'p2']) await grantBen(database.db, 'manager', project);
});

const REFUSED = 'You need the ';
const takeRoleBack = () => revokeBen(database.db, 'p2');

test('a person who lost access to a project can’t discard another author’s post that was moved to the project', async () => {
  await takeRoleBack();
  running.service.on('POST /posts', json(429, {}));
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Project: ['Harbour Coffee'], Text: 'New shelves', Platforms: ['X'] });
  await (await submitWith(form, { When: 'today 13:30' })).view?.close();
  await ask(ben, '/upnext outbox', 'Sent by');
  const reopenedForm = await askForForm(ana, '/upnext outbox', 'Schedule a post', 'Edit');
  await (await submitWith(reopenedForm, { Project: ['Night Market Books'] })).view?.close();
  await confirmAndSee(ben, 'Discard', 'This button isn’t yours');
  const rows = await database.db.selectFrom('submission').select(['project', 'state']).execute();
  expect(rows).toContainEqual({ project: 'p2', state: 'retryable' });
});

test('a person whose projects are gone isn’t told that the service has none', async () => {
  running.service.on('GET /projects', data([{ Id: 'p3', Name: 'Corner Bakery' }]));
  for (const line of ['/upnext', '/upnext projects', '/upnext posts', '/upnext status', '/schedule-post']) {
    await ben.type(line);
    await expect
      .poll(() => ben.messages().at(-1), { message: line })
      .toContain('I found none of your projects.');
  }
  await running.workspace.as('Ben').home('I found none of your projects.');
});

test('a person who may only save drafts by now is offered all that they had typed into a post', async () => {
  const form = await askForForm(ben, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Project: ['Night Market Books'], Text: 'New shelves', Platforms: ['X'] });
  await form.fill('When', '1 Dec 9am');
  await showMoreOptions(ben, form);
  await form.fill('Media', 'https://example.com/shelves.jpg');
  await expect.poll(() => form.labels()).toContain('Alt text');
  await form.fill('Alt text', 'A shelf');
  await takeRoleBack();
  await grantBen(database.db, 'contributor', 'p2');
  const { view } = await form.submit();
  expect(view?.text()).toContain(REFUSED);
  await view?.close();
  await form.close();
  const continuedForm = await continuePost(ben);
  await ben.sees('New shelves');
  await expect.poll(() => continuedForm.labels()).toContain('Alt text');
  expect(continuedForm.value('Alt text')).toBe('A shelf');
});
