import { beforeEach, expect, test } from 'vitest';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { insertPost } from '../../support/post-submissions.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

const MINUTE_MS = 60_000;
/** A command that may change what Home shows. */
const CHANGE = '/upnext zone Europe/Berlin';

interface ServicePost {
  Content: string;
  project: string;
}
/** The scheduled posts that the service has. */
let posts: ServicePost[];

beforeEach(async () => {
  posts = [{ Content: 'First', project: 'p1' }];
  await startBot({ followsClock: true, startTime: new Date('2026-11-20T12:00:00Z') });
  const projects = ['p1', 'p2', 'p3'].map((Id) => ({ Id, Name: `Project ${Id}` }));
  running.service.on('GET /projects', data(projects));
  answerPosts();
  running.service.on('POST /posts', (call, response) => {
    const { Content } = call.body as ServicePost;
    posts.push({ Content, project: call.path.split('/')[4] ?? '' });
    return data({ Id: Content })(call, response);
  });
});

function answerPosts(): void {
  running.service.on('GET /posts', (call, response) => {
    const isDraft = call.query.getAll('status').includes('DRAFT');
    const records = posts
      .filter(({ project }) => !isDraft && call.path.includes(`/${project}/`))
      .map(({ Content }) => ({
        ...{ Id: Content, Content, ScheduleDate: '2026-11-23T09:00:00Z', Timezone: 'UTC' },
        ...{ Platforms: ['X'], Status: 'SCHEDULED' },
      }));
    return data(records)(call, response);
  });
}

const countPublishedHomes = () => running.workspace.faults.counts().calls['views.publish'] ?? 0;
const countPostReads = () =>
  running.service.calls.filter(({ method, path }) => method === 'GET' && /posts?$/.test(path)).length;
/** Lists the projects whose posts were read since the call at `index`. */
const listReadProjects = (index: number) => [
  ...new Set(
    running.service.calls
      .slice(index)
      .flatMap(({ method, path }) => (method === 'GET' && path.endsWith('/posts') ? path.split('/')[4] : [])),
  ),
];

/** Acts as a person whose Home is open, and waits until Home was refreshed. */
async function refreshByCommand(name: string): Promise<void> {
  const countBefore = countPublishedHomes();
  await running.workspace.as(name).in('#general').type(CHANGE);
  await expect.poll(countPublishedHomes).toBeGreaterThan(countBefore);
}

test('actions that change no post need no call to the service, and people share what was read', async () => {
  await running.workspace.as('Ana').home('First');
  const readCount = countPostReads();
  await running.workspace.as('Ben').home('First');
  for (const name of ['Ana', 'Ben', 'Ana']) await refreshByCommand(name);
  expect(countPostReads()).toBe(readCount);
});

test('after five minutes the posts are read again, and Home says when they were read', async () => {
  const home = await running.workspace.as('Ana').home('First');
  expect(home.text()).toContain('As of Fri 20 Nov, 12:00');
  posts.push({ Content: 'Made elsewhere', project: 'p2' });
  running.workspace.clock.advance(4 * MINUTE_MS);
  await refreshByCommand('Ana');
  await expect.poll(() => home.text()).toContain('As of Fri 20 Nov, 12:00');
  expect(home.text()).not.toContain('Made elsewhere');
  running.workspace.clock.advance(MINUTE_MS);
  await refreshByCommand('Ana');
  await expect.poll(() => home.text()).toContain('As of Fri 20 Nov, 12:05');
  expect(home.text()).toContain('Made elsewhere');
});

test('[Refresh] reads all posts again', async () => {
  const home = await running.workspace.as('Ana').home('First');
  posts.push({ Content: 'Made elsewhere', project: 'p2' });
  await home.press('Refresh');
  await expect.poll(() => home.text()).toContain('Made elsewhere');
});

test('a post that somebody has scheduled is on everybody’s Home at the next refresh', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  const [homeOfAna, homeOfBen] = [await ana.home('First'), await running.workspace.as('Ben').home('First')];
  const callCount = running.service.calls.length;
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await fillIn(form, { Project: ['Project p2'], Text: 'Just scheduled', Platforms: ['X'] });
  await submitWith(form, { When: '23 Nov 9am' });
  await expect.poll(() => homeOfAna.text()).toContain('Just scheduled');
  await refreshByCommand('Ben');
  await expect.poll(() => homeOfBen.text()).toContain('Just scheduled');
  // The other projects can't have changed.
  expect(listReadProjects(callCount)).toEqual(['p2']);
});

test('a post that another instance sent for the viewer is on Home at the next refresh', async () => {
  const home = await running.workspace.as('Ana').home('First');
  posts.push({ Content: 'Sent by another instance', project: 'p3' });
  const [callCount, readCount] = [running.service.calls.length, countPostReads()];
  // The other instance's clock is behind.
  const sentAt = new Date(Date.now() - 1_000);
  const ofAna = { id: 's1', author: 'U01ANAFERR', createdAt: sentAt };
  await insertPost(database.db, ofAna, { state: 'confirmed', project: 'p3', changed_at: sentAt });
  await refreshByCommand('Ana');
  await expect.poll(() => home.text()).toContain('Sent by another instance');
  expect(listReadProjects(callCount)).toEqual(['p3']);
  // Its week and its drafts, once.
  expect(countPostReads()).toBe(readCount + 2);
});

test('a post whose time has passed since it was read is no longer on Home', async () => {
  running.workspace.clock.advance(Date.parse('2026-11-23T08:58:00Z') - Date.parse('2026-11-20T12:00:00Z'));
  const home = await running.workspace.as('Ana').home('First');
  running.workspace.clock.advance(3 * MINUTE_MS);
  await refreshByCommand('Ana');
  expect(home.text()).not.toContain('First');
});

test('a failed read never means that there are no posts, and is soon repeated', async () => {
  running.service.on('GET /posts', json(503, {}));
  const home = await running.workspace.as('Ana').home('I couldn’t load all posts.');
  await refreshByCommand('Ana');
  await expect.poll(() => home.text()).toContain('I couldn’t load all posts.');
  expect(home.text()).not.toContain('Nothing is scheduled');
  answerPosts();
  running.workspace.clock.advance(MINUTE_MS);
  await refreshByCommand('Ana');
  await expect.poll(() => home.text()).toContain('First');
});
