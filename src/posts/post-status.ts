import type { PostStatus } from '../api/platforms.ts';
import { clip, sanitizeLine } from '../slack/blocks.ts';

const MAX_STATUS_LENGTH = 60;

/** The documented statuses, and one that services have too. */
const STATUSES: Readonly<Record<PostStatus | 'FAILED', string>> = {
  DRAFT: '📝 Draft',
  SCHEDULED: '🗓️ Scheduled',
  PUBLISHED: '✅ Published',
  FAILED: '❌ Failed',
};

const PENDING_STATUSES = { pending: '⏳ Pending', 'needs-you': '⚠️ Needs you', failed: '❌ Failed' } as const;

/** What became of a post that the service doesn't have yet. */
export type PendingStatus = keyof typeof PENDING_STATUSES;

/** Renders a post's status as an emoji and a word, in plain text. An unknown status is the service's own word. */
export function renderPostStatus(status: string | undefined): string {
  const name = status?.toUpperCase();
  if (isPostStatus(name)) return STATUSES[name];
  return status === undefined ? 'No status' : clip(sanitizeLine(status), MAX_STATUS_LENGTH);
}

/** Renders the status of a post that the service doesn't have yet, in plain text. */
export function renderPendingStatus(status: PendingStatus): string {
  return PENDING_STATUSES[status];
}

function isPostStatus(name: string | undefined): name is keyof typeof STATUSES {
  return name !== undefined && Object.hasOwn(STATUSES, name);
}
