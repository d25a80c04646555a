import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import type { Outcome } from '../../../src/api/outcome.ts';
import type { Post } from '../../../src/api/posts.ts';
import type { Composed, Occasion } from '../../../src/digests/compose.ts';
import { createComposer } from '../../../src/digests/composed/create-composer.ts';
import type { Digest } from '../../../src/digests/digest.ts';
import type { PostsRead } from '../../../src/digests/digest-reads.ts';
import { BOOKS, HARBOUR, planned } from './weeks.ts';

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
  shows: undefined,
  silentWhenEmpty: false,
  sharedWith: null,
  owner: 'U1',
  state: 'on',
};

type PostsAnswer = Outcome<PostsRead>;
const listed = (items: readonly Post[]): PostsAnswer => ({
  kind: 'done',
  data: { items, unreadable: 0, complete: true },
  requestId: 'r',
});

interface Setup {
  digest?: Partial<Digest>;
  occasion?: Partial<Occasion>;
  posts?: PostsAnswer | ((project: string) => PostsAnswer);
  mayRead?: (project: string) => Permission;
  author?: string;
}

const warned: string[] = [];

function compose({ digest, occasion, posts = listed([]), mayRead, author }: Setup): Promise<Composed> {
  const quiet = () => undefined;
  const made = createComposer({
    authorOf: async () => author,
    mayRead: async (_who, project) => mayRead?.(project) ?? 'yes',
    practice: false,
    log: { debug: quiet, info: quiet, error: quiet, warn: (_facts, said) => void warned.push(said) },
    drawer: { draw: async () => Buffer.from('drawn') },
  });
  const answer = typeof posts === 'function' ? posts : () => posts;
  return made(
    { ...DIGEST, ...digest },
    {
      now: NOW,
      due: NOW,
      date: '2026-11-20',
      asked: false,
      projects: ['p1'],
      reads: {
        projects: async () => ({
          kind: 'done',
          data: { shape: 'read', items: [HARBOUR, BOOKS], unreadable: 0, isTruncated: false },
          requestId: 'r',
        }),
        posts: async ({ project }) => answer(project),
        drafts: async () => listed([]),
      },
      ...occasion,
    },
  );
}

const post = (at: string, more: Partial<Post> = {}) => planned(at, more).post;
const text = (composed: Composed) => (composed.kind === 'message' ? composed.text : composed.kind);

describe('with nothing planned', () => {
  test('it says so in one line, or is silent where that is preferred; asked for, it answers', async () => {
    expect(text(await compose({}))).toContain(
      'Nothing is planned for Harbour Coffee until Sat 21 Nov, 21:00',
    );
    const silent = { silentWhenEmpty: true };
    expect(text(await compose({ digest: silent }))).toBe('silent');
    expect(text(await compose({ digest: silent, occasion: { asked: true } }))).toContain(
      'Nothing is planned',
    );
  });

  test('a post that is stuck breaks the silence', async () => {
    const posts = listed([post('2026-11-19T08:00:00Z')]);
    expect(text(await compose({ digest: { silentWhenEmpty: true }, posts }))).toContain('Not out yet');
  });
});

describe('what the service answers', () => {
  test('a project is gone where the service lists it no more; anything else is tried again', async () => {
    const notFound: PostsAnswer = { kind: 'refused', status: 404, requestId: 'r' };
    const other = { digest: { projects: ['p9'] }, occasion: { projects: ['p9'] } };
    expect(await compose({ ...other, posts: notFound })).toEqual({ kind: 'gone', project: 'p9' });
    expect(await compose({ posts: notFound })).toEqual({ kind: 'failed', outcome: notFound });
    const down: PostsAnswer = { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
    expect(await compose({ posts: down })).toEqual({ kind: 'failed', outcome: down });
  });

  test('records that cannot be read, and more than can be read, are said', async () => {
    const data = { items: [post('2026-11-20T13:00:00Z')], unreadable: 2, complete: false };
    const said = JSON.stringify(await compose({ posts: { kind: 'done', data, requestId: 'r' } }));
    expect(said).toContain('2 records of the service’s could not be read.');
    expect(said).toContain('There are more posts than I read');
    expect(said).not.toContain('No post yet on');
  });

  test('a channel that is about none of several projects is told how to choose', async () => {
    expect(text(await compose({ occasion: { projects: [] } }))).toContain('`/upnext use` chooses one');
  });
});

describe('posts that should have gone out', () => {
  const posts = listed([post('2026-11-20T06:00:00Z', { id: 'stuck', content: 'Our roast <!here>' })]);

  test('their author gets one direct message, by the post’s own id', async () => {
    const composed = await compose({ posts, author: 'U7' });
    const direct = composed.kind === 'message' ? composed.direct : undefined;
    expect(direct).toMatchObject([{ to: 'U7', once: 'late.p1.stuck' }]);
    expect(direct?.[0]?.message.text).toContain('was to go out Fri 20 Nov, 07:00 (Berlin)');
    expect(direct?.[0]?.message.text).not.toContain('<!here>');
  });

  test('nobody gets one where the author is not known, or reads the digest anyway', async () => {
    expect(await compose({ posts })).not.toHaveProperty('direct');
    const own = { channel: 'U7' };
    expect(await compose({ posts, author: 'U7', digest: own })).not.toHaveProperty('direct');
  });
});

describe('somebody’s own', () => {
  test('waits where it could not be checked which of its projects they may see', async () => {
    const digest = { channel: 'U7', projects: ['p1', 'p2'] };
    const occasion = { projects: ['p1', 'p2'] };
    const mayRead = (project: string) => (project === 'p2' ? 'yes' : 'unknown');
    expect(await compose({ digest, occasion, mayRead })).toEqual({ kind: 'not-checked' });
  });

  test('holds only what they may look at now', async () => {
    const setup = {
      digest: { channel: 'U7', projects: ['p1', 'p2'] },
      occasion: { projects: ['p1', 'p2'] },
      posts: (project: string) => listed([post('2026-11-20T13:00:00Z', { content: `of ${project}` })]),
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
  test('comes with a picture that is told in words; a day does not', async () => {
    const posts = listed([post('2026-11-23T13:00:00Z')]);
    const week = await compose({ digest: { kind: 'weekly' }, posts });
    expect(week).toMatchObject({ picture: { name: 'week-2026-11-20.png' } });
    expect(JSON.stringify(week)).toContain('Mon 23 Nov: 14:00 X.');
    expect(await compose({ posts: listed([post('2026-11-20T13:00:00Z')]) })).not.toHaveProperty('picture');
  });
});
