import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '../../../src/api/posts.ts';
import { renderWeekGlance } from '../../../src/features/home/home-view.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const project = { id: 'p1', name: 'Harbour Coffee' };

function renderGlance(
  dates: readonly string[],
  {
    now = '2026-11-22T10:00:00Z',
    zone = 'Europe/Lisbon',
    isWeekComplete = true,
    changes = {},
  }: { now?: string; zone?: string; isWeekComplete?: boolean; changes?: Partial<Post> } = {},
): string {
  const week = dates.map((date) => ({
    project,
    post: { platforms: [], status: 'SCHEDULED', scheduleDate: new Date(date), ...changes },
  }));
  return renderWeekGlance({ week, isWeekComplete }, { now: new Date(now), zone }).replaceAll('\u00a0', ' ');
}

describe('the week at a glance', () => {
  test('each of the next seven days has its number of posts', () => {
    expect(renderGlance(['2026-11-22T18:00:00Z', '2026-11-24T09:00:00Z', '2026-11-24T20:00:00Z'])).toBe(
      '*Today:* 1 · *Mon 23:* none · *Tue 24:* 2 · *Wed 25:* none · *Thu 26:* none · *Fri 27:* none · *Sat 28:* none',
    );
  });

  test('days begin at midnight in the viewer’s zone', () => {
    const dates = ['2026-11-22T23:30:00Z'];
    expect(renderGlance(dates)).toContain('*Today:* 1 · *Mon 23:* none');
    expect(renderGlance(dates, { zone: 'Europe/Berlin' })).toContain('*Today:* none · *Mon 23:* 1');
    expect(renderGlance(dates, { zone: 'Asia/Tokyo' })).toContain('*Today:* none · *Mon 23:* 1');
  });

  test('no day is missing when the clocks change, or at the end of a year', () => {
    const zone = 'Europe/Berlin';
    const spring = renderGlance(['2026-03-29T22:30:00Z'], { now: '2026-03-28T22:45:00Z', zone });
    expect(spring).toContain('*Today:* none · *Sun 29:* none · *Mon 30:* 1 · *Tue 31:* none');
    const autumn = renderGlance(['2026-10-25T22:30:00Z'], { now: '2026-10-24T22:15:00Z', zone });
    expect(autumn).toContain('*Today:* 1 · *Mon 26:* none · *Tue 27:* none');
    const newYear = renderGlance(['2027-01-01T12:00:00Z'], { now: '2026-12-31T12:00:00Z', zone });
    expect(newYear).toContain('*Today:* none · *Fri 1:* 1 · *Sat 2:* none');
  });

  test('a day isn’t shown as empty if posts of the week may be missing', () => {
    expect(renderGlance(['2026-11-23T09:00:00Z'], { isWeekComplete: false })).toContain(
      '*Today:* unknown · *Mon 23:* 1+ · *Tue 24:* unknown',
    );
  });

  test('drafts and posts after the seventh day aren’t counted', () => {
    const empty = renderGlance([]);
    expect(renderGlance(['2026-11-23T09:00:00Z'], { changes: { status: 'DRAFT' } })).toBe(empty);
    expect(renderGlance(['2026-11-29T09:00:00Z'])).toBe(empty);
  });
});

describe('Home', () => {
  const { running, startBot } = setUpBot();
  beforeEach(async () => {
    await startBot();
  });

  const POST = {
    Id: 'a',
    Content: 'First',
    Platforms: ['X'],
    Status: 'SCHEDULED',
    ScheduleDate: '2026-11-23T09:00:00Z',
  };
  const readGlance = async () => {
    const home = await running.workspace.as('Ana').home('Commands');
    const lines = home.text().replaceAll('\u00a0', ' ').split('\n');
    return lines.slice(lines.indexOf('Upcoming')).slice(1, 2).join();
  };

  test('the week at a glance comes directly under the heading', async () => {
    running.service.on('GET /posts', (call, response) =>
      data(call.query.getAll('status').includes('DRAFT') ? [{ ...POST, Status: 'DRAFT' }] : [POST])(
        call,
        response,
      ),
    );
    expect(await readGlance()).toMatch(
      /^Today: none · Sat 21: none · Sun 22: none · Mon 23: 1 · Tue 24: none · /,
    );
  });

  test.each([
    ['a project’s posts can’t be loaded', json(503, {})],
    ['a post is unreadable', data([7])],
    ['a post has no readable date', data([{ ...POST, ScheduleDate: 'soon' }])],
    ['there are more posts than were read', data(Array.from({ length: 100 }, () => POST))],
  ])('no day is shown as empty if %s', async (_, answer) => {
    running.service.on('GET /posts', answer);
    expect(await readGlance()).toMatch(
      /^Today: unknown · Sat 21: unknown · Sun 22: unknown · Mon 23: (unknown|100\+) · Tue 24: unknown · /,
    );
  });

  test.each([
    ['there’s no project', data([])],
    ['the projects can’t be loaded', json(503, {})],
  ])('there’s no week at a glance if %s', async (_, answer) => {
    running.service.on('GET /projects', answer);
    expect(await readGlance()).toContain('Next seven days');
  });
});
