import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createSlackClient, startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import type { ApiClient } from '../src/api/client.ts';
import { createComposer } from '../src/digests/content/create-composer.ts';
import { toColumns } from '../src/digests/digest.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { createDigestSlack } from '../test/support/digest-slack.ts';
import { createRealTimeDigests, createRecordingApi, settings } from '../test/support/start-digests.ts';
import { openPostgresOrEmbedded } from './open-postgres-or-embedded.ts';

/**
 * Two instances send 5,000 digests that are due at 9:00, 500 in each of ten workspaces. The first run has no rate limits,
 * to measure claiming and composing. The second run uses the practice workspace, which has the rate limits of Slack. In
 * the third run, a workspace has more digests with a picture than Slack accepts uploads in a minute.
 */

const INSTANCE_COUNT = 2;
const WORKSPACE_COUNT = 10;
const CHANNELS_PER_WORKSPACE = 500;
const PROJECT_COUNT = 20;
/** Slack accepts 300 messages of a workspace at once, and another 300 in each minute. */
const MESSAGES_PER_MINUTE = 300;
/** Slack accepts 100 uploads of a workspace in a minute. */
const PICTURE_COUNT = 130;
const PLAIN_COUNT = 100;
const MINUTE_MS = 60_000;
/** Maximum ratio of the duration to the shortest possible duration. */
const MAX_DURATION_RATIO = 1.3;
const MAX_RUN_MS = 8 * MINUTE_MS;
/** The clock's time at the start of a run: a Tuesday, just before 9:00 in Berlin. */
const CLOCK_START = Date.parse('2026-12-01T07:59:59Z');
const DUE_AT = Date.parse('2026-12-01T08:00:00Z');

/** Computes the shortest time in which Slack accepts this many messages of a workspace. */
function computeMinMs(messageCount: number): number {
  return (Math.ceil(messageCount / MESSAGES_PER_MINUTE) - 1) * MINUTE_MS;
}

/** A channel that receives a digest. */
interface Target {
  workspace: string;
  channel: string;
  hasPicture?: boolean;
}

export async function measureDigestRush(): Promise<void> {
  const { db, close } = await openPostgresOrEmbedded();
  await runWithoutLimits(db);
  const isWithinLimit = await runWithLimits(db);
  const arePicturesWithinLimit = await runWithPictures(db);
  await close();
  if (!isWithinLimit || !arePicturesWithinLimit) process.exitCode = 1;
}

async function runWithoutLimits(db: Kysely<BotSchema>): Promise<void> {
  const targets = Array.from({ length: WORKSPACE_COUNT * CHANNELS_PER_WORKSPACE }, (_, index) => ({
    workspace: `T${index % WORKSPACE_COUNT}`,
    channel: `C${index}`,
  }));
  const slack = createDigestSlack({ now: Date.now });
  // With twice as many workspaces, none sends more than Slack accepts in a minute.
  const spreadTargets = targets.map((target, index) => ({
    ...target,
    workspace: `T${index % (2 * WORKSPACE_COUNT)}`,
  }));
  const { digestsMs, callCount } = await sendAll(db, spreadTargets, () => slack.client);
  const sentCount = new Set(slack.messages.map(({ channel }) => channel)).size;
  console.log(
    `  without limits: ${sentCount} claimed, composed and sent in ${(digestsMs / 1000).toFixed(1)} s, ${((digestsMs * 1000) / sentCount).toFixed(0)} µs each; ${renderCalls(callCount, 2 * WORKSPACE_COUNT)}`,
  );
}

async function runWithLimits(db: Kysely<BotSchema>): Promise<boolean> {
  const { workspace } = await startTestWorkspace({ limits: true });
  const clients = new Map<string, WebClient>();
  const targets: Target[] = [];
  const acceptedMessages: ('digest' | 'detail')[] = [];
  const servedChannels: string[] = [];
  for (let teamIndex = 0; teamIndex < WORKSPACE_COUNT; teamIndex += 1) {
    const team = workspace.admin.addTeam({
      name: `Team ${teamIndex}`,
      people: [{ name: `Rosa ${teamIndex}` }],
      channels: ['#general'],
      installed: true,
    });
    clients.set(team.id, recordMessages(createSlackClient(workspace, team.botToken)));
    for (let channelIndex = 0; channelIndex < CHANNELS_PER_WORKSPACE; channelIndex += 1) {
      const id = team.admin.addChannel(`#plans-${channelIndex}`, {
        members: ['tester', `Rosa ${teamIndex}`],
      });
      targets.push({ workspace: team.id, channel: id });
    }
  }
  const { digestsMs, allMs, callCount } = await sendAll(db, targets, (id) => clients.get(id));
  await workspace.close();
  const [digestCount, detailCount] = [
    acceptedMessages.filter((kind) => kind === 'digest').length,
    acceptedMessages.filter((kind) => kind !== 'digest').length,
  ];
  const servedCount = new Set(servedChannels).size;
  console.log(
    `  with Slack’s limits: ${servedCount} channels received their digest after ${(digestsMs / 1000).toFixed(1)} s, ${(digestsMs / computeMinMs(CHANNELS_PER_WORKSPACE)).toFixed(2)} times the ${computeMinMs(CHANNELS_PER_WORKSPACE) / 1000} s that the limits require (limit: ${MAX_DURATION_RATIO}); ${digestCount - servedCount} duplicates`,
  );
  const minAllMs = computeMinMs((digestCount + detailCount) / WORKSPACE_COUNT);
  console.log(
    `  with ${detailCount} thread messages after ${(allMs / 1000).toFixed(1)} s, ${(allMs / minAllMs).toFixed(2)} times the ${minAllMs / 1000} s that the limits require; Slack refused ${countRefused()} messages with 429; ${renderCalls(callCount, WORKSPACE_COUNT)}`,
  );
  return (
    servedCount === targets.length &&
    digestCount === servedCount &&
    digestsMs <= MAX_DURATION_RATIO * computeMinMs(CHANNELS_PER_WORKSPACE)
  );

  function recordMessages(client: WebClient): WebClient {
    const postMessage = client.chat.postMessage;
    client.chat.postMessage = async (message) => {
      const response = await postMessage(message);
      const isDetail = message !== undefined && 'thread_ts' in message && message.thread_ts !== undefined;
      acceptedMessages.push(isDetail ? 'detail' : 'digest');
      if (!isDetail && response.channel !== undefined) servedChannels.push(response.channel);
      return response;
    };
    return client;
  }

  function countRefused(): number {
    return (workspace.faults.counts().calls['chat.postMessage'] ?? 0) - acceptedMessages.length;
  }
}

/** In each minute, one instance reads the projects of each workspace and the posts of each project once. */
function renderCalls(count: number, workspaceCount: number): string {
  return `${count} calls to the service (in a minute, one instance needs ${workspaceCount * (PROJECT_COUNT + 1)})`;
}

/** Runs one workspace with both kinds of digests. Those without a picture don't wait for uploads. */
async function runWithPictures(db: Kysely<BotSchema>): Promise<boolean> {
  const { workspace } = await startTestWorkspace({ limits: true });
  const client = createSlackClient(workspace, workspace.botToken);
  const targets = Array.from({ length: PICTURE_COUNT + PLAIN_COUNT }, (_, index) => ({
    workspace: workspace.team.id,
    channel: workspace.admin.addChannel(`#plans-${index}`, { members: ['tester', 'Ana'] }),
    hasPicture: index < PICTURE_COUNT,
  }));
  const plainChannels = new Set(targets.flatMap(({ channel, hasPicture }) => (hasPicture ? [] : [channel])));
  const startedAt = Date.now();
  let plainMs = 0;
  const postMessage = client.chat.postMessage;
  client.chat.postMessage = async (message) => {
    const response = await postMessage(message);
    if (plainChannels.delete(response.channel ?? '')) plainMs = Date.now() - startedAt;
    return response;
  };
  const { digestsMs } = await sendAll(db, targets, () => client);
  const uploadCount = workspace.faults.counts().calls['files.getUploadURLExternal'] ?? 0;
  await workspace.close();
  console.log(
    `  ${PICTURE_COUNT} digests with a picture, ${PLAIN_COUNT} without: the last without one after ${(plainMs / 1000).toFixed(1)} s (limit: 30), the last of all after ${(digestsMs / 1000).toFixed(1)} s, of which Slack’s limit of uploads takes 60; Slack refused ${uploadCount - PICTURE_COUNT} uploads with 429`,
  );
  return plainChannels.size === 0 && plainMs < 30_000;
}

/**
 * Sends all digests. Returns the time from 9:00 until the last digest (`digestsMs`) and until the last thread message
 * (`allMs`).
 */
async function sendAll(
  db: Kysely<BotSchema>,
  targets: readonly Target[],
  findSlackClient: (workspace: string) => WebClient | undefined,
): Promise<{ digestsMs: number; allMs: number; callCount: number }> {
  for (const table of ['digest', 'digest_occurrence', 'once_claim'] as const)
    await db.deleteFrom(table).execute();
  await insertAll(db, targets);
  const posts = Array.from({ length: 30 }, (_, index) => ({
    Id: `post-${index}`,
    Content: `Post number ${index}`,
    ScheduleDate: new Date(DUE_AT + index * 3_600_000).toISOString(),
    Timezone: 'Europe/Berlin',
    Platforms: ['X'],
    Status: 'SCHEDULED',
  }));
  const { api, calls } = createRecordingApi({ Items: posts, HasMore: false });
  const apis = new Map<string, ApiClient>();
  const findApiClient = (workspace: string) => {
    const client = apis.get(workspace) ?? { ...api, credential: {} };
    apis.set(workspace, client);
    return client;
  };
  const startedAt = Date.now();
  const now = () => new Date(CLOCK_START + Date.now() - startedAt);
  const ignore = () => undefined;
  const instances = Array.from({ length: INSTANCE_COUNT }, () =>
    createRealTimeDigests({
      db,
      now,
      findSlackClient,
      findApiClient,
      compose: createComposer({
        checkReadPermission: async () => 'yes',
        listStoppedProjects: async () => [],
        readHeldPlan: async () => ({ posts: [], isTruncated: false }),
        readSlots: async () => ({ postingTimes: [], blackouts: [], free: [] }),
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      }),
    }),
  );
  for (const { digests } of instances) digests.start();
  const countPending = async (stage: 'sent' | 'all') => {
    const row = await db
      .selectFrom('digest_occurrence')
      .select((builder) => builder.fn.countAll<number>().as('count'))
      .where('state', 'in', ['following-up', 'sent'])
      .$if(stage === 'all', (query) => query.where('next_at', 'is', null))
      .executeTakeFirst();
    return targets.length - Number(row?.count ?? 0);
  };
  const waitUntilDone = async (stage: 'sent' | 'all') => {
    while ((await countPending(stage)) > 0 && Date.now() - startedAt < MAX_RUN_MS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return now().getTime() - DUE_AT;
  };
  const digestsMs = await waitUntilDone('sent');
  const allMs = await waitUntilDone('all');
  await Promise.all(instances.map(({ digests }) => digests.stop()));
  for (const error of instances.flatMap(({ errors }) => errors).slice(0, 5)) console.log(`  ${error}`);
  return { digestsMs, allMs, callCount: calls.length };
}

async function insertAll(db: Kysely<BotSchema>, targets: readonly Target[]): Promise<void> {
  const createdAt = new Date(CLOCK_START);
  const workspaceCount = new Set(targets.map(({ workspace }) => workspace)).size;
  const rows = targets.map(({ workspace, channel, hasPicture }, index) => ({
    ...toColumns(
      settings({
        ...{ workspace, channel, projects: [`p${Math.floor(index / workspaceCount) % PROJECT_COUNT}`] },
        ...(hasPicture && { kind: 'weekly' }),
      }),
    ),
    id: randomUUID(),
    owner: 'UANA',
    state: 'on' as const,
    next_at: new Date(DUE_AT),
    next_date: '2026-12-01',
    created_at: createdAt,
    changed_at: createdAt,
  }));
  for (let from = 0; from < rows.length; from += 500) {
    await db
      .insertInto('digest')
      .values(rows.slice(from, from + 500))
      .execute();
  }
}
