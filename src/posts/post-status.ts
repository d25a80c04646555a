import type { PostStatus } from '../api/platforms.ts';
import { clip, sanitizeLine } from '../slack/blocks.ts';

const MAX_STATUS_LENGTH = 60;

/** The documented statuses, one that services have too, and those of posts that the service may not have yet. */
const STATUSES: Readonly<Record<PostStatus | 'FAILED' | 'PENDING' | 'UNCERTAIN', string>> = {
  DRAFT: '📝 Draft',
  SCHEDULED: '🗓️ Scheduled',
  PUBLISHED: '✅ Published',
  FAILED: '❌ Failed',
  PENDING: '⏳ Pending',
  UNCERTAIN: '❔ Uncertain',
};

/** Renders a post's status as an emoji and a word, in plain text. An unknown status is the service's own word. */
export function renderPostStatus(status: string | undefined): string {
  const name = status?.toUpperCase();
  if (isPostStatus(name)) return STATUSES[name];
  return status === undefined ? 'No status' : clip(sanitizeLine(status), MAX_STATUS_LENGTH);
}

function isPostStatus(name: string | undefined): name is keyof typeof STATUSES {
  return name !== undefined && Object.hasOwn(STATUSES, name);
}
