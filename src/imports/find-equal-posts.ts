import type { ApiClient } from '../api/client.ts';
import { listAllPosts } from '../api/list-all-posts.ts';
import { computePostFingerprint } from '../api/posts.ts';
import { PLANNED_STATES } from '../held-posts/held-post.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import { within } from '../within.ts';
import type { CheckedRow } from './check-rows.ts';

/** Maximum number of the service's posts of a project that rows are compared with. */
const MAX_COMPARED_POSTS = 2_000;
/** Afterwards people read that the service's posts couldn't be compared. */
const MAX_WAIT_MS = 8_000;

/** Rows of one project whose posts exist already, by their numbers, and whether the service's posts were compared. */
interface EqualPosts {
  numbers: ReadonlySet<number>;
  isCompared: boolean;
}

/** Finds the good rows of one project whose posts Upnext keeps already, or the service lists. */
export async function findEqualPosts(
  context: HeldPostContext,
  api: ApiClient,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<EqualPosts> {
  const [held, listed] = await Promise.all([
    findHeldNumbers(context, { workspace, project, rows }),
    within(MAX_WAIT_MS, findListedNumbers(api, project, rows)),
  ]);
  return { numbers: new Set([...held, ...(listed?.numbers ?? [])]), isCompared: listed?.isCompared ?? false };
}

function findTimes(rows: readonly CheckedRow[]): { from: Date; to: Date } | undefined {
  const times = rows.flatMap(({ post: { moment } }) => moment?.instant.getTime() ?? []);
  if (times.length === 0) return undefined;
  // One by one, because thousands of arguments are too many for a call.
  const [from, to] = times.reduce(
    ([min, max], time) => [Math.min(min, time), Math.max(max, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { from: new Date(from), to: new Date(to) };
}

/** Compares the rows with the posts that Upnext keeps for the same times, and with its drafts. */
async function findHeldNumbers(
  { db, kind, submissions }: HeldPostContext,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<number[]> {
  const times = findTimes(rows);
  const query = db
    .selectFrom('held_post')
    .select('content_hash')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .where('state', 'in', [...PLANNED_STATES, 'delivered']);
  const [timed, drafts] = await Promise.all([
    times ? query.where('publish_at', '>=', times.from).where('publish_at', '<=', times.to).execute() : [],
    rows.some(({ post }) => !post.moment) ? query.where('publish_at', 'is', null).execute() : [],
  ]);
  const hashes = new Set([...timed, ...drafts].map(({ content_hash: hash }) => hash));
  if (hashes.size === 0) return [];
  const numbers: number[] = [];
  for (const { number, post } of rows) {
    const request = kind.holding.describeRequest(kind.holding.compose(post).content);
    const hash = await submissions.context.computeContentHash(workspace, JSON.stringify(request));
    if (hashes.has(hash)) numbers.push(number);
  }
  return numbers;
}

/** Compares the rows with the posts that the service lists. Drafts without a time aren't compared. */
async function findListedNumbers(
  api: ApiClient,
  project: string,
  rows: readonly CheckedRow[],
): Promise<{ numbers: number[]; isCompared: boolean }> {
  const times = findTimes(rows);
  if (!times) return { numbers: [], isCompared: true };
  const filter = { projectId: project, scheduledFrom: times.from, scheduledTo: times.to };
  const outcome = await listAllPosts(api, filter, { maxPosts: MAX_COMPARED_POSTS, readsAtOnce: true });
  if (outcome.kind !== 'done') return { numbers: [], isCompared: false };
  const { items, isComplete } = outcome.data;
  const known = new Set(
    items.map((post) => computePostFingerprint(project, post, post.status?.toUpperCase() === 'DRAFT')),
  );
  const numbers = rows.flatMap(({ number, post }) => {
    const { text, media, platforms, moment, isDraft, ownTexts = {} } = post;
    // The service has a post for each text.
    const texts = Map.groupBy(platforms, (platform) => ownTexts[platform] ?? text);
    const isKnown = ([content, names]: readonly [string, readonly string[]]) =>
      known.has(
        computePostFingerprint(
          project,
          { content, media, platforms: names, ...(moment && { scheduleDate: moment.instant }) },
          isDraft,
        ),
      );
    const isEqual = texts.size === 0 ? isKnown([text, platforms]) : [...texts].every(isKnown);
    return moment && isEqual ? [number] : [];
  });
  return { numbers, isCompared: isComplete };
}
