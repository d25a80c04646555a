import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_POLICY, savePolicy } from '../../../src/preferences/project-policy.ts';
import { submitLine } from '../../support/filled-form.ts';
import { fillIn } from '../../support/form-steps.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, setPolicy, startBot } = setUpBot();
const CANNOT_EDIT = 'You can’t edit or delete it from Slack after that.';

beforeEach(() =>
  startWithTwoProjects(startBot, { membersDefaultRole: 'publisher', owners: { kind: 'emulator' } }),
);

const as = (name: string) => running.workspace.as(name).in('#general');
const ana = () => as('Ana');

async function openPostForm(name = 'Ana', outlook = CANNOT_EDIT) {
  await (await askForForm(as(name), '/schedule-post', 'Schedule a post')).choose('Project', 'Harbour Coffee');
  await as(name).sees(outlook);
  return as(name).modal('Schedule a post');
}

const QUESTION = 'Should posts of this project stay editable?';
const findPolicyRow = () =>
  database.db
    .selectFrom('project_policy')
    .select('lead_minutes')
    .where('project', '=', 'p1')
    .executeTakeFirst();

test.each([
  ['Keep them until 1 hour before', 60, 'Editable until 1 hour before it goes out.'],
  ['Send them at once', null, CANNOT_EDIT],
])('a manager is asked once, and [%s] is the policy for everybody', async (answer, lead, outlook) => {
  const form = await openPostForm();
  await ana().sees(QUESTION);
  await form.fill('Text', 'Open at nine');
  await form.press(answer);
  await expect.poll(() => form.text()).not.toContain(QUESTION);
  expect(form.text()).toContain(outlook);
  expect(form.value('Text')).toBe('Open at nine');
  expect((await findPolicyRow())?.lead_minutes).toBe(lead);
  await form.close();
  expect((await openPostForm('Ana', outlook)).text()).not.toContain(QUESTION);
});

test.each([
  ['Send them at once', 120, 'Editable until 2 hours before it goes out.'],
  ['Keep them until 1 hour before', undefined, CANNOT_EDIT],
])('[%s] changes nothing if somebody has decided meanwhile', async (answer, leadMinutes, outlook) => {
  const form = await openPostForm();
  await ana().sees(QUESTION);
  const key = { workspace: 'T01HARBOUR', project: 'p1' };
  await savePolicy(database.db, key, { ...DEFAULT_POLICY, leadMinutes });
  await form.press(answer);
  await expect.poll(() => form.text()).not.toContain(QUESTION);
  expect(form.text()).toContain(outlook);
  expect((await findPolicyRow())?.lead_minutes).toBe(leadMinutes ?? null);
});

test('a post is kept editable if [Schedule] is pressed while the answer is still being stored', async () => {
  const form = await openPostForm();
  await ana().sees(QUESTION);
  await fillIn(form, { Text: 'Open at nine', Platforms: ['X'], When: '1 Dec 9am' });
  await ana().sees('Tue 1 Dec, 09:00');
  const answering = form.press('Keep them until 1 hour before');
  await form.submit();
  await answering;
  await ana().sees('Editable until Tue 1 Dec, 08:00');
  expect(running.service.created()).toEqual([]);
  expect(await database.db.selectFrom('held_post').select('state').execute()).toEqual([{ state: 'held' }]);
});

test('people who can’t change the policy aren’t asked', async () => {
  const form = await openPostForm('Mira');
  expect(form.text()).toContain(CANNOT_EDIT);
  expect(form.text()).not.toContain(QUESTION);
});

test('receipts and lists don’t ask', async () => {
  await submitLine(ana(), '/schedule-post tomorrow 9am on x for Harbour Coffee: Ana opens at nine');
  await ana().sees('Scheduled for');
  expect(ana().messages().at(-1)).not.toMatch(/editable|edit or delete/);
});

test('the list of projects shows the policies that aren’t the default', async () => {
  await setPolicy({ leadMinutes: 60, review: 'required' });
  await as('Mira').type('/upnext projects');
  await as('Mira').sees('• Harbour Coffee · editable until 1 hour before · required review');
  await as('Mira').sees('See how posts are kept and reviewed with /upnext policy.');
});
