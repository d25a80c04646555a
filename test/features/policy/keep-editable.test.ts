import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_POLICY, savePolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, startBot } = setUpBot();
const KEEP = 'Keep them editable until shortly before their time';
const CANNOT_EDIT = 'You can’t edit or delete it from Slack.';

beforeEach(async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'publisher', owners: { kind: 'emulator' } });
});

const as = (name: string) => running.workspace.as(name).in('#general');
const ana = () => as('Ana');

async function openPostForm(name = 'Ana') {
  await as(name).type('/schedule-post');
  const form = await as(name).modal('Schedule a post');
  await form.choose('Project', 'Harbour Coffee');
  await as(name).sees('edit or delete');
  return as(name).modal('Schedule a post');
}

test('under “You can’t edit”, a manager chooses to keep posts editable, and new posts say until when', async () => {
  await openPostForm();
  await ana().sees('Keep posts editable');
  const form = await ana().modal('Schedule a post');
  expect(form.text()).toContain(CANNOT_EDIT);
  await form.press('Keep posts editable');
  const policyForm = await ana().modal('Policy');
  expect(policyForm.text()).toContain('Harbour Coffee');
  await policyForm.choose('When posts go to the scheduling service', KEEP);
  await ana().sees('Hand posts over this long before they go out');
  await (await ana().modal('Policy')).submit();
  await ana().type('/schedule-post tomorrow 9am on x for Harbour Coffee: Open at nine');
  await ana().sees('I’ll hand it over to the scheduling service in time.');
  expect(ana().read()).not.toContain('[Keep posts editable]');
});

test('the receipt of a scheduled post offers it to managers only', async () => {
  for (const name of ['Ana', 'Ben']) {
    await as(name).type(`/schedule-post tomorrow 9am on x for Harbour Coffee: ${name} opens at nine`);
    await as(name).press('Schedule');
    await as(name).sees('Scheduled for');
  }
  expect(as('Ana').messages().at(-1)).toContain('[Keep posts editable]');
  expect(as('Ben').messages().at(-1)).not.toContain('[Keep posts editable]');
  await ana().press('Keep posts editable');
  await ana().sees('When posts go to the scheduling service');
});

test('the receipt of a form offers it too', async () => {
  const form = await openPostForm();
  await form.fill('Text', 'Open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', 'tomorrow 9am');
  await form.submit();
  await ana().sees('Scheduled for');
  await ana().sees('[Keep posts editable]');
});

test('people who can’t change the policy don’t see the button', async () => {
  const form = await openPostForm('Mira');
  expect(form.text()).toContain(CANNOT_EDIT);
  expect(form.text()).not.toContain('Keep posts editable');
});

test('the explanation that posts can’t be edited offers it too', async () => {
  running.service.on('GET /posts', data([]));
  await ana().type('/upnext edit Harbour Coffee');
  await ana().sees('[Keep posts editable]');
  await as('Mira').type('/upnext edit Harbour Coffee');
  await as('Mira').sees('Harbour Coffee has no scheduled posts.');
  expect(as('Mira').read()).not.toContain('[Keep posts editable]');
});

test('the list of projects shows the policies that aren’t the default', async () => {
  const policy = { ...DEFAULT_POLICY, leadMinutes: 60, review: 'required' } as const;
  const key = { workspace: 'T01HARBOUR', project: 'p1' };
  await savePolicy(database.db, key, policy, { changedBy: 'U01ANAFERR', changedAt: NOW });
  await as('Mira').type('/upnext projects');
  await as('Mira').sees('• Harbour Coffee · editable until 1 hour before · required review');
  await as('Mira').sees('See how posts are kept and reviewed with /upnext policy.');
});
