import { expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import { takeSnapshot } from '../../../src/digests/content/changes.ts';
import { readHeldOnlyPlan } from '../../../src/digests/content/create-composer.ts';
import { addHeldPosts, type HeldPlanReader } from '../../../src/digests/content/plan.ts';
import { BOOKS, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

/** What a digest shows while the service is down. */

const NOW = new Date('2026-11-20T08:00:00Z');
const heldPost = (project: typeof HARBOUR, isoTime: string) => ({
  project,
  post: createPlannedPost(isoTime).post,
  held: { id: `held ${project.id}`, facts: {} },
});

/** Reads the plan, and returns its projects with the times of their posts. */
async function read(
  projects: readonly string[],
  { snapshot, mayRead }: { snapshot?: string; mayRead?: (project: string) => Permission } = {},
) {
  const heldPosts = [heldPost(HARBOUR, '2026-11-21T09:00:00Z'), heldPost(BOOKS, '2026-11-22T09:00:00Z')];
  const readHeldPlan: HeldPlanReader = async (query) => ({
    posts: heldPosts.filter(({ project }) => query.projects.includes(project.id)),
    heldIds: new Map(),
    isTruncated: false,
  });
  const request = { now: NOW, projects, ...(snapshot !== undefined && { snapshot }) };
  const plan = await readHeldOnlyPlan(request, async (id) => mayRead?.(id) ?? 'yes', readHeldPlan);
  return plan?.posts.map(({ project, scheduledAt }) => `${project.name} ${scheduledAt.getUTCDate()}`);
}

test('has the held posts of its projects', async () => {
  expect(await read(['p1', 'p2'])).toEqual(['Harbour Coffee 21', 'Night Market Books 22']);
});

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
  const readWith = async (posts: Awaited<ReturnType<HeldPlanReader>>['posts']) => {
    const heldIds = new Map(parts.map(({ id }) => [id, `held ${HARBOUR.id}`]));
    const readHeldPlan: HeldPlanReader = async () => ({ posts, heldIds, isTruncated: false });
    const joined = await addHeldPosts(plan, { now: NOW, from: NOW, to: plan.end, readHeldPlan });
    return joined.posts.map(({ post: { id, platforms } }) => [id, platforms]);
  };
  expect(await readWith([])).toEqual([['a', ['X', 'LINKEDIN']]]);
  const inState = (state: 'needs-person' | 'held', isoTime: string) => {
    const post = heldPost(HARBOUR, isoTime);
    return { ...post, held: { ...post.held, facts: { held: { state, reason: null } } } };
  };
  expect(await readWith([inState('needs-person', '2026-11-21T09:00:00Z')])).toHaveLength(1);
  // Their time isn’t that of the rest, or the state isn’t theirs.
  expect(await readWith([inState('needs-person', '2026-11-21T15:00:00Z')])).toHaveLength(2);
  expect(await readWith([inState('held', '2026-11-21T09:00:00Z')])).toHaveLength(2);
});
