import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { showMoreOptions } from '../../support/filled-form.ts';
import { submitWith } from '../../support/form-steps.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { running, startBot } = setUpBot({});

async function typeAsAna(command: string) {
  const person = running.workspace.as('Ana').in('#general');
  await person.type(command);
  return person;
}

const createTemplates = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    Id: `t${index}`,
    Name: `Template ${index}`,
    Content: 'Hi',
  }));

describe('with the practice service', () => {
  let service: Awaited<ReturnType<typeof startPracticeService>>;
  beforeAll(async () => {
    service = await startPracticeService({ now: () => NOW });
  });
  afterAll(() => service.close());

  test('/upnext templates lists templates, shows one and uses it in a post', async () => {
    await startBot({ service, isEmulated: true });
    const person = await typeAsAna('/upnext templates harbour coffee');
    await person.sees('Harbour Coffee: 3 templates');
    expect(person.messages().at(-1)).toContain('Opening hours');
    await pressAndSee(person, 'View', 'Template “Event” of Harbour Coffee');
    expect(person.messages().at(-1)).toContain('Seats are few: write to us');
    const form = await pressForForm(person, 'Use in a post', 'Schedule a post');
    expect(form.value('Template')).toBe('Event');
    expect(form.text()).toContain('For Harbour Coffee · ');
    expect(form.value('Text')).toBe(
      '{event} on {day} at {time}. Seats are few: write to us and we keep one for you.',
    );
    await showMoreOptions(person, form);
    await form.choose('When you submit', 'Save as draft');
    await person.sees('[Save draft]');
    expect((await form.submit()).errors).toEqual({});
    await person.sees('Saved as a draft');
  });

  test('a template is filled in and scheduled with two presses: [Use in a post], [Schedule]', async () => {
    await startBot({ service });
    const person = await typeAsAna('/upnext templates event for harbour coffee');
    await person.sees('[Use in a post] [View]');
    const form = await pressForForm(person, 'Use in a post', 'Schedule a post');
    for (const [label, value] of Object.entries({ Event: 'Jazz', Day: 'Friday', Time: '8 pm' }))
      await form.fill(label, value);
    expect((await submitWith(form, { Platforms: ['X'], When: '1 Dec 9am' })).errors).toEqual({});
    await person.sees('Jazz on Friday at 8 pm. Seats are few: write to us and we keep one for you.');
  });

  test('the text of a template can’t be deleted, because its placeholders might go out', async () => {
    await startBot({ service });
    const person = await typeAsAna('/upnext templates event for harbour coffee');
    await person.sees('[Use in a post]');
    const form = await pressForForm(person, 'Use in a post', 'Schedule a post');
    expect((await submitWith(form, { Text: '' })).errors.Text).toBe('Please complete this required field.');
  });

  test('/upnext templates asks for the project when there are several, and preselects none', async () => {
    await startBot({ service });
    const person = await typeAsAna('/upnext templates');
    await person.sees('Which project?');
    const earlierCount = person.messages().length;
    await pressAndSee(person, 'Night Market Books', 'Night Market Books: 2 templates');
    expect(person.messages()).toHaveLength(earlierCount);
  });
});

test('the pages of a long list are shown in the same message, and it can be searched by text', async () => {
  running.service.on('GET /templates', data(createTemplates(20)));
  const person = await typeAsAna('/upnext templates');
  await person.sees('Harbour Coffee: 20 templates, 1 to 8');
  const earlierCount = person.messages().length;
  await pressAndSee(person, 'Next page', ', 9 to 16');
  await pressAndSee(person, 'Next page', ', 17 to 20');
  await pressAndSee(person, 'Previous page', ', 9 to 16');
  expect(person.messages()).toHaveLength(earlierCount);
  await ask(person, '/upnext templates template 13', 'Harbour Coffee: 1 template with “template 13”');
  await ask(person, '/upnext templates nowhere', 'I found no Harbour Coffee template with “nowhere”.');
  await pressAndSee(person, 'Show all', '1 to 8');
});

test('the question offers the first of a thousand projects, and any project can be named in the command', async () => {
  const projects = Array.from({ length: 1_000 }, (_, index) => ({ Id: `p${index}`, Name: `Shop ${index}` }));
  running.service.on('GET /projects', data(projects));
  running.service.on('GET /templates', data(createTemplates(2)));
  const person = await typeAsAna('/upnext templates');
  await person.sees('980 more aren’t shown.');
  await ask(person, '/upnext templates shop 777', 'Shop 777: 2 templates');
});

test('an empty list says where templates come from', async () =>
  (await typeAsAna('/upnext templates')).sees('Harbour Coffee has no templates yet.'));

test('a refused token is explained, with a button to try again', async () => {
  running.service.on('GET /templates', json(401, {}));
  const person = await typeAsAna('/upnext templates');
  await person.sees('refused my access token');
  running.service.on('GET /templates', data(createTemplates(1)));
  await pressAndSee(person, 'Try again', 'Harbour Coffee: 1 template');
});

test('a template that no longer exists is reported', async () => {
  running.service.on('GET /templates', data(createTemplates(1)));
  const person = await typeAsAna('/upnext templates');
  await pressAndSee(person, 'View', 'no longer has this template');
});
