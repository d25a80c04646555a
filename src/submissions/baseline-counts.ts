import type { ApiClient } from '../api/client.ts';
import { mapDone, type Outcome } from '../api/outcome.ts';
import { addMs, MAX_CLOCK_DIFFERENCE_MS } from '../engine/clock.ts';
import type { TenantService } from './fingerprint.ts';
import type { AnyKind, PostsAtTime } from './kind.ts';
import { buildPauseScopes } from './pause.ts';
import { hasRecentChangeWithLockKey } from './sql/submissions.ts';
import type { BaselineCounts, OpenForm, SubmissionContext } from './submission-context.ts';

interface BaselineCount {
  /** Start of the read, on the monotonic clock. */
  startedAt: Date;
  /** Identifies the service and token. */
  credential: object;
  posts: Promise<Outcome<PostsAtTime<unknown> | 'cannot-tell'>>;
}

/** Maximum number of counts per form. For further publishing times, equal posts are counted before the send. */
const MAX_COUNTS_PER_FORM = 4;
/** Maximum number of cached counts. Enough for a hundred authors in the same minute. */
const MAX_CACHED_COUNTS = 200;

export function createBaselineCounts(context: SubmissionContext): BaselineCounts {
  const counts = new Map<string, BaselineCount>();
  const timers = new Map<string, NodeJS.Timeout>();
  const { pace } = context;
  const findValidCount = (key: string, credential: object) => {
    const count = counts.get(key);
    if (!count || count.credential !== credential) return undefined;
    const ageMs = context.clock.readShared().getTime() - count.startedAt.getTime();
    return ageMs < pace.baselineCount.validMs ? count : undefined;
  };

  async function countForm(form: OpenForm): Promise<void> {
    const { kind, workspace } = form;
    for (const content of form.getContents().slice(0, MAX_COUNTS_PER_FORM)) {
      const api = await context.findApiClient(workspace, kind.getProject(content)?.id);
      const key = api && computeKey(api, workspace, kind, content);
      if (!api || key === undefined || findValidCount(key, api.credential)) continue;
      const count = await startCount(context, { api, workspace, kind, content });
      if (!count) continue;
      const deleteCount = () => {
        if (counts.get(key) === count) counts.delete(key);
      };
      const [oldestKey] = counts.keys();
      if (counts.size >= MAX_CACHED_COUNTS && oldestKey !== undefined) counts.delete(oldestKey);
      counts.set(key, count);
      // Frees the memory when the count expires.
      setTimeout(deleteCount, pace.baselineCount.validMs).unref();
      const outcome = await count.posts.catch((error: unknown) => {
        deleteCount();
        throw error;
      });
      if (outcome.kind !== 'done') deleteCount();
    }
  }

  return {
    onFormChange(form) {
      clearTimeout(timers.get(form.id));
      const timer = setTimeout(() => {
        timers.delete(form.id);
        countForm(form).catch((error: unknown) =>
          context.log.warn({ err: error }, 'could not count equal posts for an open form'),
        );
      }, pace.baselineCount.delayMs).unref();
      timers.set(form.id, timer);
    },
    async findCount(api, row, kind, { content, lockKey }) {
      const isFirstAttempt = row.attempts === 0 && !row.maybe_sent && row.baseline === null;
      const key = isFirstAttempt ? computeKey(api, row.workspace, kind, content) : undefined;
      const count = key === undefined ? undefined : findValidCount(key, api.credential);
      // A count is outdated if an equal post may have been sent since.
      if (
        !count ||
        (await hasRecentChangeWithLockKey(context.db, {
          id: row.id,
          lockKey,
          since: addMs(count.startedAt, -MAX_CLOCK_DIFFERENCE_MS),
        }))
      )
        return undefined;
      const outcome = await count.posts.catch(() => undefined);
      return (
        outcome && mapDone(outcome, (data) => (data === 'cannot-tell' ? data : data.countEqual(content)))
      );
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      counts.clear();
    },
  };
}

function computeKey(
  { address, tokenProjectId }: ApiClient,
  workspace: string,
  kind: AnyKind,
  content: unknown,
): string | undefined {
  const timeKey =
    kind.unknownOutcome.strategy === 'reconcile'
      ? kind.unknownOutcome.baselineCount?.computeTimeKey(content)
      : undefined;
  return timeKey === undefined
    ? undefined
    : JSON.stringify([address, tokenProjectId ?? null, workspace, kind.name, timeKey]);
}

/** Starts to read the posts. Resolves with undefined while a circuit breaker is open or submissions are paused. */
async function startCount(
  context: SubmissionContext,
  input: { api: ApiClient; workspace: string; kind: AnyKind; content: unknown },
): Promise<BaselineCount | undefined> {
  const { api, workspace, kind, content } = input;
  const { unknownOutcome } = kind;
  if (unknownOutcome.strategy !== 'reconcile' || !unknownOutcome.baselineCount) return undefined;
  const project = kind.getProject(content)?.id ?? null;
  const credential = api.credential;
  const service = { workspace, address: api.address };
  if (!areBreakersClosed(context, service, credential)) return undefined;
  const scopes = buildPauseScopes(api, { workspace, project, kind: kind.name });
  const { stop, pauses } = await context.findStopAndPauses({ workspace, project, scopes });
  if (stop || pauses.length > 0) return undefined;
  const permit = context.getBreaker(service, 'reads').enter(undefined, credential);
  if ('waitMs' in permit) return undefined;
  const startedAt = context.clock.readShared();
  const { baselineCount } = unknownOutcome;
  const readPosts = async () => {
    try {
      const outcome = await baselineCount.readPosts(api, content);
      permit.report(outcome);
      return outcome;
    } finally {
      permit.release();
    }
  };
  return { startedAt, credential, posts: readPosts() };
}

function areBreakersClosed(context: SubmissionContext, service: TenantService, credential: object): boolean {
  return (['reads', 'writes'] as const).every((calls) =>
    context.getBreaker(service, calls).isClosed(credential),
  );
}
