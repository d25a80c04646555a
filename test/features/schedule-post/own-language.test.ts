import { beforeEach, expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
});

async function understoodFor(person: string, words: string): Promise<Record<string, unknown> | undefined> {
  const writer = running.workspace.as(person).in('#harbour-coffee');
  await writer.type('/schedule-post');
  const form = await writer.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', words);
  await form.submit();
  return running.service.created().at(-1);
}

test('a person whose Slack is German writes the moment in German', async () => {
  expect(await understoodFor('Mira', 'morgen um 8 Uhr 30')).toMatchObject({
    ScheduleDate: '2026-11-21T08:30:00+01:00',
    Timezone: 'Europe/Berlin',
  });
});

test('and may write it in English all the same', async () => {
  expect(await understoodFor('Mira', 'tomorrow half past 8 in the morning')).toMatchObject({
    ScheduleDate: '2026-11-21T08:30:00+01:00',
  });
});

test('what is German to a person whose Slack is English is not guessed at', async () => {
  expect(await understoodFor('Ana', 'morgen um 8 Uhr 30')).toBeUndefined();
});
