import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ApiClient } from '../../../api/client.ts';
import { mapDone, type Outcome } from '../../../api/outcome.ts';
import { createPost, listPosts, type Post } from '../../../api/posts.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { computePostFingerprint } from '../../../posts/post-fingerprint.ts';
import type { BotSchema } from '../../../store/schema.ts';
import type { PlaceCount, SubmissionKind } from '../../../submissions/kind.ts';
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
  project: ({ project }) => project,
  role: ({ values }) => (values.status === 'DRAFT' ? 'contributor' : 'publisher'),
  send(api, content) {
    const { values, project, moment } = content;
    const text = sentText(content);
    return createPost(api, {
      projectId: project.id,
      content: text.trim() === '' ? undefined : text,
      media: values.media.trim() === '' ? undefined : values.media,
      templateId: values.template?.id,
      promptId: values.prompt?.id,
      schedule: moment && { instant: new Date(moment.instant), zone: moment.zone },
      platforms: parsePlatforms(values.platforms) ?? [],
      status: values.status,
    });
  },
  result: postId,
  onConfirmed: rememberDraft,
  whenUnknown: { way: 'reconcile', fingerprint, count: countEqual, early: { place: projectAndMoment, look } },
  publishAt: ({ moment, values }) =>
    moment && values.status === 'SCHEDULED' ? new Date(moment.instant) : undefined,
  withoutMoment: ({ moment: _, ...content }) => ({
    ...content,
    values: { ...content.values, status: 'DRAFT', when: '' },
  }),
  words: postWords,
};

const text = (words: string | undefined) => (words ?? '').trim().normalize('NFC');

function fingerprint(content: PostContent): string {
  const { values, moment, project } = content;
  return computePostFingerprint({
    projectId: project.id,
    content: sentText(content),
    media: values.media,
    platforms: values.platforms,
    scheduleDate: moment && new Date(moment.instant),
    isDraft: values.status === 'DRAFT',
  });
}

const made = z.object({ post: z.object({ id: z.string() }) });

/** The id in the service's response, if there is one. */
function postId(data: unknown): string | undefined {
  return made.safeParse(data).data?.post.id;
}

/** Records that a draft's copy was scheduled, so that lists show the draft as scheduled. */
async function rememberDraft(db: Kysely<BotSchema>, row: SubmissionRow, content: PostContent): Promise<void> {
  const { draft, project, moment, values } = content;
  if (draft === undefined || values.status === 'DRAFT') return;
  await saveDraftCopy(db, {
    workspace: row.workspace,
    project: project.id,
    draft,
    submission: row.id,
    post: row.result ?? undefined,
    ...(moment && { scheduledAt: new Date(moment.instant), zone: moment.zone }),
    by: row.author,
    at: row.changed_at,
  });
}

/** Counts the posts at the service with this content, media, platforms and moment. */
async function countEqual(api: ApiClient, content: PostContent): Promise<Outcome<number | 'cannot-tell'>> {
  return mapDone(await look(api, content), (data) => (data === 'cannot-tell' ? data : data.equalTo(content)));
}

/** The key of an early count; undefined for posts without a moment. */
function projectAndMoment({ project, moment }: PostContent): string | undefined {
  return moment && `${project.id} ${moment.instant}`;
}

/** Reads the posts with the same project and moment. The result counts those that equal a content. */
async function look(
  api: ApiClient,
  content: PostContent,
): Promise<Outcome<PlaceCount<PostContent> | 'cannot-tell'>> {
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
      return { ...page, data: { equalTo: (sent) => found.filter(sameAs(sent)).length } };
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
  const { values, moment } = content;
  const meant = moment && new Date(moment.instant).getTime();
  const meantSays = digestOf(sentText(content), values.media, values.platforms);
  return ({ says, isDraft, at }) =>
    says === meantSays &&
    // A scheduled post may be published by now. A draft with the same text is a different post.
    (isDraft === undefined || isDraft === (values.status === 'DRAFT')) &&
    (meant === undefined ? at === undefined : at !== undefined && Math.abs(at - meant) < AROUND_MS);
}
