import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ApiClient } from '../../../api/client.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import {
  computePostFingerprint,
  createPost,
  listPosts,
  type NewPost,
  type Post,
} from '../../../api/posts.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import type { BotSchema } from '../../../store/schema.ts';
import type { PostsAtTime, SubmissionKind } from '../../../submissions/kind.ts';
import { saveScheduledDraft } from '../../../submissions/sql/scheduled-drafts.ts';
import type { SubmissionRow } from '../../../submissions/sql/submissions.ts';
import { getSentText, type PostContent, postContent, postTexts, toCardPost } from './post-content.ts';

/** Tolerance for comparing moments, because the service may round a post's moment. */
const MOMENT_TOLERANCE_MS = 60_000;
const PAGE_SIZE = 100;
/** Maximum posts to read for a moment. For a draft without a date, only one page is read. */
const MAX_SCHEDULED_POSTS = 1_000;

/** The submission kind of posts and drafts. */
export const postSubmission: SubmissionKind<PostContent> = {
  name: 'post',
  feature: 'schedule-post',
  content: postContent,
  hasReceipt: true,
  getProject: ({ project }) => project,
  getRole: ({ values }) => (values.status === 'DRAFT' ? 'contributor' : 'publisher'),
  send: (api, content) => createPost(api, toNewPost(content)),
  parseServiceId: parsePostId,
  onConfirmed: recordScheduledDraft,
  unknownOutcome: {
    strategy: 'reconcile',
    computeEqualityKey,
    countEqual: countEqualPosts,
    baselineCount: { computeTimeKey, readPosts: readPostsAtTime },
  },
  getPublishAt: ({ moment, values }) =>
    moment && values.status === 'SCHEDULED' ? new Date(moment.instant) : undefined,
  toPost: toCardPost,
  removePublishAt: ({ moment: _, ...content }) => ({
    ...content,
    values: { ...content.values, status: 'DRAFT', when: '' },
  }),
  holding: {
    describeRequest: toNewPost,
    isDraft: ({ values }) => values.status === 'DRAFT',
    getTime: ({ moment }) => moment && new Date(moment.instant),
    setDraft: (content, isDraft) => ({
      ...content,
      values: { ...content.values, status: isDraft ? 'DRAFT' : 'SCHEDULED' },
    }),
    moveTo: movePost,
  },
  copy: postTexts,
};

/** Creates the request to the service. */
function toNewPost(content: PostContent): NewPost {
  const { values, project, moment } = content;
  const text = getSentText(content);
  return {
    projectId: project.id,
    content: text.trim() === '' ? undefined : text,
    media: values.media.trim() === '' ? undefined : values.media,
    templateId: values.template?.id,
    promptId: values.prompt?.id,
    schedule: moment && { instant: new Date(moment.instant), zone: moment.zone },
    platforms: parsePlatforms(values.platforms) ?? [],
    status: values.status,
  };
}

/** Copies a post with another time. The form's text for the time no longer applies. */
function movePost(
  content: PostContent,
  { instant, zone = content.moment?.zone ?? content.values.zone }: { instant: Date; zone?: string },
): PostContent {
  return {
    ...content,
    values: { ...content.values, when: '', zone },
    moment: { instant: instant.toISOString(), zone },
  };
}

function normalizeText(text = ''): string {
  return text.trim().normalize('NFC');
}

function computeEqualityKey(content: PostContent): string {
  const { values, moment, project } = content;
  return computePostFingerprint({
    projectId: project.id,
    content: getSentText(content),
    media: values.media,
    platforms: values.platforms,
    scheduleDate: moment && new Date(moment.instant),
    isDraft: values.status === 'DRAFT',
  });
}

const creationResponse = z.object({ post: z.object({ id: z.string() }) });

/** Parses the id from the service's response; undefined if the response has none. */
function parsePostId(data: unknown): string | undefined {
  return creationResponse.safeParse(data).data?.post.id;
}

/** Records that a copy of a draft was scheduled, so that lists show the draft as scheduled. */
async function recordScheduledDraft(
  db: Kysely<BotSchema>,
  row: SubmissionRow,
  content: PostContent,
): Promise<void> {
  const { draft, project, moment, values } = content;
  if (draft === undefined || values.status === 'DRAFT') return;
  await saveScheduledDraft(db, {
    workspace: row.workspace,
    project: project.id,
    draft,
    submission: row.id,
    post: row.service_id ?? undefined,
    ...(moment && { scheduledAt: new Date(moment.instant), zone: moment.zone }),
    createdBy: row.author,
    createdAt: row.changed_at,
  });
}

/** Counts the service's posts that equal this content. */
async function countEqualPosts(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<number | 'cannot-tell'>> {
  return mapDone(await readPostsAtTime(api, content), (data) =>
    data === 'cannot-tell' ? data : data.countEqual(content),
  );
}

/** Computes the key of the project and moment whose posts are counted in advance. Undefined without a moment. */
function computeTimeKey({ project, moment }: PostContent): string | undefined {
  return moment && `${project.id} ${moment.instant}`;
}

/**
 * Reads the service's posts that have the project and moment of this content. 'cannot-tell': some posts are unreadable,
 * or the list is too long.
 */
async function readPostsAtTime(
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
