import { z } from 'zod';
import { PLATFORMS, POST_STATUSES } from '../../../api/platforms.ts';

/** Which posts are listed; empty lists are all. */
export const postFilter = z.object({
  statuses: z.array(z.enum(POST_STATUSES)),
  platforms: z.array(z.enum(PLATFORMS)),
  /** Only what the reader sent from here. */
  mine: z.boolean().optional(),
  /** Only drafts without a date. */
  undated: z.boolean().optional(),
  /** Ms since the epoch, both inclusive. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** The zone whose days are meant; the reader's without. */
  zone: z.string().optional(),
});
export type PostFilter = z.infer<typeof postFilter>;

export const EVERYTHING: PostFilter = { statuses: [], platforms: [] };

/** Whether it lets less through than everything. */
export function isNarrowed({ statuses, platforms, mine, undated, from, to }: PostFilter): boolean {
  const isOfDays = from !== undefined || to !== undefined;
  return statuses.length + platforms.length > 0 || mine === true || undated === true || isOfDays;
}

/** What the buttons of a list carry. */
export const listState = z.object({
  project: z.string().optional(),
  page: z.number().int(),
  /** As typed, and not read yet. */
  words: z.string().optional(),
  filter: postFilter.optional(),
});
export type ListState = z.infer<typeof listState>;
