import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import type { PostList } from '../../../src/api/list-all-posts.ts';
import type { Outcome } from '../../../src/api/outcome.ts';
import type { Post } from '../../../src/api/posts.ts';
import { createComposer } from '../../../src/digests/content/create-composer.ts';
import type { ProjectSlots } from '../../../src/digests/content/findings.ts';
import type { Digest } from '../../../src/digests/digest.ts';
import type { ComposeRequest, ComposeResult } from '../../../src/digests/digest-context.ts';
import { toSlotPrefill } from '../../../src/posts/slot-phrase.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { BOOKS, createPlannedPost, HARBOUR } from './weeks.ts';

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
  sections: undefined,
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

interface Setup {
  digest?: Partial<Digest>;
  request?: Partial<ComposeRequest>;
  posts?: PostsOutcome | ((project: string) => PostsOutcome);
  mayRead?: (project: string) => Permission;
  stops?: readonly { project: string; since: Date }[];
  slots?: ProjectSlots;
}

const warnings: string[] = [];

function compose({
  digest,
  request,
  posts = toPostsOutcome([]),
  mayRead,
  stops = [],
  slots,
}: Setup): Promise<ComposeResult> {
  const ignoreLine = () => undefined;
  const composer = createComposer({
    checkReadPermission: async (_actor, project) => mayRead?.(project) ?? 'yes',
    listStoppedProjects: async () => stops,
    ...(slots && { readSlots: async () => slots }),
    log: {
      debug: ignoreLine,
      info: ignoreLine,
      error: ignoreLine,
      warn: (_fields, message) => void warnings.push(message),
    },
    rasterizer: { rasterize: async () => Buffer.from('drawn') },
  });
  const respond = typeof posts === 'function' ? posts : () => posts;
  return composer(
    { ...DIGEST, ...digest },
    {
      now: NOW,
      due: NOW,
      date: '2026-11-20',
      isRequested: false,
      projects: ['p1'],
      reads: {
        listProjects: async () => ({
          kind: 'done',
          data: { isReadable: true, items: [HARBOUR, BOOKS], unreadableCount: 0, isTruncated: false },
          requestId: 'r',
        }),
        listPosts: async ({ project }) => respond(project),
      },
      ...request,
    },
  );
}

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
    expect(message).not.toContain('Nothing on');
  });

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

describe('the picture of a digest', () => {
  test('a weekly digest has a picture with a description, and a daily digest has no picture', async () => {
    const posts = toPostsOutcome([createPost('2026-11-23T13:00:00Z')]);
    const composeResult = await compose({ digest: { kind: 'weekly' }, posts });
    expect(composeResult).toMatchObject({ picture: { name: 'week-2026-11-20.png' } });
    expect(JSON.stringify(composeResult)).toContain('Mon 23 Nov: 14:00 X “');
    expect(await compose({ posts: toPostsOutcome([createPost('2026-11-20T13:00:00Z')]) })).not.toHaveProperty(
      'picture',
    );
  });
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
});
