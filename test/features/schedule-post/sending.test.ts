import { describe, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

describe.each(['socket', 'http'] as const)('a post scheduled with Slack in %s mode', (mode) => {
  test('a post is confirmed with project, time, platforms and text, and reaches the service unchanged', async () => {
    await startBot({ mode, isEmulated: true });
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    expect(form.labels()).toEqual(['Text', 'Platforms', 'When', 'When you submit']);
    expect(form.text()).toContain('Project: Harbour Coffee');
    await form.fill('Text', 'We open at nine <!channel> & <b>');
    await form.choose('Platforms', ['X', 'LinkedIn']);
    await form.fill('When', '1 Dec 9am');
    await ana.sees('Tue 1 Dec, 09:00 (Lisbon)');
    const submitted = await form.submit();
    expect(submitted.errors).toEqual({});
    expect(submitted.closed).toBe(true);
    await ana.sees('Scheduled for Tue 1 Dec, 09:00 (Lisbon).');
    const text = ana.messages('#harbour-coffee').at(-1);
    for (const part of ['Harbour Coffee ·', 'X and LinkedIn', 'We open at nine <!channel> & <b>']) {
      expect(text).toContain(part);
    }
    expect(running.service.created()).toEqual([
      {
        Content: 'We open at nine <!channel> & <b>',
        ScheduleDate: '2026-12-01T09:00:00+00:00',
        Timezone: 'Europe/Lisbon',
        Platforms: ['X', 'LINKEDIN'],
        Status: 'SCHEDULED',
      },
    ]);
    await ana.press('Share with channel');
    await ana.sees('Shared with');
    const sharedMessage = ana.messages('#harbour-coffee').at(-1);
    expect(sharedMessage).toContain('We open at nine <!channel> & <b>');
    expect(sharedMessage).toContain('Scheduled by Ana Ferreira');
    await ana.press('New post');
    await ana.modal('Schedule a post');
    expect(running.logged.filter((line) => line.includes('We open'))).toEqual([]);
  });
});

test('an outdated button doesn’t share a post again', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running);
  await form.submit();
  await ana.sees('[Share with channel]');
  await database.db.updateTable('submission').set({ shared_at: new Date() }).execute();
  const earlierCount = ana.messages('#harbour-coffee').length;
  await ana.press('Share with channel');
  await ana.sees('already shared');
  expect(ana.messages('#harbour-coffee')).toHaveLength(earlierCount);
});
