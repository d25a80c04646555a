import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createComposer } from '../../src/digests/content/create-composer.ts';
import { toColumns } from '../../src/digests/digest.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { createRealTimeDigests } from '../support/digest-bot.ts';
import { settings } from '../support/digest-machine.ts';
import { createDigestSlack } from '../support/digest-slack.ts';
import { recordingApi } from '../support/recording-api.ts';
import { clientFor, startTestWorkspace } from '../support/workspace.ts';
import { benchDatabase } from './bench-database.ts';

/**
 * Sends 5,000 digests that are due at 9:00, 500 in each of ten workspaces. The first run has a Slack without rate
 * limits, to measure claiming and composing. The second run uses the practice workspace, which has Slack's rate
 * limits.
 */

const WORKSPACES = 10;
const CHANNELS = 500;
const PROJECTS = 20;
/** Slack accepts 300 messages of a workspace at once, and another 300 in each minute. */
const MESSAGES_PER_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Maximum ratio of the duration to the shortest possible duration. */
const MAX_RATIO = 1.3;
const MAX_RUN_MS = 8 * MINUTE_MS;
/** A Tuesday, just before 9:00 in Berlin. */
const BEFORE = Date.parse('2026-12-01T07:59:59Z');
const DUE = Date.parse('2026-12-01T08:00:00Z');

/** Computes the shortest time in which Slack's limits allow this many messages of a workspace. */
function computeMinMs(messages: number): number {
  return (Math.ceil(messages / MESSAGES_PER_MINUTE) - 1) * MINUTE_MS;
}

interface Place {
  workspace: string;
  channel: string;
}

export async function digestRush(): Promise<void> {
  const { db, close } = await benchDatabase();
  await runWithoutLimits(db);
  const isWithinLimit = await runWithLimits(db);
  await close();
  if (!isWithinLimit) process.exitCode = 1;
}

async function runWithoutLimits(db: Kysely<BotSchema>): Promise<void> {
  const places = Array.from({ length: WORKSPACES * CHANNELS }, (_, index) => ({
    workspace: `T${index % WORKSPACES}`,
    channel: `C${index}`,
  }));
  const slack = createDigestSlack({ now: Date.now });
  // Spread over so many workspaces that none sends more than Slack accepts in a minute.
  const spreadPlaces = places.map((place, index) => ({
    ...place,
    workspace: `T${index % (2 * WORKSPACES)}`,
  }));
  const { ms, calls } = await rush(db, spreadPlaces, (workspace) => slack.clientFor(workspace));
  const sent = new Set(slack.messages.map(({ channel }) => channel)).size;
  console.log(
    `  without limits: ${sent} claimed, composed and sent in ${(ms / 1000).toFixed(1)} s, ${((ms * 1000) / sent).toFixed(0)} µs each; ${calls} calls to the service`,
  );
}

async function runWithLimits(db: Kysely<BotSchema>): Promise<boolean> {
  const { workspace } = await startTestWorkspace({ limits: true });
  const clients = new Map<string, WebClient>();
  const places: Place[] = [];
  const accepted: ('digest' | 'detail')[] = [];
  const channels: string[] = [];
  for (let number = 0; number < WORKSPACES; number += 1) {
    const team = workspace.admin.addTeam({
      name: `Team ${number}`,
      people: [{ name: `Rosa ${number}` }],
      channels: ['#general'],
      installed: true,
    });
    clients.set(team.id, countMessages(clientFor(workspace, team.botToken)));
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      const id = team.admin.addChannel(`#plans-${channel}`, { members: ['tester', `Rosa ${number}`] });
      places.push({ workspace: team.id, channel: id });
    }
  }
  const { ms, allMs, calls } = await rush(db, places, (id) => clients.get(id));
  await workspace.close();
  const [digests, details] = [
    accepted.filter((one) => one === 'digest').length,
    accepted.filter((one) => one !== 'digest').length,
  ];
  const servedCount = new Set(channels).size;
  console.log(
    `  with Slack’s limits: ${servedCount} channels received their digest after ${(ms / 1000).toFixed(1)} s, ${(ms / computeMinMs(CHANNELS)).toFixed(2)} times the ${computeMinMs(CHANNELS) / 1000} s that the limits require (limit: ${MAX_RATIO}); ${digests - servedCount} duplicates`,
  );
  const all = computeMinMs((digests + details) / WORKSPACES);
  console.log(
    `  with ${details} thread messages after ${(allMs / 1000).toFixed(1)} s, ${(allMs / all).toFixed(2)} times the ${all / 1000} s that the limits require; Slack refused ${countRefused()} messages with 429; ${calls} calls to the service`,
  );
  return servedCount === places.length && digests === servedCount && ms <= MAX_RATIO * computeMinMs(CHANNELS);

  function countMessages(client: WebClient): WebClient {
    const post = client.chat.postMessage;
    client.chat.postMessage = async (message) => {
      const answer = await post(message);
      const isDetail = message !== undefined && 'thread_ts' in message && message.thread_ts !== undefined;
      accepted.push(isDetail ? 'detail' : 'digest');
      if (!isDetail && answer.channel !== undefined) channels.push(answer.channel);
      return answer;
    };
    return client;
  }

  function countRefused(): number {
    return (workspace.faults.counts().calls['chat.postMessage'] ?? 0) - accepted.length;
  }
}

/**
 * Sends all digests. Returns the time from 9:00 until the last digest (`ms`) and until the last thread message
 * (`allMs`).
 */
async function rush(
  db: Kysely<BotSchema>,
  places: readonly Place[],
  findSlackClient: (workspace: string) => WebClient | undefined,
): Promise<{ ms: number; allMs: number; calls: number }> {
  for (const table of ['digest', 'digest_occurrence'] as const) await db.deleteFrom(table).execute();
  await insertAll(db, places);
  const posts = Array.from({ length: 30 }, (_, index) => ({
    Id: `post-${index}`,
    Content: `Post number ${index}`,
    ScheduleDate: new Date(DUE + index * 3_600_000).toISOString(),
    Timezone: 'Europe/Berlin',
    Platforms: ['X'],
    Status: 'SCHEDULED',
  }));
  const { api, calls } = recordingApi({ Items: posts });
  const startedAt = Date.now();
  const now = () => new Date(BEFORE + Date.now() - startedAt);
  const ignore = () => undefined;
  const { digests, errors } = createRealTimeDigests({
    db,
    now,
    findSlackClient,
    findApiClient: () => api,
    compose: createComposer({
      findAuthor: async () => undefined,
      mayRead: async () => 'yes',
      isEmulated: false,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    }),
  });
  digests.start();
  const countPending = async (stage: 'sent' | 'all') => {
    const row = await db
      .selectFrom('digest_occurrence')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('state', 'in', ['following-up', 'sent'])
      .$if(stage === 'all', (query) => query.where('next_at', 'is', null))
      .executeTakeFirst();
    return places.length - Number(row?.count ?? 0);
  };
  const waitUntilDone = async (stage: 'sent' | 'all') => {
    while ((await countPending(stage)) > 0 && Date.now() - startedAt < MAX_RUN_MS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return now().getTime() - DUE;
  };
  const ms = await waitUntilDone('sent');
  const allMs = await waitUntilDone('all');
  await digests.stop();
  for (const error of errors.slice(0, 5)) console.log(`  ${error}`);
  return { ms, allMs, calls: calls.length };
}

async function insertAll(db: Kysely<BotSchema>, places: readonly Place[]): Promise<void> {
  const at = new Date(BEFORE);
  const rows = places.map((place, index) => ({
    ...toColumns(settings({ ...place, projects: [`p${index % PROJECTS}`] })),
    id: randomUUID(),
    owner: 'UANA',
    state: 'on' as const,
    next_at: new Date(DUE),
    next_date: '2026-12-01',
    created_at: at,
    changed_at: at,
  }));
  for (let from = 0; from < rows.length; from += 500) {
    await db
      .insertInto('digest')
      .values(rows.slice(from, from + 500))
      .execute();
  }
}
