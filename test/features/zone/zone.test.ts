import { beforeEach, describe, expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { NOW } from '../../support/bot.ts';
import { captureRequest, deliver } from '../../support/doubled-form.ts';
import { submitWith } from '../../support/form-steps.ts';
import { waitUntilIdle } from '../../support/requests-in-flight.ts';
import { json, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, ben, database, running, startBot } = setUpBot({});

const listStoredZones = () =>
  database.db.selectFrom('zone').select(['scope', 'zone']).orderBy('scope').execute();

test.each([
  ['here Berlin', 'Posts from this channel now use Berlin.', 'channel', 'Europe/Berlin'],
  ['Asia/Tokyo for the project', 'Posts for Harbour Coffee now use Tokyo', 'project', 'Asia/Tokyo'],
  ['me america/new_york', 'Your posts now use New York', 'person', 'America/New_York'],
  ['mine: Paris', 'Your posts now use Paris', 'person', 'Europe/Paris'],
])('/upnext zone %s sets a zone and says which zone applies', async (args, text, scope, zone) => {
  await ask(ana, `/upnext zone ${args}`, text, 'Times are in');
  expect(await listStoredZones()).toEqual([{ scope, zone }]);
});

test.each([
  ['EST', 'New York', 'America/New_York'],
  ['mst', 'Denver', 'America/Denver'],
  ['NST', 'St Johns', 'America/St_Johns'],
  ['ART', 'Buenos Aires', 'America/Argentina/Buenos_Aires'],
  ['art', 'Buenos Aires', 'America/Argentina/Buenos_Aires'],
  ['CET', 'Berlin', 'Europe/Berlin'],
])('the abbreviation %s sets the zone of %s, with its summer time', async (abbreviation, place, zone) => {
  await ask(ana, `/upnext zone me ${abbreviation}`, `Your posts now use ${place}.`);
  expect(await listStoredZones()).toEqual([{ scope: 'person', zone }]);
});

test.each([
  ['me IST', 'Kolkata, Dublin or Jerusalem', '/upnext zone me Kolkata'],
  ['here CST', 'Chicago or Shanghai', '/upnext zone here Chicago'],
  ['me BST', 'London or Dhaka', '/upnext zone me London'],
  ['project AST', 'Halifax or Riyadh', '/upnext zone project Halifax'],
])(
  '/upnext zone %s, which means several zones, sets none and asks for a city',
  async (args, places, example) => {
    await ask(ana, `/upnext zone ${args}`, `can be the time of ${places}.`, example);
    expect(await listStoredZones()).toEqual([]);
  },
);

test('/upnext zone off clears a zone, and the next default applies', async () => {
  await ana.type('/upnext zone here Berlin');
  await ask(ana, '/upnext zone me Paris', 'Times are in Berlin, set for this channel.');
  await ask(ana, '/upnext zone here off', 'Posts from this channel no longer have their own zone.');
  await ana.sees('Times are in Paris, your own choice.');
  expect(await listStoredZones()).toEqual([{ scope: 'person', zone: 'Europe/Paris' }]);
});

test('no zone is changed by an unknown one, which is quoted unchanged, by one that is too long, and while the service is down', async () => {
  await ana.type('/upnext zone here Atlantis <!channel>');
  await ana.sees('Nothing was changed: I don’t know the time zone “Atlantis <!channel>”.');
  await ask(ana, '/upnext zone 🎉', 'I don’t know the time zone “🎉”.\nType a city or a zone');

  await ana.type(`/upnext zone here ${'Berlin '.repeat(10_000)}`);
  await ana.sees('Nothing was changed: use at most 80 characters.');

  running.service.on('GET /projects', json(500, 'oops'));
  await ask(ana, '/upnext zone here Berlin', 'Nothing was changed.');
  expect(await listStoredZones()).toEqual([]);
});

test('the form shows which zone applies and why, and sets the chosen one', async () => {
  const form = await askForForm(ana, '/upnext zone', 'Time zone');
  expect(form.text()).toContain('Times are in Lisbon, from your Slack profile.');
  expect(form.text()).not.toContain('[Remove]');
  expect(form.value('For')).toBe('This channel');
  expect(form.text()).not.toContain('Project: ');
  expect(Object.keys((await form.submit()).errors)).toEqual(['Time zone']);
  await form.choose('For', 'My own posts');
  await form.search('Time zone', 'tokyo');
  const { view } = await submitWith(form, { 'Time zone': ['Tokyo (UTC+09:00) — Asia/Tokyo'] });
  expect(view?.text()).toContain('Your posts now use Tokyo.');
  expect(await listStoredZones()).toEqual([{ scope: 'person', zone: 'Asia/Tokyo' }]);
});

test('the form doesn’t say that no zone applies while Slack hides the person’s', async () => {
  await ask(ana, '/upnext zone me Berlin', 'Your posts now use Berlin.');
  await ask(ana, '/upnext zone me off', 'no longer have their own zone');
  failSlack(running, { method: 'users.info', fault: 'error', error: 'internal_error' });
  const form = await askForForm(ana, '/upnext zone', 'Time zone');
  expect(form.text()).toContain('I couldn’t read your time zone from Slack.');
  expect(form.text()).not.toContain('each post');
});

test('each zone that was set has a button that removes it', async () => {
  await ana.type('/upnext zone here Berlin');
  await ana.type('/upnext zone project Tokyo');
  await ask(ana, '/upnext zone me Paris', 'Your posts now use Paris');
  const form = await askForForm(ana, '/upnext zone', 'Time zone');
  expect(form.text()).toContain('This channel: Berlin\n[Remove]');
  await form.press('Remove the time zone of: This channel');
  await ana.sees('Times are in Tokyo, set for Harbour Coffee.');
  await (await ana.modal('Time zone')).press('Remove the time zone of: Harbour Coffee');
  await ana.sees('Times are in Paris, your own choice.');
  await (await ana.modal('Time zone')).press('Remove the time zone of: My own posts');
  await ana.sees('Times are in Lisbon, from your Slack profile.');
  expect(await listStoredZones()).toEqual([]);
});

test('a copy of [Remove] that comes after the next form was sent undoes nothing', async () => {
  await startBot({ mode: 'http' });
  await ask(ana, '/upnext zone here Berlin', 'Posts from this channel now use Berlin.');
  const form = await askForForm(ana, '/upnext zone', 'Time zone');
  const press = await captureRequest(running, 'block_actions', () =>
    form.press('Remove the time zone of: This channel'),
  );
  await deliver(running, press);
  await ana.sees('Times are in Lisbon');
  const next = await ana.modal('Time zone');
  await next.choose('For', 'This channel');
  await next.search('Time zone', 'tokyo');
  await submitWith(next, { 'Time zone': ['Tokyo (UTC+09:00) — Asia/Tokyo'] });
  await ana.sees('Posts from this channel now use Tokyo.');
  await deliver(running, press);
  await waitUntilIdle();
  expect(ana.read()).toContain('Posts from this channel now use Tokyo.');
  expect(await listStoredZones()).toEqual([{ scope: 'channel', zone: 'Asia/Tokyo' }]);
});

test('a press of [Remove] that comes after the form was sent undoes nothing', async () => {
  await startBot({ mode: 'http' });
  await ask(ana, '/upnext zone here Berlin', 'Posts from this channel now use Berlin.');
  const form = await askForForm(ana, '/upnext zone Paris', 'Time zone');
  await form.choose('For', 'This channel');
  const remove = () => form.press('Remove the time zone of: This channel');
  const press = await captureRequest(running, 'block_actions', remove);
  await form.submit();
  await ana.sees('Posts from this channel now use Paris.');
  await deliver(running, press);
  await waitUntilIdle();
  expect(ana.read()).toContain('Posts from this channel now use Paris.');
  expect(await listStoredZones()).toEqual([{ scope: 'channel', zone: 'Europe/Paris' }]);
  // The newest entry comes first.
  await ask(
    ana,
    '/upnext audit time zone',
    'Today\n12:00  @Ana Ferreira set the time zone of #harbour-coffee to',
  );
  expect(ana.messages().at(-1)).toMatch(/Today\n.* to Paris\n/);
});

test('for people who don’t manage the project, the form preselects their own posts, and removes only their own zone', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  const owner = running.workspace.as('Ana').in('#harbour-coffee');
  await ask(owner, '/upnext zone here Berlin', 'Posts from this channel now use Berlin.');
  await ben.type('/upnext zone me Paris');
  const form = await askForForm(ben, '/upnext zone', 'Time zone');
  expect(form.value('For')).toBe('My own posts');
  expect(form.text()).toContain('This channel: Berlin\nMy own posts: Paris\n[Remove]');
});

test('a command with only a zone opens the form, which asks whom the zone is for', async () => {
  const form = await askForForm(ana, '/upnext zone Berlin', 'Time zone');
  expect(form.value('Time zone')).toContain('Europe/Berlin');
  await submitWith(form, { For: ['This channel'] });
  expect(await listStoredZones()).toEqual([{ scope: 'channel', zone: 'Europe/Berlin' }]);
});

test('in a channel that is named after a project, the form begins with that project and its zone', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  const books = running.workspace.as('Ana').in('#night-market-books');
  const form = await askForForm(books, '/upnext zone project Berlin', 'Time zone');
  expect(form.value('Project')).toBe('Night Market Books');
  expect((await form.submit()).view?.text()).toContain(
    'Posts for Night Market Books now use Berlin.\nTimes are in Berlin, set for Night Market Books.',
  );
  await (await books.modal('Time zone')).close();
  await ask(books, '/upnext zone here Paris', 'Posts from this channel now use Paris.');
  await books.type('/upnext zone');
  await (await books.modal('Time zone')).press('Remove the time zone of: This channel');
  await books.sees('Times are in Berlin, set for Night Market Books.');
  expect(await listStoredZones()).toEqual([{ scope: 'project', zone: 'Europe/Berlin' }]);
});

test('with several projects, a project must be chosen', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, '/upnext zone project Berlin', 'Time zone');
  expect((await form.submit()).errors).toEqual({ Project: 'Choose a project.' });
  await submitWith(form, { Project: ['Night Market Books'] });
  expect(await database.db.selectFrom('zone').select(['subject', 'zone']).execute()).toEqual([
    { subject: 'p2', zone: 'Europe/Berlin' },
  ]);
});

test('the zone of a channel or person doesn’t apply to other channels and people', async () => {
  await ana.type('/upnext zone here Berlin');
  await ana.type('/upnext zone me Paris');
  const ben = running.workspace.as('Ben').in('#general');
  expect((await askForForm(ben, '/upnext zone', 'Time zone')).text()).toContain('Times are in New York');
});

describe('the zone of a project, for somebody who manages only that one', () => {
  beforeEach(async () => {
    await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
    // Ben manages Harbour Coffee and views everything else.
    await grantBen(database.db, 'manager', 'p1');
  });

  async function bindChannel(projects: string[]): Promise<void> {
    await bindProjects(database.db, {
      ...{ workspace: 'T01HARBOUR', channel: 'C02HARBOUR', projects },
      ...{ boundAt: NOW },
    });
  }

  test('a manager of one project can set its zone in the form, and not the zone of another project', async () => {
    const ben = running.workspace.as('Ben').in('#general');
    const form = await askForForm(ben, '/upnext zone Tokyo', 'Time zone');
    await form.choose('For', 'The project, in every channel');
    await ben.sees('Choose a project');
    const { view } = await submitWith(form, { Project: ['Night Market Books'] });
    expect(view?.text()).toContain('You need the Manager role');
    expect(await listStoredZones()).toEqual([]);
    const other = await askForForm(ben, '/upnext zone Tokyo', 'Time zone');
    await other.choose('For', 'The project, in every channel');
    await ben.sees('Choose a project');
    await submitWith(other, { Project: ['Harbour Coffee'] });
    expect(await listStoredZones()).toEqual([{ scope: 'project', zone: 'Asia/Tokyo' }]);
  });

  test('a channel’s zone can be set or cleared only by a manager of all its projects', async () => {
    await bindChannel(['p1']);
    await ask(ben, '/upnext zone here Tokyo', 'Posts from this channel now use Tokyo');
    await bindChannel(['p1', 'p2']);
    await ask(ben, '/upnext zone here off', 'You need the Manager role');
    const form = await askForForm(ben, '/upnext zone Berlin', 'Time zone');
    // Nothing is offered that would be refused.
    expect(form.text()).toContain('This channel: Tokyo');
    expect(form.text()).not.toContain('[Remove]');
    expect(form.value('For')).toBe('My own posts');
    const { view } = await submitWith(form, { For: ['This channel'] });
    expect(view?.text()).toContain('You need the Manager role');
    expect(await listStoredZones()).toEqual([{ scope: 'channel', zone: 'Asia/Tokyo' }]);
  });
});
