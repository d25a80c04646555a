import { describe, expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { NOW } from '../../support/bot.ts';
import { measureTime, readOwnTime } from '../../support/busyness.ts';
import { openFilledForm, showMedia, showMoreOptions, submitFilledForm } from '../../support/filled-form.ts';
import { expectValues, fillIn, submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, hang, invalid, json, later, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot({});

const createProjects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: `p${index}`, Name: `Project ${index}` }));

test('while the service doesn’t answer, the form says so before Slack’s trigger expires, and a button opens it again', async () => {
  await startBot({ pace: { slowNoticeDelayMs: 100 } });
  running.service.on('GET /projects', hang);
  const { ownMs } = await measureTime(async () => {
    await askForForm(ana, '/schedule-post', 'Loading…');
  });
  expect(ownMs).toBeLessThan(3_000);
  await ana.sees('longer than usual');
  running.service.on('GET /projects', data(createProjects(1)));
  await (await ana.modal('Loading…')).press('Try again');
  await ana.modal('Schedule a post');
});

test('the form opens, changes and is submitted within the three seconds that Slack allows', async () => {
  const opening = await measureTime(openForm);
  const { form } = opening.result;
  await fillIn(form, { Text: 'We open at nine', When: '1 Dec 9am' });
  const change = await measureTime(() => form.choose('Platforms', ['X']));
  const submission = await measureTime(() => form.submit());
  for (const { ownMs } of [opening, change, submission]) expect(ownMs).toBeLessThan(3_000);
  expect(submission.result.closed).toBe(true);
});

test.each([
  ['views.open', 0],
  ['views.update', 600],
])('a form can be sent that Slack has shown, although %s said otherwise', async (method, serviceMs) => {
  running.service.on('GET /projects', later(serviceMs, listProjects('Harbour Coffee')));
  failSlack(running, { method, fault: 'error', error: 'internal_error', commit: 'first', times: 1 });
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await ana.sees('Something went wrong');
  await submitWith(form, { Text: 'The roastery is open.', Platforms: ['X'], When: '1 Dec 9am' });
  await ana.sees('Scheduled · Tue 1 Dec');
});

test.each([
  ['refuses the token', json(401, {}), 'refused my access token'],
  ['has no project', data([]), 'There’s no project yet'],
  ['answers with HTML', json(500, '<html>'), 'didn’t answer properly'],
])('the form reports a service that %s, with a button to try again', async (_failure, respond, expected) => {
  running.service.on('GET /projects', respond);
  await ask(ana, '/schedule-post', expected, '[Try again]');
});

test('zones are found by city, and templates by name', async () => {
  running.service.on(
    'GET /templates',
    data([
      { Id: 't1', Name: 'Morning' },
      { Id: 't2', Name: 'Evening' },
    ]),
  );
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await showMoreOptions(ana, form);
  expect((await form.search('Time zone', 'tokyo'))[0]).toContain('Tokyo');
  expect((await form.search('Time zone', '')).length).toBeGreaterThan(5);
  expect(await form.search('Template', 'even')).toEqual(['Evening', 'Use the ID “even”']);
  expect(await form.search('Template', '')).toEqual(['Morning', 'Evening']);
});

test('a menu reports a service that does not answer, before Slack stops waiting', async () => {
  running.service.on('GET /templates', hang);
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await showMoreOptions(ana, form);
  const startedAt = readOwnTime();
  expect(await form.search('Template', '')).toEqual(['I couldn’t load these. Try again']);
  expect(readOwnTime() - startedAt).toBeLessThan(3_000);
});

async function openForm() {
  await ana.type('/schedule-post');
  return { ana, form: await ana.modal('Schedule a post') };
}

test('the form shows all fields after a press on “More options”, and keeps all typed values', async () => {
  const { ana, form } = await openFilledForm(running);
  expect(form.labels()).toEqual(['Text', 'Platforms', 'When']);
  expect(form.text()).toContain('For Harbour Coffee · ');
  await showMoreOptions(ana, form);
  expect(form.labels().slice(3)).toEqual(['When you submit', 'Template', 'Prompt', 'Time zone']);
  expect(form.text()).not.toContain('[More options]');
  await showMedia(ana, form);
  expect(form.labels()).toContain('Media');
  expect(form.text()).not.toContain('[Add media]');
  expectValues(form, { Text: 'We open at nine', When: '1 Dec 9am' });
  expect((await form.submit()).closed).toBe(true);
});

test('the form shows Media as soon as a platform needs it, and still shows it when the field is emptied', async () => {
  const { ana, form } = await openFilledForm(running);
  expect(form.labels()).not.toContain('Media');
  await form.choose('Platforms', ['Instagram']);
  await ana.sees('Instagram needs media.');
  await fillIn(form, { Media: 'https://example.com/a.jpg', Platforms: ['X'] });
  await fillIn(form, { Media: '', When: '2 Dec 9am' });
  await ana.sees('Wed 2 Dec, 09:00');
  expect(form.labels()).toContain('Media');
  expect(form.labels()).not.toContain('Template');
});

test('the form requires the text, a platform and a time for a scheduled post, but only the text for a draft', async () => {
  const { ana, form } = await openForm();
  const requiredError = 'Please complete this required field.';
  expect((await form.submit()).errors).toEqual({
    Text: requiredError,
    Platforms: requiredError,
    When: requiredError,
  });
  await showMoreOptions(ana, form);
  await fillIn(form, { Text: 'We open at nine', 'When you submit': ['Save as draft'] });
  await ana.sees('[Save draft]');
  await fillIn(form, { Platforms: ['X'], 'When you submit': ['Schedule'] });
  await ana.sees('[Schedule]');
  expect(Object.keys((await form.submit()).errors)).toEqual(['When']);
  expect([form.value('Text'), form.value('Platforms')]).toEqual(['We open at nine', 'X']);
  await fillIn(form, { Platforms: [], 'When you submit': ['Save as draft'] });
  await ana.sees('[Save draft]');
  expect((await form.submit()).closed).toBe(true);
});

test('the form shows a hidden field if the service refuses its value', async () => {
  running.service.on('POST /posts', invalid({ loc: ['body', 'Media'], msg: 'is missing' }));
  const { view } = await submitFilledForm(running);
  expect(view?.labels()).toContain('Media');
  expect(view?.text()).toContain('is missing');
  expect(view?.value('Text')).toBe('We open at nine');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await view?.fill('Media', 'https://example.com/a.jpg');
  expect((await view?.submit())?.closed).toBe(true);
});

test('while the time zone field is hidden, the form sends the zone in the text', async () => {
  const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am in Tokyo' });
  await ana.sees('Tue 1 Dec, 09:00 (Tokyo)');
  expect(form.labels()).not.toContain('Time zone');
  await form.submit();
  await ana.sees('Scheduled ·');
  expect(running.service.created()).toMatchObject([
    { ScheduleDate: '2026-12-01T09:00:00+09:00', Timezone: 'Asia/Tokyo' },
  ]);
});

const NOTICE = 'Practice service: nothing is published.';

test('with the practice service, a person’s first form and the help say that nothing is published', async () => {
  await startBot({ isEmulated: true });
  const openForm = async (name: string) => {
    const person = running.workspace.as(name).in('#harbour-coffee');
    await person.type('/schedule-post 1 Dec 9am on x: We open at nine');
    const form = await person.modal('Schedule a post');
    const text = form.text();
    await form.close();
    return text;
  };
  expect(await openForm('Ana')).toContain(NOTICE);
  expect(await openForm('Ana')).not.toContain(NOTICE);
  expect(await openForm('Ben')).toContain(NOTICE);
  await ask(ana, '/upnext help', NOTICE);
});

test('a line in a direct message doesn’t use the notice up, and neither does an edit', async () => {
  await startBot({ isEmulated: true });
  const dm = await running.workspace.as('Ana').inDirectMessage();
  await holdPost(running, { text: 'We open at ten', at: '2026-12-02T09:00:00Z' });
  await ask(dm, '/upnext posts 2 dec', 'We open at ten');
  await pressAndSee(dm, 'Open: We open at ten', '[Edit]');
  const editor = await pressForForm(dm, 'Edit', 'Edit post');
  expect(editor.text()).not.toContain(NOTICE);
  await editor.close();
  await ask(dm, 'schedule 1 Dec 9am on x: We open at nine', 'Open this post to schedule it.');
  expect((await pressForForm(dm, 'Open', 'Schedule a post')).text()).toContain(NOTICE);
});

test('with a real service, the form doesn’t say that nothing is published', async () => {
  await startBot({ isEmulated: false });
  await ana.type('/schedule-post 1 Dec 9am on x: We open at nine');
  expect((await ana.modal('Schedule a post')).text()).not.toContain('Practice');
});

test('the form offers the projects of held posts if the service hasn’t answered since the bot’s start', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:20:00Z' });
  await running.service.stop();
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  expect(form.text()).toContain('I couldn’t load the projects, so this list may be old or incomplete');
  expect(await form.search('Project', 'Night')).toEqual(['Searching only those that I could read']);
  await form.choose('Project', 'Harbour Coffee');
  await expect.poll(() => form.value('Project')).toBe('Harbour Coffee');
});

test('the form doesn’t offer the projects of posts for a service that isn’t connected', async () => {
  const project = { id: '~2~p1', name: 'Harbour Coffee' };
  await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:20:00Z', project });
  await running.service.stop();
  await ask(ana, '/schedule-post', 'The scheduling service isn’t answering');
});

async function startWithManyProjects(acknowledgementTimeoutMs?: number): Promise<void> {
  await startBot({ ...(acknowledgementTimeoutMs !== undefined && { pace: { acknowledgementTimeoutMs } }) });
  const projects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `p${index}`,
    Name: `Project ${index}`,
  }));
  running.service.on('GET /projects', data(projects));
}

async function openDraft() {
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await showMoreOptions(ana, form);
  await fillIn(form, { Text: 'We open at nine', 'When you submit': ['Save as draft'] });
  await ana.sees('[Save draft]');
  return { ana, form };
}

test('the confirmation names a project that was found by search', async () => {
  await startWithManyProjects();
  const { form } = await openDraft();
  await form.search('Project', 'Project 777');
  await submitWith(form, { Project: ['Project 777'] });
  await ana.sees('Project 777 ·');
  await ana.press('New post');
  expect((await running.workspace.as('Ana').modal('Schedule a post')).text()).toContain('For Project 777 · ');
});

test('in a channel with several projects the form preselects none of them, and the search lists them first', async () => {
  await startWithManyProjects();
  await ana.type('/upnext use p500');
  const { workspace, channel } = await database.db
    .selectFrom('channel_project')
    .selectAll()
    .executeTakeFirstOrThrow();
  const binding = { workspace, channel, boundAt: NOW };
  await bindProjects(database.db, { ...binding, projects: ['p700', 'p500'] });
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  expect(form.text()).toContain('Choose a project');
  expect((await form.search('Project', '')).slice(0, 2)).toEqual(['Project 700', 'Project 500']);
});

test('a form that reopens after a late refusal has all its values, also a project that was found by search, and each error in its place', async () => {
  await startWithManyProjects(300);
  const { ana, form } = await openDraft();
  await form.search('Project', 'Project 777');
  await form.choose('Project', 'Project 777');
  const problems = [
    { loc: ['body', 'Content'], msg: 'is too loud' },
    { loc: ['body', 'Mood'], msg: 'is missing' },
  ];
  running.service.on('POST /posts', later(600, invalid(...problems)));
  await form.submit();
  const reopenedForm = await ana.modal('Schedule a post');
  expect([reopenedForm.value('Project'), reopenedForm.value('Text')]).toEqual([
    'Project 777',
    'We open at nine',
  ]);
  expect(reopenedForm.text()).toMatch(/Mood: is missing.*Text\n.*⚠️ is too loud.*Platforms/s);
  running.service.on('POST /posts', data({ Id: 'made' }));
  await reopenedForm.submit();
  await ana.sees('Saved as a draft');
});

const TWO_PROJECTS = listProjects('Night Market', 'Harbour Coffee');

const countConfirmed = async () =>
  (await database.db.selectFrom('submission').select('id').where('state', '=', 'confirmed').execute()).length;

const openLine = (line = '/schedule-post') => askForForm(ana, line, 'Schedule a post');

test('the project that the channel is named after is preselected, and can be changed', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const form = await openLine();
  expect(form.text()).toContain('For Harbour Coffee · ');
  await showMoreOptions(ana, form);
  expect(form.value('Project')).toBe('Harbour Coffee');
  await form.choose('Project', 'Night Market');
  expect(form.value('Project')).toBe('Night Market');
});

test('the project that the channel follows is preselected, even if the channel is named after another project', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  await ask(ana, '/upnext use night market', 'This channel now follows Night Market.');
  expect((await openLine()).text()).toContain('For Night Market · ');
});

describe('the platforms', () => {
  async function sendPost(platforms: readonly string[], project?: string): Promise<void> {
    const { form } = await openFilledForm(running);
    if (project !== undefined) {
      await showMoreOptions(ana, form);
      await form.choose('Project', project);
    }
    await form.choose('Platforms', platforms);
    await form.fill('Text', `Open on ${platforms.join()}`);
    const countBefore = await countConfirmed();
    await form.submit();
    await expect.poll(countConfirmed).toBe(countBefore + 1);
  }

  test('the platforms of the last post in the project are preselected', async () => {
    await sendPost(['LinkedIn', 'Threads']);
    expect((await openLine()).value('Platforms')).toBe('LinkedIn, Threads');
    await ana.modal('Schedule a post').then((form) => form.close());
    expect((await openLine('/schedule-post tomorrow on x')).value('Platforms')).toBe('X');
  });

  test('the platforms change with the project until somebody chooses others', async () => {
    running.service.on('GET /projects', TWO_PROJECTS);
    await sendPost(['LinkedIn']);
    await sendPost(['Threads'], 'Night Market');
    const form = await openLine();
    expect(form.value('Platforms')).toBe('LinkedIn');
    await showMoreOptions(ana, form);
    await form.choose('Project', 'Night Market');
    await expect.poll(() => form.value('Platforms')).toBe('Threads');
    await fillIn(form, { Platforms: ['X'], Project: ['Harbour Coffee'], When: '1 Dec 9am' });
    await ana.sees('Tue 1 Dec, 09:00');
    expect(form.value('Platforms')).toBe('X');
  });

  test('no platforms are preselected again after somebody has removed them', async () => {
    await sendPost(['LinkedIn']);
    const form = await openLine();
    await fillIn(form, { Platforms: [], When: '1 Dec 9am' });
    await ana.sees('Tue 1 Dec, 09:00');
    expect(form.value('Platforms')).toBe('');
  });
});
