import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ApiClient } from '../../../api/client.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import { createPost, listPosts, type Post } from '../../../api/posts.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import { postFingerprint } from '../../../posts/post-fingerprint.ts';
import type { BotSchema } from '../../../store/schema.ts';
import type { PlaceRecords, SubmissionKind } from '../../../submissions/kind.ts';
import { saveDraftCopy } from '../../../submissions/sql/draft-copies.ts';
import type { SubmissionRow } from '../../../submissions/sql/submissions.ts';
import { type PostContent, postContent, postWords, sentText } from './post-content.ts';

/** Tolerance when comparing moments, since the service may round them. Our own assumption. */
const AROUND_MS = 60_000;
const PAGE = 100;
/** Posts to read within the two minutes around a moment. Of drafts without a date, only one page is read. */
const MAX_SCHEDULED_POSTS = 1_000;

/** The submission kind of posts and drafts. */
export const postSubmission: SubmissionKind<PostContent> = {
  name: 'post',
  feature: 'schedule-post',
  content: postContent,
  getProject: ({ project }) => project,
  getRole: ({ typed }) => (typed.status === 'DRAFT' ? 'contributor' : 'publisher'),
  send(api, content) {
    const { typed, project, moment } = content;
    const text = sentText(content);
    return createPost(api, {
      projectId: project.id,
      content: text.trim() === '' ? undefined : text,
      media: typed.media.trim() === '' ? undefined : typed.media,
      templateId: typed.template?.id,
      promptId: typed.prompt?.id,
      schedule: moment && { instant: new Date(moment.instant), zone: moment.zone },
      platforms: readPlatforms(typed.platforms) ?? [],
      status: typed.status,
    });
  },
  parseResult: postId,
  onConfirmed: rememberDraft,
  whenUnknown: {
    way: 'reconcile',
    computeFingerprint: fingerprint,
    count: countEqual,
    earlyCount: { computePlaceKey: projectAndMoment, readRecords: look },
  },
  getPublishAt: ({ moment, typed }) =>
    moment && typed.status === 'SCHEDULED' ? new Date(moment.instant) : undefined,
  removePublishAt: ({ moment: _, ...content }) => ({
    ...content,
    typed: { ...content.typed, status: 'DRAFT', when: '' },
  }),
  copy: postWords,
};

const text = (words: string | undefined) => (words ?? '').trim().normalize('NFC');

function fingerprint(content: PostContent): string {
  const { typed, moment, project } = content;
  return postFingerprint({
    projectId: project.id,
    content: sentText(content),
    media: typed.media,
    platforms: typed.platforms,
    scheduleDate: moment && new Date(moment.instant),
    isDraft: typed.status === 'DRAFT',
  });
}

const made = z.object({ post: z.object({ id: z.string() }) });

/** The id in the service's response, if there is one. */
function postId(data: unknown): string | undefined {
  return made.safeParse(data).data?.post.id;
}

/** Records that a draft's copy was scheduled, so that lists show the draft as scheduled. */
async function rememberDraft(db: Kysely<BotSchema>, row: SubmissionRow, content: PostContent): Promise<void> {
  const { draft, project, moment, typed } = content;
  if (draft === undefined || typed.status === 'DRAFT') return;
  await saveDraftCopy(db, {
    workspace: row.workspace,
    project: project.id,
    draft,
    submission: row.id,
    post: row.result ?? undefined,
    ...(moment && { scheduledAt: new Date(moment.instant), zone: moment.zone }),
    createdBy: row.author,
    createdAt: row.changed_at,
  });
}

/** Counts the posts at the service with this content, media, platforms and moment. */
async function countEqual(api: ApiClient, content: PostContent): Promise<Outcome<number | 'cannot-tell'>> {
  return mapDone(await look(api, content), (data) =>
    data === 'cannot-tell' ? data : data.countEqual(content),
  );
}

/** The key of an early count; undefined for posts without a moment. */
function projectAndMoment({ project, moment }: PostContent): string | undefined {
  return moment && `${project.id} ${moment.instant}`;
}

/** Reads the posts with the same project and moment. The result counts those that equal a content. */
async function look(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<PlaceRecords<PostContent> | 'cannot-tell'>> {
  const instant = content.moment && new Date(content.moment.instant).getTime();
  const range =
    instant === undefined
      ? { status: ['DRAFT'] }
      : { scheduledFrom: new Date(instant - AROUND_MS), scheduledTo: new Date(instant + AROUND_MS) };
  const most = instant === undefined ? PAGE : MAX_SCHEDULED_POSTS;
  const found: Seen[] = [];
  for (let skip = 0; ; skip += PAGE) {
    const page = await listPosts(api, { projectId: content.project.id, ...range, skip, limit: PAGE });
    if (page.kind !== 'done') return page;
    const { items, shape, unreadable, isTruncated } = page.data;
    // The post may be among those that are unreadable or weren't listed.
    if (shape === 'unreadable' || unreadable > 0 || isTruncated) return { ...page, data: 'cannot-tell' };
    found.push(...items.map(toSeen));
    if (items.length < PAGE) {
      return { ...page, data: { countEqual: (sent) => found.filter(sameAs(sent)).length } };
    }
    if (skip + PAGE >= most) return { ...page, data: 'cannot-tell' };
  }
}

/** What identifies a post. It stays in memory while a form is open, so it has a digest instead of the text. */
interface Seen {
  /** A digest of content, media and platforms. */
  says: string;
  isDraft: boolean | undefined;
  /** ms since the epoch. */
  at: number | undefined;
}

function toSeen({ content, media, platforms, status, scheduleDate }: Post): Seen {
  return {
    says: digestOf(content, media, platforms),
    isDraft: status === undefined ? undefined : status === 'DRAFT',
    at: scheduleDate?.getTime(),
  };
}

function digestOf(
  content: string | undefined,
  media: string | undefined,
  platforms: readonly string[],
): string {
  const said = [text(content), text(media), [...new Set(platforms)].sort()];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64');
}

function sameAs(content: PostContent): (seen: Seen) => boolean {
  const { typed, moment } = content;
  const meant = moment && new Date(moment.instant).getTime();
  const meantSays = digestOf(sentText(content), typed.media, typed.platforms);
  return ({ says, isDraft, at }) =>
    says === meantSays &&
    // A scheduled post may be published by now. A draft with the same text is a different post.
    (isDraft === undefined || isDraft === (typed.status === 'DRAFT')) &&
    (meant === undefined ? at === undefined : at !== undefined && Math.abs(at - meant) < AROUND_MS);
}
