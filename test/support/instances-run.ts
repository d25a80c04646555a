import { SILENT, startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { ACCELERATED_PACE, createAcceleratedClock } from './accelerated-clock.ts';
import { checkDigests, type DailyDigest, type Verdict } from './digest-checker.ts';
import { pressConfirmSent, pressSendAgain } from './digest-presses.ts';
import type { SentMessage } from './digest-slack.ts';
import { type Program, startProgram } from './program.ts';
import { createRandom } from './random.ts';
import { composeByDueDate, createRunnableDigests, settings } from './start-digests.ts';
import { createTestClock } from './test-clock.ts';

const program = new URL('../digests/programs/sender.ts', import.meta.url);
const CHANNELS = 12;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham'];
/** The time of the accelerated clock at the start: seven hours before the clocks in Berlin change. */
const CLOCK_START = Date.parse('2026-03-28T18:00:00Z');
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

interface InstancesRun {
  verdict: Verdict;
  kills: number;
  /** Number of questions to owners about uncertain messages. */
  questionCount: number;
  states: string[];
}

/** Runs two instances on one database, repeatedly kills one of them (SIGKILL), and makes calls to Slack fail. */
export async function runInstances(options: {
  database: string;
  durationMs: number;
  seed: number;
}): Promise<InstancesRun> {
  const random = createRandom(options.seed);
  const clock = { realStart: Date.now() + 3_000, clockStart: CLOCK_START };
  const now = createAcceleratedClock(clock);
  const { workspace, client } = await startTestWorkspace({ now: () => now().getTime() });
  const db = await openDatabase<BotSchema>({ dialect: createPostgresDialect(options.database), migrations });
  const api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 'nobody' });
  const digests = createRunnableDigests({
    db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    compose: composeByDueDate,
    pace: ACCELERATED_PACE,
    log: SILENT,
    clock: createTestClock(() => new Date(), now),
    findApiClient: async () => api,
    findSlackClient: async () => client,
  });
  const savedDigests: DailyDigest[] = [];
  for (let index = 0; index < CHANNELS * ZONES.length; index += 1) {
    const zone = ZONES[index % ZONES.length] ?? 'UTC';
    const number = Math.floor(index / ZONES.length);
    const channel = workspace.admin.addChannel(`#plans-${number}-${index}`, { members: ['tester', 'Ana'] });
    const owner = workspace.admin.addPerson({ name: `Owner ${index}` });
    const minute = (index * 97) % (24 * 60);
    const time = { hour: Math.floor(minute / 60), minute: minute % 60 };
    const digest = await digests.save(settings({ channel, zone, time, days: EVERY_DAY }), owner);
    if (digest) savedDigests.push({ id: digest.id, channel, owner, minute, zone });
  }
  // On a busy machine, the accelerated clock is hours further by now.
  const from = Math.max(CLOCK_START, now().getTime());
  workspace.faults.set({
    seed: options.seed,
    webApi: [
      { method: 'chat.postMessage', fault: 'cut', commit: 'first', share: 0.08 },
      { method: 'chat.postMessage', fault: 'cut', commit: 'never', share: 0.04 },
      { method: 'chat.postMessage', fault: 'hang', commit: 'first', share: 0.02 },
      { method: 'chat.postMessage', fault: 'rate-limited', retryAfter: 1, share: 0.04 },
      { method: 'conversations.history', fault: 'rate-limited', retryAfter: 1, share: 0.2 },
    ],
  });
  const input = { database: options.database, apiUrl: workspace.apiUrl, token: workspace.botToken, ...clock };
  const start = async () => {
    const instance = await startProgram(program, JSON.stringify(input));
    await instance.readLine();
    return instance;
  };
  const instances: Program[] = await Promise.all([start(), start()]);
  const endsAt = clock.realStart + options.durationMs;
  let kills = 0;
  // At least three kills, even if each start takes long.
  while (Date.now() < endsAt || kills < 3) {
    await pause(200 + random.drawInteger(1_200));
    const index = random.drawInteger(instances.length);
    await instances[index]?.kill();
    kills += 1;
    instances[index] = await start();
  }
  const until = now();
  workspace.faults.clear();
  let questionCount = 0;
  // Until everything has an outcome, which takes longer on a busy machine.
  for (let round = 0; round < 600; round += 1) {
    questionCount += await answerQuestions();
    const unfinished = await db
      .selectFrom('digest_occurrence')
      .select('id')
      .where('due_at', '<=', until)
      .where((row) =>
        row.or([
          row('next_at', 'is not', null),
          row('notify_at', 'is not', null),
          row('state', '=', 'uncertain'),
        ]),
      )
      .execute();
    // Digests whose slot has no row yet, because both instances may have been down at the end.
    const unclaimed = await db.selectFrom('digest').select('id').where('next_at', '<=', until).execute();
    if (unfinished.length === 0 && unclaimed.length === 0) break;
    await pause(500);
  }
  for (const instance of instances) await instance.kill();
  const messages = (await readAllMessages()).filter(({ at }) => at >= CLOCK_START);
  const rows = await db
    .selectFrom('digest_occurrence')
    .select('state')
    .where('due_at', '<=', until)
    .execute();
  await db.destroy();
  await api.close();
  await workspace.close();
  const verdict = checkDigests({ digests: savedDigests, from, until: until.getTime(), messages });
  return { verdict, kills, questionCount, states: rows.map(({ state }) => state) };

  async function answerQuestions(): Promise<number> {
    const rows = await db
      .selectFrom('digest_occurrence')
      .selectAll()
      .where('state', '=', 'uncertain')
      .execute();
    const messages = rows.length > 0 ? await readAllMessages() : [];
    for (const row of rows) {
      // The question itself names the row too.
      const isSent = messages.some(
        ({ channel, metadata }) => channel === row.channel && JSON.stringify(metadata ?? {}).includes(row.id),
      );
      await (isSent ? pressConfirmSent : pressSendAgain)(digests, row);
    }
    return rows.length;
  }

  async function readAllMessages(): Promise<SentMessage[]> {
    const messages: SentMessage[] = [];
    for (const { channel, owner } of savedDigests) {
      const { channel: direct } = await client.conversations.open({ users: owner });
      for (const [id, recordedChannel] of [
        [channel, channel],
        [direct?.id ?? '', owner.replace(/^U/, 'D')],
      ] as const) {
        const history = await client.conversations.history({
          channel: id,
          limit: 999,
          include_all_metadata: true,
        });
        for (const { ts = '0', text = '', metadata } of history.messages ?? []) {
          const recordedMetadata = metadata && { metadata: { event_type: '', event_payload: metadata } };
          messages.push({ ts, channel: recordedChannel, at: Number(ts) * 1000, text, ...recordedMetadata });
        }
      }
    }
    return messages;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
