import { expect, test } from 'vitest';
import { filledForm } from '../../support/filled-form.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const STRANGE = ['שלום עולם\u202e', '🧑‍🔧', '<!channel>', '<@U01ANAFERR>', '&amp;', '*bold*', '\t', 'ß'];

/** As many characters, of the strangest kinds. */
function strange(length: number): string {
  const all = STRANGE.join(' ');
  return all
    .repeat(Math.ceil(length / all.length))
    .slice(0, length)
    .toWellFormed();
}

test('[More text] adds fields that are joined exactly, and what stands in the others stays', async () => {
  await startBot();
  const { ana, form } = await filledForm(running, { text: 'One \n' });
  await form.choose('Platforms', ['Facebook']);
  await form.press('More text');
  await ana.sees('Text, part 2');
  await form.fill('Text, part 2', ' two');
  await form.press('More text');
  await ana.sees('Text, part 3');
  await form.fill('Text, part 3', 'three');
  await ana.sees('Facebook 14 of 63,206');
  expect(form.value('Text')).toBe('One \n');
  expect((await form.submit()).view?.title()).toBe('Scheduled');
  expect(running.service.created()[0]?.Content).toBe('One \n twothree');
});

test('40,000 characters of the strangest kinds go through the form, are sent whole and come back whole', async () => {
  await startBot();
  const { ana, form } = await filledForm(running, { text: strange(3_000) });
  await form.choose('Platforms', ['Reddit']);
  let whole = strange(3_000);
  for (let part = 2; part <= 14; part += 1) {
    await form.press('More text');
    await ana.sees(`Text, part ${part}`);
    const words = strange(Math.min(3_000, 40_000 - whole.length));
    await form.fill(`Text, part ${part}`, words);
    whole += words;
  }
  expect(whole).toHaveLength(40_000);
  expect(form.text()).not.toContain('[More text]');
  running.service.on('POST /posts', invalid({ loc: ['body', 'Mood'], msg: 'is missing' }));
  const { view } = await form.submit();
  expect(view?.text()).toContain('Mood: is missing');
  expect(view?.value('Text, part 14')).toBe(strange(1_000));
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await form.submit()).view?.title()).toBe('Scheduled');
  expect(running.service.created().at(-1)?.Content).toBe(whole);
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
});
