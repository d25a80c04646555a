import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { renderStatus } from '../../../src/features/status/status.ts';
import { setZone } from '../../../src/preferences/zones.ts';
import { submitAndClose } from '../../support/filled-form.ts';
import { expectParts } from '../../support/form-steps.ts';
import { data, json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, ben, database, running, startBot } = setUpBot({ isEmulated: true });

test('/upnext status lists each check when everything works', async () => {
  await ask(ana, '/upnext status', 'Everything’s working.');
  const message = ana.messages().at(-1) ?? '';
  expectParts(
    message,
    'Channel | :white_check_mark: I’m in this channel.',
    'Permissions | :white_check_mark: All required Slack permissions are granted.',
    'Service | :white_check_mark: Connected to the scheduling service. It’s the practice service',
    'Project | :white_check_mark: The only project is Harbour Coffee.',
    'Time zone | :white_check_mark: Times are in Lisbon, from your Slack profile.',
    'This channel has no digest',
  );
});

test('a project whose own token is refused, or that the service no longer knows, is an issue', async () => {
  running.service.on('GET /upnext-post', json(401, {}));
  await ask(ana, '/upnext status', '1 issue: the scheduling service.');
  await ana.sees('Service | :x: Harbour Coffee: The scheduling service refused my access token.');
  running.service.on('GET /upnext-post', json(404, {}));
  await pressAndSee(ana, 'Check again', 'Harbour Coffee: The scheduling service doesn’t know this project.');
});

test('a channel that is named after a project needs no choice of one', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await ask(ana, '/upnext status', 'Everything’s working.');
  await ana.sees('This channel is named after Harbour Coffee. Choose another project with /upnext use.');
});

test('the status is a table, and its text has the same content for screen readers', () => {
  const { text, blocks = [] } = renderStatus([
    { subject: 'Channel', result: 'fine', text: 'This channel follows &lt;!here&gt;.' },
    { subject: 'Outbox', result: 'waiting', text: '1 post is waiting. See `/upnext outbox`.' },
  ]);
  expect(text).toBe(
    'Everything’s working.\nChannel: This channel follows &lt;!here&gt;.\nOutbox: 1 post is waiting. See `/upnext outbox`.',
  );
  const [, table] = blocks;
  expect(table).toMatchObject({ type: 'table' });
  expect(JSON.stringify(table)).toContain('This channel follows <!here>.');
  expect(JSON.stringify(table)).toContain('{"type":"text","text":"/upnext outbox","style":{"code":true}}');
});

test('from Home, the status is in a modal, which can’t contain a table', async () => {
  const ana = running.workspace.as('Ana');
  await (await ana.home('Commands')).choose('Manage…', 'Status');
  await ana.sees('Service  :white_check_mark: Connected to the scheduling service.');
  expect((await ana.modal('Status')).text()).toContain('[Check again]');
});

test('/upnext status says what to type in a channel without the bot, also in a private one', async () => {
  const ana = running.workspace.as('Ana').in('#random');
  await ask(ana, '/upnext status', 'Type /invite @Upnext here.', '1 issue: I’m not in this channel.');
  running.workspace.admin.addChannel('#owners', { private: true, members: ['Ana'] });
  const inPrivate = running.workspace.as('Ana').in('#owners');
  await ask(inPrivate, '/upnext status', ':x: I’m not in this channel', 'Type /invite @Upnext here.');
});

test('/upnext status says what it couldn’t check, and [Check again] checks it', async () => {
  running.service.on('GET /projects', json(401, {}));
  await ask(ana, '/upnext status', '1 issue: the scheduling service.');
  await ana.sees('Project | :warning: I couldn’t check this channel’s project.');
  running.service.on('GET /projects', data([{ Id: 'a', Name: 'Harbour Coffee' }]));
  await pressAndSee(ana, 'Check again', 'Everything’s working.');
  expect(ana.read()).not.toContain('1 issue');
});

test('/upnext status names the time zone of the channel’s project', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const place = { workspace: 'T01HARBOUR', scope: 'project', subject: 'p1' } as const;
  await setZone(database.db, { ...place, zone: 'Asia/Tokyo' });
  await ana.type('/upnext status');
  await ana.sees('Time zone | :white_check_mark: Times are in Tokyo, set for Harbour Coffee.');
});

test('/upnext status says how many posts of the person are waiting, and no number if there are more than it reads', async () => {
  running.service.on('POST /posts', json(429, {}));
  const { ana } = await submitAndClose(running);
  await ana.type('/upnext status');
  await ana.sees('Outbox | :hourglass_flowing_sand: 1 post is waiting. See /upnext outbox.');
  await ana.sees('Everything’s working.');
  const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  await database.db
    .insertInto('submission')
    .values(Array.from({ length: 24 }, (_, item) => ({ ...row, id: randomUUID(), item: item + 1 })))
    .execute();
  await ask(ana, '/upnext status', 'At least 20 posts are waiting.');
  await ask(ana, '/upnext outbox', '1 to 8 of at least 20, as of');
});

test.each([
  ['a refused token', json(401, {}), 'An Owner can'],
  ['an unreadable answer', data(7), 'I can’t read its projects'],
  ['no project', data([]), 'There’s no project yet'],
  ['no readable project', data([{}]), 'I can’t read its projects'],
  ['an unreadable project', data([{ Id: 'a' }, {}]), 'only readable project is a.'],
  ['a namesake', data([{ Id: 'a' }, { Id: 'Harbour Coffee' }, {}]), 'named after Harbour Coffee.'],
  ['several projects', data([{ Id: 'a' }, { Id: 'b' }]), 'with /upnext use'],
])('with %s, /upnext status says what to do', async (_problem, respond, text) => {
  running.service.on('GET /projects', respond);
  for (const person of [ana, ben]) {
    await ask(person, '/upnext status', text);
  }
});

test('/upnext status names the chosen projects, and counts those that no longer exist', async () => {
  running.service.on('GET /projects', data([{ Id: 'a', Name: '<!here>' }, { Id: 'b' }]));
  await ana.type('/upnext use a, b');
  running.service.on('GET /projects', data([{ Id: 'a', Name: '<!here>' }]));
  await ask(ana, '/upnext status', ':x: This channel follows <!here>. 1 more no longer exist');
  running.service.on('GET /projects', data([{ Id: 'a', Name: '<!here>' }, { Name: 'b' }]));
  for (const person of [ana, ben]) {
    await ask(person, '/upnext status', ':white_check_mark: This channel follows <!here> and b.');
  }
});

test('a project that a person may not see isn’t said to be deleted', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  for (const project of ['p1', 'p3']) await grantBen(database.db, 'viewer', project);
  await ask(ben, '/upnext status', 'Your only project is Harbour Coffee.');
  await ask(ana, '/upnext use Harbour Coffee, Night Market Books', 'This channel now follows');
  await ask(ben, '/upnext status', ':white_check_mark: This channel follows Harbour Coffee.');
  running.service.on('GET /projects', data([{ Id: 'p2' }, {}]));
  await ask(ben, '/upnext status', ':white_check_mark: This channel follows p1.');
  running.service.on('GET /projects', data([{}]));
  await ask(ben, '/upnext status', 'I can’t read its projects');
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await ask(ana, '/upnext use Night Market Books', 'This channel now follows Night Market Books');
  running.service.on('GET /projects', listProjects('Launch', 'Night Market Books', 'Harbour Coffee'));
  await ask(ben, '/upnext status', 'This channel follows projects that you may not see.');
});

test('/upnext status shows the other checks while the service is down', async () => {
  await running.service.stop();
  await ask(ana, '/upnext status', 'Service | :x: The scheduling service isn’t answering.');
  await ana.sees('Channel | :white_check_mark: I’m in this channel.');
});

test('/upnext status says since when and why all sending is stopped', async () => {
  await stopSending(database.db, {
    reason: 'the <!channel> *texts*',
    since: new Date('2026-11-20T09:30:00Z'),
  });
  await ana.type('/upnext status');
  await ana.sees('stopped all sending since 2026-11-20 09:30 (UTC). They say: the <!channel> ∗texts∗.');
  await resumeSending(database.db, CAPABILITIES, new Date());
});

test('/upnext status says what I can’t do without the optional scopes, and that this is no issue', async () => {
  await running.close();
  await startBot({ declinedScopes: ['emoji:read', 'files:write'] });
  await ana.type('/upnext status');
  await ana.sees(
    ':white_circle: I can’t tell custom emoji from words between colons (posts with either are refused) without emoji:read.',
  );
  await ana.sees(':white_circle: I can’t send CSV files or show the week as a picture without files:write.');
  await ana.sees(':white_circle: These Slack permissions are optional. To allow them, install me again.');
  await ana.sees('Permissions | :white_check_mark: All required Slack permissions are granted.');
});

test('/upnext status names a missing scope and who can add it', async () => {
  await running.close();
  await startBot({ missingScopes: ['groups:read'] });
  await ask(ana, '/upnext status', ':x: I’m missing Slack permissions: groups:read.');
});
