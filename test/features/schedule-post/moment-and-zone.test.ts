import { beforeEach, expect, test } from 'vitest';
import { showMoreOptions } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ana, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
});

async function openForm() {
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Platforms', ['X']);
  await showMoreOptions(ana, form);
  return { ana, form };
}

test('a zone in the text changes the zone field, which changes back when that zone is deleted from the text', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', '1 Dec 9am in Tokyo');
  await ana.sees('Tue 1 Dec, 09:00 (Tokyo)');
  await ana.sees('For you: Tue 1 Dec, 00:00 (Lisbon)');
  expect(form.value('Time zone')).toContain('Asia/Tokyo');
  expect(form.value('When')).toBe('1 Dec 9am in Tokyo');
  await form.fill('When', '1 Dec 9am');
  await ana.sees('Tue 1 Dec, 09:00 (Lisbon)');
  expect(form.value('Time zone')).toContain('Europe/Lisbon');
  expect(form.value('Text')).toBe('We open at nine');
});

test('a time that takes too long to parse has an error under its field, which keeps its text', async () => {
  const { ana, form } = await openForm();
  const longText =
    '17:30 q1 to monday jaunary hanukkah noon in Berlin Berlin noon the 15th monday of easter 5 weekend 9 03/04 16.12 8 15th a - weekend 15th / a quarter weekend 15th / dec & P.S.T. 3/4 5 past 5';
  await form.fill('When', longText);
  await ana.sees('Too long to read. Use fewer words.');
  expect(form.value('When')).toBe(longText);
  expect((await form.submit()).errors.When).toContain('Too long to read. Use fewer words.');
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
  await form.fill('When', '1 Dec 9am');
  await form.submit();
  await ana.sees('Scheduled for');
  expect(running.service.created()).toMatchObject([{ Content: 'We open at nine' }]);
});

test('one press answers the question about an ambiguous time, and the chosen time is sent', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', '31 October 2027 01:30 Berlin time');
  await form.fill('When', '31 October 2027 02:30 Berlin time');
  await ana.sees('Which time did you mean? Times are in Berlin.');
  expect((await form.submit()).errors.When).toBe('Choose a time below.');
  expect(form.text().match(/02:30/g)).toHaveLength(3);
  await form.press('Sun 31 Oct 2027, 02:30 (UTC+01:00)');
  await ana.sees(':calendar: Sun 31 Oct 2027, 02:30 (Berlin, UTC+01:00)');
  expect(form.value('When')).toBe('Sun 31 Oct 2027, 02:30 (Berlin, UTC+01:00)');
  expect(form.value('Time zone')).toContain('Europe/Berlin');
  await form.submit();
  await ana.sees('Scheduled for');
  expect(running.service.created()).toMatchObject([
    { ScheduleDate: '2027-10-31T02:30:00+01:00', Timezone: 'Europe/Berlin', Content: 'We open at nine' },
  ]);
});

test('each choice for an ambiguous time is shown once, and its zone is named once', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', 'tomorrow at 7');
  await ana.sees('[Sat 21 Nov, 19:00]');
  await form.submit();
  expect(form.text().match(/19:00/g)).toHaveLength(1);
  expect(form.text().match(/Times are in Lisbon/g)).toHaveLength(1);
  await form.press('Sat 21 Nov, 19:00');
  await ana.sees(':calendar: Sat 21 Nov, 19:00 (Lisbon)');
});

test('a date that doesn’t exist is named while typing and on submission, and one press takes the suggested date', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', '31 feb 9am');
  await ana.sees('31 Feb doesn’t exist. Did you mean Sun 28 Feb 2027, 09:00?');
  expect((await form.submit()).errors.When).toBe(
    '31 Feb doesn’t exist. Did you mean Sun 28 Feb 2027, 09:00?',
  );
  await form.press('Sun 28 Feb 2027, 09:00 (Lisbon)');
  await ana.sees(':calendar: Sun 28 Feb 2027, 09:00 (Lisbon)');
});

test('the channel’s zone is preselected', async () => {
  await ana.type('/upnext zone here Tokyo');
  await ana.sees('Posts from this channel now use Tokyo');
  const { form } = await openForm();
  expect(form.value('Time zone')).toContain('Asia/Tokyo');
  await form.fill('When', '1 Dec 9am');
  await ana.sees('For you: Tue 1 Dec, 00:00 (Lisbon)');
});
