import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createCompose } from '../../src/digests/composed/create-compose.ts';
import { columnsOf } from '../../src/digests/digest.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { postgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { digestsBeside } from '../support/digest-bot.ts';
import { openDigestDatabase, settings } from '../support/digest-machine.ts';
import { createDigestSlack } from '../support/digest-slack.ts';
import { startPostgres } from '../support/postgres.ts';
import { recordingApi } from '../support/recording-api.ts';
import { clientFor, startTestWorkspace } from '../support/workspace.ts';

/**
 * 5,000 digests that are due at 9:00, 500 in each of ten workspaces: first beside a Slack that takes everything, for
 * what claiming and composing take; then beside the practice workspace, which counts as Slack does.
 */

const WORKSPACES = 10;
const CHANNELS = 500;
const PROJECTS = 20;
/** 300 messages of a workspace go at once, the other 200 when those are a minute old. */
const ALLOWED_MS = 60_000;
const WANTED = 1.3;
/** A Tuesday, just before 9:00 in Berlin. */
const BEFORE = Date.parse('2026-12-01T07:59:59Z');
const DUE = Date.parse('2026-12-01T08:00:00Z');

interface Place {
  workspace: string;
  channel: string;
}

export async function digestRush(): Promise<void> {
  const postgres = await startPostgres();
  const open = async () => {
    if (!postgres) return openDigestDatabase();
    const db = await openDatabase<BotSchema>({
      dialect: postgresDialect(postgres.url('postgres', 'postgres')),
      migrations,
    });
    return { db, close: () => db.destroy() };
  };
  const { db, close } = await open();
  console.log(`  on ${postgres ? 'Postgres' : 'the embedded database'}`);
  await withoutLimits(db);
  const isRight = await withLimits(db);
  await close();
  await postgres?.stop();
  if (!isRight) process.exitCode = 1;
}

async function withoutLimits(db: Kysely<BotSchema>): Promise<void> {
  const places = Array.from({ length: WORKSPACES * CHANNELS }, (_, index) => ({
    workspace: `T${index % WORKSPACES}`,
    channel: `C${index}`,
  }));
  const slack = createDigestSlack({ now: Date.now });
  // So many workspaces that none of them has more than Slack takes in a minute.
  const spread = places.map((place, index) => ({ ...place, workspace: `T${index % (2 * WORKSPACES)}` }));
  const { ms, calls } = await rush(db, spread, (workspace) => slack.clientFor(workspace));
  const posted = new Set(slack.messages.map(({ channel }) => channel)).size;
  console.log(
    `  without limits: ${posted} claimed, composed and posted in ${(ms / 1000).toFixed(1)} s, ${((ms * 1000) / posted).toFixed(0)} µs each; the service was asked ${calls} times`,
  );
}

async function withLimits(db: Kysely<BotSchema>): Promise<boolean> {
  const { workspace } = await startTestWorkspace({ limits: true });
  const clients = new Map<string, WebClient>();
  const places: Place[] = [];
  for (let number = 0; number < WORKSPACES; number += 1) {
    const team = workspace.admin.addTeam({
      name: `Team ${number}`,
      people: [{ name: `Rosa ${number}` }],
      channels: ['#general'],
      installed: true,
    });
    clients.set(team.id, clientFor(workspace, team.botToken));
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      const id = team.admin.addChannel(`#plans-${channel}`, { members: ['tester', `Rosa ${number}`] });
      places.push({ workspace: team.id, channel: id });
    }
  }
  const { ms, calls } = await rush(db, places, (id) => clients.get(id));
  const posts = workspace.faults.counts().calls['chat.postMessage'] ?? 0;
  const rows = await db
    .selectFrom('digest_occurrence')
    .select(['conversation', 'state'])
    .where('due_at', '=', new Date(DUE))
    .execute();
  const places_ = new Set(
    rows.filter(({ state }) => state === 'posted').map(({ conversation }) => conversation),
  );
  await workspace.close();
  console.log(
    `  with Slack’s limits: ${places_.size} posted in ${(ms / 1000).toFixed(1)} s, ${(ms / ALLOWED_MS).toFixed(2)} times what the limits allow (wanted: ${WANTED}); ${posts} messages were sent, ${posts - places_.size} refused or double; the service was asked ${calls} times`,
  );
  return places_.size === places.length && ms <= WANTED * ALLOWED_MS;
}

/** From 9:00 until the last one is posted. */
async function rush(
  db: Kysely<BotSchema>,
  places: readonly Place[],
  slackFor: (workspace: string) => WebClient | undefined,
): Promise<{ ms: number; calls: number }> {
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
  const began = Date.now();
  const now = () => new Date(BEFORE + Date.now() - began);
  const quiet = () => undefined;
  const { digests, errors } = digestsBeside({
    db,
    now,
    slackFor,
    apiFor: () => api,
    compose: createCompose({
      authorOf: async () => undefined,
      mayRead: async () => true,
      practice: false,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    }),
  });
  digests.start();
  const left = async () => {
    const row = await db
      .selectFrom('digest_occurrence')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('state', '=', 'posted')
      .executeTakeFirst();
    return places.length - Number(row?.count ?? 0);
  };
  while ((await left()) > 0 && Date.now() - began < 4 * ALLOWED_MS) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const ms = now().getTime() - DUE;
  await digests.stop();
  for (const error of errors.slice(0, 5)) console.log(`  ${error}`);
  return { ms, calls: calls.length };
}

async function insertAll(db: Kysely<BotSchema>, places: readonly Place[]): Promise<void> {
  const at = new Date(BEFORE);
  const rows = places.map((place, index) => ({
    ...columnsOf(settings({ ...place, projects: [`p${index % PROJECTS}`] })),
    id: randomUUID(),
    owner: 'UANA',
    state: 'on',
    next_at: new Date(DUE),
    next_date: '2026-12-01',
    made_at: at,
    changed_at: at,
  }));
  for (let from = 0; from < rows.length; from += 500) {
    await db
      .insertInto('digest')
      .values(rows.slice(from, from + 500))
      .execute();
  }
}
