import { getLastReports, type PostHistory, type ReportedState } from './history.ts';
import type { UnexpectedExit } from './instance.ts';
import { READY_WITHIN_MS, type Readiness } from './readiness.ts';

export const RULES = [
  'lost',
  'not found, outbox unavailable',
  'duplicated',
  'confirmed but missing',
  'sent although "not saved"',
  'waits in the outbox, author not notified',
  'stuck in the outbox',
  'digest duplicated',
  'digest missing',
  'exited unexpectedly',
  'exited while starting',
  'not ready in time',
  'post or uncaught error in the log',
] as const;

export interface Violation {
  rule: (typeof RULES)[number];
  details: string;
  /** The post that violates the rule. Its timeline is printed. */
  post?: PostHistory;
}

/**
 * The result of a due digest: the number of its messages in the channel, and whether its owner was notified of a
 * problem.
 */
export interface DigestResult {
  name: string;
  messageCount: number;
  isOwnerNotified: boolean;
}

export interface OutboxEntry {
  /** Whether the post waits for a decision of its author. */
  needsAuthor: boolean;
  /**
   * Whether a submission of its author was still in progress before the outbox was read. Reading the outbox checks such
   * submissions. If the check shows that a post waits for its author, no notification follows.
   */
  isInProgress: boolean;
}

export interface Observations {
  posts: readonly PostHistory[];
  /** The number of posts in the service, by content. */
  copyCounts: ReadonlyMap<string, number>;
  /** The posts in outboxes, by token. */
  outboxEntries: ReadonlyMap<string, OutboxEntry>;
  /** Authors whose outbox could not be read at the end. */
  unreadOutboxes: ReadonlySet<string>;
  /** Time since the end of all faults. */
  quietMs: number;
  digests: readonly DigestResult[];
  unexpectedExits: readonly UnexpectedExit[];
  readiness: readonly Readiness[];
  logs: readonly { name: string; text: string }[];
}

/**
 * A post that is in flight for longer than this is stuck. Every wait for a retry or for the reconciliation of a post is
 * shorter.
 */
const STUCK_AFTER_MS = 7 * 60_000;

/** Finds every violation of the rules. */
export function findViolations(observations: Observations): Violation[] {
  return [
    ...observations.posts.flatMap((post) => checkPost(post, observations)),
    ...observations.digests.flatMap(checkDigest),
    ...observations.unexpectedExits.map(
      ({ instance, isStarting, status, logEnd }): Violation => ({
        rule: isStarting ? 'exited while starting' : 'exited unexpectedly',
        details: `${instance}, status ${status}:\n${logEnd}`,
      }),
    ),
    ...observations.readiness.flatMap(checkReadiness),
    ...observations.logs.flatMap((log) => checkLog(log, observations.posts)),
  ];
}

/**
 * Each form sends its text at most once, and never if its last report was that nothing was saved. An uncertain author
 * may write the same text again in a second form. Two posts are then allowed.
 */
function checkPost(
  post: PostHistory,
  { copyCounts, outboxEntries, unreadOutboxes, quietMs }: Observations,
): Violation[] {
  const reports = [...getLastReports(post).values()];
  const count = copyCounts.get(post.content) ?? 0;
  const allowedCount = countAllowedCopies(post);
  const wasReported = (state: ReportedState) =>
    post.events.some((event) => event.kind === 'reported' && event.state === state);
  const outbox = outboxEntries.get(post.token);
  const violations: Violation[] = [];
  const addViolation = (rule: Violation['rule'], details: string) => violations.push({ rule, details, post });

  if (count > 0 && allowedCount === 0)
    addViolation('sent although "not saved"', `${post.token}: ${count} in the service`);
  else if (count > allowedCount)
    addViolation('duplicated', `${post.token}: ${count} in the service from ${allowedCount} forms`);

  if (count === 0 && wasReported('confirmed')) addViolation('confirmed but missing', post.token);
  else if (count === 0 && reports.includes('saved') && !outbox) {
    const isOutboxRead = !unreadOutboxes.has(post.author);
    addViolation(isOutboxRead ? 'lost' : 'not found, outbox unavailable', `${post.token}: reported as saved`);
  }
  const isNotified = wasReported('needs-author') || wasReported('refused');
  if (outbox?.needsAuthor && !outbox.isInProgress && !isNotified) {
    addViolation('waits in the outbox, author not notified', post.token);
  }
  if (outbox?.needsAuthor === false && quietMs > STUCK_AFTER_MS) {
    addViolation(
      'stuck in the outbox',
      `${post.token}: in flight ${Math.round(quietMs / 1000)} s after the last fault`,
    );
  }
  return violations;
}

/** Counts the posts that the forms may have sent. */
function countAllowedCopies(post: PostHistory): number {
  return [...getLastReports(post).values()].filter((last) => last !== 'not-saved').length;
}

/** Counts the texts that are in the service more than once because an uncertain author wrote them again. */
export function countDuplicatesByAuthors({
  posts,
  copyCounts,
}: Pick<Observations, 'posts' | 'copyCounts'>): number {
  return posts.filter((post) => {
    const count = copyCounts.get(post.content) ?? 0;
    return count > 1 && count <= countAllowedCopies(post);
  }).length;
}

function checkDigest({ name, messageCount, isOwnerNotified }: DigestResult): Violation[] {
  if (messageCount > 1) return [{ rule: 'digest duplicated', details: `${name}: ${messageCount} messages` }];
  if (messageCount === 0 && !isOwnerNotified)
    return [{ rule: 'digest missing', details: `${name}: no message, and its owner was not notified` }];
  return [];
}

function checkReadiness({ instance, elapsedMs, isReady, at }: Readiness): Violation[] {
  if (isReady && elapsedMs <= READY_WITHIN_MS) return [];
  const duration = isReady
    ? `after ${(elapsedMs / 1000).toFixed(1)} s`
    : `not within ${(elapsedMs / 1000).toFixed(1)} s`;
  return [{ rule: 'not ready in time', details: `${instance} ${duration} (${new Date(at).toISOString()})` }];
}

function checkLog(
  { name, text }: { name: string; text: string },
  posts: readonly PostHistory[],
): Violation[] {
  const leakedTokens = posts.filter(({ token }) => text.includes(token)).map(({ token }) => token);
  const lines = text.split('\n').filter((line) => /uncaughtException|unhandledRejection/.test(line));
  return [
    ...(leakedTokens.length > 0
      ? [
          {
            rule: 'post or uncaught error in the log' as const,
            details: `${name}: ${leakedTokens.slice(0, 5).join(', ')}`,
          },
        ]
      : []),
    ...lines.slice(0, 3).map((line) => ({
      rule: 'post or uncaught error in the log' as const,
      details: `${name}: ${line.slice(0, 300)}`,
    })),
  ];
}
