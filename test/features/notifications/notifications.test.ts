import { expect, test } from 'vitest';
import { listChosenNotifications } from '../../../src/preferences/notifications.ts';
import { submitWith } from '../../support/form-steps.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { ana, database } = setUpBot({});

const openForm = (line = '/upnext notifications') => askForForm(ana, line, 'Notifications');
const CHOICES = ['When my posts go out', 'When a post fails or may have failed'];

test('all notifications are on by default, and the form says which ones can’t be turned off', async () => {
  const form = await openForm();
  expect(form.options('Message me')).toEqual(CHOICES);
  expect(form.text()).toContain('I’ll always message you if a post wasn’t scheduled or needs your decision.');
  await form.submit();
  expect(form.text()).toContain(
    'Saved. I’ll message you when your posts go out, and when a post fails or may have failed.',
  );
});

test('a choice applies only to the person who made it, and the form shows it the next time', async () => {
  const form = await openForm('/upnext notify');
  await submitWith(form, { 'Message me': ['When a post fails or may have failed'] });
  expect(form.text()).toContain('Saved. I’ll message you when a post fails or may have failed.');
  const [row] = await database.db.selectFrom('notification_choice').selectAll().execute();
  expect(row).toMatchObject({ published: false, problems: true });
  const { workspace = '', person = '' } = row ?? {};
  expect(await listChosenNotifications(database.db, { workspace, user: person })).toEqual(['problems']);
  expect(await listChosenNotifications(database.db, { workspace, user: 'U_OTHER' })).toEqual([
    'published',
    'problems',
  ]);
  await form.close();
  expect((await openForm()).value('Message me')).toBe('When a post fails or may have failed');
});

test('all optional notifications can be turned off', async () => {
  const form = await openForm();
  await submitWith(form, { 'Message me': [] });
  expect(form.text()).toContain('Saved. I won’t message you after your posts’ times.');
  await form.close();
  expect((await openForm()).value('Message me')).toBe('');
});
