import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '../../src/api/posts.ts';
import { editHeldPost } from '../../src/held-posts/change.ts';
import { readPostFacts } from '../../src/held-posts/hand-over/parts.ts';
import type { HeldPostRow } from '../../src/held-posts/held-post.ts';
import { listDigestPlan, listHeldPlan } from '../../src/held-posts/listed-posts.ts';
import { readShownPost } from '../../src/held-posts/show.ts';
import { countHeldPosts, listHeldPosts } from '../../src/held-posts/sql/held-posts.ts';
import { describePost } from '../../src/posts/describe-post.ts';
import { mergePlan } from '../../src/posts/merge-plan.ts';
import type { SentRow } from '../../src/posts/state-copy.ts';
import { createPostAt } from '../support/post-submissions.ts';
import { data, invalid, json } from '../support/scripted-service.ts';
import { press, setUpTestHeldPosts } from '../support/start-held-posts.ts';

const held = await setUpTestHeldPosts();

const list = async (query: Partial<Parameters<typeof listHeldPlan>[1]> = {}) =>
  (await listHeldPlan(held.context, { workspace: 'T1', ...query, projects: query.projects ?? ['p1', 'p2'] }))
    .posts;
const describeStatus = async (query: Parameters<typeof list>[0] = {}) =>
  (await list(query)).map(({ post }) => `${post.content}: ${post.status}`);

type Merge = typeof mergePlan<Parameters<typeof mergePlan>[0][number]>;
/** The held posts of the merged plan. */
const mergeHeld = (...[listed, posts]: Parameters<Merge>) =>
  mergePlan(listed, posts).filter((planned) => planned.held);
/** The service's posts of the merged plan. */
const mergeListed = (...[listed, posts]: Parameters<Merge>) =>
  mergePlan(listed, posts).filter((planned) => !planned.held);

/** The post as the service lists it. */
const toServicePost = ({ post }: { post: Post }) => ({
  project: { id: 'p1' },
  post: { ...post, status: 'SCHEDULED', id: 'other' },
});

test('posts of other workspaces, projects and times are left out', async () => {
  await held.hold(['We open at nine']);
  expect(await describeStatus({ projects: ['p1'], from: held.publishAt, to: held.publishAt })).toHaveLength(
    1,
  );
  expect(await describeStatus({ workspace: 'T2' })).toEqual([]);
  expect(await describeStatus({ projects: ['p2'] })).toEqual([]);
  expect(await describeStatus({ from: new Date(held.publishAt.getTime() + 1) })).toEqual([]);
});

test('posts of one form and time stay in its order', async () => {
  const texts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  await held.hold(texts);
  expect((await list()).map(({ post }) => post.content)).toEqual(texts);
});

test('pages of held posts go on after the last one, also among posts at one time and without any', async () => {
  await held.hold(['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']);
  const [first, second, third] = await held.listRows();
  const [undated, draft] = [{ publish_at: null }, { state: 'draft' }] as const;
  for (const { id } of [first, second, third].flatMap((row) => row ?? []))
    await held.db.updateTable('held_post').set(undated).where('id', '=', id).execute();
  await held.db
    .updateTable('held_post')
    .set(draft)
    .where('id', '=', second?.id ?? '')
    .execute();
  const filter = { workspace: 'T1', states: ['held', 'draft'] as const };
  const whole = await listHeldPosts(held.db, filter);
  expect(whole.map(({ publish_at: at }) => at !== null)).toEqual([
    ...Array.from({ length: 4 }, () => true),
    ...Array.from({ length: 3 }, () => false),
  ]);
  const paged: HeldPostRow[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await listHeldPosts(held.db, filter, { after: paged.at(-1), limit: 2 });
    paged.push(...page);
    hasMore = page.length > 0;
  }
  expect(paged).toEqual(whole);
  expect(await countHeldPosts(held.db, filter, 5)).toBe(5);
  expect(await countHeldPosts(held.db, filter, 100)).toBe(7);
});

test('a post whose content can’t be read has no project’s id as a name', async () => {
  const row = await held.holdOne();
  await held.db.updateTable('held_post').set({ content: 'unreadable' }).execute();
  const names = (await list()).map(({ project }) => project);
  expect(names).toEqual([{ id: 'p1', name: 'Unknown project' }]);
  expect((await readShownPost(held.context, await held.readRow(row))).project).toBe('Unknown project');
});

test('a digest has what needs a decision, however long ago its time was', async () => {
  await held.hold(['Old', 'Recent']);
  await held.db.updateTable('held_post').set({ state: 'needs-person', reason: 'overdue' }).execute();
  const before = new Date(held.publishAt.getTime() - 30 * 24 * 3_600_000);
  await held.db.updateTable('held_post').set({ publish_at: before }).where('item', '=', 0).execute();
  const from = new Date(held.publishAt.getTime() - 3 * 24 * 3_600_000);
  const range = { from, to: new Date(held.publishAt.getTime() + 1) };
  const { posts } = await listDigestPlan(held.context, { workspace: 'T1', projects: ['p1'], ...range });
  expect(posts.map(({ post }) => post.content)).toEqual(['Old', 'Recent']);
});

describe('a post that was handed over in parts', () => {
  const content = () => {
    const post = createPostAt('A long story', 0);
    const values = { ...post.values, platforms: ['X', 'LINKEDIN'], ownTexts: { X: 'Short' } };
    return { ...post, values };
  };
  const handOverParts = async () => {
    await held.hold([], { contents: [content()] });
    await held.runAt(59);
  };
  /** The service's posts, as it lists them. */
  const listService = (status = 'SCHEDULED') =>
    held.service.created().map((body) => ({
      project: { id: 'p1' },
      post: {
        id: `of ${String(body.Platforms)}`,
        content: String(body.Content),
        platforms: body.Platforms as string[],
        scheduleDate: held.publishAt,
        status: String(body.Platforms) === 'X' ? status : 'SCHEDULED',
      },
    }));
  beforeEach(() =>
    held.service.on('POST /posts', (call, response) =>
      data({ Id: `of ${String((call.body as { Platforms: unknown }).Platforms)}` })(call, response),
    ),
  );

  const refuseX = () =>
    held.service.on('POST /posts', (call, response) =>
      (String((call.body as { Platforms: unknown }).Platforms) === 'X'
        ? invalid({ loc: ['body', 'Content'], msg: 'too dull' })
        : data({ Id: 'of LINKEDIN' }))(call, response),
    );

  test('is one post of the list, with all its texts', async () => {
    await handOverParts();
    const posts = await list();
    expect(posts.map(({ parts }) => parts?.ids)).toEqual([['of LINKEDIN', 'of X']]);
    expect(mergeHeld(listService(), posts)).toEqual([]);
    expect(mergeListed(listService(), posts).map(({ post }) => post)).toMatchObject([
      {
        content: 'A long story',
        platforms: ['X', 'LINKEDIN'],
        ownTexts: [{ platforms: ['X'], text: 'Short' }],
        status: 'SCHEDULED',
      },
    ]);
  });

  test('is recognised by its texts if the service gives no ids', async () => {
    await handOverParts();
    const posts = await list();
    const listed = listService().map(({ post: { id: _, ...post }, ...others }) => ({ ...others, post }));
    expect(mergeListed(listed, posts)).toHaveLength(1);
    expect(mergeHeld(listed, posts)).toEqual([]);
  });

  test('is recognised by what was sent, after an edit, if the service gives no ids', async () => {
    const refusal = invalid({ loc: ['body', 'Content'], msg: 'too dull' });
    held.service.on('POST /posts', (call, response) =>
      ((call.body as { Content: string }).Content === 'Short' ? refusal : data({}))(call, response),
    );
    const row = await held.holdOne('', { contents: [content()] });
    await held.runAt(59);
    const { values, ...post } = content();
    const edited = { ...post, values: { ...values, text: 'New', ownTexts: { X: 'Shorter' } } };
    await editHeldPost(held.context, press(row), edited);
    await held.runAt(58);
    const listed = listService().filter(({ post: { content: text } }) => text !== 'Short');
    const withoutIds = listed.map(({ post: { id: _, ...each }, ...others }) => ({ ...others, post: each }));
    expect(withoutIds).toHaveLength(2);
    expect(mergeListed(withoutIds, await list())).toHaveLength(1);
  });

  test('says which platforms have the picture from before an edit', async () => {
    refuseX();
    const row = await held.holdOne('', { contents: [content()] });
    await held.runAt(59);
    const { values, ...post } = content();
    const edited = { ...post, values: { ...values, media: 'https://files.test/new.png' } };
    await editHeldPost(held.context, press(await held.readRow(row)), edited);
    const [listed] = await list();
    expect(listed?.held.facts.parts?.earlier).toMatchObject([{ platforms: ['LINKEDIN'] }]);
  });

  test('is one post long after it was delivered, as long as its parts have the same status', async () => {
    await handOverParts();
    held.setMinutesBefore(1);
    const posts = await list({ deliveredSince: held.publishAt, from: held.publishAt });
    expect(mergeListed(listService(), posts)).toHaveLength(1);
    expect(mergeListed(listService('FAILED'), posts)).toHaveLength(2);
  });

  test('is gone when the service doesn’t list it any more', async () => {
    await handOverParts();
    const isShown = async () => mergePlan([], await list({ from: held.publishAt })).length > 0;
    expect(await isShown()).toBe(true);
    held.setMinutesBefore(50);
    expect(await isShown()).toBe(false);
  });

  test('says of each platform what is known', async () => {
    const isX = (body: unknown) => String((body as { Platforms: unknown }).Platforms) === 'X';
    const refusal = invalid({ loc: ['body', 'Content'], msg: 'too dull' });
    held.service.on('POST /posts', (call, response) =>
      isX(call.body) ? void response.destroy() : data({ Id: 'of LINKEDIN' })(call, response),
    );
    await handOverParts();
    const readParts = async () => (await list())[0]?.held.facts.parts;
    expect(await readParts()).toMatchObject({ sent: ['LINKEDIN'], unsure: [], others: ['X'], total: 2 });

    await held.reset();
    held.service.on('POST /posts', (call, response) =>
      isX(call.body) ? void response.destroy() : refusal(call, response),
    );
    await handOverParts();
    const uncertain = { state: 'unsure', reason: 'not-found', next_at: null } as const;
    await held.db.updateTable('submission').set(uncertain).where('state', '!=', 'refused').execute();
    await held.runAt(57);
    expect(await describeStatus()).toEqual(['A long story: DECISION']);
    expect(await readParts()).toMatchObject({ sent: [], unsure: ['X'], others: ['LINKEDIN'], total: 2 });
  });

  test.each([0, 1])('says what its card says if only part %i needs somebody', async (index) => {
    const row = await held.holdOne('', { contents: [content()] });
    await held.runAt(59);
    await held.db.updateTable('held_post').set({ state: 'handed-over', sent_to: '' }).execute();
    const { item } =
      (await held.db.selectFrom('submission').select('item').orderBy('item').execute())[index] ?? {};
    const parts = held.db.updateTable('submission');
    await parts.set({ state: 'retryable', service_id: null }).execute();
    await parts
      .set({ state: 'unsure', reason: 'not-found' })
      .where('item', '=', item ?? 0)
      .execute();
    const [listed] = await list();
    const card = await readShownPost(held.context, await held.readRow(row));
    const readers = { viewers: 'everyone', now: held.context.clock.now() } as const;
    const names = [listed?.held.facts, card.facts].map((facts) => describePost(facts ?? {}, readers).name);
    expect([...names, listed?.post.status]).toEqual(['Not sure', 'Not sure', 'UNCERTAIN']);
  });

  test('is one post for each time of its parts', async () => {
    await handOverParts();
    const [first, second] = listService();
    if (!first || !second) throw new Error('there are not two parts');
    const moved = {
      ...second,
      post: { ...second.post, scheduleDate: new Date(held.publishAt.getTime() + 3_600_000) },
    };
    expect(mergeListed([first, moved], await list())).toMatchObject([first, moved]);
  });

  test('doesn’t hide the part that was sent before a move', async () => {
    refuseX();
    await handOverParts();
    const later = new Date(held.publishAt.getTime() + 6 * 3_600_000);
    await held.db.updateTable('held_post').set({ publish_at: later }).execute();
    const listed = listService().filter(({ post }) => post.platforms.includes('LINKEDIN'));
    expect(mergeListed(listed, await list())).toMatchObject(listed);
  });

  test.each(['draft', 'held', 'awaiting-review', 'cancelled'] as const)(
    'doesn’t hide a part that was sent: %s',
    async (state) => {
      refuseX();
      await handOverParts();
      await held.db.updateTable('held_post').set({ state, reason: null }).execute();
      const listed = listService().filter(({ post }) => post.platforms.includes('LINKEDIN'));
      const posts = await list({ states: [state] });
      expect(mergeListed(listed, posts)).toMatchObject(listed);
      // The part has the id, so lists would take the two for the same.
      expect(posts.map(({ post }) => post.id)).toEqual([undefined]);
    },
  );

  test('stands for its parts while one isn’t sent', async () => {
    refuseX();
    await handOverParts();
    const posts = await list();
    expect(await describeStatus()).toEqual(['A long story: DECISION']);
    const listed = listService().filter(({ post }) => post.platforms.includes('LINKEDIN'));
    expect(mergeHeld(listed, posts)).toEqual(posts);
    expect(mergeListed(listed, posts)).toEqual([]);
    // For a list that doesn’t show the held post.
    expect(mergeListed(listed, [])).toMatchObject(listed);
  });
});

describe('a post that was handed over', () => {
  const handOver = async (...texts: string[]) => {
    await held.hold(texts);
    await held.runAt(59);
  };

  test('is listed until the service’s list has it, by its id', async () => {
    await handOver('We open at nine');
    const posts = await list();
    expect(posts.map(({ post }) => `${post.id}: ${post.status}`)).toEqual(['post_7: SCHEDULED']);
    expect(mergeHeld([], posts)).toEqual(posts);
    expect(mergeHeld([{ project: { id: 'p1' }, post: { id: 'post_7', platforms: [] } }], posts)).toEqual([]);
    held.setMinutesBefore(50);
    expect(await list()).toEqual([]);
  });

  test('isn’t taken for a post of another project with its id, nor joined with one listed twice', async () => {
    await handOver('We open at nine');
    const posts = await list();
    const listed = posts
      .map(toServicePost)
      .map(({ post, project }) => ({ project, post: { ...post, id: 'post_7' } }));
    const [own] = listed;
    if (!own) throw new Error('there is no post');
    const other = { ...own, project: { id: 'p2' } };
    expect(mergeHeld([other], posts)).toEqual(posts);
    expect(mergeListed([own, other], posts)).toHaveLength(2);
    expect(mergeListed([own, own], posts).map(({ post }) => post.platforms)).toEqual([['X'], ['X']]);
  });

  test('is recognised by its content and time if the service gave no id', async () => {
    held.service.on('POST /posts', data({}));
    await handOver('We open at nine', 'We open at ten');
    const posts = await list();
    expect(mergeHeld(posts.slice(0, 1).map(toServicePost), posts)).toEqual(posts.slice(1));
  });

  test('is recognised once, so that an equal post that waits stays in the list', async () => {
    held.service.on('POST /posts', data({}));
    await handOver('We open at nine', 'We open at nine');
    const posts = await list();
    expect(posts).toHaveLength(2);
    expect(mergeHeld(posts.slice(0, 1).map(toServicePost), posts)).toHaveLength(1);
  });

  test.each([
    ['uncertain while its outcome is unknown', json(500, 'oops'), 'UNCERTAIN'],
    ['pending while the service is busy', json(429, {}), 'PENDING'],
  ])('is %s', async (_when, answer, status) => {
    held.service.on('POST /posts', answer);
    await handOver('We open at nine');
    expect(await describeStatus()).toEqual([`We open at nine: ${status}`]);
  });
});

const NOW = new Date('2026-12-01T09:00:00Z');

/** What people read of a post that was handed over in parts. */
function describeParts(
  sentTo: string,
  parts: readonly (readonly [platform: string, sent: Pick<SentRow, 'state' | 'reason'>])[],
) {
  const row: Pick<HeldPostRow, 'state' | 'reason' | 'hand_over_at' | 'publish_at' | 'sent_to'> = {
    ...{ state: 'handed-over', reason: null, hand_over_at: null, publish_at: null, sent_to: sentTo },
  };
  const facts = readPostFacts(row, {
    platforms: parts.map(([platform]) => platform),
    parts: parts.map(([platform, sent]) => ({ sent: { ...sent, maybe_sent: false }, platforms: [platform] })),
    isStopped: false,
  });
  return describePost(facts, { viewers: 'everyone', now: NOW });
}

const CONFIRMED = ['X', { state: 'confirmed', reason: null }] as const;

const GIVEN_UP = ['LINKEDIN', { state: 'discarded', reason: null }] as const;

const UNKNOWN = ['LINKEDIN', { state: 'unsure', reason: null }] as const;

const WAITING = ['X', { state: 'retryable', reason: null }] as const;

test.each([[[GIVEN_UP, CONFIRMED]], [[CONFIRMED, GIVEN_UP]]])(
  'a part that somebody has given up doesn’t hide the one that the service has',
  (parts) => {
    expect(describeParts('', parts).label).toContain('Scheduled');
  },
);

test('what is unknown of a part that stays behind isn’t said of those that are sent again', () => {
  const { sentence } = describeParts('LINKEDIN', [UNKNOWN, WAITING]);
  expect(sentence).toMatch(/^I don’t know whether LinkedIn got it\. X: Saved, not sent yet\./);
});

test('what is unknown of a part isn’t said of those that the service has', () => {
  const { sentence } = describeParts('LINKEDIN', [UNKNOWN, CONFIRMED]);
  expect(sentence).toMatch(/^Scheduled on 1 of 2 platforms: X\. LinkedIn: /);
});
