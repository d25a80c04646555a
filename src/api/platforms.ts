/** The platforms of the service's contract. */
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

/** The post statuses of the service's contract. */
export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];
