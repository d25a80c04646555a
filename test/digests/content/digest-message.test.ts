import { describe, expect, test } from 'vitest';
import { analyzePlan } from '../../../src/digests/content/findings.ts';
import type { Plan } from '../../../src/digests/content/plan.ts';
import { SECTIONS } from '../../../src/digests/content/sections.ts';
import {
  type DigestContent,
  renderDigestMessage,
  renderEmptyDigest,
} from '../../../src/digests/content/text/digest-message.ts';
import { BOOKS, createManyPosts, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

const NOW = new Date('2026-11-20T08:00:00Z');
const TODAY = '2026-11-20';

function createContent(plan: Plan, fields: Partial<DigestContent> = {}): DigestContent {
  const digest = fields.digest ?? ({ kind: 'daily', zone: 'Europe/Berlin' } as const);
  return {
    digest,
    request: { now: NOW, date: TODAY },
    plan,
    findings: analyzePlan(plan, { ...digest, date: TODAY, now: NOW }),
    changes: undefined,
    sections: SECTIONS,
    isEmulated: false,
    ...fields,
  };
}

const splitIntoLines = (message: { blocks?: readonly object[] | undefined }) =>
  JSON.stringify(message.blocks).split('\\n');
const weekdayPosts = ['20', '23', '24', '25', '26'].map((day) =>
  createPlannedPost(`2026-11-${day}T13:00:00Z`),
);

describe('a digest', () => {
  test('a digest is short on a day with few posts, and its text names the project and the time of the next post', () => {
    const message = renderDigestMessage(createContent(createPlan(weekdayPosts)));
    expect(message.text).toBe('Harbour Coffee, Fri 20 Nov. Next: Fri 20 Nov, 14:00 (Berlin).');
    expect(message.blocks).toHaveLength(3);
    expect(message.thread).toBeUndefined();
  });

  test('a digest shows the time of the next post in the digest’s zone and in each reader’s zone', () => {
    expect(JSON.stringify(renderDigestMessage(createContent(createPlan(weekdayPosts))).blocks)).toContain(
      'Next: *Fri 20 Nov, 14:00 (Berlin)*, for you <!date^1795179600^{date_short}, {time}|Fri 20 Nov, 14:00 (Berlin)>',
    );
  });

  test('a digest shows each finding on one line', () => {
    const plan = createPlan([
      ...weekdayPosts.slice(0, 4),
      createPlannedPost('2026-11-20T06:00:00Z', { content: 'Stuck' }),
      createPlannedPost('2026-11-20T13:10:00Z'),
      createPlannedPost('2026-11-21T10:00:00Z', { status: 'DRAFT', content: 'Half a thought' }),
    ]);
    const text = JSON.stringify(renderDigestMessage(createContent(plan)).blocks);
    expect(text).toContain('Overdue: Fri 20 Nov, 07:00 · X · Stuck');
    expect(text).toContain('Close together: X, Fri 20 Nov, 14:00 and Fri 20 Nov, 14:10');
    expect(text).toContain('No post yet on: Thu 26 Nov');
    expect(text).toContain('Still a draft: Sat 21 Nov, 11:00 · X · Half a thought');
  });

  test('a digest moves long lists into its thread, and counts the posts that don’t fit there', () => {
    const message = renderDigestMessage(
      createContent(createPlan(createManyPosts('2026-11-20T08:30:00Z', 10_000))),
    );
    expect(splitIntoLines(message).length).toBeLessThan(15);
    expect(JSON.stringify(message.blocks)).toMatch(/…and 1,\d{3} more until Sat 21 Nov, 21:00/);
    const thread = message.thread ?? [];
    expect(thread.length).toBeLessThanOrEqual(4);
    for (const { blocks } of [message, ...thread]) {
      expect(JSON.stringify(blocks).length).toBeLessThan(11_000);
      expect(blocks?.length).toBeLessThanOrEqual(49);
    }
    expect(JSON.stringify(thread)).toMatch(/…and 1,\d{3} more\. See them all with \/upnext posts/);
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
    expect(JSON.stringify(message.blocks)).toContain('X · Night Market Books · Reading night');
  });

  test('a late digest says that it is late, and shows only the chosen sections', () => {
    const request = { now: NOW, date: TODAY, delayedFrom: new Date('2026-11-20T06:00:00Z') };
    const message = renderDigestMessage(
      createContent(createPlan(weekdayPosts.slice(0, 1)), { request, sections: ['next'] }),
    );
    expect(JSON.stringify(message.blocks)).toContain(
      'This digest is late. It was due Fri 20 Nov, 07:00 (Berlin).',
    );
    expect(JSON.stringify(message.blocks)).not.toContain('No post yet on');
  });

  test('a digest is one line if nothing is planned', () => {
    const laterPlan = createPlan([createPlannedPost('2026-12-01T08:00:00Z')]);
    expect(renderEmptyDigest(createContent(laterPlan)).text).toBe(
      'Nothing is scheduled for Harbour Coffee until Sat 21 Nov, 21:00 (Berlin). Next: Tue 1 Dec, 09:00 (Berlin).',
    );
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
