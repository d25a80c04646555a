import { describe, expect, test } from 'vitest';
import { showMoreOptions } from '../../support/filled-form.ts';
import { data, hang, json, later } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const createProjects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: `p${index}`, Name: `Project ${index}` }));

describe('a slow service', () => {
  test('a slow service is reported, and the form opens when it answers', async () => {
    await startBot({ pace: { slowNoticeDelayMs: 100 } });
    running.service.on('GET /projects', later(600, data(createProjects(1))));
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('/schedule-post');
    await ana.sees('is slow');
    await ana.modal('Schedule a post');
  });

  test('while the service is slow, the form can be opened again with a button', async () => {
    await startBot({ pace: { slowNoticeDelayMs: 100 } });
    running.service.on('GET /projects', hang);
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('/schedule-post');
    await ana.sees('is slow');
    running.service.on('GET /projects', data(createProjects(1)));
    await (await ana.modal('Loading…')).press('Try again');
    await ana.modal('Schedule a post');
  });
});

test.each([
  ['views.open', 0],
  ['views.update', 600],
])('a form can be sent that Slack has shown, although %s said otherwise', async (method, serviceMs) => {
  await startBot();
  running.service.on('GET /projects', later(serviceMs, data([{ Id: 'p1', Name: 'Harbour Coffee' }])));
  running.workspace.faults.set({
    webApi: [{ method, fault: 'error', error: 'internal_error', commit: 'first', times: 1 }],
  });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await ana.sees('Something went wrong');
  await form.fill('Text', 'The roastery is open.');
  await form.choose('Platforms', ['X']);
  await form.fill('When', '1 Dec 9am');
  await form.submit();
  await ana.sees('Scheduled for Tue 1 Dec');
});

test.each([
  ['refuses the token', json(401, {}), 'refused my access token'],
  ['has no project', data([]), 'There’s no project yet'],
  ['answers with HTML', json(500, '<html>'), 'didn’t answer properly'],
])('the form reports a service that %s, with a button to try again', async (_failure, respond, expected) => {
  await startBot();
  running.service.on('GET /projects', respond);
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/schedule-post');
  await ana.sees(expected);
  await ana.sees('[Try again]');
});

test('a project list that is too long for a menu can be searched', async () => {
  await startBot();
  running.service.on('GET /projects', data(createProjects(250)));
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  expect(await form.search('Project', 'project 24')).toEqual(
    expect.arrayContaining(['Project 24', 'Project 240']),
  );
});

describe('menus with a search', () => {
  test('zones are found by city, and templates by name', async () => {
    await startBot();
    running.service.on(
      'GET /templates',
      data([
        { Id: 't1', Name: 'Morning' },
        { Id: 't2', Name: 'Evening' },
      ]),
    );
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    await showMoreOptions(ana, form);
    expect((await form.search('Time zone', 'tokyo'))[0]).toContain('Tokyo');
    expect((await form.search('Time zone', '')).length).toBeGreaterThan(5);
    expect(await form.search('Template', 'even')).toEqual(['Evening', 'Use the ID “even”']);
    expect(await form.search('Template', '')).toEqual(['Morning', 'Evening']);
  });

  test('a menu reports a service that does not answer, before Slack stops waiting', async () => {
    await startBot();
    running.service.on('GET /templates', hang);
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    await showMoreOptions(ana, form);
    const startedAt = performance.now();
    expect(await form.search('Template', '')).toEqual(['The service isn’t answering. Try again']);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test('the time below “When” is updated when the text or the time zone changes', async () => {
    await startBot();
    const ben = running.workspace.as('Ben').in('#general');
    await ben.type('/schedule-post');
    const form = await ben.modal('Schedule a post');
    await form.fill('When', '1 Dec 9am');
    await ben.sees('Tue 1 Dec, 09:00 (New York)');
    await showMoreOptions(ben, form);
    await form.search('Time zone', 'berlin');
    await form.choose('Time zone', 'Berlin (UTC+01:00) — Europe/Berlin');
    await ben.sees('Tue 1 Dec, 09:00 (Berlin)');
    await ben.sees('For you: Tue 1 Dec, 03:00 (New York).');
    await form.fill('When', 'when the cows come home');
    await ben.sees('Try');
    expect(form.value('When')).toBe('when the cows come home');
  });
});
