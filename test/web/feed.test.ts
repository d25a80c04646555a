import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { expect, test } from 'vitest';
import { renderFeed } from '../../src/web/feed/feed.ts';
import type { PlanPost } from '../../src/web/read-plan.ts';
import { NOW } from '../support/bot.ts';
import { copyHeldPost, holdPost } from '../support/hold-posts.ts';
import { data, json, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { openLink } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true });
const { running } = fixture;

const PROJECT = { id: 'p1', name: 'Harbour; Coffee, "Ltd"\r\nBEGIN:VEVENT' };
const ADDRESS = 'https://upnext.example/w/token/';

/** Texts with which a calendar could get other events, other properties or broken lines. */
const HOSTILE = [
  'Hi\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Injected',
  'lone\rreturn\nand\u2028line\u2029separators',
  'semi;colon, comma \\n back\\slash "quotes" :colon',
  `${'🧑‍🔧'.repeat(60)} ${'é'.repeat(200)}`,
  '\u0000\u0007\u001b[31m\u0085\uFFFE\uD800 half',
  `${'x'.repeat(5_000)}`,
  '',
];

function createPost(text: string, index: number, changes: Partial<PlanPost> = {}): PlanPost {
  return {
    ...{ key: `p.${index}`, project: PROJECT, at: new Date(NOW.getTime() + index * 3_600_000), facts: {} },
    post: { platforms: ['X', 'EVIL\r\nX:1'], content: text, id: `id-${index}\r\nUID:1` },
    state: { name: 'Scheduled', tone: 'scheduled' },
    ...{ author: undefined, heldId: undefined, held: undefined, changedAt: undefined },
    ...changes,
  };
}

const options = { address: ADDRESS, createdAt: NOW, hasProjects: true, description: 'Posts' };

/** Reads a calendar with two parsers that share no code, and compares what they say. */
function readEvents(body: string) {
  const events = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: String(event.getFirstPropertyValue('summary')),
    start: new Date(String(event.getFirstPropertyValue('dtstart'))).getTime(),
    status: String(event.getFirstPropertyValue('status')),
    sequence: Number(event.getFirstPropertyValue('sequence')),
    url: String(event.getFirstPropertyValue('url')),
  }));
  const others = Object.values(nodeIcal.sync.parseICS(body)).filter((entry) => entry?.type === 'VEVENT');
  expect(others.map((entry) => new Date(Reflect.get(entry ?? {}, 'start')).getTime()).sort()).toEqual(
    events.map(({ start }) => start).sort(),
  );
  expect(others).toHaveLength(events.length);
  return events;
}

test('hostile texts, names and ids stay texts, and both parsers read one event for each post', () => {
  const { body } = renderFeed(
    HOSTILE.map((text, index) => createPost(text, index)),
    { ...options, description: HOSTILE.join('; ') },
  );
  const events = readEvents(body);
  expect(events).toHaveLength(HOSTILE.length);
  expect(events.every(({ uid }) => /^[\da-f]{32}@upnext\.example$/.test(uid))).toBe(true);
  const lines = body.split('\r\n');
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  expect(body).not.toMatch(/(?<!\r)\n|\r(?!\n)/);
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(HOSTILE.length);
});

test('the same posts make the same bytes, and a change raises the sequence and keeps the UID', () => {
  const before = renderFeed([createPost('Hello', 1, { heldId: 'h1', changedAt: NOW })], options);
  const again = renderFeed([createPost('Hello', 1, { heldId: 'h1', changedAt: NOW })], options);
  const later = new Date(NOW.getTime() + 60_000);
  const moved = renderFeed([createPost('Hello', 5, { heldId: 'h1', changedAt: later })], options);
  expect(again).toEqual(before);
  expect(moved.etag).not.toBe(before.etag);
  const [[first], [second]] = [readEvents(before.body), readEvents(moved.body)];
  expect(second?.uid).toBe(first?.uid);
  expect(second?.sequence).toBeGreaterThan(first?.sequence ?? 0);
});

test('times are right on both days on which clocks change', () => {
  const moments = [
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2027-03-28T00:59:00Z',
    '2027-03-28T01:00:00Z',
  ];
  const posts = moments.map((at, index) => createPost(at, index, { at: new Date(at) }));
  expect(
    readEvents(renderFeed(posts, options).body).map(({ start }) => new Date(start).toISOString()),
  ).toEqual(moments.map((at) => new Date(at).toISOString()));
});

test('a person’s feed has the posts of the service and those that I keep, and says when nothing has changed', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([listedPost('From the service', '2026-11-25T09:00:00Z')]));
  const held = await holdPost(running, { text: 'Kept here', at: '2026-11-24T10:00:00Z' });
  const link = await openLink(fixture, { kind: 'feed' });
  const feed = await link.get('upnext.ics');
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  const events = readEvents(feed.text);
  expect(events.map(({ summary }) => summary)).toEqual([
    'Editable: Kept here',
    'Scheduled: From the service',
  ]);
  expect(events[0]?.url.startsWith(link.base)).toBe(true);
  const page = await fetch(events[0]?.url ?? '');
  expect(await page.text()).toContain('Kept here');
  const etag = feed.headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", W/${etag}`]) {
    const unchanged = await link.get('upnext.ics', { headers: { 'if-none-match': known } });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect([unchanged.headers.get('content-type'), unchanged.headers.get('content-length')]).toEqual([
      null,
      null,
    ]);
  }
  expect((await link.get('upnext.ics', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  expect(held.state).toBe('held');
});

test('while the service doesn’t answer, a calendar gets nothing instead of a part, so that it keeps its events', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', json(500, 'oops'));
  await holdPost(running, { text: 'Kept here', at: '2026-11-24T10:00:00Z' });
  const feed = await (await openLink(fixture, { kind: 'feed' })).get('upnext.ics');
  expect([feed.status, feed.text]).toEqual([503, '']);
});

test('a post of the service that can’t be read leaves the calendar as it is', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([listedPost('Readable', '2026-11-25T09:00:00Z'), 'not a post']));
  const feed = await (await openLink(fixture, { kind: 'feed' })).get('upnext.ics');
  expect([feed.status, feed.text]).toEqual([503, '']);
});

test('with more posts than can be read, the feed is shorter, and has all that come next', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on('GET /posts', data([]));
  const earlier = await holdPost(running, { text: 'Earlier', at: '2026-11-10T10:00:00Z' });
  await copyHeldPost(running, earlier, 520);
  await holdPost(running, { text: 'Comes next', at: '2026-11-28T10:00:00Z' });
  const feed = await (await openLink(fixture, { kind: 'feed' })).get('upnext.ics');
  expect(feed.status).toBe(200);
  expect(feed.text).toContain('Comes next');
  expect(feed.text).toContain('Posts of the last 7 days');
});

test('of more projects than a feed has room for, the same ones are left out whatever their order, and it says which', async () => {
  const names = Array.from({ length: 22 }, (_, index) => `Project ${index + 1}`);
  running.service.on('GET /projects', listProjects(...names));
  running.service.on('GET /posts', data([]));
  const feed = await (await openLink(fixture, { kind: 'feed' })).get('upnext.ics');
  const text = feed.text.replace(/\r\n /g, '');
  expect(text).toContain('Without these projects: Project 8\\, Project 9.');
});

test('parts of a post that became different are events of their own, and joined ones keep their UID', () => {
  const part = (platform: string, index: number) =>
    createPost('Part', index, { heldId: 'h1', post: { platforms: [platform], content: 'Part' } });
  const read = (posts: PlanPost[]) => readEvents(renderFeed(posts, options).body).map(({ uid }) => uid);
  const [joined] = read([part('X', 1)]);
  const apart = read([part('X', 1), part('LINKEDIN', 2)]);
  expect(new Set([joined, ...apart]).size).toBe(3);
  expect(read([part('LINKEDIN', 1), part('X', 2)])).toEqual(apart.toReversed());
});
