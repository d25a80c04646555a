import { beforeEach, describe, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { NOW } from '../../support/bot.ts';
import { continuePost, showMedia, showMoreOptions } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { data, json } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee } from '../../support/steps.ts';
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

test('a person who lost access to a project can’t cancel another author’s post that was moved to the project', async () => {
  await takeRoleBack();
  running.service.on('POST /posts', json(429, {}));
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'New shelves', Platforms: ['X'] });
  await (await submitWith(form, { When: 'today 13:30' })).view?.close();
  await ask(ben, '/upnext outbox', 'Author: @Ana Ferreira');
  const reopenedForm = await askForForm(ana, '/upnext outbox', 'Schedule a post', 'Edit');
  await showMoreOptions(ana, reopenedForm);
  await (await submitWith(reopenedForm, { Project: ['Night Market Books'] })).view?.close();
  await pressAndSee(ben, 'Cancel post', 'This button isn’t yours');
  const rows = await database.db.selectFrom('submission').select(['project', 'state']).execute();
  expect(rows).toContainEqual({ project: 'p2', state: 'retryable' });
});

test('a person who lost access to a project can’t go on in a form that names the project only in its last line', async () => {
  const form = await askForForm(ben, '/schedule-post for Night Market Books: New shelves', 'Schedule a post');
  expect(form.text()).toContain('For Night Market Books · ');
  expect(form.labels()).not.toContain('Project');
  await takeRoleBack();
  await form.press('Preview');
  await ben.sees(REFUSED);
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
  await showMoreOptions(ben, form);
  await fillIn(form, { Project: ['Night Market Books'], Text: 'New shelves', Platforms: ['X'] });
  await form.fill('When', '1 Dec 9am');
  await showMedia(ben, form);
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

describe('while Slack doesn’t say who is in a user group', () => {
  /** Mira is a Manager of Night Market Books (p2), and her user group is one of Harbour Coffee (p1). */

  const mira = () => running.workspace.as('Mira').in('#general');

  beforeEach(async () => {
    await startWithTwoProjects(startBot, { membersDefaultRole: null });
    const { admin } = running.workspace;
    const group = admin.addGroup('@editors', ['Mira'], { name: 'Editors' });
    const given = { role: 'manager', reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: NOW } as const;
    const grant = { ...given, workspace: 'T01HARBOUR' };
    await saveGrant(database.db, { ...grant, subjectKind: 'person', subject: 'U03MIRAVOS', project: 'p2' });
    await saveGrant(database.db, { ...grant, subjectKind: 'group', subject: group, project: 'p1' });
    failSlack(running, { method: 'usergroups.users.list', fault: 'error', error: 'internal_error' });
  });

  test('/upnext resume doesn’t say that nothing is stopped', async () => {
    const stop = { reason: 'wrong copy', since: NOW, stoppedBy: 'U01ANAFERR' };
    await stopSending(database.db, stop, { workspace: 'T01HARBOUR', project: 'p1' });
    for (const command of ['/upnext resume', '/upnext resume Harbour Coffee']) {
      await ask(mira(), command, 'I couldn’t check your permissions. Try again.');
      // Slack has emptied the message field.
      await mira().sees(`You typed:\n${command}`);
    }
    expect(mira().read()).not.toMatch(/No project|I know no/);
  });

  test('the list of projects says that some couldn’t be read', () =>
    ask(mira(), '/upnext projects', 'One project', '1 more couldn’t be read.'));

  test('another project isn’t taken for the only one', async () => {
    await ask(mira(), '/upnext policy Harbour Coffee', 'Which project?');
    const form = await askForForm(mira(), '/upnext stop Harbour Coffee', 'Stop sending?');
    expect(form.value('Project')).toBe('');
  });

  test('/upnext roles says that there may be more roles', async () => {
    await ask(mira(), '/upnext roles', 'You’re a Manager in Night Market Books');
    await mira().sees('I couldn’t look up all your roles, so you may have more. Try again in a minute.');
  });
});
