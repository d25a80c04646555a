import { beforeEach, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { NOW } from '../../support/bot.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

/** Mira is a Manager of Night Market Books (p2), and her user group is one of Harbour Coffee (p1). */

const { database, running, startBot } = setUpBot();
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
