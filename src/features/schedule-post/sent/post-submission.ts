import type { Kysely } from 'kysely';
import { z } from 'zod';
import { mapPostFields } from '../../../api/post-fields.ts';
import { computePostFingerprint, createPost, type NewPost } from '../../../api/posts.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import type { SubmissionKind } from '../../../submissions/kind.ts';
import { saveScheduledDraft } from '../../../submissions/sql/scheduled-drafts.ts';
import type { SubmissionRow, SubmissionTables } from '../../../submissions/submission.ts';
import { countEqualPosts } from './equal-posts.ts';
import { getPostTexts, type PostContent, postContent, postTexts, toCardPost } from './post-content.ts';

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
  unknownOutcome: { strategy: 'reconcile', computeEqualityKey, countEqual: countEqualPosts },
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
  const texts = getPostTexts(content, 'id');
  return {
    projectId: project.id,
    // Approvals are bound to a hash of this object as JSON, so its members have a fixed order.
    ...mapPostFields(({ name }) => (texts[name]?.trim() === '' ? undefined : texts[name])),
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

function computeEqualityKey(content: PostContent): string {
  const { values, moment, project } = content;
  const post = {
    ...getPostTexts(content, 'id'),
    platforms: values.platforms,
    scheduleDate: moment && new Date(moment.instant),
  };
  return computePostFingerprint(project.id, post, values.status === 'DRAFT');
}

const creationResponse = z.object({ post: z.object({ id: z.string() }) });

/** Parses the id from the service's response; undefined if the response has none. */
function parsePostId(data: unknown): string | undefined {
  return creationResponse.safeParse(data).data?.post.id;
}

/** Records that a copy of a draft was scheduled, so that lists show the draft as scheduled. */
async function recordScheduledDraft(
  db: Kysely<SubmissionTables>,
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
