import { DAY_MS } from '../durations.ts';
import { type Blackout, findBlackout } from '../preferences/posting-times.ts';
import { isZone } from '../when/zones.ts';
import { EDITABLE_STATES, type HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldPost } from './held-post-context.ts';

/** Returns the blackout days that a post is on, in its own time zone. */
export function findPostBlackout(
  context: Parameters<typeof readHeldPost>[0],
  row: HeldPostRow,
  blackouts: readonly Blackout[],
): Blackout | undefined {
  const { publish_at: instant } = row;
  if (instant === null || blackouts.length === 0) return undefined;
  const { timezone: zone } = readHeldPost(context, row) ?? {};
  return zone !== undefined && isZone(zone) ? findBlackout({ blackouts }, { instant, zone }) : undefined;
}

/** Maximum number of posts that are read to count them. Our own limit: Slack waits three seconds. */
const MAX_COUNTED_POSTS = 500;

/**
 * Counts a project's posts that would go out on one of these days, without series, which leave blackout days out.
 * Undefined if they are too many, or one of them can't be read.
 */
export async function countPostsOnDays(
  context: HeldPostContext,
  { workspace, project }: Pick<HeldPostRow, 'workspace' | 'project'>,
  days: Blackout,
): Promise<number | undefined> {
  // A day begins up to 14 hours earlier, and ends up to 12 hours later than in UTC.
  const rows = await context.db
    .selectFrom('held_post')
    .selectAll()
    .where(({ and }) => and({ workspace, project }))
    .where(({ and, eb }) => and([eb('state', 'in', [...EDITABLE_STATES]), eb('state', '!=', 'draft')]))
    .where('series', 'is', null)
    .where('publish_at', '>=', new Date(Date.parse(days.from) - DAY_MS))
    .where('publish_at', '<', new Date(Date.parse(days.to) + 2 * DAY_MS))
    .limit(MAX_COUNTED_POSTS + 1)
    .execute();
  if (rows.length > MAX_COUNTED_POSTS || rows.some((row) => !readHeldPost(context, row))) return undefined;
  return rows.filter((row) => findPostBlackout(context, row, [days]) !== undefined).length;
}
