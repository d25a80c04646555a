import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { DAY_MS, HOUR_MS } from '../../src/durations.ts';
import { createLink, findLink, listLinks } from '../../src/web/links.ts';
import { forgetWorkspace } from '../../src/workspaces/sql/forget-workspace.ts';
import { NOW } from '../support/bot.ts';
import { holdPost } from '../support/hold-posts.ts';
import { data, listedPost, listProjects } from '../support/scripted-service.ts';
import { failSlack, setUpBot } from '../support/set-up-bot.ts';
import { grantBen, revokeBen } from '../support/two-projects.ts';
import { ANA, type Answered, BEN, openLink, readText } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true, membersDefaultRole: null, owners: { kind: 'slack' } });
const { running, database } = fixture;

/** Grants are cached for some seconds, and a link has a limit of requests. */
const SLOWLY = { interval: 500 };

const countLinks = async () => (await database.db.selectFrom('web_link').selectAll().execute()).length;

beforeEach(() => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
});

/** What a stranger can compare: the date differs in any case. */
const compare = ({ status, headers, text }: Answered) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

describe('a link that shows nothing', () => {
  test('a guessed, an ended, an expired and an incomplete link, and a page that doesn’t exist, get the same answer', async () => {
    const link = await openLink(fixture);
    expect((await link.get()).status).toBe(200);
    const noPage = await link.get('2026-13');
    await database.db.updateTable('web_link').set({ expires_at: NOW }).execute();
    const expired = await link.get();
    await database.db.deleteFrom('web_link').execute();
    const ended = await link.get();
    const guessed = await fetchPath(`w/${randomBytes(32).toString('base64url')}/`);
    const others = await Promise.all(
      [
        'w/',
        'w/x',
        `w/${link.token}`,
        `w/${link.token.slice(1)}/`,
        'w/%2e%2e%2f/',
        'w/%00/',
        `w/${'a'.repeat(2_000)}/`,
      ].map(fetchPath),
    );
    expect(noPage.status).toBe(404);
    expect(noPage.text).toContain('This link isn’t here');
    for (const answer of [expired, ended, guessed, ...others])
      expect(compare(answer)).toEqual(compare(noPage));
  });

  test('a feed’s link shows no page, and the other way round', async () => {
    const feed = await openLink(fixture, { kind: 'feed' });
    expect((await feed.get('2026-11')).status).toBe(404);
    expect((await (await openLink(fixture)).get('upnext.ics')).status).toBe(404);
  });

  test('only GET and HEAD are answered, and HEAD has no body', async () => {
    const link = await openLink(fixture);
    expect((await link.get('', { method: 'POST' })).status).toBe(405);
    const head = await link.get('', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('no page, and no failure, brings the secret of a link into the log or the database', async () => {
    const link = await openLink(fixture);
    await database.db.schema.alterTable('project_policy').renameTo('renamed_policy').execute();
    try {
      expect((await link.get('2026-10')).status).toBe(503);
    } finally {
      await database.db.schema.alterTable('renamed_policy').renameTo('project_policy').execute();
    }
    expect(running.logged.some((line) => line.startsWith('could not serve a page'))).toBe(true);
    expect(running.logged.filter((line) => line.includes(link.token))).toEqual([]);
    const rows = JSON.stringify(await database.db.selectFrom('web_link').selectAll().execute());
    expect(rows).not.toContain(link.token);
  });
});

describe('what a link shows is what its person may see at that moment', () => {
  const attempts: [string, () => Promise<void>][] = [
    ['who never had a role', async () => {}],
    [
      'who has lost the role',
      async () => {
        await grantBen(database.db, 'viewer', 'p1');
        await revokeBen(database.db, 'p1');
      },
    ],
  ];
  test.each(attempts)('somebody %s sees nothing, and the link has ended', async (_who, arrange) => {
    await arrange();
    const link = await openLink(fixture, { user: BEN });
    expect((await link.get()).status).toBe(404);
    await grantBen(database.db, 'viewer', 'p1');
    await expect.poll(countLinks).toBe(0);
    expect((await link.get()).status).toBe(404);
  });

  test('a Viewer of one project doesn’t find the other one, whatever the address asks for', async () => {
    await grantBen(database.db, 'viewer', 'p1');
    const link = await openLink(fixture, { user: BEN });
    const pages = await Promise.all(
      ['', '?project=all', '?project=p2', '?project=Night%20Market%20Books', '2026-11?project=p2'].map(
        (path) => link.get(path),
      ),
    );
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(readText(text)).toContain('Harbour Coffee');
      expect(text).not.toContain('Night Market');
    }
    expect(running.service.calls.filter(({ path }) => path.includes('p2'))).toEqual([]);
  });

  test('a role that is given later counts for the next page, and one that is taken ends the link', async () => {
    await grantBen(database.db, 'viewer', 'p1');
    const link = await openLink(fixture, { user: BEN });
    expect(readText((await link.get()).text)).not.toContain('Night Market Books');
    await grantBen(database.db, 'viewer', 'p2');
    await expect.poll(async () => readText((await link.get()).text), SLOWLY).toContain('Night Market Books');
    await revokeBen(database.db, 'p1');
    await revokeBen(database.db, 'p2');
    await expect.poll(async () => (await link.get()).status, SLOWLY).toBe(404);
  });

  test('if Slack doesn’t say who somebody is, the answer is neither yes nor no, and the link stays', async () => {
    const link = await openLink(fixture);
    failSlack(running, { fault: 'status', method: 'users.info', status: 503 });
    const answer = await link.get();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.text).toContain('I couldn’t check what you may see');
    running.workspace.faults.set({});
    await expect.poll(async () => (await link.get()).status, SLOWLY).toBe(200);
  });

  test('while Slack doesn’t say who is in a user group, pages of its projects are neither shown nor missing', async () => {
    await grantBen(database.db, 'viewer', 'p1');
    await saveGrant(database.db, {
      ...{ workspace: 'T01HARBOUR', subjectKind: 'group', subject: 'S01EDITORS', project: 'p2' },
      ...{ role: 'viewer', reason: 'given', grantedBy: ANA ?? '', grantedAt: NOW },
    });
    running.service.on('GET /posts', data([listedPost('At the service', '2026-11-25T09:00:00Z')]));
    await holdPost(running, {
      ...{ text: 'Kept', at: '2026-11-24T10:00:00Z', project: { id: 'p2', name: 'Night Market Books' } },
    });
    const keys = (await (await openLink(fixture)).get('2026-11?project=p2')).text.match(
      /[ps]\.[\w.-]+(?=")/g,
    );
    expect(keys).toHaveLength(2);
    failSlack(running, { fault: 'status', method: 'usergroups.users.list', status: 503 });
    const link = await openLink(fixture, { user: BEN });
    const readStatus = async (path: string) => [path, (await link.get(path)).status];
    expect(await readStatus('2026-11?project=p1')).toEqual(['2026-11?project=p1', 200]);
    for (const path of ['2026-11?project=p2', ...(keys ?? []), `slack.${keys?.[0]}`])
      expect(await readStatus(path)).toEqual([path, 503]);
    const feed = await openLink(fixture, { user: BEN, kind: 'feed' });
    expect((await feed.get('upnext.ics')).status).toBe(503);
  });

  test('a person who was deactivated in Slack sees nothing', async () => {
    const link = await openLink(fixture);
    running.workspace.admin.deactivate('Ana');
    expect((await link.get()).status).toBe(404);
    await expect.poll(countLinks).toBe(0);
  });
});

describe('the lifetime of links', () => {
  const actor = { workspace: 'T01HARBOUR', user: ANA ?? '' };
  const at = (ms: number) => ({ db: database.db, now: () => new Date(NOW.getTime() + ms) });

  test('a link ends after 30 days without a visit', async () => {
    const token = await createLink(at(0), actor, 'pages');
    expect(await findLink(at(30 * DAY_MS - 1), token)).toBeDefined();
    expect(await findLink(at(60 * DAY_MS - 2), token)).toBeDefined();
    expect(await findLink(at(91 * DAY_MS), token)).toBeUndefined();
  });

  test('a link that is visited every day ends after 180 days', async () => {
    const token = await createLink(at(0), actor, 'pages');
    for (let day = 1; day < 180; day += 1) expect(await findLink(at(day * DAY_MS), token)).toBeDefined();
    expect(await findLink(at(180 * DAY_MS), token)).toBeUndefined();
  });

  test('visits within an hour write nothing', async () => {
    const token = await createLink(at(0), actor, 'pages');
    await findLink(at(HOUR_MS - 1), token);
    expect(await listLinks(at(0), 'T01HARBOUR', 10)).toEqual({
      people: [{ person: ANA, count: 1, usedAt: NOW }],
      count: 1,
    });
  });

  test('a person has twenty links at most, and a new one ends the one without a visit for the longest time', async () => {
    const first = await createLink(at(0), actor, 'pages');
    const second = await createLink(at(1), actor, 'pages');
    await findLink(at(2 * HOUR_MS), first);
    for (let count = 2; count <= 20; count += 1) await createLink(at(3 * HOUR_MS + count), actor, 'pages');
    expect(await findLink(at(4 * HOUR_MS), second)).toBeUndefined();
    expect(await findLink(at(4 * HOUR_MS), first)).toBeDefined();
    expect(await countLinks()).toBe(20);
  });

  test('when the app leaves a workspace, its links are gone', async () => {
    const link = await openLink(fixture);
    await forgetWorkspace(database.db, 'T01HARBOUR', NOW, endDeliveries);
    expect((await link.get()).status).toBe(404);
    expect(await countLinks()).toBe(0);
  });
});

test('every page forbids scripts, frames, other sites and caches, and names no referrer', async () => {
  const { headers, text } = await (await openLink(fixture)).get();
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-robots-tag': 'noindex, nofollow',
  });
  expect(headers.get('set-cookie')).toBeNull();
  expect(text).not.toMatch(/<script|<style| style=| on\w+=|https?:\/\//i);
});

test('the stylesheet is one file, which may be cached for good because its name changes with it', async () => {
  const { text } = await (await openLink(fixture)).get();
  const [, path = ''] = /href="\/(w\/style-[\w-]+\.css)"/.exec(text) ?? [];
  const style = await fetchPath(path);
  expect([style.status, style.headers.get('cache-control'), style.headers.get('content-type')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'text/css; charset=utf-8',
  ]);
  expect(style.text).not.toMatch(/url\(|@import|\/\*/);
});

test('thousands of requests with wrong links don’t keep a person waiting', async () => {
  const link = await openLink(fixture);
  await link.get();
  const flood = Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 150; count += 1)
        expect([404, 503]).toContain((await fetchPath(`w/${randomBytes(32).toString('base64url')}/`)).status);
    }),
  );
  const waits: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const startedAt = performance.now();
    expect((await link.get('2026-12')).status).toBe(200);
    waits.push(performance.now() - startedAt);
  }
  await flood;
  expect(Math.max(...waits)).toBeLessThan(5_000);
});

async function fetchPath(path: string): Promise<Answered> {
  const response = await fetch(`${running.settings.publicUrl}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
