import type { PostStatus } from '../api/platforms.ts';

export const HELD_STATUSES = ['HELD', 'REVIEW', 'DECISION', 'CANCELLED'] as const;

/** The documented statuses, one that services have too, and those of posts that the service may not have yet. */
type ShownStatus = PostStatus | 'FAILED' | 'PENDING' | 'UNCERTAIN' | (typeof HELD_STATUSES)[number];

/** The emoji of each status, in lists as in messages. */
export const STATUS_EMOJI: Readonly<Record<ShownStatus, string>> = {
  DRAFT: '📝',
  SCHEDULED: '🗓️',
  PUBLISHED: '✅',
  FAILED: '❌',
  PENDING: '⏳',
  UNCERTAIN: '❔',
  HELD: '✏️',
  REVIEW: '👀',
  DECISION: '🙋',
  CANCELLED: '🚫',
};

/** Whether a post has this status. */
export function hasStatus({ status }: { status?: string | undefined }, wanted: ShownStatus): boolean {
  return status === wanted;
}

/** Words for a failure that services use as a status, a result or a level. */
export const FAILURE_WORDS = ['failed', 'failure', 'error', 'rejected', 'fatal', 'critical'] as const;

/**
 * Reads what a status says about a post's publication. The documented statuses are DRAFT, SCHEDULED and PUBLISHED.
 * Services have others, of which only words for a failure are clear: SENT, DONE and QUEUED can mean several things.
 */
export function readPublicationStatus(status = ''): 'published' | 'failed' | 'unpublished' | 'unclear' {
  if (status === 'PUBLISHED') return 'published';
  if (FAILURE_WORDS.some((word) => word.toUpperCase() === status)) return 'failed';
  return Object.hasOwn(STATUS_EMOJI, status) ? 'unpublished' : 'unclear';
}
