import type { PostStatus } from '../../api/platforms.ts';
import type { HELD_STATUSES } from '../../posts/post-status.ts';
import type { State } from '../held-post.ts';

/** The status with which cards and lists show a held post. */
type HeldPostStatus = PostStatus | 'PENDING' | (typeof HELD_STATUSES)[number];

const STATUSES: Readonly<Record<State, HeldPostStatus>> = {
  draft: 'DRAFT',
  'awaiting-review': 'REVIEW',
  held: 'HELD',
  'handed-over': 'PENDING',
  'needs-person': 'DECISION',
  cancelled: 'CANCELLED',
  delivered: 'SCHEDULED',
  dropped: 'CANCELLED',
};

export function getHeldPostStatus({ state }: { state: State }): HeldPostStatus {
  return STATUSES[state];
}
