import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import type { Outcome } from '../../../src/api/outcome.ts';
import type { Post } from '../../../src/api/posts.ts';
import type { ComposeRequest, ComposeResult } from '../../../src/digests/composer.ts';
import { createComposer } from '../../../src/digests/content/create-composer.ts';
import type { Digest } from '../../../src/digests/digest.ts';
import type { PostList } from '../../../src/digests/digest-reads.ts';
import { BOOKS, HARBOUR, plannedPost } from './weeks.ts';

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
const toPostsAnswer = (items: readonly Post[]): PostsOutcome => ({
  kind: 'done',
  data: { items, unreadableCount: 0, isComplete: true },
  requestId: 'r',
});

interface Setup {
  digest?: Partial<Digest>;
  request?: Partial<ComposeRequest>;
  posts?: PostsOutcome | ((project: string) => PostsOutcome);
  mayRead?: (project: string) => Permission;
  author?: string;
}

const warnings: string[] = [];

function compose({
  digest,
  request,
  posts = toPostsAnswer([]),
  mayRead,
  author,
}: Setup): Promise<ComposeResult> {
  const quiet = () => undefined;
  const composer = createComposer({
    findAuthor: async () => author,
    mayRead: async (_who, project) => mayRead?.(project) ?? 'yes',
    isEmulated: false,
    log: { debug: quiet, info: quiet, error: quiet, warn: (_fields, message) => void warnings.push(message) },
    drawer: { draw: async () => Buffer.from('drawn') },
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
          data: { shape: 'read', items: [HARBOUR, BOOKS], unreadable: 0, isTruncated: false },
          requestId: 'r',
        }),
        listPosts: async ({ project }) => respond(project),
      },
      ...request,
    },
  );
}

const post = (at: string, more: Partial<Post> = {}) => plannedPost(at, more).post;
const text = (composed: ComposeResult) => (composed.kind === 'message' ? composed.text : composed.kind);

describe('with nothing planned', () => {
  test('it says so in one line, stays silent if set to, and answers when requested', async () => {
    expect(text(await compose({}))).toContain(
      'Nothing is planned for Harbour Coffee until Sat 21 Nov, 21:00',
    );
    const silent = { isSilentWhenEmpty: true };
    expect(text(await compose({ digest: silent }))).toBe('silent');
    expect(text(await compose({ digest: silent, request: { isRequested: true } }))).toContain(
      'Nothing is planned',
    );
  });

  test('a late post breaks the silence', async () => {
    const posts = toPostsAnswer([post('2026-11-19T08:00:00Z')]);
    expect(text(await compose({ digest: { isSilentWhenEmpty: true }, posts }))).toContain('Not out yet');
  });
});

describe('answers of the service', () => {
  test('a project is gone only if the service doesn’t list it; other failures are retried', async () => {
    const notFound: PostsOutcome = { kind: 'refused', status: 404, requestId: 'r' };
    const other = { digest: { projects: ['p9'] }, request: { projects: ['p9'] } };
    expect(await compose({ ...other, posts: notFound })).toEqual({ kind: 'gone', project: 'p9' });
    expect(await compose({ posts: notFound })).toEqual({ kind: 'failed', outcome: notFound });
    const down: PostsOutcome = { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
    expect(await compose({ posts: down })).toEqual({ kind: 'failed', outcome: down });
  });

  test('says how many records are unreadable, and that there are more posts than it read', async () => {
    const data = { items: [post('2026-11-20T13:00:00Z')], unreadableCount: 2, isComplete: false };
    const message = JSON.stringify(await compose({ posts: { kind: 'done', data, requestId: 'r' } }));
    expect(message).toContain('2 records of the service’s could not be read.');
    expect(message).toContain('There are more posts than I read');
    expect(message).not.toContain('No post yet on');
  });

  test('a channel without a project learns how to choose one', async () => {
    expect(text(await compose({ request: { projects: [] } }))).toContain('`/upnext use` chooses one');
  });
});

describe('posts that should have gone out', () => {
  const posts = toPostsAnswer([post('2026-11-20T06:00:00Z', { id: 'stuck', content: 'Our roast <!here>' })]);

  test('the author gets one direct message for each post id', async () => {
    const composed = await compose({ posts, author: 'U7' });
    const direct = composed.kind === 'message' ? composed.directMessages : undefined;
    expect(direct).toMatchObject([{ recipient: 'U7', onceKey: 'late.p1.stuck' }]);
    expect(direct?.[0]?.message.text).toContain('was to go out Fri 20 Nov, 07:00 (Berlin)');
    expect(direct?.[0]?.message.text).not.toContain('<!here>');
  });

  test('nobody is notified if the author is unknown or is the digest’s reader', async () => {
    expect(await compose({ posts })).not.toHaveProperty('directMessages');
    const personal = { channel: 'U7' };
    expect(await compose({ posts, author: 'U7', digest: personal })).not.toHaveProperty('directMessages');
  });
});

describe('a personal digest', () => {
  test('waits if the reader’s permission couldn’t be checked', async () => {
    const digest = { channel: 'U7', projects: ['p1', 'p2'] };
    const request = { projects: ['p1', 'p2'] };
    const mayRead = (project: string) => (project === 'p2' ? 'yes' : 'unknown');
    expect(await compose({ digest, request, mayRead })).toEqual({ kind: 'not-checked' });
  });

  test('contains only projects that its reader may see now', async () => {
    const setup = {
      digest: { channel: 'U7', projects: ['p1', 'p2'] },
      request: { projects: ['p1', 'p2'] },
      posts: (project: string) => toPostsAnswer([post('2026-11-20T13:00:00Z', { content: `of ${project}` })]),
    };
    const some = JSON.stringify(
      await compose({ ...setup, mayRead: (project) => (project === 'p2' ? 'yes' : 'no') }),
    );
    expect(some).toContain('of p2');
    expect(some).not.toContain('of p1');
    expect(text(await compose({ ...setup, mayRead: () => 'no' }))).toContain('I cannot show your digest');
  });
});

describe('a week', () => {
  test('has a picture with a description; a daily digest has none', async () => {
    const posts = toPostsAnswer([post('2026-11-23T13:00:00Z')]);
    const week = await compose({ digest: { kind: 'weekly' }, posts });
    expect(week).toMatchObject({ picture: { name: 'week-2026-11-20.png' } });
    expect(JSON.stringify(week)).toContain('Mon 23 Nov: 14:00 X.');
    expect(await compose({ posts: toPostsAnswer([post('2026-11-20T13:00:00Z')]) })).not.toHaveProperty(
      'picture',
    );
  });
});
