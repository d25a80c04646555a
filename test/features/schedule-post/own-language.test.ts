import { beforeEach, expect, test } from 'vitest';
import { postTexts } from '../../../src/features/schedule-post/sent/post-content.ts';
import { composePost } from '../../../src/features/schedule-post/sent/post-submission.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ben, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
});

async function schedulePostAs(person: string, when: string): Promise<Record<string, unknown> | undefined> {
  const author = running.workspace.as(person).in('#harbour-coffee');
  await author.type('/schedule-post');
  const form = await author.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', when);
  await form.submit();
  return running.service.created().at(-1);
}

test('a person whose Slack is in German can write the time in German', async () => {
  expect(await schedulePostAs('Mira', 'morgen um 8 Uhr 30')).toMatchObject({
    ScheduleDate: '2026-11-21T08:30:00+01:00',
    Timezone: 'Europe/Berlin',
  });
});

test('a person whose Slack is in German reads the time in German', async () => {
  const mira = running.workspace.as('Mira').in('#harbour-coffee');
  await mira.type('/schedule-post');
  const form = await mira.modal('Schedule a post');
  await form.fill('When', '1. Dezember um 9 Uhr 15');
  await mira.sees('Di., 1. Dez., 09:15 (Berlin)');
});

test('a person whose Slack is in English can also write the time in German', async () => {
  expect(await schedulePostAs('Ana', 'morgen um 8 Uhr 30')).toMatchObject({
    ScheduleDate: '2026-11-21T08:30:00+00:00',
    Timezone: 'Europe/Lisbon',
  });
});

test('a person whose Slack is in American English reads one clock, from the form to the list', async () => {
  await ben.type('/schedule-post');
  const form = await ben.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', '1 Dec quarter past 9 in Berlin');
  await ben.sees('Read as 9:15 AM, not 9:15 PM.');
  await ben.sees('Tue 1 Dec, 9:15 AM (Berlin)');
  await ben.sees('For you: Tue 1 Dec, 3:15 AM (New York)');
  await form.submit();
  await ben.sees('Scheduled for Tue 1 Dec, 9:15 AM (Berlin).');
  await ben.sees('For you: Tue 1 Dec, 3:15 AM (New York)');
  await ben.sees('Read as 9:15 AM, not 9:15 PM.');
});

test('somebody else reads the times of a post with their own clock', () => {
  const moment = {
    instant: new Date('2026-12-01T08:15:00Z'),
    zone: 'Europe/Berlin',
    notes: ['09:15, not 21:15.'],
  };
  const { content } = composePost({
    ...{ project: { id: 'a', name: 'Harbour Coffee' }, text: 'Open', media: '', platforms: ['X'] },
    ...{ isDraft: false, zone: 'Europe/Berlin', moment },
  });
  const post = { ...content, actorZone: 'America/New_York', actorLocale: 'en-US' };
  const read = (reader?: { locale: string }) =>
    JSON.stringify(postTexts.renderDetails(post, { now: new Date('2026-11-20T10:00:00Z'), reader }));
  expect(read()).toMatch(/For you: Tue 1 Dec, 3:15 AM \(New York\).*9:15 AM, not 9:15 PM\./);
  expect(read({ locale: 'de-DE' })).toMatch(/For you: Tue 1 Dec, 03:15 \(New York\).*09:15, not 21:15\./);
});

test('a line without a command may be in the language of its author', async () => {
  const mira = running.workspace.as('Mira').in('#harbour-coffee');
  await mira.type('/upnext Übermorgen um halb zehn auf x und linkedin: Neue Röstung');
  const form = await mira.modal('Schedule a post');
  expect(['Text', 'Platforms', 'When'].map((label) => form.value(label))).toEqual([
    'Neue Röstung',
    'X, LinkedIn',
    'Übermorgen um halb zehn',
  ]);
  await form.close();
  await mira.type('/upnext nächste Woche auf x');
  await mira.sees('Mon 23 Nov to Sun 29 Nov');
  // Nobody whose Slack is in English means days by that.
  await running.workspace.as('Ana').in('#harbour-coffee').type('/upnext nächste Woche auf x');
  await running.workspace.as('Ana').in('#harbour-coffee').sees('I don’t know “nächste”.');
});
