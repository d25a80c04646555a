import type { ApiClient } from '../../../api/client.ts';
import { listAllPosts } from '../../../api/list-all-posts.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import { PLATFORMS } from '../../../api/platforms.ts';
import { normalizeText, POST_FIELDS } from '../../../api/post-fields.ts';
import { normalizePlatforms, type Post } from '../../../api/posts.ts';
import { getPostTexts, type PostContent } from './post-content.ts';

/** Tolerance for comparing moments, because the service may round a post's moment. */
const MOMENT_TOLERANCE_MS = 60_000;
/** Maximum number of posts to read for a moment, and of drafts without a date. */
const [MAX_SCHEDULED_POSTS, MAX_DRAFTS] = [1_000, 100];

/**
 * Counts the service's posts that equal this content. 'cannot-tell': some posts that may be equal can't be read, or the
 * list isn't known to be complete.
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
  const maxPosts = instant === undefined ? MAX_DRAFTS : MAX_SCHEDULED_POSTS;
  const outcome = await listAllPosts(
    api,
    { projectId: content.project.id, ...range },
    { maxPosts, needsProof: true },
  );
  return mapDone(outcome, ({ items, unreadableCount, isComplete }) => {
    const results = items.map(createComparison(content));
    const canTell = isComplete && unreadableCount === 0 && !results.includes('unknown');
    return canTell ? results.filter((result) => result === 'equal').length : 'cannot-tell';
  });
}

const IDENTITY_FIELDS = POST_FIELDS.filter(({ isIdentity }) => isIdentity);

/** Compares a post of the service with a submitted post. `unknown`: a field can't be read, and all others are equal. */
function createComparison(content: PostContent): (post: Post) => 'equal' | 'different' | 'unknown' {
  const { values, moment } = content;
  const instant = moment && new Date(moment.instant).getTime();
  const texts = getPostTexts(content, 'id');
  const platforms = normalizePlatforms(values.platforms);
  return (post) => {
    // Another name may stand for one of the contract's platforms.
    const hasUnknownName = post.platforms.some((name) => !PLATFORMS.some((known) => known === name));
    const unreadableFields = [...(post.unreadableFields ?? []), ...(hasUnknownName ? ['Platforms'] : [])];
    const differs: Readonly<Record<string, boolean>> = {
      ...Object.fromEntries(
        IDENTITY_FIELDS.map(({ name, api }) => [
          api,
          normalizeText(post[name]) !== normalizeText(texts[name]),
        ]),
      ),
      Platforms: normalizePlatforms(post.platforms) !== platforms,
      // Any status except DRAFT counts as scheduled, because the post may be published by now.
      Status: post.status !== undefined && (post.status === 'DRAFT') !== (values.status === 'DRAFT'),
      ScheduleDate: !isSameMoment(post.scheduleDate?.getTime(), instant),
    };
    const different = Object.keys(differs).filter((name) => differs[name]);
    if (different.some((name) => !unreadableFields.includes(name))) return 'different';
    return unreadableFields.some((name) => Object.hasOwn(differs, name)) ? 'unknown' : 'equal';
  };
}

function isSameMoment(listed: number | undefined, sent: number | undefined): boolean {
  if (listed === undefined || sent === undefined) return listed === sent;
  return Math.abs(listed - sent) < MOMENT_TOLERANCE_MS;
}
