import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { Digest } from '../../src/digests/digest.ts';
import type { Composer } from '../../src/digests/digest-context.ts';
import { LIFECYCLE } from '../../src/digests/occurrence.ts';
import { addOccurrences } from '../../src/digests/sql/digests.ts';
import { HOUR_MS } from '../../src/durations.ts';
import { buildEntryColumns } from '../../src/engine/lifecycle.ts';
import { createDigestSlack } from '../support/digest-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import {
  createRealTimeDigests,
  createRecordingApi,
  type RunnableDigests,
  settings,
} from '../support/start-digests.ts';

const database = await setUpBotDatabase();
beforeEach(async () => {
  for (const table of ['digest', 'digest_occurrence', 'once_claim'] as const)
    await database.db.deleteFrom(table).execute();
});

/** Tuesday, one second before 9:00 in Berlin. */
const CLOCK_START = Date.parse('2026-12-01T07:59:59Z');
const WORKSPACES = ['T1', 'T2', 'T3'];
const PROJECT_COUNT = 4;
const CHANNEL_COUNT = 12;

/** A composer that reads the posts of the digest's project. */
const compose: Composer = async (digest, { projects, reads }) => {
  await reads.listPosts({ project: projects[0] ?? '', from: new Date(0), to: new Date(1) });
  return { kind: 'message', text: `digest ${digest.id}` };
};

/**
 * Starts two instances on one database, each with its own Slack to tell what it sent. After its first scan, each scans
 * only when it is woken, or at the time of the next digest.
 */
function startInstances(now: () => Date) {
  const recordings = new Map(WORKSPACES.map((workspace) => [workspace, createRecordingApi({ Items: [] })]));
  const findApiClient = (workspace: string) => recordings.get(workspace)?.api as ApiClient;
  const instances = [1, 2].map(() => {
    const slack = createDigestSlack({ now: () => now().getTime() });
    const findSlackClient = () => slack.client;
    return {
      slack,
      ...createRealTimeDigests({
        ...{ db: database.db, now, compose, findSlackClient, findApiClient },
        pace: { scanIntervalMs: HOUR_MS },
      }),
    };
  });
  onTestFinished(async () => {
    await Promise.all(instances.map(({ digests }) => digests.stop()));
  });
  return {
    instances,
    listCalls: () => [...recordings.values()].map(({ calls }) => calls),
    listChannels: () => instances.map(({ slack }) => slack.messages.map(({ channel }) => channel)),
  };
}

test('each of two instances reads the posts of a project at most once for all digests of a minute', async () => {
  // The clock starts when all digests are saved.
  let startedAt: number | undefined;
  const now = () => new Date(CLOCK_START + (startedAt === undefined ? 0 : Date.now() - startedAt));
  const { instances, listCalls, listChannels } = startInstances(now);
  const [first] = instances;
  const channels = WORKSPACES.flatMap((workspace) =>
    Array.from({ length: CHANNEL_COUNT }, (_, index) => ({
      workspace,
      channel: `${workspace}-${index}`,
      index,
    })),
  );
  for (const { workspace, channel, index } of channels)
    await first?.digests.save(
      settings({ workspace, channel, projects: [`p${index % PROJECT_COUNT}`] }),
      'UANA',
    );
  startedAt = Date.now();
  for (const { digests } of instances) digests.start();
  await expect.poll(() => listChannels().flat()).toHaveLength(channels.length);
  expect(new Set(listChannels().flat()).size).toBe(channels.length);
  for (const calls of listCalls()) expect(calls.length).toBeLessThanOrEqual(PROJECT_COUNT * instances.length);
});

/** Starts an instance, and waits until it has ended its first scan by purging what is too old. */
async function startAndScan(digests: RunnableDigests, digest: Digest) {
  const { workspace, id, channel, owner } = digest;
  const endedAt = new Date(0);
  const ended = { id: randomUUID(), workspace, digest: id, slot: 'ended', channel, owner };
  const times = { due_at: endedAt, created_at: endedAt, ...buildEntryColumns(LIFECYCLE, 'sent', endedAt) };
  await addOccurrences(database.db, [{ ...ended, ...times }]);
  digests.start();
  const readOccurrences = () => database.db.selectFrom('digest_occurrence').select('slot').execute();
  await expect.poll(readOccurrences).toEqual([]);
}

test('a digest that a person asks for is sent at once, by the instance that was asked', async () => {
  const { instances, listChannels } = startInstances(() => new Date());
  const [first, second] = instances;
  const digest = await first?.digests.save(settings(), 'UANA');
  if (!first || !second || !digest) throw new Error('the digest wasn’t saved');
  for (const { digests } of [first, second]) await startAndScan(digests, digest);
  await first.digests.sendNow(digest, 'one');
  await expect.poll(listChannels).toEqual([['C1'], []]);
  await second.digests.sendNow(digest, 'two');
  await expect.poll(listChannels).toEqual([['C1'], ['C1']]);
});

test('an instance that doesn’t send digests leaves a requested digest to another instance', async () => {
  const { instances, listChannels } = startInstances(() => new Date());
  const [first, second] = instances;
  const digest = await first?.digests.save(settings(), 'UANA');
  if (!first || !second || !digest) throw new Error('the digest wasn’t saved');
  expect(await first.digests.sendNow(digest, 'one')).toBe('queued');
  second.digests.start();
  await expect.poll(listChannels).toEqual([[], ['C1']]);
});
