import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { sendSigned } from '../test/support/send-signed.ts';
import { ATTACKS, type Attack } from './hostile/attacks.ts';
import { startTarget, type Target } from './hostile/target.ts';
import { type Server, startServer } from './server.ts';
import { computePercentile } from './submissions/open-bench-database.ts';

/**
 * Measures the acknowledgement times of other members and the memory of the process while one member or tenant
 * attacks at full speed. `npm run bench -- hostile --seconds 30 --only 3` runs only the attacks of group 3, 30 seconds each.
 */
const DEFAULT_SECONDS = '30';
const WARM_UP_SECONDS = 5;
/** Time between two commands of the other members. */
const COMMAND_INTERVAL_MS = 100;
/** There are several, so that none of them reaches a rate limit. */
const OTHER_MEMBER_IDS = ['U02BENOKAF', 'U03MIRAVOS', 'U04TOMSATO', 'U05PRIYANA'];
/** Timeout of a command. Longer than Slack's timeout of 3 s, so that longer waits are measured too. */
const TIMEOUT_MS = 10_000;
const MAX_P99_MS = 500;
const MAX_MEMORY_MB = 700;

export async function measureAttacks(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string', default: DEFAULT_SECONDS }, only: { type: 'string', default: '' } },
  });
  const attacks = ATTACKS.filter(({ group }) => values.only === '' || values.only === String(group));
  const postgres = await startPostgres();
  try {
    await runOnDatabase('PGlite', {}, attacks, Number(values.seconds));
    if (!postgres) return console.log('  on Postgres: not run, not installed');
    await runOnDatabase(
      'Postgres',
      { DATABASE_URL: postgres.url('postgres', 'postgres') },
      attacks,
      Number(values.seconds),
    );
  } finally {
    await postgres?.stop();
  }
}

async function runOnDatabase(
  name: string,
  env: Record<string, string>,
  attacks: readonly Attack[],
  seconds: number,
) {
  console.log(`  on ${name}, ${seconds} s each (limits: p99 ${MAX_P99_MS} ms, memory ${MAX_MEMORY_MB} MB)`);
  for (const attack of attacks) {
    const service = startServer('bench/servers/hostile-service.ts', { LISTS: attack.lists });
    try {
      const [, port] = await service.waitForOutput(/port (\d+)/);
      const url = `http://127.0.0.1:${port}`;
      await measureAttack(
        attack,
        await startTarget({ ...env, ...attack.env, SCHEDULING_API_URL: url }),
        seconds,
      );
    } finally {
      service.stop();
      await service.exit;
    }
  }
}

async function measureAttack(attack: Attack, target: Target, seconds: number): Promise<void> {
  let attacker: Server | undefined;
  try {
    // The app compiles patterns for a second after its start.
    await measureWaits(target, WARM_UP_SECONDS);
    attacker = await startAttacker(attack, target);
    const { waits, failedCount } = await measureWaits(target, seconds);
    const memoryMb = target.readPeakMemoryMb()?.toFixed(0) ?? 'unknown';
    const label = `${attack.group}: ${attack.name}`;
    const formatPercentile = (share: number) => computePercentile(waits, share).toFixed(0).padStart(6);
    console.log(
      `    ${label.padEnd(34)} p50 ${formatPercentile(0.5)} ms  p99 ${formatPercentile(0.99)} ms  max ${formatPercentile(1)} ms  ${failedCount} failed  ${memoryMb} MB`,
    );
  } finally {
    attacker?.stop();
    await attacker?.exit;
    await target.stop();
  }
}

async function startAttacker(attack: Attack, target: Target) {
  const { mode, payloads } = await attack.prepare(target);
  const attacker = startServer('bench/servers/attacker.ts', {
    MODE: mode,
    URL: target.url,
    PORT: String(target.port),
    SECRET: target.workspace.signingSecret,
    PAYLOADS: JSON.stringify(payloads),
  });
  await attacker.waitForOutput(/under way/);
  return attacker;
}

/** Measures the waits of other members (ms). They send `/upnext help` at a fixed rate without waiting for responses. */
async function measureWaits(
  target: Target,
  seconds: number,
): Promise<{ waits: number[]; failedCount: number }> {
  const { url, workspace } = target;
  const waits: number[] = [];
  let failedCount = 0;
  const sendHelp = async (count: number) => {
    const startedAt = performance.now();
    const payload = {
      command: '/upnext',
      text: 'help',
      team_id: workspace.team.id,
      user_id: OTHER_MEMBER_IDS[count % OTHER_MEMBER_IDS.length],
      user_name: 'ben',
      channel_id: 'C01GENERAL',
      trigger_id: `${performance.now()}.1.1`,
      response_url: `${workspace.url}/response/none`,
    };
    const sending = sendSigned({ url, signingSecret: workspace.signingSecret }, payload, 0).catch(
      () => undefined,
    );
    const response = await Promise.race([sending, delay(TIMEOUT_MS)]);
    waits.push(performance.now() - startedAt);
    if (response?.status !== 200) failedCount += 1;
  };
  const requests: Promise<void>[] = [];
  for (let count = 0; count < (seconds * 1000) / COMMAND_INTERVAL_MS; count += 1) {
    requests.push(sendHelp(count));
    await delay(COMMAND_INTERVAL_MS);
  }
  await Promise.all(requests);
  return { waits, failedCount };
}
