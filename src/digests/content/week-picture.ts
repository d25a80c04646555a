import type { Picture } from '../composer.ts';
import { describeWeek } from './picture/describe-week.ts';
import { createRasterizer, type Rasterizer } from './picture/rasterizer.ts';
import { buildWeek } from './picture/week.ts';
import { renderWeekSvg } from './picture/week-svg.ts';

/** A week's picture that isn't drawn yet. */
export interface WeekPicture {
  /** Weeks with equal pictures and descriptions have the same key. */
  key: string;
  /** Describes the picture for people who can't see it. */
  alt: string;
  hasPosts: boolean;
  draw(): Promise<Picture>;
}

/** Draws all pictures of the process, so that only a few are drawn concurrently. */
const SHARED_RASTERIZER = createRasterizer();

/** Plans the picture of the week that starts at `date`. */
export function planWeekPicture(
  ...[plan, findings, options, rasterizer = SHARED_RASTERIZER]: [
    ...Parameters<typeof buildWeek>,
    rasterizer?: Rasterizer,
  ]
): WeekPicture {
  const week = buildWeek(plan, findings, options);
  const alt = describeWeek(week);
  return {
    key: JSON.stringify(week),
    alt,
    hasPosts: week.days.some(({ posts }) => posts.length > 0),
    draw: async () => ({
      png: await rasterizer.rasterize(renderWeekSvg(week)),
      alt,
      name: `week-${options.date}.png`,
    }),
  };
}
