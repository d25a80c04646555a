import { describe, expect, test } from 'vitest';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const TEMPLATES = [
  { Id: 't1', Name: 'New roast', Content: 'Fresh: {coffee} from {country}.' },
  { Id: 't2', Name: 'Closed', Content: 'We are closed today.' },
];

async function openForm() {
  await startBot();
  running.service.on('GET /templates', data(TEMPLATES));
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post tomorrow 9am on x');
  return { ana, form: await ana.modal('Schedule a post') };
}

describe('a template', () => {
  test('its text fills the field, and the post waits until each placeholder is filled in', async () => {
    const { ana, form } = await openForm();
    await form.search('Template', '');
    await form.choose('Template', 'New roast');
    await expect.poll(() => form.value('Text')).toBe('Fresh: {coffee} from {country}.');
    await ana.sees('Fill in {coffee} and {country}.');
    await form.fill('Text', 'Fresh: Yirgacheffe from {country}.');
    const { errors } = await form.submit();
    expect(Object.values(errors)).toEqual(['Fill in {country}.']);
    expect(running.service.created()).toEqual([]);
    await form.fill('Text', 'Fresh: Yirgacheffe from Ethiopia.');
    expect((await form.submit()).view?.title()).toBe('Scheduled');
    expect(running.service.created()[0]).toMatchObject({
      Content: 'Fresh: Yirgacheffe from Ethiopia.',
      TemplateId: 't1',
    });
  });

  test('a text that somebody has written stays, and the form says how to use the template’s', async () => {
    const { ana, form } = await openForm();
    await form.fill('Text', 'My own words');
    await form.search('Template', '');
    await form.choose('Template', 'Closed');
    await ana.sees('Your text stays. Clear it to use the template’s text.');
    expect(form.value('Text')).toBe('My own words');
    await form.fill('Text', '');
    await expect.poll(() => form.value('Text')).toBe('We are closed today.');
  });

  test('another template replaces the text of the first, if nobody has changed it', async () => {
    const { form } = await openForm();
    await form.search('Template', '');
    await form.choose('Template', 'New roast');
    await expect.poll(() => form.value('Text')).toContain('Fresh');
    await form.choose('Template', 'Closed');
    await expect.poll(() => form.value('Text')).toBe('We are closed today.');
  });

  test('a draft can be saved with placeholders', async () => {
    const { form } = await openForm();
    await form.search('Template', '');
    await form.choose('Template', 'New roast');
    await expect.poll(() => form.value('Text')).toContain('Fresh');
    await form.choose('Save as', 'Draft');
    expect((await form.submit()).view?.title()).toBe('Saved');
  });
});

test('braces without a template are a warning', async () => {
  const { ana, form } = await openForm();
  await form.fill('Text', 'Write {name} in your config');
  await ana.sees('{name} will go out with braces.');
  expect((await form.submit()).view?.title()).toBe('Scheduled');
});

test('a list shows the template’s text for a post without its own', async () => {
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
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext posts');
  await ana.press('All posts');
  await ana.sees('From a template: We are closed today.');
  await ana.sees('Text from a template');
  expect(ana.read()).not.toContain('gone');
});
