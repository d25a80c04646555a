import type { HeldPostRow } from '../held-post.ts';

/** The action ids of the buttons of a review, which `features/held-posts` handles. */
export const REVIEW_ACTIONS = {
  approve: 'review.approve',
  'request-changes': 'review.request-changes',
  reject: 'review.reject',
  'approve-later': 'review.approve-later',
  open: 'review.open',
} as const;

/** The value of a button: the post's id, and the version and the content that the person saw. */
export function buildReviewValue(row: Pick<HeldPostRow, 'id' | 'version' | 'content_hash'>): string {
  return `${row.id}.${row.version}.${getHashPrefix(row)}`;
}

export function parseReviewValue(value = ''): { id: string; version: number; hash: string } | undefined {
  const [, id, version, hash] = /^([\w-]+)\.(\d{1,9})\.([\w+/=-]+)$/.exec(value) ?? [];
  return id === undefined || hash === undefined ? undefined : { id, version: Number(version), hash };
}

/** Number of hash characters in a button. Enough to tell contents apart, because the version is compared too. */
const HASH_LENGTH = 12;

/** The content of a version, as buttons name it. */
export function getHashPrefix({ content_hash: hash }: Pick<HeldPostRow, 'content_hash'>): string {
  return hash.slice(0, HASH_LENGTH);
}
