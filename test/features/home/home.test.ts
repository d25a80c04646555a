import { describe, expect, test } from 'vitest';
import { saveGrant } from '../../../src/access/access.ts';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { NOW } from '../../support/bot.ts';
import { startSeries } from '../../support/filled-form.ts';
import { expectNone, expectParts } from '../../support/form-steps.ts';
import { changeHeldPosts, copyHeldPost, holdPost, reviewedBy } from '../../support/hold-posts.ts';
import { insertPost } from '../../support/post-submissions.ts';
import { data, hang, json, listProjects, type ServiceCall } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, database, running, setPolicy, startBot } = setUpBot({ isEmulated: true });
const ANA = 'U01ANAFERR';
const BEN = 'U02BENOKAF';

const PROJECTS = listProjects('Harbour Coffee', 'Night Market <Books>');
const createPost = (Content: string, ScheduleDate: string | undefined, changes: object = {}) => ({
  Id: Content,
  Content,
  ...(ScheduleDate !== undefined && { ScheduleDate, Timezone: 'Europe/Berlin' }),
  Platforms: ['X'],
  Status: ScheduleDate === undefined ? 'DRAFT' : 'SCHEDULED',
  ...changes,
});

/** Stores a submission whose outcome is uncertain. */
const storePendingSubmission = (author: string) =>
  insertPost(database.db, { id: `s-${author}`, author, createdAt: NOW }, { state: 'unsure' });

/** Scripts the responses of the service to requests for posts. */
function answerPosts(answer: (call: ServiceCall, isDraft: boolean) => unknown[]): void {
  running.service.on('GET /posts', (call, response) =>
    data(answer(call, call.query.getAll('status').includes('DRAFT')))(call, response),
  );
}

test('Home shows the whole week of a service that returns ten posts at a time', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const posts = Array.from({ length: 14 }, (_, index) =>
    createPost(`Post ${index + 1}`, `2026-11-23T${String(index + 8).padStart(2, '0')}:00:00+01:00`),
  );
  answerPosts(({ query }, isDraft) => {
    const skip = Number(query.get('skip') ?? 0);
    return isDraft ? [] : posts.slice(skip, skip + 10);
  });
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text).toContain('Post 14');
  expect(text).not.toContain('There’s more than I can show here.');
});

test('Home shows nothing else from a service that ignores the filter', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  answerPosts(() => [
    createPost('Monday', '2026-11-23T09:00:00Z'),
    createPost('Never published', '2026-11-10T09:00:00Z'),
    createPost('An idea', undefined),
  ]);
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, 'Mon 23 Nov', '1 draft');
  expect(text).not.toContain('Never published');
});

test('Home doesn’t say that nothing goes out if it couldn’t read all posts of the week', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /upnext-post', data(createPost('Monday', '2026-11-23T09:00:00Z')));
  const old = Array.from({ length: 101 }, (_, index) => createPost(`Old ${index}`, '2026-11-10T09:00:00Z'));
  answerPosts((_call, isDraft) => (isDraft ? [] : old));
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text).toContain('Mon 23 Nov');
  expect(text).not.toContain('Nothing goes out');
});

test('Home doesn’t say that nothing is scheduled in projects that it couldn’t read', async () => {
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }, 7]));
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text).toContain('Nothing is scheduled in the projects that I could read.');
});

test('Home shows posts with the service’s own word for a status under their days', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const queued = { Status: 'queued' };
  answerPosts((_call, isDraft) =>
    isDraft
      ? [createPost('An idea', undefined, { Status: 'idea' })]
      : [
          createPost('Monday', '2026-11-23T09:00:00Z', queued),
          createPost('Tuesday', '2026-11-24T09:00:00Z', queued),
        ],
  );
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, 'Mon 23 Nov', 'Tue 24 Nov', '1 draft');
  expect(text).not.toContain('Nothing goes out');
});

test('Home shows the week’s posts across projects by day, drafts, and a menu of all commands', async () => {
  running.service.on('GET /projects', PROJECTS);
  running.service.on('GET /upnext-post', data(createPost('Far away', '2027-03-01T09:00:00+01:00')));
  answerPosts(({ path }, isDraft) => {
    if (path.includes('p2')) return [];
    if (isDraft) return [createPost('An <idea>', undefined)];
    return [
      createPost('Second', '2026-11-23T20:00:00+01:00'),
      createPost('First', '2026-11-23T09:00:00+01:00'),
      createPost('Third', '2026-11-25T09:00:00+01:00'),
    ];
  });
  const home = await running.workspace.as('Ana').home('Commands');
  const text = home.text();
  expect(text.indexOf('First')).toBeLessThan(text.indexOf('Second'));
  // The most frequent action is visible without scrolling past the week.
  expect(text.indexOf('[New post]')).toBeLessThan(text.indexOf('First'));
  expect(text).toMatch(/Mon 23 Nov\n08:00 \(09:00 Berlin\) · Harbour Coffee · X\nFirst/);
  expect(text).toMatch(/Later\nMon 1 Mar 2027, 08:00 \(09:00 Berlin\) · Night Market <Books>/);
  for (const part of [
    'times in Lisbon',
    'Wed 25 Nov',
    '1 draft',
    'Harbour Coffee: An <idea>',
    'Connected to the scheduling service',
    '[All posts]',
    'Manage…',
  ]) {
    expect(text.replace(/ {2}/g, ' ')).toContain(part);
  }
});

test('Home removes direction marks from names', async () => {
  const directionMarks = '\u202e\u2066\u200f\u061c';
  running.service.on('GET /projects', data([{ Id: 'p1', Name: `Harbour ${directionMarks}Coffee` }]));
  const unusualFields = { Platforms: ['X', `MAST${directionMarks}ODON`] };
  answerPosts((_call, isDraft) =>
    isDraft ? [] : [createPost(`An ${directionMarks}idea`, '2026-11-24T09:00:00+01:00', unusualFields)],
  );
  const home = await running.workspace.as('Ana').home('X and MASTODON');
  expect(home.text()).toContain('Harbour Coffee');
  expect(home.text()).not.toMatch(/\p{Bidi_Control}/u);
});

test('whoever may not schedule isn’t told of a button that they don’t have', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  const ben = running.workspace.as('Ben').in('#general');
  const home = await ben.home('Nothing is scheduled. Schedule the first one with /schedule-post.');
  expect(home.text()).not.toContain('New post');
  await ask(ben, '/upnext', 'Schedule one with /schedule-post.');
});

test('Home says what to do if there are no posts or projects', async () => {
  const home = await running.workspace.as('Ana').home('Nothing is scheduled.');
  running.service.on('GET /projects', listProjects());
  await home.press('Refresh');
  await running.workspace.as('Ana').home('There’s no project yet.');
  running.service.on('GET /projects', data([{ Name: 'A project without an id' }]));
  await home.press('Refresh');
  await running.workspace.as('Ana').home('I can’t read its projects.');
});

test.each([
  ['has listed all its projects without it', listProjects('Harbour Coffee'), false],
  ['doesn’t answer', json(500, 'oops'), true],
])('if the service %s, a stop of an unknown project is on Home: $2', async (_answer, answer, isShown) => {
  running.service.on('GET /projects', answer);
  answerPosts(() => []);
  for (const project of ['p1', 'p9'])
    await stopSending(
      database.db,
      { reason: 'wrong copy', since: new Date('2026-11-20T11:00:00Z'), stoppedBy: BEN },
      { workspace: 'T01HARBOUR', project },
    );
  const home = await running.workspace.as('Ana').home('Stopped by @Ben');
  expect(home.text().includes('A project is stopped.')).toBe(isShown);
});

test('Home first says that it is loading, and reports a failure', async () => {
  running.service.on('GET /projects', hang);
  const ana = running.workspace.as('Ana');
  await ana.home('Loading…');
  await running.close();
  await startBot();
  running.service.on('GET /projects', json(401, {}));
  const home = await running.workspace.as('Ana').home('I couldn’t load the posts.');
  expectParts(home.text(), 'refused my access token', '[New post]');
  running.service.on('GET /projects', PROJECTS);
  await home.press('Try again');
  await running.workspace.as('Ana').home('Nothing is scheduled.');
});

test('if the posts can’t be loaded, Home doesn’t say that nothing is scheduled', async () => {
  running.service.on('GET /posts', json(503, {}));
  const home = await running.workspace.as('Ana').home('I couldn’t load all posts.');
  expectNone(home.text(), 'Nothing is scheduled', 'Connected');
  running.service.on('GET /posts', data([]));
  await home.press('Try again');
  await running.workspace.as('Ana').home('Nothing is scheduled.');
});

test('a post of the week opens in a modal', async () => {
  running.service.on('GET /projects', PROJECTS);
  answerPosts(({ path }, isDraft) =>
    isDraft || path.includes('p2') ? [] : [createPost('First', '2026-11-23T09:00:00+01:00')],
  );
  const ana = running.workspace.as('Ana');
  const home = await ana.home('Commands');
  await home.press('Open: First');
  const modal = await ana.modal('Post');
  expect(modal.text()).toContain('Mon 23 Nov, 08:00 (09:00 Berlin)');
  await modal.close();
  answerPosts(() => []);
  await home.press('Open: First');
  await ana.sees('This post is no longer there.');
});

test('of two posts in the same minute, Home shows the one with the first id first', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  answerPosts((_call, isDraft) =>
    isDraft ? [] : ['Second', 'First'].map((id) => createPost(id, '2026-11-23T09:00:00+01:00')),
  );
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text.indexOf('First')).toBeLessThan(text.indexOf('Second'));
});

test('Home shows long posts, a thousand projects and unreadable records within Slack’s limits', async () => {
  const thousandProjects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `p${index}`,
    Name: `<!channel> \u202e ${'🥐'.repeat(100)} ${index}`,
  }));
  running.service.on('GET /projects', data(thousandProjects));
  const unusualRecords = [7, null, { Id: {} }, { Content: ['x'] }];
  const longPosts = Array.from({ length: 100 }, (_, index) =>
    createPost(`<!here> ${'🥐'.repeat(2_000)}`, `2026-11-${21 + (index % 7)}T09:00:00+01:00`, {
      Id: `post-${index}`,
    }),
  );
  answerPosts((_call, isDraft) => (isDraft ? unusualRecords : longPosts));
  const home = await running.workspace.as('Ana').home('…and 990 more projects');
  expectParts(home.text(), 'more than I can show here', 'I couldn’t read everything of');
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
});

describe('Home is refreshed', () => {
  /** A command that may change what Home shows. */
  const CHANGE = '/upnext zone Europe/Berlin';
  const PENDING = 'in your outbox';
  const countPublishedHomes = () => running.workspace.faults.counts().calls['views.publish'] ?? 0;

  test('Home is refreshed after a command of its user, but not of somebody else', async () => {
    const home = await ana.home('Nothing is scheduled.');
    await storePendingSubmission(ANA);
    const earlierCount = countPublishedHomes();
    await running.workspace.as('Ben').in('#general').type(CHANGE);
    expect(countPublishedHomes()).toBe(earlierCount);
    await ana.type(CHANGE);
    await expect.poll(() => home.text()).toContain(PENDING);
  });

  test('Home is not refreshed after a command that only reads', async () => {
    const ben = running.workspace.as('Ben').in('#general');
    const [homeOfAna, homeOfBen] = [await ana.home('Nothing is'), await ben.home('Nothing is')];
    await storePendingSubmission(ANA);
    await storePendingSubmission(BEN);
    await ana.type('/upnext help');
    // A refresh of Ana's Home would have started before that of Ben's.
    await ben.type(CHANGE);
    await expect.poll(() => homeOfBen.text()).toContain(PENDING);
    expect(homeOfAna.text()).not.toContain(PENDING);
  });

  test('Home is refreshed even if another instance has updated it in the meantime', async () => {
    const home = await ana.home('Nothing is scheduled.');
    await database.db.updateTable('home_tab').set({ hash: '1.other' }).execute();
    await storePendingSubmission(ANA);
    await ana.type(CHANGE);
    await expect.poll(() => home.text()).toContain(PENDING);
    expect(running.logged.filter((line) => line.includes('hash_conflict'))).toEqual([]);
  });

  test('Home is refreshed less than ten times after ten simultaneous actions', async () => {
    const home = await ana.home('Nothing is scheduled.');
    const earlierCount = countPublishedHomes();
    await Promise.all(Array.from({ length: 10 }, () => ana.type(CHANGE)));
    await storePendingSubmission(ANA);
    await ana.type(CHANGE);
    await expect.poll(() => home.text()).toContain(PENDING);
    expect(countPublishedHomes() - earlierCount).toBeLessThan(10);
  });

  test('Home is refreshed with the submissions that wait for its user', async () => {
    await storePendingSubmission(ANA);
    const home = await running.workspace.as('Ana').home(`1 post is waiting ${PENDING}.`);
    expectParts(home.text(), '[Open outbox]', '❔ Not sure · Your post');
  });
});

const MONDAY = '2026-11-23T09:00:00Z';

test('Home shows held posts in the week, and opens them', async () => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await holdPost(running, { text: 'An idea', isDraft: true });
  const home = await running.workspace.as('Ana').home('Commands');
  const text = home.text();
  expect(text).toMatch(
    /Mon 23 Nov\n09:00 · ✏️ Editable until Mon 08:00 · Harbour Coffee · X\nWe open at nine/,
  );
  expect(text).toMatch(/1 draft.*Harbour Coffee: An idea/s);
  await home.press('Open');
  await running.workspace.as('Ana').sees('Editable until Mon 23 Nov, 08:00');
});

test('Home shows held posts with the present name of their project', async () => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await holdPost(running, { text: 'An idea', isDraft: true });
  running.service.on('GET /projects', listProjects('Harbour Tea'));
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, '· Harbour Tea · X', 'Harbour Tea: An idea');
  expect(text).not.toContain('Harbour Coffee');
});

test('Home shows the next held post of a project without posts this week', async () => {
  await holdPost(running, { text: 'In December', at: '2026-12-14T09:00:00Z' });
  const home = await running.workspace.as('Ana').home('Commands');
  expect(home.text()).toMatch(/Later\nMon 14 Dec, 09:00.*In December/s);
});

test.each<[since: string, routes: readonly Parameters<typeof running.service.on>[0][]]>([
  ['isn’t answering', ['GET /posts']],
  ['hasn’t answered since the bot’s start', ['GET /projects', 'GET /posts', 'GET /upnext-post']],
])('Home shows held posts although the service %s, and says so', async (_since, routes) => {
  await holdPost(running, { text: 'We open at nine', at: MONDAY });
  for (const route of routes) running.service.on(route, json(500, 'oops'));
  const home = await running.workspace.as('Ana').home('Commands');
  expectParts(home.text(), 'We open at nine', 'I couldn’t read everything of: Harbour Coffee.');
});

test('Home counts what the outbox lists, and says what is a draft', async () => {
  await holdPost(running, { text: 'An idea', isDraft: true });
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY });
  await changeHeldPosts(running, { state: 'needs-person', reason: 'not-allowed', next_at: null }, id);
  await ask(ana, '/upnext outbox', 'Posts that wait for you');
  expect(ana.messages().at(-1)).toMatch(/We open at nine.*An idea/s);
  expect((await ana.home('Commands')).text()).toContain('1 post and 1 draft are waiting in your outbox.');
});

test('a series of the viewer that waits for them is pending', async () => {
  await setPolicy({ leadMinutes: 60 });
  await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
  await ana.sees('I make its posts 35 days ahead.');
  await running.db.updateTable('series').set({ state: 'paused', reason: 'other-service' }).execute();
  const home = await ana.home('Commands');
  expect(home.text()).toContain('1 submission is waiting in your outbox.');
  expect(home.text()).toContain('🔁 Series paused · every Monday at 09:00 (Lisbon), Harbour Coffee');
});

test('what nobody may schedule any more is pending for a manager, and not for an author who may not see it', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await setPolicy({ leadMinutes: 60 });
  await grantBen(running.db, 'viewer', 'p2');
  await startSeries(ana, '/schedule-post every monday at 9 on x: Hello');
  await ana.sees('I make its posts 35 days ahead.');
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY });
  const question = { author: 'U02BENOKAF', reason: 'not-allowed', next_at: null } as const;
  await changeHeldPosts(running, { ...question, state: 'needs-person' }, id);
  await running.db
    .updateTable('series')
    .set({ ...question, state: 'paused' })
    .execute();
  const asked = (await ana.home('Commands')).text();
  expect(asked).toContain('2 submissions are waiting in your outbox.');
  expect(asked).toContain('🔁 Series paused · every Monday at 09:00 (Lisbon), Harbour Coffee');
  expect(asked).toContain('🙋 Nobody may schedule it · Post for Harbour Coffee, Mon 23 Nov, 09:00');
  const unasked = (await running.workspace.as('Ben').home('Commands')).text();
  expectNone(unasked, 'in your outbox', 'Harbour Coffee');
});

test('drafts are shown although more posts are planned than Home reads', async () => {
  const row = await holdPost(running, { text: 'In December', at: '2026-12-14T09:00:00Z' });
  await copyHeldPost(running, row, 500);
  await holdPost(running, { text: 'An idea', isDraft: true });
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expect(text).toMatch(/📝 1 draft.*Harbour Coffee: An idea/s);
});

test('with more than ten projects, Home says which it shows, and counts what needs the viewer in all', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `Project ${index + 1}`);
  running.service.on('GET /projects', listProjects(...names));
  const project = { id: 'p11', name: 'Project 11' };
  const { id } = await holdPost(running, { text: 'We open at nine', at: MONDAY, project });
  await changeHeldPosts(running, { state: 'needs-person', reason: 'overdue', next_at: null }, id);
  const text = (await running.workspace.as('Ana').home('Commands')).text();
  expectParts(text, 'Nothing is scheduled in the first 10 projects.', '1 post is waiting in your outbox.');
  expect(text).toContain('Post for Project 11, Mon 23 Nov, 09:00');
});

test('Home finds what waits for the viewer’s review behind many posts that others review', async () => {
  await startWithTwoProjects(startBot);
  await setPolicy(reviewedBy('U03MIRAVOS'));
  await setPolicy(reviewedBy('U02BENOKAF'), 'p2');
  const row = await holdPost(running, { text: 'Check this', at: MONDAY, policy: reviewedBy('U03MIRAVOS') });
  await copyHeldPost(running, row, 30);
  const project = { id: 'p2', name: 'Night Market Books' };
  const policy = reviewedBy('U02BENOKAF');
  await holdPost(running, { text: 'New shelves', at: '2026-11-24T09:00:00Z', project, policy });
  const ofBen = (await running.workspace.as('Ben').home('Waiting for your review')).text();
  expect(ofBen).toContain('New shelves');
  const ofMira = (await running.workspace.as('Mira').home('Waiting for your review')).text();
  expect(ofMira).toContain('…and at least 25 more.');
});

test('Home is emptied when the last role is taken back, also if it was opened days ago', async () => {
  await startBot({ isEmulated: true, membersDefaultRole: null });
  running.service.on('GET /projects', PROJECTS);
  answerPosts(() => [createPost('Nobody else’s', '2026-11-23T09:00:00Z')]);
  const grant = {
    workspace: 'T01HARBOUR',
    subjectKind: 'person',
    subject: 'U03MIRAVOS',
    project: '',
  } as const;
  const given = { role: 'viewer', reason: 'given', grantedBy: ANA, grantedAt: NOW } as const;
  await saveGrant(database.db, { ...grant, ...given });
  const home = await running.workspace.as('Mira').home('Nobody else’s');
  const opened_at = new Date(NOW.getTime() - 3 * 24 * 60 * 60 * 1000);
  await database.db.updateTable('home_tab').set({ opened_at }).execute();
  await ask(ana, '/upnext roles', '@Mira Vos: Viewer');
  await ana.press('Take back', { dialog: 'confirm' });
  await expect.poll(() => home.text()).toContain('You need a role to see posts here.');
  expect(home.text()).not.toContain('Nobody else’s');
});
