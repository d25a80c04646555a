import type { ApiClient } from '../api/client.ts';
import { type LogEntry, listLogs } from '../api/logs.ts';
import { computePostFingerprint, type Post } from '../api/posts.ts';
import { type PostList, readPostList } from '../posts/read-post-list.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** What the service says about a post. `unclear`: it doesn't answer, or its answer doesn't settle it. */
export type Finding = 'published' | 'failed' | 'scheduled' | 'unclear';

/** A post that was scheduled with Upnext. */
export type ScheduledPost = SubmissionRow & { project: string; publish_at: Date };

/** Tolerance for comparing publishing times, because the service may round them. */
const TIME_TOLERANCE_MS = 60_000;

/** Reads the posts of a project at a publishing time. Undefined if they couldn't be read. */
export type ReadSlot = (api: ApiClient, post: ScheduledPost) => Promise<PostList | undefined>;

/** Creates a function that reads each slot once, for the posts of one claim. */
export function createSlotReader(): ReadSlot {
  const slots = new Map<string, Promise<PostList | undefined>>();
  return (api, { workspace, project, publish_at }) => {
    const key = JSON.stringify([workspace, project, publish_at]);
    const slot = slots.get(key) ?? readSlot(api, project, publish_at);
    slots.set(key, slot);
    return slot;
  };
}

async function readSlot(api: ApiClient, projectId: string, time: Date): Promise<PostList | undefined> {
  const list = await readPostList(api, {
    projectId,
    from: new Date(time.getTime() - TIME_TOLERANCE_MS),
    to: new Date(time.getTime() + TIME_TOLERANCE_MS),
    platforms: [],
    statuses: [],
  });
  return list.kind === 'read' ? list : undefined;
}

/** Checks whether the service has published a post. Reads the log only if the list of posts doesn't settle it. */
export async function checkPublication(
  submissions: Pick<Submissions, 'computeFingerprints'>,
  api: ApiClient,
  post: ScheduledPost,
  readSlotPosts: ReadSlot,
): Promise<Finding> {
  const list = await readSlotPosts(api, post);
  if (!list) return 'unclear';
  const listedPost = await findPost(submissions, post, list.posts);
  const finding = readStatus(listedPost?.status);
  if (finding === 'published' || finding === 'failed') return finding;
  const id = listedPost?.id ?? post.service_id ?? undefined;
  if (id === undefined) return finding;
  const logs = await listLogs(api, post.project);
  return logs.kind === 'done' && hasFailedInLog(logs.data.items, { id, since: post.publish_at })
    ? 'failed'
    : finding;
}

/**
 * The documented statuses are DRAFT, SCHEDULED and PUBLISHED. Services have others, too, so a name that clearly says it
 * counts as a failure.
 */
function readStatus(status = ''): Finding {
  if (/^PUBLISHED$/i.test(status)) return 'published';
  if (/^(?:FAILED|FAILURE|ERROR|REJECTED)$/i.test(status)) return 'failed';
  return /^SCHEDULED$/i.test(status) ? 'scheduled' : 'unclear';
}

/**
 * Finds the post by its id or, if the service didn't return the id, by its content. Undefined if several posts have the
 * same content but different statuses.
 */
async function findPost(
  { computeFingerprints }: Pick<Submissions, 'computeFingerprints'>,
  { workspace, kind, project, service_id, fingerprint }: ScheduledPost,
  posts: readonly Post[],
): Promise<Post | undefined> {
  if (service_id !== null) return posts.find(({ id }) => id === service_id);
  const fingerprints = await computeFingerprints(
    { workspace, kind, project },
    posts.map((post) => computePostFingerprint({ ...post, projectId: project, ...equalFields(post) })),
  );
  const equalPosts = posts.filter((_, index) => fingerprints[index] === fingerprint);
  const [firstPost] = equalPosts;
  return equalPosts.every(({ status }) => status === firstPost?.status) ? firstPost : undefined;
}

function equalFields({ content, media, scheduleDate }: Post) {
  return { content, media, scheduleDate, isDraft: false };
}

/** A log line may have been written this long before the publishing time, because clocks differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
const FAILURE =
  /\bfail(?:s|ed|ure)?\b|\berror\b|\brejected\b|\bnot (?:be )?published\b|n['’]t (?:be )?publish/i;
const SUCCESS = /\bpublished\b/i;

/** Whether the newest line of the log about the post's publication says that it failed. */
export function hasFailedInLog(
  entries: readonly LogEntry[],
  { id, since }: { id: string; since: Date },
): boolean {
  const earliest = since.getTime() - CLOCK_TOLERANCE_MS;
  const texts = entries
    .filter(({ at }) => at !== undefined && at.getTime() >= earliest)
    .toSorted((first, second) => (second.at?.getTime() ?? 0) - (first.at?.getTime() ?? 0))
    .map(({ kind = '', message, details = '' }) => `${kind} ${message} ${details}`)
    .filter((text) => namesPost(text, id) && (FAILURE.test(text) || SUCCESS.test(text)));
  return FAILURE.test(texts[0] ?? '');
}

/** Whether the text names the post. A number counts only after "post", because it may stand for anything else. */
function namesPost(text: string, id: string): boolean {
  const isDistinctive = /\d/.test(id) && /[a-z]/i.test(id);
  const words = text.toLowerCase().split(/[^\w-]+/);
  return words.some(
    (word, index) =>
      word === id.toLowerCase() && (isDistinctive || /^post(?:[_-]?id)?$/.test(words[index - 1] ?? '')),
  );
}
