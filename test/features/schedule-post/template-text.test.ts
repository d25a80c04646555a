import { describe, expect, test } from 'vitest';
import { showMoreOptions } from '../../support/filled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';

const { ana, running, startBot } = setUpBot();

const TEMPLATES = [
  { Id: 't1', Name: 'New roast', Content: 'Fresh: {coffee} from {country}.' },
  { Id: 't2', Name: 'Closed', Content: 'We are closed today.' },
];

async function openForm(options: Parameters<typeof startBot>[0] = {}) {
  await startBot(options);
  running.service.on('GET /templates', data(TEMPLATES));
  await ana.type('/schedule-post tomorrow 9am on x');
  const form = await ana.modal('Schedule a post');
  await showMoreOptions(ana, form);
  return { ana, form };
}

async function chooseTemplate(form: Awaited<ReturnType<typeof openForm>>['form'], name: string) {
  await form.search('Template', '');
  await form.choose('Template', name);
}

describe('a template', () => {
  test('a template’s text fills the field, and the post waits until each placeholder is filled in', async () => {
    const { ana, form } = await openForm();
    await chooseTemplate(form, 'New roast');
    await expect.poll(() => form.value('Text')).toBe('Fresh: {coffee} from {country}.');
    await ana.sees('Fill in {coffee} and {country}.');
    await form.fill('Text', 'Fresh: Yirgacheffe from {country}.');
    await ana.sees('Fill in {country}.');
    const { errors } = await form.submit();
    expect(errors).toEqual({ Country: 'Please complete this required field.' });
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
    await form.fill('Coffee', 'Yirgacheffe');
    await form.choose('Template', 'Closed');
    await expect.poll(() => form.value('Text')).toBe('Fresh: Yirgacheffe from {country}.');
    await ana.sees('Your text stays.');
    expect(form.labels()).not.toContain('Coffee');
  });

  test('a refused post reopens with the text that was sent', async () => {
    const { ana, form } = await openForm({ pace: FAST_RETRIES });
    await chooseTemplate(form, 'New roast');
    await expect.poll(() => form.labels()).toContain('Coffee');
    await form.fill('Coffee', 'Yirgacheffe');
    await form.fill('Country', 'Ethiopia');
    running.service.on('POST /posts', json(429, {}));
    await (await form.submit()).view?.close();
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
    await ana.inDirectMessage();
    await ana.sees('[Fix and send again]');
    await ana.press('Fix and send again');
    const reopenedForm = await ana.modal('Schedule a post');
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
});

test('braces in a text without a template cause a warning', async () => {
  const { ana, form } = await openForm();
  await form.fill('Text', 'Write {name} in your config');
  await ana.sees('{name} will go out with braces.');
  expect((await form.submit()).closed).toBe(true);
});

test('a list shows the template’s text for a post without a text', async () => {
  await startBot();
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
  await ana.press('All posts');
  await ana.sees('From a template: We are closed today.');
  await ana.sees('Text from a template');
  expect(ana.read()).not.toContain('gone');
});
