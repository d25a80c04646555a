import { describe, expect, test } from 'vitest';
import {
  createRasterizer,
  fitText,
  measureText,
  removeUndrawable,
} from '../../../../src/digests/content/picture/drawing.ts';
import { buildWeek } from '../../../../src/digests/content/picture/week.ts';
import type { Plan } from '../../../../src/digests/content/plan.ts';
import { describeWeek, renderWeekSvg } from '../../../../src/digests/content/week-picture.ts';
import type { HeldReason, HeldState } from '../../../../src/posts/state-copy.ts';
import { BOOKS, createManyPosts, createPlan, createPlannedPost, HARBOUR } from '../weeks.ts';

const zone = 'Europe/Berlin';
const decision = {
  facts: { held: { state: 'needs-person', reason: 'refused', hand_over_at: null } },
} as const;

function buildTestWeek(plan: Plan, date: string) {
  const now = new Date(`${date}T08:00:00Z`);
  return buildWeek(plan, {
    date,
    now,
    zone,
    includesDrafts: true,
  });
}

const listDayTitles = (svg: string) => [...svg.matchAll(/>([A-Z][a-z]{2} \d+)</g)].map(([, title]) => title);

describe('a week with a clock change', () => {
  test('the picture shows UTC offsets in the hour that is repeated in autumn, and each post on its day', () => {
    const plan = createPlan([
      createPlannedPost('2026-10-24T21:59:00Z'),
      createPlannedPost('2026-10-25T00:30:00Z'),
      createPlannedPost('2026-10-25T01:30:00Z'),
      createPlannedPost('2026-10-25T22:59:00Z'),
      createPlannedPost('2026-10-25T23:00:00Z'),
    ]);
    const weekPicture = buildTestWeek(plan, '2026-10-20');
    expect(
      weekPicture.days.map(({ posts }) => posts.map(({ time, offset }) => `${time} ${offset ?? ''}`.trim())),
    ).toEqual([[], [], [], [], ['23:59'], ['02:30 UTC+2', '02:30 UTC+1', '23:59'], ['00:00']]);
    expect(renderWeekSvg(weekPicture)).toContain('Clocks 03:00 → 02:00');
    expect(describeWeek(weekPicture)).toContain(
      'Sun 25 Oct (clocks 03:00 → 02:00): 02:30 UTC+2 X “Winter blend”; 02:30 UTC+1 X “Winter blend”',
    );
  });

  test('the picture includes the day of 23 hours in spring', () => {
    const plan = createPlan([
      createPlannedPost('2027-03-28T01:00:00Z'),
      createPlannedPost('2027-03-28T21:59:00Z'),
    ]);
    const svg = renderWeekSvg(buildTestWeek(plan, '2027-03-22'));
    expect(listDayTitles(svg)).toEqual([
      ...['Mon 22', 'Tue 23', 'Wed 24', 'Thu 25', 'Fri 26', 'Sat 27', 'Sun 28'],
    ]);
    expect(svg).toContain('Clocks 02:00 → 03:00');
    expect(svg).toContain('>03:00<');
  });
});

describe('weeks of any size', () => {
  test('the picture of an empty week and its description say on each day that there is no post', () => {
    const emptyWeek = buildTestWeek(createPlan([]), '2026-11-23');
    expect(renderWeekSvg(emptyWeek).match(/>No posts</g)).toHaveLength(7);
    expect(describeWeek(emptyWeek)).toContain('Mon 23 Nov: no posts.');
  });

  test('the picture does not say that a day has no posts if some posts could not be read', () => {
    const week = buildTestWeek({ ...createPlan([]), unreadableCount: 1 }, '2026-11-23');
    expect(renderWeekSvg(week)).not.toContain('>No posts<');
    expect(describeWeek(week)).toContain('Mon 23 Nov: no readable posts.');
  });

  test('the picture counts all of 60 posts, and its description names every day', () => {
    const fullWeek = buildTestWeek(
      createPlan(createManyPosts('2026-11-23T00:00:00Z', 60), [HARBOUR, BOOKS]),
      '2026-11-23',
    );
    const description = describeWeek(fullWeek);
    expect(description.length).toBeLessThanOrEqual(2_000);
    for (const { title, posts, hiddenCount } of fullWeek.days) {
      expect(posts).toHaveLength(2);
      expect(description).toMatch(new RegExp(`${title}: 0\\d:.*; ${hiddenCount} more\\.`));
      expect(renderWeekSvg(fullWeek)).toContain(`>+${hiddenCount} more<`);
    }
  });

  test('the picture counts 10,000 posts, and the picture and its description stay small', () => {
    const hugeWeek = buildTestWeek(createPlan(createManyPosts('2026-11-23T00:00:00Z', 10_000)), '2026-11-23');
    expect(renderWeekSvg(hugeWeek).length).toBeLessThan(60_000);
    expect(renderWeekSvg(hugeWeek)).toMatch(/>\+1,\d{3}</);
    expect(describeWeek(hugeWeek).length).toBeLessThanOrEqual(2_000);
  });
});

describe('text in the picture', () => {
  test('the picture and its description name the zone, and show the same posts and states', () => {
    const platforms = ['X', 'LINKEDIN'];
    const week = buildTestWeek(
      createPlan([
        createPlannedPost('2026-11-23T06:00:00Z', { status: 'PUBLISHED', platforms }),
        createPlannedPost('2026-11-23T07:00:00Z', { content: 'Stuck' }),
        createPlannedPost('2026-11-24T10:00:00Z', { status: 'DRAFT', content: 'Half a thought' }),
        createPlannedPost('2026-11-25T10:00:00Z', { content: 'Tasting' }),
      ]),
      '2026-11-23',
    );
    expect(describeWeek(week)).toContain(
      [
        'Calendar of Harbour Coffee, Mon 23 Nov to Sun 29 Nov. Times in Berlin.',
        'Mon 23 Nov: 07:00 X, LinkedIn “Winter blend” (published); 08:00 X “Stuck” (overdue).',
        'Tue 24 Nov: 11:00 X “Half a thought” (draft).',
        'Wed 25 Nov: 11:00 X “Tasting”.',
      ].join(' '),
    );
    const drawnTexts = [...renderWeekSvg(week).matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text);
    expect(drawnTexts).toEqual([
      ...['Harbour Coffee', 'Times in Berlin · Mon 23 Nov to Sun 29 Nov'],
      ...['Mon 23', '✓ 07:00', 'X, LinkedIn', 'Winter blend', '! 08:00', 'X', 'Stuck'],
      ...['Tue 24', '11:00', 'Draft · X', 'Half a thought', 'Wed 25', '11:00', 'X', 'Tasting'],
      ...['Thu 26', 'No posts', 'Fri 27', 'No posts', 'Sat 28', 'No posts', 'Sun 29', 'No posts'],
      ...['Scheduled', '✓ Published', '! Overdue', 'Draft'],
    ]);
  });

  test('the picture names the states of kept posts as lists do, and its legend has room for all of them', () => {
    const keep = (
      time: string,
      state: HeldState,
      reason: HeldReason | null,
      dueAt = '2026-12-01T00:00:00Z',
    ) => ({
      ...createPlannedPost(time),
      facts: { held: { state, reason, hand_over_at: new Date(dueAt) } },
    });
    const week = buildTestWeek(
      createPlan([
        createPlannedPost('2026-11-23T06:00:00Z', { status: 'PUBLISHED' }),
        keep('2026-11-23T09:00:00Z', 'held', null, '2026-11-23T07:00:00Z'),
        keep('2026-11-24T10:00:00Z', 'held', null),
        keep('2026-11-25T10:00:00Z', 'awaiting-review', null),
        keep('2026-11-26T10:00:00Z', 'held', 'stopped'),
        { ...createPlannedPost('2026-11-27T10:00:00Z', { status: 'DECISION' }), ...decision },
        createPlannedPost('2026-11-28T10:00:00Z', { status: 'DRAFT' }),
        createPlannedPost('2026-11-29T10:00:00Z'),
      ]),
      '2026-11-23',
    );
    const names = [
      ...['published', 'sending…', 'editable', 'waiting for review', 'stopped', 'needs a decision', 'draft'],
    ];
    for (const name of names) expect(describeWeek(week)).toContain(`(${name})`);
    const svg = renderWeekSvg(week);
    const legend = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="20".*?>([^<>]+)<\/text>/gu)];
    expect(legend).toHaveLength(8);
    for (const [, x, name = ''] of legend)
      expect(Number(x) + 28 + measureText(name, { size: 20 })).toBeLessThanOrEqual(640);
  });

  test('in a week of several projects, a post whose platforms take too much room still names its project', () => {
    const platforms = ['INSTAGRAM', 'FACEBOOK', 'TELEGRAM'];
    const posts = [
      createPlannedPost('2026-11-24T10:00:00Z', { platforms }),
      createPlannedPost('2026-11-25T10:00:00Z', { platforms, project: BOOKS }),
    ];
    const svg = renderWeekSvg(buildTestWeek(createPlan(posts, [HARBOUR, BOOKS]), '2026-11-23'));
    expect(svg).toMatch(/>Harbour Coffee<.*>Winter blend</);
    expect(svg).toMatch(/>Night Market Books<.*>Winter blend</);
    expect(svg).not.toContain('+2…');
  });

  test('the picture is readable on a phone, which shows it 300 px wide, and at most 360 px high', () => {
    const svg = renderWeekSvg(
      buildTestWeek(createPlan(createManyPosts('2026-11-23T00:00:00Z', 60)), '2026-11-23'),
    );
    const [width = 0, height = 0] = [/width="(\d+)"/, /height="(\d+)"/].map((size) =>
      Number(size.exec(svg)?.[1]),
    );
    const scale = Math.min(300 / width, 360 / height);
    const timeSizes = [...svg.matchAll(/font-size="(\d+)"[^>]*>\d\d:\d\d</g)].map(([, size]) => Number(size));
    expect(Math.min(...timeSizes) * scale).toBeGreaterThanOrEqual(11);
  });

  test('missing letters become an ellipsis, emoji are dropped, and no letter becomes an empty box', () => {
    expect(removeUndrawable('Латте και γάλα, café')).toBe('Латте και γάλα, café');
    expect(removeUndrawable('毎朝のコーヒー、新豆。')).toBe('毎朝のコーヒー、新豆。');
    expect(removeUndrawable('모닝 커피 at the harbour')).toBe('… at the harbour');
    expect(removeUndrawable('中文简体 测试 at the harbour')).toBe('… at the harbour');
    expect(removeUndrawable('新豆，测试：コーヒー')).toBe('新豆，…：コーヒー');
    expect(removeUndrawable('🎉 Party 👩‍👩‍👧 time 🇩🇪 1️⃣')).toBe('Party time 1');
    expect(removeUndrawable('🎉')).toBe('…');
    expect(removeUndrawable('שלום قهوة')).toBe('שלום قهوة');
  });

  test('a text is shortened to the available width after a whole word', () => {
    const fittedText = fitText('A very long title that fits nowhere at all', 120, { size: 15 });
    expect(fittedText).toBe('A very long…');
    expect(measureText(fittedText, { size: 15 })).toBeLessThanOrEqual(120);
    expect(fitText('Extraordinarilylongfirstword', 60, { size: 15 })).toMatch(/^Extra\w*…$/);
    expect(fitText('Sale: 全品二割引きです', 120, { size: 15 })).toMatch(/^Sale: 全品.*…$/);
  });

  test('markup in a text is escaped', async () => {
    const post = createPlannedPost('2026-11-24T10:00:00Z', {
      content: '</text><script>&amp; "x" \u0000\ufffe',
      platforms: ['<X>'],
    });
    const svg = renderWeekSvg(buildTestWeek(createPlan([post]), '2026-11-23'));
    expect(svg).not.toContain('<script');
    expect((await createRasterizer().rasterize(svg)).length).toBeGreaterThan(1_000);
  });
});

test('the picture is a PNG as wide as the calendar, and the same week is drawn only once', async () => {
  const rasterizer = createRasterizer();
  const svg = renderWeekSvg(
    buildTestWeek(createPlan(createManyPosts('2026-11-23T00:00:00Z', 60)), '2026-11-23'),
  );
  const [png, secondPng] = await Promise.all([rasterizer.rasterize(svg), rasterizer.rasterize(svg)]);
  expect(secondPng).toBe(png);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(660);
});

test('a picture with Japanese text contains it', async () => {
  const draw = async (content: string) => {
    const post = createPlannedPost('2026-11-24T10:00:00Z', { content });
    const svg = renderWeekSvg(buildTestWeek(createPlan([post]), '2026-11-23'));
    return { svg, png: await createRasterizer().rasterize(svg) };
  };
  const [japanese, korean] = [await draw('新豆が入荷しました'), await draw('신메뉴 출시')];
  expect(japanese.svg).toContain('新豆');
  expect(japanese.png.length).toBeGreaterThan(korean.png.length + 500);
});

test('the picture contains its text, so the same picture without text is smaller', async () => {
  const svg = renderWeekSvg(buildTestWeek(createPlan([]), '2026-11-23'));
  const png = await createRasterizer().rasterize(svg);
  const pngWithoutText = await createRasterizer().rasterize(svg.replace(/<text.*?<\/text>/g, ''));
  expect(png.length).toBeGreaterThan(pngWithoutText.length + 5_000);
});
