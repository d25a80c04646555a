import { expect, test } from 'vitest';
import { postTexts } from '../../../src/features/schedule-post/sent/post-content.ts';
import { composePost } from '../../../src/features/schedule-post/sent/post-submission.ts';
import { openFilledForm, showMoreOptions, submitFilledForm } from '../../support/filled-form.ts';
import { expectParts, fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, seeAll } from '../../support/steps.ts';

const { ana, ben, running, startBot } = setUpBot({});

async function openForm() {
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'] });
  await showMoreOptions(ana, form);
  return { ana, form };
}

test('a zone in the text changes the zone field, which changes back when that zone is deleted from the text', async () => {
  const { ana, form } = await openForm();
  await form.fill('When', '1 Dec 9am in Tokyo');
  await seeAll(ana, 'Tue 1 Dec, 09:00 (Tokyo)', 'For you: Tue 1 Dec, 00:00 (Lisbon)');
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
  expect((await form.submit()).errors.When).toBe(NOTE_BELOW);
  expect(form.value('Text')).toBe('We open at nine');
  expect(running.service.created()).toEqual([]);
  await submitWith(form, { When: '1 Dec 9am' });
  await ana.sees('Scheduled ·');
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
  await ana.sees('Scheduled ·');
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
  expect((await form.submit()).errors.When).toBe(NOTE_BELOW);
  await form.press('Sun 28 Feb 2027, 09:00 (Lisbon)');
  await ana.sees(':calendar: Sun 28 Feb 2027, 09:00 (Lisbon)');
});

test('a problem is shown once, also if the form is submitted before the line below the field is there', async () => {
  const { ana, form } = await openForm();
  const [, { errors }] = await Promise.all([form.fill('When', '31 feb 9am'), form.submit()]);
  await ana.sees('31 Feb doesn’t exist. Did you mean Sun 28 Feb 2027, 09:00?');
  expect(errors).toEqual({ When: NOTE_BELOW });
  expect(form.text().match(/31 Feb doesn’t exist/g)).toHaveLength(1);
});

test('the channel’s zone is preselected', async () => {
  await ask(ana, '/upnext zone here Tokyo', 'Posts from this channel now use Tokyo');
  const { form } = await openForm();
  expect(form.value('Time zone')).toContain('Asia/Tokyo');
  await form.fill('When', '1 Dec 9am');
  await ana.sees('For you: Tue 1 Dec, 00:00 (Lisbon)');
});

async function schedulePostAs(person: string, when: string, shown: string) {
  const author = running.workspace.as(person).in('#harbour-coffee');
  const form = await askForForm(author, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: when });
  await author.sees(shown);
  await form.submit();
  return running.service.created().at(-1);
}

test.each([
  ['Mira', 'in German, and reads it so', 'Sa., 21. Nov., 08:30 (Berlin)', '+01:00', 'Europe/Berlin'],
  ['Ana', 'also if Slack is in English', 'Sat 21 Nov, 08:30 (Lisbon)', '+00:00', 'Europe/Lisbon'],
])('%s can write the time in German: %s', async (person, _how, shown, offset, zone) => {
  const sent = await schedulePostAs(person, 'morgen um 8 Uhr 30', shown);
  expect(sent).toMatchObject({ ScheduleDate: `2026-11-21T08:30:00${offset}`, Timezone: zone });
});

test('a person whose Slack is in American English reads one clock, from the form to the list', async () => {
  const form = await askForForm(ben, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], When: '1 Dec quarter past 9 in Berlin' });
  await seeAll(ben, 'Read as 9:15 AM, not 9:15 PM.', 'Tue 1 Dec, 9:15 AM (Berlin)');
  await ben.sees('For you: Tue 1 Dec, 3:15 AM (New York)');
  await form.submit();
  await seeAll(ben, 'Scheduled · Tue 1 Dec, 3:15 AM (9:15 AM Berlin)');
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
  expect(read({ locale: 'de-DE' })).toMatch(/For you: Di., 1. Dez., 03:15 \(New York\).*09:15, not 21:15\./);
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
  await ask(mira, '/upnext nächste Woche auf x', 'Mon 23 Nov to Sun 29 Nov');
  // Nobody whose Slack is in English means days by that.
  await running.workspace.as('Ana').in('#harbour-coffee').type('/upnext nächste Woche auf x');
  await running.workspace.as('Ana').in('#harbour-coffee').sees('I don’t understand “nächste Woche auf x”.');
});

const DAYS = ['Mon 23 Nov, 09:00 (Lisbon)', 'Wed 25 Nov, 09:00 (Lisbon)', 'Fri 27 Nov, 09:00 (Lisbon)'];

const fillThreeMoments = () => openFilledForm(running, { when: 'mon, wed and fri 9am' });

test('several publishing times are listed under the field, and one press schedules all posts', async () => {
  const { ana, form } = await fillThreeMoments();
  for (const day of DAYS) await ana.sees(day);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await ana.sees('LinkedIn refuses the same text twice');
  expect(form.text()).toContain('[Schedule 3]');
  expect((await form.submit()).closed).toBe(true);
  await ana.sees('3 posts scheduled');
  for (const day of DAYS) await ana.sees(`${day}\n[Open]`);
  await ana.sees('Harbour Coffee · X and LinkedIn');
  expect(
    running.service
      .created()
      .map(({ ScheduleDate }) => ScheduleDate)
      .sort(),
  ).toEqual(['2026-11-23T09:00:00+00:00', '2026-11-25T09:00:00+00:00', '2026-11-27T09:00:00+00:00']);
});

test('each of several posts has its own outcome, and a refused post can be corrected alone', async () => {
  const { ana, form } = await fillThreeMoments();
  running.service.on('POST /posts', (call, response) => {
    const isWednesday = JSON.stringify(call.body).includes('2026-11-25');
    const respond = isWednesday
      ? invalid({ loc: ['body', 'ScheduleDate'], msg: 'is a holiday' })
      : data({ Id: 'made' });
    return respond(call, response);
  });
  const { view } = await form.submit();
  await seeAll(ana, `Scheduled · ${DAYS[0]}`, 'is a holiday');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await view?.press('Fix');
  const correctedForm = await ana.modal('Schedule a post');
  expect(correctedForm.value('When')).toBe('Wed 25 Nov, 09:00');
  expect(correctedForm.value('Text')).toBe('We open at nine');
  await correctedForm.choose('Time zone', (await correctedForm.search('Time zone', 'Berlin'))[0] ?? '');
  await ana.sees('Wed 25 Nov, 09:00 (Berlin)');
  expect((await submitWith(correctedForm, { When: '26 nov 9am' })).closed).toBe(true);
  expect(running.service.created()).toHaveLength(4);
  expect(running.service.created().at(-1)).toMatchObject({ ScheduleDate: '2026-11-26T09:00:00+01:00' });
});

test('posts with unknown outcomes are not sent twice', async () => {
  await startBot({ pace: { reconcileDelaysMs: [20, 40] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana, form } = await submitFilledForm(running, { when: 'mon, wed and fri 9am' });
  const result = await ana.modal('Not sure');
  expect(running.service.created()).toHaveLength(3);
  await result.close();
  // The form was still open below the result.
  expect(form.open).toBe(false);
});

const MINUTE_MS = 60_000;

/** Fills the form with a moment in one minute, and waits until that moment has passed. */
async function fillAndWait(text: string) {
  await startBot({ followsClock: true });
  running.workspace.clock.set(new Date('2026-12-01T12:00:10Z'));
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: text, Platforms: ['X'], When: 'in 1 minute' });
  await ana.sees('Tue 1 Dec, 12:01 (Lisbon)');
  running.workspace.clock.advance(2 * MINUTE_MS);
  return { ana, form };
}

test('a time that passed before the form was submitted causes a question with a button, and every value stays', async () => {
  const { ana, form } = await fillAndWait('We open');
  const { view } = await form.submit();
  expect(view?.text()).toContain('has passed. Did you mean Tue 1 Dec, 12:03?');
  const laterMoment = 'Tue 1 Dec, 12:03 (Lisbon)';
  expectParts(view?.text(), `[${laterMoment}]`, 'Check When again.');
  expect(view?.value('Text')).toBe('We open');
  await view?.press(laterMoment);
  await ana.sees(':calendar:');
  await (await ana.modal('Schedule a post')).submit();
  expect(running.service.created()).toMatchObject([{ ScheduleDate: '2026-12-01T12:03:00+00:00' }]);
});

test('other errors of a form whose time has passed are shown under their fields in the same view', async () => {
  const { form } = await fillAndWait('too long for X '.repeat(30));
  const { view } = await form.submit();
  expect(view?.text()).toContain('has passed. Did you mean');
  expect(view?.text()).toMatch(/X: \d+ characters too long\./);
  expect(running.service.created()).toEqual([]);
});
