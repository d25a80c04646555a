import type { ApiClient } from '../api/client.ts';
import { type LogEntry, listLogs } from '../api/logs.ts';
import { computePostFingerprint, type Post } from '../api/posts.ts';
import { MINUTE_MS } from '../durations.ts';
import { FAILURE_WORDS, hasStatus, readPublicationStatus } from '../posts/post-status.ts';
import { type PostList, readPostList } from '../posts/read-post-list.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** What the service says about a post. `unclear`: it doesn't answer, or its answer doesn't settle it. */
export type Finding = 'published' | 'failed' | 'scheduled' | 'unclear';

export type ScheduledPost = SubmissionRow & { project: string; publish_at: Date };

/** Tolerance for comparing publishing times, because the service may round them. */
const TIME_TOLERANCE_MS = MINUTE_MS;

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
  const finding = readFinding(listedPost?.status);
  if (finding === 'published' || finding === 'failed') return finding;
  const id = listedPost?.id ?? post.service_id ?? undefined;
  if (id === undefined) return finding;
  const logs = await listLogs(api, post.project);
  if (logs.kind !== 'done' || !hasFailedInLog(logs.data.items, { id, since: post.publish_at }))
    return finding;
  // A line that wasn't read may say that the post went out after all.
  return logs.data.isTruncated ? 'unclear' : 'failed';
}

function readFinding(status: string | undefined): Finding {
  const publicationStatus = readPublicationStatus(status);
  if (publicationStatus !== 'unpublished') return publicationStatus;
  return hasStatus({ status }, 'SCHEDULED') ? 'scheduled' : 'unclear';
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
    posts.map((post) => computePostFingerprint(project, post, false)),
  );
  const equalPosts = posts.filter((_, index) => fingerprints[index] === fingerprint);
  const [firstPost] = equalPosts;
  return equalPosts.every(({ status }) => status === firstPost?.status) ? firstPost : undefined;
}

/** A log line may have been written this long before the publishing time, because clocks differ. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * Whether the log clearly says that the post failed: a line about this post says nothing else, and no line from then on
 * hints that it went out, or will. A word such as "failed" isn't enough: "0 failed, 3 sent".
 */
export function hasFailedInLog(
  entries: readonly LogEntry[],
  { id, since }: { id: string; since: Date },
): boolean {
  const lines = listLinesAbout(entries, { id, since }).map(({ entry, text }) => {
    const isHint = hintsOtherwise(entry, text);
    return { at: entry.at?.getTime(), isHint, isFailure: !isHint && isClearFailure(entry, id) };
  });
  const failedAt = Math.max(
    ...lines.flatMap(({ at, isFailure }) => (isFailure && at !== undefined ? at : [])),
  );
  return failedAt > -Infinity && !lines.some(({ at = failedAt, isHint }) => isHint && at >= failedAt);
}

/** Lists the lines about a post from its publishing time on. `text`: the line with a mark instead of the post's id. */
function listLinesAbout(entries: readonly LogEntry[], { id, since }: { id: string; since: Date }) {
  const earliest = since.getTime() - CLOCK_TOLERANCE_MS;
  return entries.flatMap((entry) => {
    const { at, post, message, details = '' } = entry;
    const text = markPost(`${message} ${details}`, id);
    const isAboutPost = post ? post.id === id : text.includes(POST);
    return isAboutPost && !(at && at.getTime() < earliest) ? [{ entry, text }] : [];
  });
}

/** Stands for the post in a text. */
const POST = '<post>';

/** Replaces the post's id. Letters or digits alone count only after "post", because they may stand for anything else. */
function markPost(text: string, id: string): string {
  if (!/^[\w-]+$/.test(id)) return text;
  const isDistinctive = /\d/.test(id) && /[a-z]/i.test(id);
  const noun = `(?:the )?post(?:[ _-]?id)?[ :#="']*`;
  const pattern = `(?<![\\w-])\\(?${isDistinctive ? `(?:${noun})?` : noun}${id}["')]?(?![\\w-])`;
  return text.replaceAll(POST, '').replace(new RegExp(pattern, 'gi'), POST);
}

const FAILURE = FAILURE_WORDS.join('|');
/** A label that is about nothing but the publication: "post.publish", "publish_failed", "error". */
const PUBLICATION_LABEL = new RegExp(
  `^(?:(?:post|publish(?:ing)?|publication|${FAILURE})(?:[._ -]|$))+$`,
  'i',
);
const FAILURE_LABEL = new RegExp(`(?:^|[._ -])(?:${FAILURE})$`, 'i');
const NOT = `(?:(?:could|was) not|cannot|(?:could|was|ca)n['’]t)`;
/** Words that are also levels of log lines, so by themselves they don't say what failed. */
const LEVEL_LABEL = /(?:error|fatal|critical)$/i;
const NAMES_PUBLICATION = /publi/i;
const FAILURE_CLAUSES = [
  `${POST}:? (?:publishing |publication )?(?:has )?failed(?: to (?:be )?publish(?:ed)?)?`,
  `${POST}:? (?:was rejected|${NOT} (?:be )?publish(?:ed)?)`,
  `(?:publishing|publication)(?: of)? ${POST} (?:has )?failed`,
  `(?:error (?:while )?publishing|failed to publish|${NOT} publish|(?:post[._])?failed[.:]?) ${POST}`,
];
/** A text that says of the post that it failed, and perhaps why. A number instead of a reason counts: "failed: 0". */
const FAILURE_TEXT = new RegExp(
  `^(?:${FAILURE_CLAUSES.join('|')})(?:$| *[.:;(–—-](?! *(?:\\d|(?:no|none|false|null)\\b)))`,
  'i',
);

/** Whether a line about the post clearly says that it failed, in its fields or as its whole text. */
function isClearFailure({ message, post }: LogEntry, id: string): boolean {
  const text = markPost(message, id).trim();
  if (!post) return FAILURE_TEXT.test(text);
  const labels = [...post.events, ...post.outcomes].filter((label) => PUBLICATION_LABEL.test(label));
  const isAboutPublication = post.events.every((event) => labels.includes(event));
  const isFailureLabel = (label: string) =>
    FAILURE_LABEL.test(label) &&
    (!LEVEL_LABEL.test(label) || [label, ...post.events].some((name) => NAMES_PUBLICATION.test(name)));
  // The fields name the post, so the text needn't: "Failed: the token has expired."
  const subject = text.includes(POST) ? '' : `${POST} `;
  return (
    (isAboutPublication && labels.some(isFailureLabel)) ||
    FAILURE_TEXT.test(`${subject}${text.replace(/^(?:the |this )?post\b:? ?/i, '')}`)
  );
}

const UNPUBLISHED = new RegExp(`(?:${NOT}|failed to) (?:be )?publish(?:ed)?`, 'gi');
const HINT =
  /\b(?:published|succe\w*|sent|posted|live|delivered|ok|complete\w*|recover\w*|resolved|retr(?:y|ies|ied|ying)|again|without|will|but)\b/i;

/** Whether a line hints that the post went out after all, or still will. */
function hintsOtherwise({ kind = '', post }: LogEntry, text: string): boolean {
  const labels = [kind, ...(post ? [...post.events, ...post.outcomes] : [])];
  return HINT.test([...labels, text].join(' ').replaceAll(UNPUBLISHED, ''));
}

/**
 * Finds why a failed post failed, in the service's words: the end of the newest line that says so, "failed: the token has
 * expired", or a text beside a status that says so. Undefined if no line gives a reason.
 */
export function findReasonInLog(
  entries: readonly LogEntry[],
  post: { id: string; since: Date },
): string | undefined {
  return listLinesAbout(entries, post)
    .toSorted((first, second) => (second.entry.at?.getTime() ?? 0) - (first.entry.at?.getTime() ?? 0))
    .map(({ entry }) => readReason(entry, post.id))
    .find((reason) => reason !== undefined);
}

const FAILURE_WORD = new RegExp(`\\b(?:${FAILURE}|${NOT} (?:be )?publish(?:ed)?)\\b`, 'i');
const REASON = new RegExp(`${FAILURE_WORD.source}[^:.;(–—]*(?:[:.;(–—]|,? because) *(.+)$`, 'is');

function readReason({ message, post, kind = '' }: LogEntry, id: string): string | undefined {
  const text = markPost(message, id).replaceAll(POST, '').replace(/\s+/g, ' ').trim();
  const labels = [kind, ...(post ? [...post.events, ...post.outcomes] : [])];
  const isFailure = labels.some((label) => FAILURE_LABEL.test(label));
  const [, wordedReason = ''] = REASON.exec(text) ?? [];
  const reason = FAILURE_WORD.test(text) ? wordedReason : isFailure ? text : '';
  const clean = reason.trim().replace(/^[(:]\s*|(?<!\s)\s*\)$/g, '');
  return /\p{L}{2}/u.test(clean) ? clean : undefined;
}

/** Asks the service why a post failed. Undefined if it gives no reason, or can't be asked now. */
export async function readFailureReason(
  submissions: Pick<Submissions, 'computeFingerprints'>,
  api: ApiClient,
  post: ScheduledPost,
  { readSlotPosts, readLog }: { readSlotPosts: ReadSlot; readLog: ReadLog },
): Promise<string | undefined> {
  const list = post.service_id === null ? await readSlotPosts(api, post) : undefined;
  const id = post.service_id ?? (list && (await findPost(submissions, post, list.posts))?.id);
  const logs = id === undefined ? undefined : await readLog(api, post);
  // A line that wasn't read may give another reason.
  if (id === undefined || logs?.kind !== 'done' || logs.data.isTruncated) return undefined;
  return findReasonInLog(logs.data.items, { id, since: post.publish_at });
}

type ReadLog = (api: ApiClient, post: ScheduledPost) => ReturnType<typeof listLogs>;

/** Creates a function that reads each project's log once, for the posts of one message. */
export function createLogReader(): ReadLog {
  const logs = new Map<string, ReturnType<typeof listLogs>>();
  return (api, { project }) => {
    const log = logs.get(project) ?? listLogs(api, project);
    logs.set(project, log);
    return log;
  };
}
