import { lastReports, type PostHistory, type ReportedState } from './history.ts';
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
  about: string;
  /** The post concerned, whose timeline is printed. */
  post?: PostHistory;
}

/** A digest that came due: the number of its messages in the channel, and whether its owner was notified about it. */
export interface DigestResult {
  name: string;
  messageCount: number;
  isOwnerNotified: boolean;
}

export interface Observations {
  posts: readonly PostHistory[];
  /** The number of posts in the service by content. */
  counts: ReadonlyMap<string, number>;
  /** Posts in their authors' outboxes by token, and whether each waits for a decision of its author. */
  inOutbox: ReadonlyMap<string, { needsAuthor: boolean }>;
  /** Authors whose outbox could not be read at the end. */
  unreadOutboxes: ReadonlySet<string>;
  /** Time since the end of all faults, ms. */
  quietMs: number;
  digests: readonly DigestResult[];
  unexpectedExits: readonly UnexpectedExit[];
  readiness: readonly Readiness[];
  logs: readonly { name: string; text: string }[];
}

/** Longer than the longest wait before a retry and the reconciliation of a post. */
const STUCK_MS = 7 * 60_000;

/** Finds every violation of the rules. */
export function check(observations: Observations): Violation[] {
  return [
    ...observations.posts.flatMap((post) => checkPost(post, observations)),
    ...observations.digests.flatMap(checkDigest),
    ...observations.unexpectedExits.map(
      ({ instance, isStarting, status, logEnd }): Violation => ({
        rule: isStarting ? 'exited while starting' : 'exited unexpectedly',
        about: `${instance}, status ${status}:\n${logEnd}`,
      }),
    ),
    ...observations.readiness.flatMap(checkReadiness),
    ...observations.logs.flatMap((log) => checkLog(log, observations.posts)),
  ];
}

/**
 * Each form sends its text at most once, and not at all if the last report about it was that nothing was saved. An author
 * who writes the same text again while in doubt has two forms, so two posts are then allowed.
 */
function checkPost(
  post: PostHistory,
  { counts, inOutbox, unreadOutboxes, quietMs }: Observations,
): Violation[] {
  const reports = [...lastReports(post).values()];
  const count = counts.get(post.content) ?? 0;
  const max = maxCopies(post);
  const wasReported = (state: ReportedState) =>
    post.events.some((event) => event.kind === 'reported' && event.state === state);
  const outbox = inOutbox.get(post.token);
  const violations: Violation[] = [];
  const violates = (rule: Violation['rule'], about: string) => violations.push({ rule, about, post });

  if (count > 0 && max === 0) violates('sent although "not saved"', `${post.token}: ${count} in the service`);
  else if (count > max) violates('duplicated', `${post.token}: ${count} in the service from ${max} forms`);

  if (count === 0 && wasReported('confirmed')) violates('confirmed but missing', post.token);
  else if (count === 0 && reports.includes('saved') && !outbox) {
    const isOutboxRead = !unreadOutboxes.has(post.author);
    violates(isOutboxRead ? 'lost' : 'not found, outbox unavailable', `${post.token}: reported as saved`);
  }
  if (outbox?.needsAuthor && !wasReported('needs-author') && !wasReported('refused')) {
    violates('waits in the outbox, author not notified', post.token);
  }
  if (outbox?.needsAuthor === false && quietMs > STUCK_MS) {
    violates(
      'stuck in the outbox',
      `${post.token}: in flight ${Math.round(quietMs / 1000)} s after the last fault`,
    );
  }
  return violations;
}

/** How many posts the forms may have sent. */
function maxCopies(post: PostHistory): number {
  return [...lastReports(post).values()].filter((last) => last !== 'not-saved').length;
}

/** Counts the texts that are in the service more than once because their authors wrote them again while in doubt. */
export function countDuplicatesByAuthors({ posts, counts }: Pick<Observations, 'posts' | 'counts'>): number {
  return posts.filter((post) => {
    const count = counts.get(post.content) ?? 0;
    return count > 1 && count <= maxCopies(post);
  }).length;
}

function checkDigest({ name, messageCount, isOwnerNotified }: DigestResult): Violation[] {
  if (messageCount > 1) return [{ rule: 'digest duplicated', about: `${name}: ${messageCount} messages` }];
  if (messageCount === 0 && !isOwnerNotified)
    return [{ rule: 'digest missing', about: `${name}: no message, and its owner was not notified` }];
  return [];
}

function checkReadiness({ instance, ms, isReady, at }: Readiness): Violation[] {
  if (isReady && ms <= READY_WITHIN_MS) return [];
  const delay = isReady ? `after ${(ms / 1000).toFixed(1)} s` : `not within ${(ms / 1000).toFixed(1)} s`;
  return [{ rule: 'not ready in time', about: `${instance} ${delay} (${new Date(at).toISOString()})` }];
}

function checkLog(
  { name, text }: { name: string; text: string },
  posts: readonly PostHistory[],
): Violation[] {
  const leaked = posts.filter(({ token }) => text.includes(token)).map(({ token }) => token);
  const lines = text.split('\n').filter((line) => /uncaughtException|unhandledRejection/.test(line));
  return [
    ...(leaked.length > 0
      ? [
          {
            rule: 'post or uncaught error in the log' as const,
            about: `${name}: ${leaked.slice(0, 5).join(', ')}`,
          },
        ]
      : []),
    ...lines.slice(0, 3).map((line) => ({
      rule: 'post or uncaught error in the log' as const,
      about: `${name}: ${line.slice(0, 300)}`,
    })),
  ];
}
