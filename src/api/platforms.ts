/** Where a post can go; the list is closed. */
export const PLATFORMS = [
  'INSTAGRAM',
  'FACEBOOK',
  'LINKEDIN',
  'X',
  'YOUTUBE',
  'TIKTOK',
  'PINTEREST',
  'REDDIT',
  'TELEGRAM',
  'THREADS',
] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The statuses of a post that are described. */
export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];
