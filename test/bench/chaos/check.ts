import { lastTold, type PostHistory } from './history.ts';
import type { OwnEnd } from './instance.ts';
import { READY_WITHIN_MS, type Readiness } from './readiness.ts';

export const RULES = [
  'lost',
  'nowhere to be seen, the outbox does not answer',
  'doubled',
  'confirmed but not there',
  'sent although "not saved"',
  'left in the outbox, author not told',
  'stuck in the outbox',
  'digest doubled',
  'digest missing',
  'ended by itself',
  'ended while starting',
  'not ready in time',
  'in the log',
] as const;

export interface Violation {
  rule: (typeof RULES)[number];
  about: string;
  /** With its timeline. */
  post?: PostHistory;
}

/** A digest that came due: how many messages stand in its channel, and whether its owner was told or asked about it. */
export interface DigestSeen {
  name: string;
  posted: number;
  isOwnerTold: boolean;
}

export interface Found {
  posts: readonly PostHistory[];
  /** Content → how many posts hold it. */
  held: ReadonlyMap<string, number>;
  /** Tokens of the posts that stand in their authors' outboxes, and whether each waits for its author. */
  inOutbox: ReadonlyMap<string, { waitsForAuthor: boolean }>;
  /** Authors whose outbox did not answer at the end. */
  withoutOutbox: ReadonlySet<string>;
  /** How long all faults were over by then. */
  quietMs: number;
  digests: readonly DigestSeen[];
  ownEnds: readonly OwnEnd[];
  readiness: readonly Readiness[];
  logs: readonly { name: string; text: string }[];
}

/** The longest wait before another try, and looking for a post, are over by then. */
const STUCK_MS = 7 * 60_000;

/** Everything that must not have happened. */
export function check(found: Found): Violation[] {
  return [
    ...found.posts.flatMap((post) => checkPost(post, found)),
    ...found.digests.flatMap(checkDigest),
    ...found.ownEnds.map(
      ({ instance, isStarting, status, logEnd }): Violation => ({
        rule: isStarting ? 'ended while starting' : 'ended by itself',
        about: `${instance}, status ${status}:\n${logEnd}`,
      }),
    ),
    ...found.readiness.flatMap(checkReadiness),
    ...found.logs.flatMap((log) => checkLog(log, found.posts)),
  ];
}

/**
 * Each form sends its words once at most, and not at all where the last that its author was told of it is that nothing
 * was saved. Who writes the same anew while in doubt has two forms: then two are of their own making.
 */
function checkPost(post: PostHistory, { held, inOutbox, withoutOutbox, quietMs }: Found): Violation[] {
  const told = [...lastTold(post).values()];
  const count = held.get(post.content) ?? 0;
  const mayBe = mayBeThere(post);
  const wasTold = (what: string) => post.events.some((event) => event.kind === 'told' && event.told === what);
  const outbox = inOutbox.get(post.token);
  const violations: Violation[] = [];
  const violates = (rule: Violation['rule'], about: string) => violations.push({ rule, about, post });

  if (count > 0 && mayBe === 0)
    violates('sent although "not saved"', `${post.token}: ${count} in the service`);
  else if (count > mayBe) violates('doubled', `${post.token}: ${count} in the service from ${mayBe} forms`);

  if (count === 0 && wasTold('confirmed')) violates('confirmed but not there', post.token);
  else if (count === 0 && told.includes('saved') && !outbox) {
    const isSeen = !withoutOutbox.has(post.author);
    violates(
      isSeen ? 'lost' : 'nowhere to be seen, the outbox does not answer',
      `${post.token}: told that it was saved`,
    );
  }
  if (outbox?.waitsForAuthor && !wasTold('in-hand') && !wasTold('refused')) {
    violates('left in the outbox, author not told', post.token);
  }
  if (outbox?.waitsForAuthor === false && quietMs > STUCK_MS) {
    violates('stuck in the outbox', `${post.token}: on its way for ${Math.round(quietMs / 1000)} s more`);
  }
  return violations;
}

/** How many posts its forms may have sent. */
function mayBeThere(post: PostHistory): number {
  return [...lastTold(post).values()].filter((last) => last !== 'not-saved').length;
}

/** Posts that the service has more than once because their authors wrote them anew while in doubt. */
export function doubledByAuthors({ posts, held }: Pick<Found, 'posts' | 'held'>): number {
  return posts.filter((post) => {
    const count = held.get(post.content) ?? 0;
    return count > 1 && count <= mayBeThere(post);
  }).length;
}

function checkDigest({ name, posted, isOwnerTold }: DigestSeen): Violation[] {
  if (posted > 1) return [{ rule: 'digest doubled', about: `${name}: ${posted} times` }];
  if (posted === 0 && !isOwnerTold)
    return [{ rule: 'digest missing', about: `${name}: its owner heard nothing` }];
  return [];
}

function checkReadiness({ instance, ms, isReady, at }: Readiness): Violation[] {
  if (isReady && ms <= READY_WITHIN_MS) return [];
  const took = isReady ? `after ${(ms / 1000).toFixed(1)} s` : `not within ${(ms / 1000).toFixed(1)} s`;
  return [{ rule: 'not ready in time', about: `${instance} ${took} (${new Date(at).toISOString()})` }];
}

function checkLog(
  { name, text }: { name: string; text: string },
  posts: readonly PostHistory[],
): Violation[] {
  const leaked = posts.filter(({ token }) => text.includes(token)).map(({ token }) => token);
  const lines = text.split('\n').filter((line) => /uncaughtException|unhandledRejection/.test(line));
  return [
    ...(leaked.length > 0
      ? [{ rule: 'in the log' as const, about: `${name}: words of ${leaked.slice(0, 5).join(', ')}` }]
      : []),
    ...lines
      .slice(0, 3)
      .map((line) => ({ rule: 'in the log' as const, about: `${name}: ${line.slice(0, 300)}` })),
  ];
}
