import { setTimeout as delay } from 'node:timers/promises';
import type { Author } from './author.ts';
import type { DigestSeen, Found } from './check.ts';
import { type DueDigest, seenDigests } from './digests-due.ts';
import { isOnItsWay } from './history.ts';
import type { Readiness } from './readiness.ts';
import type { World } from './world.ts';
import type { Writing } from './writing.ts';

const SETTLE_LOOK_MS = 2_000;
const OUTBOX_TRIES = 2;

/** Until nobody waits for anything any more that goes on by itself; at the latest after so long. */
export async function settle(
  world: World,
  writing: Writing,
  digests: readonly DueDigest[],
  ms: number,
): Promise<(DigestSeen | undefined)[]> {
  const ends = Date.now() + ms;
  for (;;) {
    await Promise.all(writing.authors.map((author) => author.look()));
    await writing.watchOnce();
    const seen = await seenDigests(world, digests);
    const waiting = writing.authors.filter((author) => author.posts.some(isOnItsWay)).length;
    const toCome = seen.filter((digest) => digest === undefined).length;
    world.tell(`settling: ${waiting} authors wait for something, ${toCome} digests are still to come`);
    const isQuiet = waiting + toCome === 0;
    if (isQuiet || Date.now() > ends) return seen;
    await delay(SETTLE_LOOK_MS);
  }
}

/** How everything stands now. */
export async function look(
  world: World,
  writing: Writing,
  readiness: readonly Readiness[],
  digests: readonly (DigestSeen | undefined)[],
  quietSince: number,
): Promise<Found> {
  const inOutbox = new Map<string, { waitsForAuthor: boolean }>();
  const withoutOutbox = new Set<string>();
  const read = async (author: Author) => {
    const text = await outboxOf(author);
    if (text === undefined) withoutOutbox.add(author.name);
    for (const { token } of author.posts) {
      const entry = entryWith(text ?? '', token);
      if (entry !== undefined) inOutbox.set(token, { waitsForAuthor: !entry.includes('hourglass') });
    }
  };
  await Promise.all(writing.authors.map(read));
  return {
    posts: writing.authors.flatMap(({ posts }) => posts),
    held: await writing.watchOnce(),
    inOutbox,
    withoutOutbox,
    quietMs: Date.now() - quietSince,
    digests: digests.filter((digest) => digest !== undefined),
    ownEnds: world.instances.flatMap(({ ownEnds }) => ownEnds),
    readiness,
    logs: world.instances.map((instance) => ({ name: instance.name, text: instance.log() })),
  };
}

/** All faults are over: it answers, if not at once. */
async function outboxOf(author: Author): Promise<string | undefined> {
  for (let left = OUTBOX_TRIES; left > 0; left -= 1) {
    const text = await author.outbox();
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An entry of the outbox begins with its mark, an emoji, and its words come after. */
function entryWith(text: string, token: string): string | undefined {
  return text.split(/^(?=:\w+: )/m).find((entry) => entry.includes(token));
}
