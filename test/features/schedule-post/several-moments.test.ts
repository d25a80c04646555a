import { expect, test } from 'vitest';
import { filledForm } from '../../support/filled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const DAYS = ['Mon 23 Nov, 09:00 (Lisbon)', 'Wed 25 Nov, 09:00 (Lisbon)', 'Fri 27 Nov, 09:00 (Lisbon)'];

async function threeMoments() {
  await startBot();
  return filledForm(running, { when: 'mon, wed and fri 9am' });
}

test('several moments are listed under the field and once more before they are made', async () => {
  const { ana, form } = await threeMoments();
  for (const day of DAYS) await ana.sees(day);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  const { view } = await form.submit();
  expect(view?.title()).toBe('3 posts');
  for (const words of [...DAYS, 'Harbour Coffee', 'We open at nine', 'LinkedIn refuses the same text twice'])
    expect(view?.text()).toContain(words);
  expect(running.service.created()).toEqual([]);
  const sent = await view?.submit();
  expect(sent?.view?.title()).toBe('Scheduled');
  for (const day of DAYS) expect(sent?.view?.text()).toContain(`Scheduled for ${day}.`);
  expect(
    running.service
      .created()
      .map(({ ScheduleDate }) => ScheduleDate)
      .sort(),
  ).toEqual(['2026-11-23T09:00:00+00:00', '2026-11-25T09:00:00+00:00', '2026-11-27T09:00:00+00:00']);
});

test('[Back] brings every word', async () => {
  const { ana, form } = await threeMoments();
  await (await form.submit()).view?.press('Back');
  const again = await ana.modal('Schedule a post');
  expect(['Text', 'When'].map((label) => again.value(label))).toEqual([
    'We open at nine',
    'mon, wed and fri 9am',
  ]);
  expect(running.service.created()).toEqual([]);
});

test('each has a fate of its own, and the one that was refused is mended alone', async () => {
  const { ana, form } = await threeMoments();
  running.service.on('POST /posts', (call, response) => {
    const isWednesday = JSON.stringify(call.body).includes('2026-11-25');
    const answer = isWednesday
      ? invalid({ loc: ['body', 'ScheduleDate'], msg: 'is a holiday' })
      : data({ Id: 'made' });
    return answer(call, response);
  });
  const { view } = (await (await form.submit()).view?.submit()) ?? {};
  expect(view?.text()).toContain(`Scheduled for ${DAYS[0]}.`);
  expect(view?.text()).toContain('is a holiday');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await view?.press('Fix and send again');
  const mended = await ana.modal('Schedule a post');
  expect(mended.value('When')).toBe(DAYS[1]);
  expect(mended.value('Text')).toBe('We open at nine');
  await mended.fill('When', '26 nov 9am');
  expect((await mended.submit()).view?.title()).toBe('Scheduled');
  expect(running.service.created()).toHaveLength(4);
});

test('all refused: the form comes back with its words', async () => {
  const { form } = await threeMoments();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const { view } = (await (await form.submit()).view?.submit()) ?? {};
  expect(view?.title()).toBe('Schedule a post');
  expect(view?.text()).toContain('is too loud');
  expect(view?.value('When')).toBe('mon, wed and fri 9am');
});

test('where nobody knows of any, none is sent twice', async () => {
  await startBot({ pace: { checkWaitsMs: [20, 40] } });
  running.service.on('POST /posts', json(500, 'oops'));
  const { ana, form } = await filledForm(running, { when: 'mon, wed and fri 9am' });
  await (await form.submit()).view?.submit();
  await ana.modal('Not sure');
  expect(running.service.created()).toHaveLength(3);
});

test('a list that can mean two things is chosen with a press', async () => {
  await startBot();
  const { ana, form } = await filledForm(running, { when: '31 Oct 2027 02:30 and 1 Nov 2027 9am' });
  await form.search('Time zone', 'berlin');
  await form.choose('Time zone', (await form.search('Time zone', 'berlin'))[0] ?? '');
  await ana.sees('can mean');
  expect((await form.submit()).errors.When).toContain('can mean');
});
