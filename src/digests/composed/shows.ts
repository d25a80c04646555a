import { z } from 'zod';

/** What a digest can show, in the order in which it does. */
export const SHOWS = ['next', 'ahead', 'late', 'collisions', 'gaps', 'drafts', 'changes'] as const;
export type Show = (typeof SHOWS)[number];

/** What people choose from. At most 75 characters each. */
export const SHOW_NAMES: Readonly<Record<Show, string>> = {
  next: 'The next post',
  ahead: 'Today and the next 36 hours; weekly: the week, also as a picture',
  late: 'Posts that should have gone out and have not',
  collisions: 'Posts on one platform less than 30 minutes apart',
  gaps: 'Weekdays without a post, of the next five',
  drafts: 'Drafts whose date is near',
  changes: 'What changed since the last one',
};

const chosen = z.object({ parts: z.array(z.string()) });

/** What is kept with a digest; everything where nothing that we know is kept. */
export function readShows(shows: unknown): readonly Show[] {
  const parts = chosen.safeParse(shows).data?.parts;
  const known = SHOWS.filter((show) => parts?.includes(show));
  return known.length > 0 ? known : SHOWS;
}

/** As it is kept with a digest. */
export function keptShows(parts: readonly string[]): unknown {
  return { parts: SHOWS.filter((show) => parts.includes(show)) };
}
