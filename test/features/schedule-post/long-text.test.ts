import { expect, test } from 'vitest';
import {
  openFilledForm,
  showMedia,
  showMoreOptions,
  submitFilledForm,
  submitLine,
} from '../../support/filled-form.ts';
import { fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';
import { askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot({});

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

const listFailures = () => running.logged.filter((line) => line.startsWith('request failed'));

/** The label of each field in the form, by the service's name for the field. */
const FIELDS = {
  Content: 'Text',
  Platforms: 'Platforms',
  Status: 'When you submit',
  ScheduleDate: 'When',
  Timezone: 'Time zone',
  Media: 'Media',
  TemplateId: 'Template',
  PromptId: 'Prompt',
};

test('if the service refuses every field, each field has its own error', async () => {
  const names = Object.keys(FIELDS);
  running.service.on(
    'POST /posts',
    invalid(...names.map((name) => ({ loc: ['body', name], msg: `${name} is wrong` }))),
  );
  const { ana, form } = await openFilledForm(running);
  await showMoreOptions(ana, form);
  await showMedia(ana, form);
  const { errors } = await form.submit();
  expect(errors).toEqual(
    Object.fromEntries(Object.entries(FIELDS).map(([name, label]) => [label, `${name} is wrong`])),
  );
  expect(form.value('Text')).toBe('We open at nine');
});

test('the form lists the first of 5,000 errors, counts the others, and preserves its values', async () => {
  const errors = Array.from({ length: 5_000 }, (_, index) => ({
    loc: ['body', `Field${index}`],
    msg: '<!here> '.repeat(40),
  }));
  running.service.on('POST /posts', invalid(...errors));
  const { view } = await submitFilledForm(running);
  expect(view?.text()).toContain('…and 95 more.');
  expect(view?.value('Text')).toBe('We open at nine');
  expect(listFailures()).toEqual([]);
});

const UNUSUAL_TEXT = '<!channel> <@U01ANAFERR> &lt; *b* `c` \u202eabc שלום 🧑‍🔧 “q” ';

test('a line of 8,900 characters is refused, corrected and sent with its full text', async () => {
  const text = UNUSUAL_TEXT.repeat(1_000).slice(0, 8_900).trim();
  await startBot();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await submitLine(ana, `/schedule-post 1 dec 9am on reddit:\n${text}`);
  await ana.sees('is too loud');
  running.service.on('POST /posts', data({ Id: 'made' }));
  expect((await (await ana.modal('Schedule a post')).submit()).errors).toEqual({});
  await ana.sees('Scheduled ·');
  expect(running.service.created().map(({ Content }) => Content)).toEqual([text, text]);
  expect(listFailures()).toEqual([]);
});

test('a line of 60,000 characters can’t be scheduled in part, and the form has all of its text', async () => {
  await ana.type(`/schedule-post 1 dec 9am on reddit: ${'word '.repeat(12_000)}`);
  const form = await ana.modal('Schedule a post');
  expect(form.text()).toContain('The form takes 9,000 characters, and 50,999 more don’t fit.');
  expect(Object.keys((await form.submit()).errors)).toEqual(['Text, part 3']);
  await form.press('Show the rest');
  const rest = (await ana.modal('Rest of the text')).text();
  expect(rest.match(/word/g)).toHaveLength(10_200);
  expect(listFailures()).toEqual([]);
});

test('Slack accepts every view with all platforms, the longest names and a thousand projects', async () => {
  const projects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `p${index}-${'i'.repeat(60)}`,
    Name: `${index} ${'N'.repeat(70)}`,
  }));
  running.service.on('GET /projects', data(projects));
  await ana.type(`/schedule-post on all: ${'<!here> #tag https://example.com/a '.repeat(90)}`);
  const form = await ana.modal('Schedule a post');
  await form.choose('Project', (await form.search('Project', '777'))[0] ?? '');
  const { errors } = await submitWith(form, { When: '1 Dec 9am' });
  expect(Object.keys(errors).sort()).toEqual(['Media', 'Text, part 2']);
  expect(errors['Text, part 2']).toBe(NOTE_BELOW);
  expect(form.text()).toMatch(/X: [\d,]+ characters too long/);
  expect(listFailures()).toEqual([]);
});

const TEMPLATES = [
  { Id: 't1', Name: 'New roast', Content: 'Fresh: {coffee} from {country}.' },
  { Id: 't2', Name: 'Closed', Content: 'We are closed today.' },
];

async function openForm(options: Parameters<typeof startBot>[0] = {}) {
  await startBot(options);
  running.service.on('GET /templates', data(TEMPLATES));
  const form = await askForForm(ana, '/schedule-post tomorrow 9am on x', 'Schedule a post');
  await showMoreOptions(ana, form);
  return { ana, form };
}

async function chooseTemplate(form: Awaited<ReturnType<typeof openForm>>['form'], name: string) {
  await form.search('Template', '');
  await form.choose('Template', name);
}

test('a template’s text fills the field, and the post waits until each placeholder is filled in', async () => {
  const { ana, form } = await openForm();
  await chooseTemplate(form, 'New roast');
  await expect.poll(() => form.value('Text')).toBe('Fresh: {coffee} from {country}.');
  await ana.sees('Fill in {coffee} and {country}.');
  await form.fill('Text', 'Fresh: Yirgacheffe from {country}.');
  await ana.sees('Fill in {country}.');
  expect((await form.submit()).errors).toEqual({ Country: 'Please complete this required field.' });
  expect(running.service.created()).toEqual([]);
  await form.fill('Text', 'Fresh: Yirgacheffe from Ethiopia.');
  await expect.poll(() => form.labels()).not.toContain('Country');
  expect((await form.submit()).closed).toBe(true);
  expect(running.service.created()[0]).toMatchObject({
    Content: 'Fresh: Yirgacheffe from Ethiopia.',
    TemplateId: 't1',
  });
});

test('each placeholder of a template has a field, whose value becomes part of the sent text', async () => {
  const { ana, form } = await openForm();
  await chooseTemplate(form, 'New roast');
  await expect.poll(() => form.labels()).toContain('Country');
  await form.fill('Coffee', 'Yirgacheffe');
  await ana.sees('Fill in {country}.');
  await form.fill('Country', '{land} & co');
  await ana.sees('{land} will go out with braces.');
  expect(form.value('Text')).toBe('Fresh: {coffee} from {country}.');
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()[0]?.Content).toBe('Fresh: Yirgacheffe from {land} & co.');
});

test('the value of a placeholder stays in the text if another template is chosen', async () => {
  const { ana, form } = await openForm();
  await chooseTemplate(form, 'New roast');
  await expect.poll(() => form.labels()).toContain('Coffee');
  await fillIn(form, { Coffee: 'Yirgacheffe', Template: ['Closed'] });
  await expect.poll(() => form.value('Text')).toBe('Fresh: Yirgacheffe from {country}.');
  await ana.sees('Your text stays.');
  expect(form.labels()).not.toContain('Coffee');
});

test('a refused post reopens with the text that was sent', async () => {
  const { ana, form } = await openForm({ pace: FAST_RETRIES });
  await chooseTemplate(form, 'New roast');
  await expect.poll(() => form.labels()).toContain('Coffee');
  await fillIn(form, { Coffee: 'Yirgacheffe', Country: 'Ethiopia' });
  running.service.on('POST /posts', json(429, {}));
  await (await form.submit()).view?.close();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await ana.inDirectMessage();
  await ana.sees('[Fix]');
  const reopenedForm = await pressForForm(ana, 'Fix', 'Schedule a post');
  expect(reopenedForm.value('Text')).toBe('Fresh: Yirgacheffe from Ethiopia.');
  expect(reopenedForm.labels()).not.toContain('Coffee');
});

test('a template replaces the text of another one, but not what somebody has written, and the form says so', async () => {
  const { ana, form } = await openForm();
  await chooseTemplate(form, 'New roast');
  await expect.poll(() => form.value('Text')).toContain('Fresh');
  await form.choose('Template', 'Closed');
  await expect.poll(() => form.value('Text')).toBe('We are closed today.');
  await form.fill('Text', 'My own words');
  await chooseTemplate(form, 'New roast');
  await ana.sees('Your text stays. Clear it to use the template’s text.');
  expect(form.value('Text')).toBe('My own words');
  await form.fill('Text', '');
  await expect.poll(() => form.value('Text')).toContain('Fresh');
});

test('braces in a text without a template cause a warning', async () => {
  const { ana, form } = await openForm();
  await form.fill('Text', 'Write {name} in your config');
  await ana.sees('{name} will go out with braces.');
  expect((await form.submit()).closed).toBe(true);
});

test('a list shows the template’s text for a post without a text', async () => {
  running.service.on('GET /templates', data(TEMPLATES));
  running.service.on(
    'GET /posts',
    data([
      {
        Id: 'p1',
        TemplateId: 't2',
        Platforms: ['X'],
        Status: 'SCHEDULED',
        ScheduleDate: '2026-12-01T09:00:00Z',
      },
      {
        Id: 'p2',
        TemplateId: 'gone',
        Platforms: ['X'],
        Status: 'SCHEDULED',
        ScheduleDate: '2026-12-02T09:00:00Z',
      },
    ]),
  );
  await ana.type('/upnext posts');
  await pressAndSee(ana, 'All posts', 'From a template: We are closed today.', 'Text from a template');
  expect(ana.read()).not.toContain('gone');
});
