import { expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const UNUSUAL_CHARACTERS = [
  'שלום עולם\u202e',
  '🧑‍🔧',
  '<!channel>',
  '<@U01ANAFERR>',
  '&amp;',
  '*bold*',
  '\t',
  'ß',
];

/** Creates a text of this length from unusual characters. */
function createUnusualText(length: number): string {
  const pattern = UNUSUAL_CHARACTERS.join(' ');
  return pattern
    .repeat(Math.ceil(length / pattern.length))
    .slice(0, length)
    .toWellFormed();
}

test('below a long text, [Add text field] adds a field, and the post joins all fields unchanged', async () => {
  await startBot();
  const firstText = `${'One '.repeat(500)}\n`;
  const { ana, form } = await openFilledForm(running, { text: 'One' });
  expect(form.text()).not.toContain('[Add text field]');
  await form.fill('Text', firstText);
  await ana.sees('[Add text field]');
  await form.choose('Platforms', ['Facebook']);
  await form.press('Add text field');
  await ana.sees('Text, part 2');
  await form.fill('Text, part 2', ' two');
  await form.press('Add text field');
  await ana.sees('Text, part 3');
  await form.fill('Text, part 3', 'three');
  expect(form.value('Text')).toBe(firstText);
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created()[0]?.Content).toBe(`${firstText} twothree`);
});

test('9,000 unusual characters can be entered, survive a refusal, and are sent unchanged', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running, { text: createUnusualText(3_000) });
  await form.choose('Platforms', ['Reddit']);
  let fullText = createUnusualText(3_000);
  for (let part = 2; part <= 3; part += 1) {
    await form.press('Add text field');
    await ana.sees(`Text, part ${part}`);
    const partText = createUnusualText(3_000);
    await form.fill(`Text, part ${part}`, partText);
    fullText += partText;
  }
  expect(fullText).toHaveLength(9_000);
  expect(form.text()).not.toContain('[Add text field]');
  running.service.on('POST /posts', invalid({ loc: ['body', 'Mood'], msg: 'is missing' }));
  const { view } = await form.submit();
  expect(view?.text()).toContain('Mood: is missing');
  expect(view?.value('Text, part 3')).toBe(createUnusualText(3_000));
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created().at(-1)?.Content).toBe(fullText);
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
});
