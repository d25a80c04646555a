import { createHash } from 'node:crypto';
import type { ApiClient } from '../../../api/client.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import { listPosts, type Post } from '../../../api/posts.ts';
import type { PostsAtTime } from '../../../submissions/kind.ts';
import { getSentText, type PostContent } from './post-content.ts';

/** Tolerance for comparing moments, because the service may round a post's moment. */
const MOMENT_TOLERANCE_MS = 60_000;
const PAGE_SIZE = 100;
/** Maximum posts to read for a moment. For a draft without a date, only one page is read. */
const MAX_SCHEDULED_POSTS = 1_000;

/** Counts the service's posts that equal this content. */
export async function countEqualPosts(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<number | 'cannot-tell'>> {
  return mapDone(await readPostsAtTime(api, content), (data) =>
    data === 'cannot-tell' ? data : data.countEqual(content),
  );
}

/** Computes the key of the project and moment whose posts are counted in advance. Undefined without a moment. */
export function computeTimeKey({ project, moment }: PostContent): string | undefined {
  return moment && `${project.id} ${moment.instant}`;
}

/**
 * Reads the service's posts that have the project and moment of this content. 'cannot-tell': some posts are unreadable,
 * or the list is too long.
 */
export async function readPostsAtTime(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<PostsAtTime<PostContent> | 'cannot-tell'>> {
  const instant = content.moment && new Date(content.moment.instant).getTime();
  const range =
    instant === undefined
      ? { status: ['DRAFT'] }
      : {
          scheduledFrom: new Date(instant - MOMENT_TOLERANCE_MS),
          scheduledTo: new Date(instant + MOMENT_TOLERANCE_MS),
        };
  const maxPosts = instant === undefined ? PAGE_SIZE : MAX_SCHEDULED_POSTS;
  const identities: PostIdentity[] = [];
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const page = await listPosts(api, { projectId: content.project.id, ...range, skip, limit: PAGE_SIZE });
    if (page.kind !== 'done') return page;
    const { items, isReadable, unreadableCount, isTruncated } = page.data;
    // An equal post may be unreadable, or missing from a truncated list.
    if (!isReadable || unreadableCount > 0 || isTruncated) return { ...page, data: 'cannot-tell' };
    identities.push(...items.map(toPostIdentity));
    if (items.length < PAGE_SIZE) {
      return {
        ...page,
        data: { countEqual: (submitted) => identities.filter(createEqualityCheck(submitted)).length },
      };
    }
    if (skip + PAGE_SIZE >= maxPosts) return { ...page, data: 'cannot-tell' };
  }
}

/** The fields that identify a post. They are cached while a form is open, so a digest replaces the text. */
interface PostIdentity {
  /** A digest of content, media and platforms. */
  contentDigest: string;
  isDraft: boolean | undefined;
  /** Ms since the epoch. */
  scheduledAtMs: number | undefined;
}

function toPostIdentity({ content, media, platforms, status, scheduleDate }: Post): PostIdentity {
  return {
    contentDigest: computeDigest(content, media, platforms),
    isDraft: status === undefined ? undefined : status === 'DRAFT',
    scheduledAtMs: scheduleDate?.getTime(),
  };
}

function normalizeText(text = ''): string {
  return text.trim().normalize('NFC');
}

function computeDigest(
  content: string | undefined,
  media: string | undefined,
  platforms: readonly string[],
): string {
  const fields = [normalizeText(content), normalizeText(media), [...new Set(platforms)].sort()];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64');
}

/** Creates a predicate that compares a post of the service with a submitted post. */
function createEqualityCheck(content: PostContent): (identity: PostIdentity) => boolean {
  const { values, moment } = content;
  const instant = moment && new Date(moment.instant).getTime();
  const digest = computeDigest(getSentText(content), values.media, values.platforms);
  return ({ contentDigest, isDraft, scheduledAtMs }) =>
    contentDigest === digest &&
    // Any status except DRAFT counts as scheduled, because the post may be published by now.
    (isDraft === undefined || isDraft === (values.status === 'DRAFT')) &&
    (instant === undefined
      ? scheduledAtMs === undefined
      : scheduledAtMs !== undefined && Math.abs(scheduledAtMs - instant) < MOMENT_TOLERANCE_MS);
}
