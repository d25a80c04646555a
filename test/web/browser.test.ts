import { openSharedBrowser, type TestBrowser } from 'slack-workspace-emulator/test-support/browser';
import { findViolations } from 'slack-workspace-emulator/test-support/find-violations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdPost, reviewedBy } from '../support/hold-posts.ts';
import { data, json, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { BEN, openLink } from './open-link.ts';

const fixture = setUpBot();
const { running, startBot, setPolicy } = fixture;

let browser: TestBrowser;
let base = '';

/** Texts of people, in which markup, directions and lengths are hostile. */
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)> \u202Egnp.exe javascript:alert(3) https://a.coffee/?q="><svg/onload=alert(4)> ${'A'.repeat(180)}`;

beforeAll(async () => {
  await startBot({ takesFiles: true });
  browser = await openSharedBrowser();
  running.service.on('GET /projects', listProjects('Harbour <b>Coffee</b>', 'Night Market Books'));
  const texts = [
    'Kürbis-Latte is back ☕️🎃 Only until the first frost: https://harbour.coffee/latte #autumn',
    'The harbour shop closes at three today. The others stay open.',
    'قهوتنا الجديدة من اليمن وصلت هذا الأسبوع. تعالوا وذوقوها معنا',
    'Wir suchen dich: Donaudampfschifffahrtsgesellschaftskapitänserfahrung nicht nötig',
  ];
  const posts = Array.from({ length: 40 }, (_, index) =>
    listedPost(
      `${texts[index % 4]} ${index}`,
      new Date(Date.UTC(2026, 10, 2 + (index % 27), 8 + (index % 9), 15 * (index % 4))).toISOString(),
      {
        Platforms: ['X', 'INSTAGRAM', 'LINKEDIN'].slice(0, 1 + (index % 3)),
        Status: index % 27 < 18 ? (index % 11 === 0 ? 'FAILED' : 'PUBLISHED') : 'SCHEDULED',
      },
    ),
  );
  const busy = Array.from({ length: 100 }, (_, index) =>
    listedPost(`Busy ${index}`, new Date(Date.UTC(2026, 10, 27, 6 + (index % 14), index % 60)).toISOString()),
  );
  running.service.on('GET /posts', (call, response) => {
    const [skip, limit] = [Number(call.query.get('skip') ?? 0), Number(call.query.get('limit') ?? 100)];
    return data([...posts, ...busy].slice(skip, skip + limit))(call, response);
  });
  await setPolicy({
    leadMinutes: 60,
    blackouts: [{ from: '2026-11-22', to: '2026-11-22', name: 'Day <i>of</i> mourning' }],
    postingTimes: [
      {
        platforms: [],
        recurrence: {
          on: { unit: 'week', weekdays: [1, 2, 3, 4, 5] },
          interval: 1,
          times: [{ hour: 17, minute: 0 }],
          zone: 'Europe/Lisbon',
        },
      },
    ],
  });
  await holdPost(running, { text: HOSTILE, at: '2026-11-24T10:00:00Z', platforms: ['X', 'REDDIT'] });
  await holdPost(running, { text: 'Ten minutes later', at: '2026-11-24T10:10:00Z', platforms: ['X'] });
  await holdPost(running, { text: 'On a day off', at: '2026-11-22T10:00:00Z' });
  await holdPost(running, { text: 'Not finished', at: '2026-11-25T12:00:00Z', isDraft: true });
  await holdPost(running, {
    ...{ text: 'Please look', at: '2026-11-26T12:00:00Z', policy: reviewedBy(BEN ?? '') },
    platforms: ['X', 'INSTAGRAM', 'FACEBOOK', 'LINKEDIN'],
    altText: 'A cup',
  });
  ({ base } = await openLink(fixture));
});
afterAll(() => browser?.close());

/** The sizes and schemes in which pages are looked at. */
const VIEWS = [
  { width: 320, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 1060, scheme: 'light' },
  { width: 1600, scheme: 'dark' },
] as const;

async function open(
  path: string,
  { width = 1440, scheme = 'light' as 'light' | 'dark', bypassCSP = false } = {},
) {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    bypassCSP,
  });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(running.settings.publicUrl ?? '')) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') foreign.push(message.text());
  });
  page.on('dialog', (dialog) => {
    foreign.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(base + path);
  return { page, foreign };
}

async function listPaths(): Promise<Record<string, string>> {
  const { page } = await open('2026-11?project=p1');
  const hostile = await page.getByRole('link', { name: /script/ }).getAttribute('href');
  const review = await page.getByRole('link', { name: /Please look/ }).getAttribute('href');
  await page.context().close();
  return {
    month: '2026-11?project=p1',
    all: '2026-11?project=all',
    day: '2026-11?project=p1&day=27',
    hostile: hostile ?? '',
    review: review ?? '',
    gone: 'nowhere',
  };
}

describe.each(VIEWS)('at $width px, $scheme', ({ width, scheme }) => {
  test('no page is wider than the screen, has a fault for screen readers, or asks another site', async () => {
    for (const [name, path] of Object.entries(await listPaths())) {
      const { page, foreign } = await open(path, { width, scheme, bypassCSP: true });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([name, overflow]).toEqual([name, 0]);
      expect([name, await findViolations(page)]).toEqual([name, []]);
      expect([name, foreign.filter((each) => !each.includes('404'))]).toEqual([name, []]);
      await page.context().close();
    }
  });
});

test('hostile texts and names make no element, and no link but to http and this site', async () => {
  for (const [name, path] of Object.entries(await listPaths())) {
    const { page } = await open(path);
    const counts = await page.evaluate(`[
      document.querySelectorAll('script, iframe, object, svg[onload], main b b, main i i').length,
      [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on|^style$/.test(a.name))).length,
      [...document.links].filter((a) => !/^https?:/.test(a.href)).length,
    ]`);
    expect([name, counts]).toEqual([name, [0, 0, 0]]);
    await page.context().close();
  }
});

test('the keyboard reaches the content first, then everything else, and shows where it is', async () => {
  const { page } = await open('2026-11?project=p1');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  const hidden: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate(`(() => {
      const e = document.activeElement;
      return [getComputedStyle(e), getComputedStyle(e, '::after')].some((s) => s.outlineStyle !== 'none') ? '' : e.outerHTML.slice(0, 80);
    })()`);
    if (shown !== '') hidden.push(String(shown));
  }
  expect(hidden).toEqual([]);
  await page.context().close();
});

test('a filter, a day and the next month are reached without scripts', async () => {
  const { page } = await open('2026-11?project=p1');
  await page.getByRole('combobox', { name: 'Platform' }).selectOption('LinkedIn');
  await page.getByRole('button', { name: 'Show' }).click();
  expect(page.url()).toContain('platform=LINKEDIN');
  expect(await page.getByText('Busy 1').count()).toBe(0);
  await page.getByRole('link', { name: /next month/ }).click();
  expect(await page.locator('.pager strong').innerText()).toBe('December 2026');
  expect(page.url()).toContain('platform=LINKEDIN');
  await page.context().close();
});

test('a month prints on a few sheets, without what can be pressed', async () => {
  const { page } = await open('2026-11?project=p1', { scheme: 'dark' });
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length).toBeLessThanOrEqual(3);
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  expect(await page.locator('.filter').isVisible()).toBe(false);
  await page.context().close();
});

test('posts of a service that can’t be read are said to be missing, and those that I keep are shown', async () => {
  running.service.on('GET /posts', json(500, 'oops'));
  const { page } = await open('2027-01?project=p1');
  expect(await page.getByRole('status').innerText()).toContain(
    'I couldn’t read the posts that the scheduling service has',
  );
  await page.context().close();
});
