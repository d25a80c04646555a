import { beforeEach, describe, expect, test } from 'vitest';
import { listChosenNotifications } from '../../../src/preferences/notifications.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ana, database, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
});

const openForm = async (line = '/upnext notifications') => {
  await ana.type(line);
  return ana.modal('Notifications');
};
const CHOICES = ['When my posts go out', 'When a post fails or may have failed'];

describe('the form', () => {
  test('all notifications are on by default, and the form says which ones can’t be turned off', async () => {
    const form = await openForm();
    expect(form.options('Message me')).toEqual(CHOICES);
    expect(form.text()).toContain(
      'I’ll always message you if a post wasn’t scheduled or needs your decision.',
    );
    await form.submit();
    expect(form.text()).toContain(
      'Saved. I’ll message you when your posts go out, and when a post fails or may have failed.',
    );
  });

  test('a choice applies only to the person who made it, and the form shows it the next time', async () => {
    const form = await openForm('/upnext notify');
    await form.choose('Message me', ['When a post fails or may have failed']);
    await form.submit();
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
    const nextForm = await openForm();
    expect(nextForm.value('Message me')).toBe('When a post fails or may have failed');
  });

  test('all optional notifications can be turned off', async () => {
    const form = await openForm();
    await form.choose('Message me', []);
    await form.submit();
    expect(form.text()).toContain('Saved. I won’t message you after your posts’ times.');
    await form.close();
    const nextForm = await openForm();
    expect(nextForm.value('Message me')).toBe('');
  });
});
