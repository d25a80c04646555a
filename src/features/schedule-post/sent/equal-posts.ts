import type { ApiClient } from '../../../api/client.ts';
import type { Outcome } from '../../../api/outcome.ts';
import { listPosts, type Post } from '../../../api/posts.ts';
import { getSentText, type PostContent } from './post-content.ts';

/** Tolerance for comparing moments, because the service may round a post's moment. */
const MOMENT_TOLERANCE_MS = 60_000;
const PAGE_SIZE = 100;
/** Maximum posts to read for a moment. For a draft without a date, only one page is read. */
const MAX_SCHEDULED_POSTS = 1_000;

/**
 * Counts the service's posts that equal this content. 'cannot-tell': some posts are unreadable, or the list is too long.
 */
export async function countEqualPosts(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<number | 'cannot-tell'>> {
  const instant = content.moment && new Date(content.moment.instant).getTime();
  const range =
    instant === undefined
      ? { status: ['DRAFT'] }
      : {
          scheduledFrom: new Date(instant - MOMENT_TOLERANCE_MS),
          scheduledTo: new Date(instant + MOMENT_TOLERANCE_MS),
        };
  const maxPosts = instant === undefined ? PAGE_SIZE : MAX_SCHEDULED_POSTS;
  const isEqual = createEqualityCheck(content);
  let count = 0;
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const page = await listPosts(api, { projectId: content.project.id, ...range, skip, limit: PAGE_SIZE });
    if (page.kind !== 'done') return page;
    const { items, isReadable, unreadableCount, isTruncated } = page.data;
    // An equal post may be unreadable, or missing from a truncated list.
    if (!isReadable || unreadableCount > 0 || isTruncated) return { ...page, data: 'cannot-tell' };
    count += items.filter(isEqual).length;
    if (items.length < PAGE_SIZE) return { ...page, data: count };
    if (skip + PAGE_SIZE >= maxPosts) return { ...page, data: 'cannot-tell' };
  }
}

function normalizeText(text = ''): string {
  return text.trim().normalize('NFC');
}

function normalizePlatforms(platforms: readonly string[]): string {
  return JSON.stringify([...new Set(platforms)].sort());
}

/** Creates a predicate that compares a post of the service with a submitted post. */
function createEqualityCheck(content: PostContent): (post: Post) => boolean {
  const { values, moment } = content;
  const instant = moment && new Date(moment.instant).getTime();
  const text = normalizeText(getSentText(content));
  const media = normalizeText(values.media);
  const platforms = normalizePlatforms(values.platforms);
  return (post) =>
    normalizeText(post.content) === text &&
    normalizeText(post.media) === media &&
    normalizePlatforms(post.platforms) === platforms &&
    // Any status except DRAFT counts as scheduled, because the post may be published by now.
    (post.status === undefined || (post.status === 'DRAFT') === (values.status === 'DRAFT')) &&
    (instant === undefined
      ? post.scheduleDate === undefined
      : post.scheduleDate !== undefined &&
        Math.abs(post.scheduleDate.getTime() - instant) < MOMENT_TOLERANCE_MS);
}
