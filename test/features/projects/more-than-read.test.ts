import { beforeEach, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { NOW } from '../../support/bot.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

/** Only 2,000 of 2,100 projects are read, so a project that isn't among them may still exist. */

const { ana, database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
  const stalls = Array.from({ length: 2_100 }, (_, index) => ({ Id: `p${index}`, Name: `Stall ${index}` }));
  running.service.on('GET /projects', data(stalls));
});

test('the list, Home, the search and /upnext status say that some projects were not loaded', async () => {
  await ask(ana, '/upnext projects', 'I can read only the first 2000 projects. There are more.');
  await ask(ana, '/upnext status', 'There are more projects than I could read.');
  const home = await running.workspace.as('Ana').home('Commands');
  expect(home.text()).toContain('…and at least 1,990 more projects');
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  const searchResults = await form.search('Project', 'Stall 19');
  expect(searchResults).toHaveLength(100);
  expect(searchResults.at(-1)).toBe('Searching only those that I could read');
  expect(await form.search('Project', 'Stall 2050')).toEqual(['Searching only those that I could read']);
});

test('a project that was not loaded can be chosen by its id, and is nowhere reported as missing', async () => {
  await ask(ana, '/upnext use p2050', 'This channel now follows p2050.');
  await ask(ana, '/upnext', 'Nothing is scheduled for p2050.');
  await ask(ana, '/upnext status', 'This channel follows p2050.');
  await ask(ana, '/upnext templates', 'p2050 has no templates yet.');
  expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).value('Project')).toBe('p2050');
  await ana.type('/upnext use');
  expect((await ana.modal('This channel’s projects')).value('Projects')).toContain('p2050');
});

test('a name that matches nothing is reported as not among the first 2,000 projects', async () => {
  running.service.on('GET /upnext-post', (_call, response) => void response.writeHead(404).end());
  await ask(ana, '/upnext use Stall 2050', '“Stall 2050” isn’t among the projects that I could read');
  expect(ana.messages().at(-1)).toContain('Nothing was changed');
});

test.each([
  ['p1, p2050', 'This channel now follows Stall 1 and p2050.'],
  ['p2050 and p2051', 'This channel now follows p2050 and p2051.'],
])('/upnext use %s binds the channel to each of these projects', (args, expected) =>
  ask(ana, `/upnext use ${args}`, expected),
);

test('if one of several projects is unknown, none is chosen', async () => {
  running.service.on('GET /upnext-post', (call, response) => {
    const answer = call.path.includes('/gone/') ? json(404, {}) : data(null);
    return answer(call, response);
  });
  await ask(ana, '/upnext use p1, p2050, gone', '“gone” isn’t among the projects that I could read');
  await ask(ana, '/upnext status', 'This channel doesn’t follow a project yet.');
});

test.each([500, 401])('a project id is not reported as unknown if the service answers %d', async (status) => {
  running.service.on('GET /upnext-post', json(status, {}));
  await ask(ana, '/upnext use p2050', 'I couldn’t load the projects.');
  expect(ana.messages().at(-1)).not.toContain('isn’t among');
});

test('the beginning of a name chooses no project, because other projects may begin with it too', async () => {
  running.service.on('GET /upnext-post', json(404, {}));
  await ask(ana, '/upnext use Stall 1999', 'This channel now follows Stall 1999.');
  await ask(ana, '/upnext use Stall 199', 'This channel now follows Stall 199.');
  await ask(ana, '/upnext use Stall 12 and Sta', '“Sta” isn’t among the projects that I could read');
});

test('choosing the note at the end of the search results changes nothing', async () => {
  await ask(ana, '/upnext', 'Which project');
  await ana.choose('Choose a project', 'Searching only those that I could read');
  const listProjectCalls = () => running.service.calls.filter(({ path }) => path.includes('/projects/'));
  await ask(ana, '/upnext status', 'This channel doesn’t follow a project yet.');
  expect(listProjectCalls()).toEqual([]);
});

test('a person whose only project was not loaded isn’t told that they have no project', async () => {
  await running.close();
  await startBot({ membersDefaultRole: null });
  const stalls = Array.from({ length: 2_100 }, (_, index) => ({ Id: `p${index}`, Name: `Stall ${index}` }));
  running.service.on('GET /projects', data(stalls));
  const role = { subjectKind: 'person', subject: 'U02BENOKAF', project: 'p2050', role: 'viewer' } as const;
  const grant = { reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: NOW } as const;
  await saveGrant(database.db, { workspace: running.workspace.team.id, ...role, ...grant });
  const ben = running.workspace.as('Ben').in('#general');
  await ask(ben, '/upnext', 'I found none of your projects, but there are more than I could read.');
});
