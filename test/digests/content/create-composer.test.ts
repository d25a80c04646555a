import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import type { PostList } from '../../../src/api/list-all-posts.ts';
import { mapDone, type Outcome } from '../../../src/api/outcome.ts';
import type { Post } from '../../../src/api/posts.ts';
import { listSnapshotProjects, takeSnapshot } from '../../../src/digests/content/changes.ts';
import { createComposer } from '../../../src/digests/content/create-composer.ts';
import type { ProjectSlots } from '../../../src/digests/content/findings.ts';
import { addHeldPosts, type PlannedPost, readPlan } from '../../../src/digests/content/plan.ts';
import { type Digest, SECTIONS } from '../../../src/digests/digest.ts';
import type { ComposeRequest, ComposeResult } from '../../../src/digests/digest-context.ts';
import type { ListedHeldPost } from '../../../src/posts/merge-plan.ts';
import { toSlotPrefill } from '../../../src/posts/slot-phrase.ts';
import type { HeldState } from '../../../src/posts/state-copy.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { BOOKS, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

const NOW = new Date('2026-11-20T08:00:00Z');

const DIGEST: Digest = {
  id: 'd1',
  workspace: 'T1',
  channel: 'C1',
  kind: 'daily',
  projects: ['p1'],
  days: [1, 2, 3, 4, 5],
  time: { hour: 9, minute: 0 },
  zone: 'Europe/Berlin',
  sections: SECTIONS,
  isSilentWhenEmpty: false,
  sharedWith: null,
  owner: 'U1',
  state: 'on',
};

type PostsOutcome = Outcome<PostList>;
const toPostsOutcome = (items: readonly Post[]): PostsOutcome => ({
  kind: 'done',
  data: { items, unreadableCount: 0, isComplete: true },
  requestId: 'r',
});

const OUTAGE = { kind: 'unknown', cause: 'connection-lost' } as const;

/** A request at `NOW` to a service with two projects and no posts. */
const REQUEST: ComposeRequest = {
  ...{ now: NOW, due: NOW, date: '2026-11-20', isRequested: false, projects: ['p1'] },
  reads: {
    listProjects: async () => ({
      kind: 'done',
      data: { isReadable: true, items: [HARBOUR, BOOKS], unreadableCount: 0, isTruncated: false },
      requestId: 'r',
    }),
    listPosts: async () => toPostsOutcome([]),
  },
};

interface Setup {
  digest?: Partial<Digest>;
  request?: Partial<ComposeRequest>;
  posts?: PostsOutcome | ((project: string) => PostsOutcome);
  mayRead?: (project: string) => Permission;
  stops?: readonly { project: string; since: Date }[];
  slots?: ProjectSlots;
  /** The posts that Upnext keeps. `isTruncated`: there are more. */
  held?: { posts: readonly PlannedPost[]; isTruncated?: boolean };
}

const warnings: string[] = [];

const createHeldPost = (
  { project, post }: Pick<PlannedPost, 'project' | 'post'>,
  state: HeldState = 'held',
): ListedHeldPost => ({
  ...{ project, post, author: 'U1' },
  held: {
    ...{ id: `held-${post.id}`, version: 1, hash: 'h', state, handOverAt: undefined, changedAt: new Date(0) },
    facts: { held: { state, reason: null } },
  },
});
const createHeldPlan = ({ posts, isTruncated = false }: NonNullable<Setup['held']>) => ({
  posts: posts.map((planned) => createHeldPost(planned)),
  isTruncated,
});

function compose({
  digest,
  request,
  posts = toPostsOutcome([]),
  mayRead,
  stops = [],
  slots = { postingTimes: [], blackouts: [], free: [] },
  held = { posts: [] },
}: Setup): Promise<ComposeResult> {
  const composer = createComposer({
    checkReadPermission: async (_actor, project) => mayRead?.(project) ?? 'yes',
    listStoppedProjects: async () => stops,
    readSlots: async () => slots,
    readHeldPlan: async () => createHeldPlan(held),
    log: { ...SILENT, warn: (_fields, message) => void warnings.push(message) },
    rasterizer: { rasterize: async () => Buffer.from('drawn') },
  });
  const respond = typeof posts === 'function' ? posts : () => posts;
  return composer(
    { ...DIGEST, ...digest },
    {
      ...REQUEST,
      reads: {
        ...REQUEST.reads,
        listPosts: async ({ project, from, to }) => mapDone(respond(project), keepBetween(from, to)),
      },
      ...request,
    },
  );
}

const keepBetween = (from: Date, to: Date) => (list: PostList) => ({
  ...list,
  items: list.items.filter(
    ({ scheduleDate }) => !scheduleDate || (scheduleDate >= from && scheduleDate <= to),
  ),
});

const createPost = (isoTime: string, fields: Partial<Post> = {}) => createPlannedPost(isoTime, fields).post;
const getText = (composeResult: ComposeResult) =>
  composeResult.kind === 'message' ? composeResult.text : composeResult.kind;

describe('with nothing planned', () => {
  test('an empty digest has one line, and is omitted if its settings say so and nobody requested it', async () => {
    expect(getText(await compose({}))).toContain(
      'Nothing is scheduled for Harbour Coffee until Sat 21 Nov, 21:00',
    );
    const omittedWhenEmpty = { isSilentWhenEmpty: true };
    expect(getText(await compose({ digest: omittedWhenEmpty }))).toBe('silent');
    const stops = [{ project: 'p1', since: NOW }];
    expect(getText(await compose({ digest: omittedWhenEmpty, stops }))).toContain(
      '🛑 Harbour Coffee has been stopped since Fri 20 Nov,',
    );
    expect(getText(await compose({ digest: omittedWhenEmpty, request: { isRequested: true } }))).toContain(
      'Nothing is scheduled',
    );
  });

  test('a digest of warnings only is empty if there is none, although posts are planned', async () => {
    const posts = toPostsOutcome(
      ['20', '23', '24', '25', '26'].map((day) => createPost(`2026-11-${day}T13:00:00Z`)),
    );
    const digest = { sections: ['late', 'collisions', 'gaps'] as const };
    expect(getText(await compose({ digest, posts }))).toContain('Nothing to report for Harbour Coffee.');
    expect(getText(await compose({ digest: { ...digest, isSilentWhenEmpty: true }, posts }))).toBe('silent');
    const fewer = toPostsOutcome([createPost('2026-11-20T13:00:00Z')]);
    expect(
      getText(await compose({ digest: { ...digest, isSilentWhenEmpty: true }, posts: fewer })),
    ).toContain('Nothing on Monday.');
  });

  test('a post whose time can’t be read keeps a digest from saying that nothing is scheduled', async () => {
    const posts = toPostsOutcome([{ id: 'p', platforms: ['X'], unreadableFields: ['ScheduleDate'] }]);
    const text = getText(await compose({ digest: { isSilentWhenEmpty: true }, posts }));
    expect(text).not.toContain('Nothing');
    expect(text).toContain('Harbour Coffee, Fri 20 Nov');
  });

  test('a digest that is omitted when empty is sent if a post is late', async () => {
    const posts = toPostsOutcome([createPost('2026-11-19T08:00:00Z')]);
    expect(getText(await compose({ digest: { isSilentWhenEmpty: true }, posts }))).toContain(
      'One post is overdue',
    );
  });
});

describe('responses of the service', () => {
  test('a project that the service doesn’t list counts as deleted, and other failures are retried', async () => {
    const notFound: PostsOutcome = { kind: 'refused', status: 404, requestId: 'r' };
    const unlistedProject = { digest: { projects: ['p9'] }, request: { projects: ['p9'] } };
    expect(await compose({ ...unlistedProject, posts: notFound })).toEqual({ kind: 'gone', project: 'p9' });
    expect(await compose({ posts: notFound })).toEqual({ kind: 'failed', outcome: notFound });
    const noResponse: PostsOutcome = { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
    expect(await compose({ posts: noResponse })).toEqual({ kind: 'failed', outcome: noResponse });
  });

  test('a digest counts unreadable records, and says that it omits posts', async () => {
    const data = { items: [createPost('2026-11-20T13:00:00Z')], unreadableCount: 2, isComplete: false };
    const message = JSON.stringify(await compose({ posts: { kind: 'done', data, requestId: 'r' } }));
    expect(message).toContain('2 records couldn’t be read.');
    expect(message).toContain('There may be more posts than I could read');
    expect(message).toContain('I couldn’t check whether some are too close and where gaps are.');
    expect(message).not.toContain('Nothing on');
  });

  test('a weekly digest counts the posts that went out since the last one', async () => {
    const times = [14, 15, 16, 17, 18, 19].map((day) => `2026-11-${day}T10:00:00Z`);
    const list = (status: string) =>
      toPostsOutcome(times.map((time) => createPost(time, { id: `p ${time}`, status })));
    const lastSentAt = new Date('2026-11-13T08:00:00Z');
    const last = await compose({
      digest: { kind: 'weekly' },
      posts: list('SCHEDULED'),
      request: { now: lastSentAt, date: '2026-11-13' },
    });
    if (last.kind !== 'message' || last.snapshot === undefined) throw new Error('no snapshot');
    const digest = await compose({
      digest: { kind: 'weekly', lastSentAt, snapshot: last.snapshot },
      posts: list('PUBLISHED'),
    });
    expect(getText(digest)).toContain('Since the last digest: 6 went out.');
  });

  test('more posts than are read, all of them later, leave a digest complete', async () => {
    const held = {
      posts: [createPlannedPost('2026-11-21T10:00:00Z'), createPlannedPost('2026-12-10T10:00:00Z')],
      isTruncated: true,
    };
    const digest = JSON.stringify(await compose({ held }));
    expect(digest).not.toContain('There may be more posts');
    expect(digest).toContain('Nothing on');
    const nearer = { posts: held.posts.slice(0, 1), isTruncated: true };
    expect(JSON.stringify(await compose({ held: nearer }))).toContain('There may be more posts');
  });

  test.each(['daily', 'weekly'] as const)(
    'a %s digest doesn’t claim that nothing is planned while the service is down',
    async (kind) => {
      const held = { posts: [createPlannedPost('2026-11-21T10:00:00Z', { status: 'DRAFT' })] };
      const digest = JSON.stringify(await compose({ digest: { kind }, held, request: { failure: OUTAGE } }));
      expect(digest).toContain('One draft is due soon');
      expect(digest).not.toMatch(/Nothing|No posts/);
    },
  );

  test('the digest of a channel without a project explains how to choose a project', async () => {
    expect(getText(await compose({ request: { projects: [] } }))).toContain('`/upnext use`');
  });
});

describe('a personal digest', () => {
  test('a personal digest waits if the reader’s permission couldn’t be checked', async () => {
    const digest = { channel: 'U7', projects: ['p1', 'p2'] };
    const request = { projects: ['p1', 'p2'] };
    const mayRead = (project: string) => (project === 'p2' ? 'yes' : 'unknown');
    expect(await compose({ digest, request, mayRead })).toEqual({ kind: 'not-checked' });
  });

  test('a personal digest contains only projects that its reader may see now', async () => {
    const setup = {
      digest: { channel: 'U7', projects: ['p1', 'p2'] },
      request: { projects: ['p1', 'p2'] },
      posts: (project: string) =>
        toPostsOutcome([createPost('2026-11-20T13:00:00Z', { content: `of ${project}` })]),
    };
    const message = JSON.stringify(
      await compose({ ...setup, mayRead: (project) => (project === 'p2' ? 'yes' : 'no') }),
    );
    expect(message).toContain('of p2');
    expect(message).not.toContain('of p1');
    expect(getText(await compose({ ...setup, mayRead: () => 'no' }))).toContain('I can’t show your digest');
  });
});

test('a daily digest has no picture, unlike a weekly one', async () => {
  const posts = toPostsOutcome([createPost('2026-11-20T13:00:00Z')]);
  expect(await compose({ posts })).not.toHaveProperty('picture');
  expect(await compose({ digest: { kind: 'weekly' }, posts })).toHaveProperty('picture');
});

describe('free slots', () => {
  const zone = 'Europe/Berlin';
  const createSlot = (isoTime: string, ...platforms: string[]) => ({
    ...{ instant: new Date(isoTime), zone, platforms },
  });
  const slots: ProjectSlots = {
    postingTimes: [createPostingTimes(['X', 'LINKEDIN'], 'daily 9:00', { zone })],
    blackouts: [],
    free: [
      createSlot('2026-11-20T15:30Z', 'X'),
      createSlot('2026-11-21T08:00Z', 'X', 'LINKEDIN'),
      createSlot('2026-11-23T08:00Z', 'X'),
    ],
  };
  const posts = toPostsOutcome([
    createPost('2026-11-20T12:00:00Z'),
    createPost('2026-11-21T08:00:00Z', { platforms: ['X'] }),
  ]);
  const listLines = (result: ComposeResult) =>
    result.kind === 'message' ? JSON.stringify(result.blocks).match(/Free slot: [^"]+/g) : result.kind;

  test('of the period are shown instead of days without a post, without those at whose times the service has posts', async () => {
    const result = await compose({ posts, slots });
    expect(listLines(result)).toEqual([
      'Free slot: Fri 20 Nov, 16:30 · X',
      'Free slot: Sat 21 Nov, 09:00 · LinkedIn',
    ]);
    expect(getText(result)).not.toContain('Nothing on');
    const [, value = ''] = /"value":"(slot[^"]+)"/.exec(JSON.stringify(result)) ?? [];
    expect(toSlotPrefill(JSON.parse(`"${value}"`), NOW)).toEqual({
      project: 'p1',
      when: 'next slot from Fri 20 Nov, 16:30 (Berlin)',
      platforms: 'X',
    });
  });

  test('are shown in a digest without posts too', async () => {
    expect(listLines(await compose({ slots }))).toEqual([
      'Free slot: Fri 20 Nov, 16:30 · X',
      'Free slot: Sat 21 Nov, 09:00 · X and LinkedIn',
    ]);
  });

  test('blackout days aren’t days without a post', async () => {
    const blackouts = [{ from: '2026-11-23', to: '2026-11-24', name: 'Fair' }];
    const result = await compose({ posts, slots: { postingTimes: [], blackouts, free: [] } });
    expect(getText(result)).toContain('Nothing on Wednesday');
    expect(getText(result)).not.toContain('Nothing on Monday');
  });

  test('a post on a blackout day is pointed out, even if the service doesn’t answer', async () => {
    const blackouts = [{ from: '2026-11-20', to: '2026-11-20', name: 'Fair' }];
    const calendar = { postingTimes: [], blackouts, free: [] };
    const warning = '⚠️ One post is on a blackout day (Fair): Fri 20 Nov, 16:00';
    const own = [createPlannedPost('2026-11-20T15:00:00Z')];
    const setup = {
      digest: { sections: ['collisions'] as const },
      posts: toPostsOutcome(own.map(({ post }) => post)),
      slots: calendar,
    };
    expect(getText(await compose(setup))).toContain(warning);
    const down = { ...setup, request: { failure: OUTAGE }, held: { posts: own } };
    expect(getText(await compose(down))).toContain(warning);
    const two = [createPost('2026-11-20T12:00:00Z'), createPost('2026-11-20T15:00:00Z')];
    const both = await compose({ ...setup, posts: toPostsOutcome(two) });
    expect(getText(both)).toContain('⚠️ 2 posts are on blackout days.');
    expect(both).toMatchObject({ thread: [expect.anything()] });
  });
});

const heldPost = (project: typeof HARBOUR, isoTime: string, state?: HeldState) =>
  createHeldPost({ project, post: createPlannedPost(isoTime).post }, state);

/** Reads the plan, and returns its projects with the times of their posts. */
async function read(
  projects: readonly string[],
  { snapshot, mayRead }: { snapshot?: string; mayRead?: (project: string) => Permission } = {},
) {
  const heldPosts = [heldPost(HARBOUR, '2026-11-21T09:00:00Z'), heldPost(BOOKS, '2026-11-22T09:00:00Z')];
  const last = { sentAt: undefined, projects: listSnapshotProjects(snapshot) };
  const result = await readPlan({ ...REQUEST, projects, failure: OUTAGE }, last, {
    checkReadPermission: async (id) => mayRead?.(id) ?? 'yes',
    readHeldPlan: async (query) => ({
      posts: heldPosts.filter(({ project }) => query.projects.includes(project.id)),
      isTruncated: false,
    }),
  });
  if (result.kind !== 'plan') return undefined;
  return result.plan.posts.map(({ project, scheduledAt }) => `${project.name} ${scheduledAt.getUTCDate()}`);
}

test('leaves out projects that the reader may not see, or whose access is unknown', async () => {
  expect(await read(['p1', 'p2'], { mayRead: (id) => (id === 'p1' ? 'yes' : 'no') })).toEqual([
    'Harbour Coffee 21',
  ]);
  expect(await read(['p1'], { mayRead: () => 'unknown' })).toBeUndefined();
});

test('without chosen projects, is about the only project of the last digest', async () => {
  expect(await read([])).toBeUndefined();
  const snapshot = takeSnapshot(createPlan([]), NOW) ?? '';
  expect(await read([], { snapshot })).toEqual(['Harbour Coffee 21']);
  const several = takeSnapshot(createPlan([], [HARBOUR, BOOKS]), NOW) ?? '';
  expect(await read([], { snapshot: several })).toBeUndefined();
});

test('the parts of one post are one post of a digest, unless the held post stands for them', async () => {
  const parts = [
    { ...createPlannedPost('2026-11-21T09:00:00Z').post, id: 'a', content: 'A long story', platforms: ['X'] },
    { ...createPlannedPost('2026-11-21T09:00:00Z').post, id: 'b', content: 'Short', platforms: ['LINKEDIN'] },
  ];
  const plan = createPlan(
    parts.map((post) => ({ project: HARBOUR, post, scheduledAt: new Date('2026-11-21T09:00:00Z') })),
  );
  const readWith = async (held: ListedHeldPost) => {
    const ofParts = { ids: parts.map(({ id }) => id), fingerprints: [] };
    const posts = [{ ...held, parts: ofParts, isSettled: held.held.state === 'delivered' }];
    const joined = addHeldPosts(plan, { posts, isTruncated: false }, NOW);
    return joined.posts.map(({ post: { id, platforms } }) => [id, platforms]);
  };
  expect(await readWith(heldPost(HARBOUR, '2026-11-21T09:00:00Z', 'delivered'))).toEqual([
    ['a', ['X', 'LINKEDIN']],
  ]);
  expect(await readWith(heldPost(HARBOUR, '2026-11-21T09:00:00Z', 'needs-person'))).toHaveLength(1);
  // Their time isn’t that of the rest, or the state isn’t theirs.
  expect(await readWith(heldPost(HARBOUR, '2026-11-21T15:00:00Z', 'needs-person'))).toHaveLength(2);
  expect(await readWith(heldPost(HARBOUR, '2026-11-21T09:00:00Z', 'held'))).toHaveLength(2);
});
