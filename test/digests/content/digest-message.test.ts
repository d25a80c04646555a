import { describe, expect, test } from 'vitest';
import { analyzePlan } from '../../../src/digests/content/findings.ts';
import type { Plan } from '../../../src/digests/content/plan.ts';
import { renderDigestMessage, renderEmptyDigest } from '../../../src/digests/content/text/digest-message.ts';
import type { DigestContent } from '../../../src/digests/content/text/notes.ts';
import { SECTIONS } from '../../../src/digests/digest.ts';
import { BOOKS, createManyPosts, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

const NOW = new Date('2026-11-20T08:00:00Z');
const TODAY = '2026-11-20';

function createContent(plan: Plan, fields: Partial<DigestContent> = {}): DigestContent {
  const { kind = 'daily', zone = 'Europe/Berlin' } = fields;
  const settings = { kind, zone, date: TODAY, now: NOW };
  return {
    ...settings,
    plan,
    hasSeveralProjects: plan.projects.length > 1,
    findings: analyzePlan(plan, settings),
    changes: undefined,
    sections: SECTIONS,
    stops: [],
    ...fields,
  };
}

/** Lists the texts of the sections. */
const listTexts = (blocks: readonly object[]) =>
  blocks.flatMap((block) => {
    const { type, text } = block as { type: string; text?: { text: string } };
    return type === 'section' && text ? [text.text] : [];
  });
/** Creates posts on a date at these times (UTC). Posts before 8:00 went out. */
const createPostsOn = (date: string, times: readonly string[]) =>
  times.map((time) =>
    createPlannedPost(`${date}T${time}:00Z`, { status: time < '08:00' ? 'PUBLISHED' : 'SCHEDULED' }),
  );
const weekdayPosts = ['20', '23', '24', '25', '26'].map((day) =>
  createPlannedPost(`2026-11-${day}T13:00:00Z`),
);

describe('a digest', () => {
  test('a digest is short on a day with few posts, and its text names the project and the time of the next post', () => {
    const message = renderDigestMessage(createContent(createPlan(weekdayPosts)));
    expect(message.text).toBe('Harbour Coffee, Fri 20 Nov. Next: Fri 20 Nov, 14:00 (Berlin).');
    expect(message.blocks?.map(({ type }) => type)).toEqual(['header', 'context', 'section', 'section']);
    expect(message.thread).toBeUndefined();
  });

  test('a daily digest lists today’s posts by time, and names the date and the zone only once', () => {
    const posts = [...weekdayPosts.slice(1), ...createPostsOn('2026-11-20', ['06:30', '13:00', '16:00'])];
    const [first, ...others] = renderDigestMessage(createContent(createPlan(posts))).blocks ?? [];
    expect(first).toMatchObject({ type: 'header', text: { text: 'Harbour Coffee, Fri 20 Nov' } });
    expect(listTexts(others).slice(0, 4)).toEqual([
      '*Today*',
      '*07:30* · ✅ Published · X\nWinter blend',
      '*14:00* · Next · 🗓️ Scheduled · X\nWinter blend',
      '*17:00* · 🗓️ Scheduled · X\nWinter blend',
    ]);
    expect(others[0]).toMatchObject({ type: 'context', elements: [{ text: 'Times in Berlin' }] });
    expect(JSON.stringify(others)).not.toContain('20 Nov');
    expect(JSON.stringify(others).match(/Berlin/g)).toHaveLength(1);
  });

  test('a weekly digest counts its posts by what became of them, and its thread names the zone', () => {
    const digest = { kind: 'weekly', zone: 'Europe/Lisbon' } as const;
    const posts = [
      createPlannedPost('2026-11-20T06:00:00Z', { status: 'PUBLISHED' }),
      // Counted in no group: nobody knows whether it was published.
      createPlannedPost('2026-11-20T06:30:00Z', { status: 'SENT' }),
      createPlannedPost('2026-11-20T07:00:00Z'),
      createPlannedPost('2026-11-20T07:30:00Z', { status: 'FAILED' }),
      createPlannedPost('2026-11-21T13:00:00Z', { status: 'DECISION' }),
      ...weekdayPosts,
    ];
    const message = renderDigestMessage(createContent(createPlan(posts), digest));
    expect(listTexts(message.blocks ?? [])).toContain(
      '5 posts to go, 1 needs a decision, 1 published, 1 failed, 1 overdue.',
    );
    expect(JSON.stringify(message.blocks)).toContain('"Times in Lisbon"');
    const [details] = message.thread ?? [];
    expect(details?.blocks?.[0]).toMatchObject({ elements: [{ text: 'Times in Lisbon' }] });
    expect(listTexts(details?.blocks ?? []).slice(0, 2)).toEqual([
      '*Fri 20 Nov*',
      '✅ 06:00 · X · Winter blend\n06:30 · X · Winter blend\n07:00 · X · Winter blend\n❌ 07:30 · X · Winter blend\n13:00 · X · Winter blend',
    ]);
  });

  test('a daily digest doesn’t count published posts among those that it leaves out', () => {
    const times = ['06:00', '06:30', '07:00', '09:00', '10:00', '11:00', '12:00', '13:00', '14:00'];
    const message = renderDigestMessage(createContent(createPlan(createPostsOn('2026-11-20', times))));
    expect(listTexts(message.blocks ?? [])).toContain('1 more until Sat 21 Nov, 21:00, and 3 earlier.');
  });

  test('posts of tomorrow have their own heading', () => {
    const posts = [createPlannedPost('2026-11-20T13:00:00Z'), createPlannedPost('2026-11-21T09:00:00Z')];
    const texts = listTexts(renderDigestMessage(createContent(createPlan(posts))).blocks ?? []);
    expect(texts).toEqual(expect.arrayContaining(['*Today*', '*Tomorrow, Sat 21 Nov*']));
  });

  test.each([
    [
      'We are looking for someone for the weekend shift. Good coffee and kind people guaranteed.',
      'We are looking for someone for the weekend shift. Good coffee and kind people…',
    ],
    [
      'Fresh from the roaster: Yirgacheffe from Ethiopia. Tastes of jasmine and peach. From today.',
      'Fresh from the roaster: Yirgacheffe from Ethiopia. Tastes of jasmine and peach…',
    ],
  ])('the beginning of a long post ends with a whole word: %s', (content, excerpt) => {
    const posts = [createPlannedPost('2026-11-20T13:00:00Z', { content })];
    expect(listTexts(renderDigestMessage(createContent(createPlan(posts))).blocks ?? [])).toContain(
      `*14:00* · Next · 🗓️ Scheduled · X\n${excerpt}`,
    );
  });

  test('if no post is left today, a digest shows only the next post', () => {
    const posts = [createPlannedPost('2026-11-24T09:00:00Z')];
    const content = createContent(createPlan(posts), { sections: ['next', 'ahead'] });
    expect(listTexts(renderDigestMessage(content).blocks ?? [])).toEqual([
      '*Next: Tue 24 Nov, 10:00* · 🗓️ Scheduled · X\nWinter blend',
    ]);
  });

  test('of two posts in the same minute, every digest shows the same post as the next post, and counts the other', () => {
    const posts = ['b', 'a'].map((id) => createPlannedPost('2026-12-01T09:00:00Z', { id, content: id }));
    for (const order of [posts, posts.toReversed()]) {
      const message = renderDigestMessage(createContent(createPlan(order)));
      expect(message.text).toContain('Next: Tue 1 Dec, 10:00 (Berlin), +1 at the same time.');
      expect(listTexts(message.blocks ?? [])).toEqual(
        expect.arrayContaining(['*Next: Tue 1 Dec, 10:00* · +1 at the same time · 🗓️ Scheduled · X\na']),
      );
    }
  });

  test('a digest with many days without a post has three buttons, and lists all days in its thread', () => {
    const plan = createPlan([createPlannedPost('2026-11-20T13:00:00Z')], [HARBOUR, BOOKS]);
    const message = renderDigestMessage(createContent(plan));
    const texts = listTexts(message.blocks ?? []);
    expect(texts.filter((text) => text.startsWith('Nothing '))).toEqual([
      'Nothing on Monday for Harbour Coffee.',
      'Nothing on Tuesday for Harbour Coffee.',
      'Nothing on Wednesday for Harbour Coffee.',
    ]);
    expect(texts).toContain('6 more weekdays have no post, counted for each project.');
    expect(JSON.stringify(message.thread)).toContain('Night Market Books: Fri 20 Nov, Mon 23 Nov');
  });

  test('a digest lists the changes, and then has one sentence for each warning', () => {
    const plan = createPlan([
      ...weekdayPosts.slice(0, 4),
      createPlannedPost('2026-11-20T06:00:00Z', { content: 'Stuck' }),
      createPlannedPost('2026-11-20T06:10:00Z', { content: 'Refused', status: 'FAILED' }),
      createPlannedPost('2026-11-20T13:10:00Z'),
      createPlannedPost('2026-11-21T10:00:00Z', { status: 'DRAFT', content: 'Half a thought' }),
    ]);
    const changes = weekdayPosts.slice(0, 2).map((planned) => ({ kind: 'published', planned }) as const);
    const { blocks = [] } = renderDigestMessage(createContent(plan, { changes }));
    const notes = blocks.slice(blocks.findIndex(({ type }) => type === 'divider') + 1);
    expect(listTexts(notes)).toEqual([
      'Since the last digest: 2 went out.',
      '⚠️ One post failed: Fri 20 Nov, 07:10 · X · Refused',
      '⚠️ One post is overdue: Fri 20 Nov, 07:00 · X · Stuck',
      '⚠️ Two X posts are under 30 minutes apart: Fri 20 Nov, 14:00 and 14:10.',
      'Nothing on Thursday.',
      'One draft is due soon: Sat 21 Nov, 11:00 · X · Half a thought',
    ]);
  });

  test('a post is overdue only on the platforms that surely don’t have their text', () => {
    const late = createPlannedPost('2026-11-20T07:00:00Z', { platforms: ['X', 'LINKEDIN', 'THREADS'] });
    const parts = { sent: ['LINKEDIN'], unsure: ['THREADS'], others: ['X'], total: 3 };
    const { blocks = [] } = renderDigestMessage(createContent(createPlan([{ ...late, facts: { parts } }])));
    expect(listTexts(blocks)).toContain('⚠️ One post is overdue: Fri 20 Nov, 08:00 · X · Winter blend');
  });

  test('one sentence counts all pairs of posts that are close together', () => {
    const posts = createPostsOn('2026-11-20', ['13:00', '13:10', '13:20', '13:30']);
    const texts = listTexts(renderDigestMessage(createContent(createPlan(posts))).blocks ?? []);
    expect(texts).toContain('⚠️ 3 pairs of posts are under 30 minutes apart.');
  });

  test('a digest moves long lists into its thread, and counts the posts that don’t fit there', () => {
    const message = renderDigestMessage(
      createContent(createPlan(createManyPosts('2026-11-20T08:30:00Z', 10_000))),
    );
    expect(message.blocks?.length).toBeLessThan(25);
    expect(JSON.stringify(message.blocks)).toMatch(/1,\d{3} more until Sat 21 Nov, 21:00/);
    const thread = message.thread ?? [];
    expect(thread.length).toBeLessThanOrEqual(4);
    for (const { blocks } of [message, ...thread]) {
      expect(JSON.stringify(blocks).length).toBeLessThan(11_000);
      expect(blocks?.length).toBeLessThanOrEqual(49);
    }
    expect(JSON.stringify(thread)).toMatch(/…and 1,\d{3} more\. See them all with \/upnext posts/);
  });

  test('of long lists, only the posts that are shown are rendered', () => {
    const renderedIds = new Set<unknown>();
    const posts = createManyPosts('2026-11-20T08:30:00Z', 10_000).map((planned) => {
      const recordRead = { get: () => renderedIds.add(planned.post.id) && 'Winter blend' };
      return { ...planned, post: Object.defineProperty({ ...planned.post }, 'content', recordRead) };
    });
    renderDigestMessage(createContent(createPlan(posts)));
    expect(renderedIds.size).toBeLessThan(500);
  });

  test('the thread of a full week has every day and every warning', () => {
    const hours = Array.from({ length: 70 }, (_, index) => `${8 + Math.floor(index / 6)}:${index % 6}0`);
    const posts = ['20', '21', '22', '23', '24', '25', '26'].flatMap((day) =>
      hours.map((time) =>
        createPlannedPost(`2026-11-${day}T${time.padStart(5, '0')}:00Z`, { content: 'long '.repeat(20) }),
      ),
    );
    const digest = { kind: 'weekly', zone: 'Europe/Lisbon' } as const;
    const { thread = [] } = renderDigestMessage(createContent(createPlan(posts), digest));
    const titles = thread.flatMap(({ blocks = [] }) => listTexts(blocks)).filter((text) => /^\*/.test(text));
    for (const day of ['Fri 20', 'Sat 21', 'Sun 22', 'Mon 23', 'Tue 24', 'Wed 25', 'Thu 26'])
      expect(titles).toContain(`*${day} Nov*`);
    expect(titles).toContain('*Close together*');
    expect(JSON.stringify(thread)).toContain('more. See them all with /upnext posts.');
  });

  test('a digest of several projects names the project on each line', () => {
    const plan = createPlan(
      [
        createPlannedPost('2026-11-20T10:00:00Z', { project: BOOKS, content: 'Reading night' }),
        createPlannedPost('2026-11-20T11:00:00Z'),
      ],
      [HARBOUR, BOOKS],
    );
    const message = renderDigestMessage(createContent(plan));
    expect(message.text).toContain('Harbour Coffee and Night Market Books, Fri 20 Nov.');
    expect(JSON.stringify(message.blocks)).toContain('Scheduled · X · Night Market Books');
  });

  test('a late digest says that it is late, and shows only the chosen sections', () => {
    const delayedFrom = new Date('2026-11-20T06:00:00Z');
    const message = renderDigestMessage(
      createContent(createPlan(weekdayPosts.slice(0, 1)), { delayedFrom, sections: ['next'] }),
    );
    expect(JSON.stringify(message.blocks)).toContain('This digest is late. It was due Fri 20 Nov, 07:00.');
    expect(JSON.stringify(message.blocks)).not.toContain('Nothing on');
  });

  test('a digest without posts is one sentence, with a button for a new post', () => {
    const laterPlan = createPlan([createPlannedPost('2026-12-01T08:00:00Z')]);
    expect(renderEmptyDigest(createContent(laterPlan)).text).toBe(
      'Nothing is scheduled for Harbour Coffee until Sat 21 Nov, 21:00. Next: Tue 1 Dec, 09:00. Times in Berlin.',
    );
    const [block] = renderEmptyDigest(createContent(laterPlan)).blocks ?? [];
    expect(block).toMatchObject({ accessory: { text: { text: 'Schedule a post' }, value: '\np1\n' } });
  });

  test('text from people never becomes a mention, a link or a broadcast', () => {
    const markup = '<!channel> <@U1> <http://evil|good> *bold*';
    const project = { id: 'p1', name: markup };
    const posts = [0, 1, 2].map((hour) =>
      createPlannedPost(`2026-11-20T1${hour}:00:00Z`, {
        project,
        content: `${markup}\u202e${'x'.repeat(40_000)}`,
        platforms: [markup],
      }),
    );
    const message = renderDigestMessage(createContent(createPlan(posts, [project])));
    const mrkdwn = JSON.stringify(message.blocks, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'plain_text'
        ? 'plain'
        : value,
    );
    expect(`${mrkdwn}${message.text}`).not.toMatch(/<!channel|<@U1|<http/);
    expect(JSON.stringify(message.blocks).length).toBeLessThan(10_000);
  });
});
