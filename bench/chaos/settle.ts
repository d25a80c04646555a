import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Author } from './author.ts';
import type { Authors } from './authors.ts';
import type { DigestResult, Observations, OutboxEntry } from './check.ts';
import { type DueDigest, readDigestResults } from './digests-due.ts';
import { isInFlight } from './history.ts';
import type { Readiness } from './readiness.ts';
import type { World } from './world.ts';

const POLL_INTERVAL_MS = 2_000;
const MAX_OUTBOX_ATTEMPTS = 2;
/** Maximum wait for submissions in progress. It is longer than a lease and the delay of a notification together. */
const MAX_PROGRESS_MS = 45_000;
/** All calls that were made during the faults have ended this long after them: no call takes longer than 15 s. */
const CALLS_ENDED_MS = 20_000;

/**
 * Waits until no post is in flight and no digest is due, but at most for `settleMs`. Returns the digests' results.
 * With `shortensWaits`, submissions don't wait until their next attempt, once all earlier calls have ended.
 */
export async function settle(
  world: World,
  authors: Authors,
  digests: readonly DueDigest[],
  { settleMs, shortensWaits }: { settleMs: number; shortensWaits?: boolean },
): Promise<(DigestResult | undefined)[]> {
  const startedAt = Date.now();
  const endsAt = startedAt + settleMs;
  for (;;) {
    await Promise.all(authors.all.map((author) => author.readAndAnswer()));
    await authors.countPosts();
    const digestResults = await readDigestResults(world, digests);
    const waitingCount = authors.all.filter((author) => author.posts.some(isInFlight)).length;
    const pendingCount = digestResults.filter((digest) => digest === undefined).length;
    world.addIncident(
      `settling: ${waitingCount} authors wait for a post, ${pendingCount} digests are still pending`,
    );
    const isQuiet = waitingCount + pendingCount === 0;
    if (isQuiet || Date.now() > endsAt) return digestResults;
    if (shortensWaits && Date.now() > startedAt + CALLS_ENDED_MS) await endWaits(world);
    await delay(POLL_INTERVAL_MS);
  }
}

async function endWaits({ databaseUrl }: World): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update submission set next_at = now() where next_at > now() and lease_until is null');
  await client.end();
}

/** Collects the data for the checks. */
export async function collectObservations(
  world: World,
  authors: Authors,
  readiness: readonly Readiness[],
  digestResults: readonly (DigestResult | undefined)[],
  faultsEndedAt: number,
): Promise<Observations> {
  const authorsInProgress = await waitForProgress(world);
  for (const author of authors.all) author.readMessages();
  const outboxEntries = new Map<string, OutboxEntry>();
  const unreadOutboxes = new Set<string>();
  const readEntries = async (author: Author) => {
    const text = await readOutbox(author);
    if (text === undefined) unreadOutboxes.add(author.name);
    for (const { token } of author.posts) {
      const entry = findEntry(text ?? '', token);
      if (entry === undefined) continue;
      outboxEntries.set(token, {
        needsAuthor: !entry.includes('hourglass'),
        isInProgress: authorsInProgress.has(author.userId),
      });
    }
  };
  await Promise.all(authors.all.map(readEntries));
  return {
    posts: authors.all.flatMap(({ posts }) => posts),
    copyCounts: await authors.countPosts(),
    outboxEntries,
    unreadOutboxes,
    quietMs: Date.now() - faultsEndedAt,
    digests: digestResults.filter((digest) => digest !== undefined),
    unexpectedExits: world.instances.flatMap(({ unexpectedExits }) => unexpectedExits),
    readiness,
    logs: world.instances.map((instance) => ({ name: instance.name, text: instance.readLog() })),
  };
}

/**
 * Waits until no submission is in progress, but at most for `MAX_PROGRESS_MS`. Returns the user ids of the authors of
 * those that are.
 */
async function waitForProgress({ databaseUrl }: World): Promise<ReadonlySet<string>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const endsAt = Date.now() + MAX_PROGRESS_MS;
    for (;;) {
      const { rows } = await client.query<{ author: string }>(
        'select distinct author from submission where next_at is not null or notify_at is not null',
      );
      if (rows.length === 0 || Date.now() > endsAt) return new Set(rows.map(({ author }) => author));
      await delay(POLL_INTERVAL_MS);
    }
  } finally {
    await client.end();
  }
}

/** Reads the outbox of an author. The first attempt may fail although all faults are over. */
async function readOutbox(author: Author): Promise<string | undefined> {
  for (let remaining = MAX_OUTBOX_ATTEMPTS; remaining > 0; remaining -= 1) {
    const text = await author.readOutbox();
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Finds the entry with this token. Each entry of the outbox starts with an emoji. */
function findEntry(text: string, token: string): string | undefined {
  return text.split(/^(?=:\w+: )/m).find((entry) => entry.includes(token));
}
