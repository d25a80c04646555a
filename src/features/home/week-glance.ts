import { hasStatus } from '../../posts/post-status.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { wallClockAt } from '../../when/when.ts';
import type { HomeContent } from './load-home.ts';
import type { HomePosts } from './load-home-posts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY_COUNT = 7;
const NBSP = '\u00a0';

/**
 * Renders the number of posts on each of the next seven days as mrkdwn: "*Today:* 2 · *Tue 24:* none · *Wed 25:* 1". If
 * some posts of the week may be missing, "1+" is a minimum, and a day without known posts is "unknown".
 */
export function renderWeekGlance(
  { week, isWeekComplete }: Pick<HomePosts, 'week' | 'isWeekComplete'>,
  { now, zone }: Pick<HomeContent, 'now' | 'zone'>,
): string {
  // Days on the calendar, because a day doesn't always have 24 hours.
  const toDay = (instant: Date) => Math.floor(wallClockAt(instant.getTime(), zone) / DAY_MS);
  const today = toDay(now);
  const dates = week.flatMap(({ post }) =>
    post.scheduleDate && !hasStatus(post, 'DRAFT') ? [post.scheduleDate] : [],
  );
  const counts = Map.groupBy(dates, toDay);
  return Array.from({ length: DAY_COUNT }, (_, index) => {
    const day = today + index;
    const name = index === 0 ? 'Today' : renderDayName(day);
    return `*${name}:*${NBSP}${renderDayCount(counts.get(day)?.length ?? 0, isWeekComplete)}`;
  }).join(' · ');
}

/** Renders "Mon 23". The line breaks only between days. */
function renderDayName(day: number): string {
  const date = new Date(day * DAY_MS);
  return renderMoment(date, 'UTC', date).split(' ').slice(0, 2).join(NBSP);
}

function renderDayCount(count: number, isComplete: boolean): string {
  if (isComplete) return count === 0 ? 'none' : String(count);
  return count === 0 ? 'unknown' : `${count}+`;
}
