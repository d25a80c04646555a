import { parseArgs } from 'node:util';
import { createContents } from '../test/explorer/contents.ts';
import { createExplorer } from '../test/explorer/explorer.ts';
import { createHostilePayload, PayloadRecorder } from '../test/explorer/hostile-payloads.ts';
import { findFailures, findMarkup, findRefusedPayloads } from '../test/explorer/oracles.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';
import { createRandom } from '../test/support/random.ts';

/** Maximum CPU time of a request. */
const MAX_CPU_MS = 250;
/** Attempts for a slow request, because one-time work or other programs may have slowed it down. */
const MAX_ATTEMPTS = 3;

/** Sends payloads with hostile fields for `--minutes`, to every command, form, button and list. */
export async function measureHostilePayloads(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
  });
  const until = performance.now() + Number(values.minutes) * 60_000;
  const random = createRandom(Number(values.seed));
  const database = await openBotDatabase();
  const recorder = new PayloadRecorder();
  const explorer = await createExplorer(database.db, createContents(Number(values.seed)));
  await explorer.explore('strange texts and records', (body) => recorder.add(body));
  const recorded = recorder.list();
  const faults = new Set<string>();
  let [payloads, slowCount, slowestMs] = [0, 0, 0];
  for (; performance.now() < until; payloads += 1) {
    const { body, name } = createHostilePayload(recorded, random);
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && fastestMs > MAX_CPU_MS; attempt += 1) {
      const result = await explorer.world.deliver(body);
      fastestMs = Math.min(fastestMs, result.cpuMs);
      for (const fault of [
        ...findFailures(result),
        ...findRefusedPayloads(result.sent),
        ...findMarkup(result.sent),
      ])
        faults.add(`${fault.slice(0, 500)} after ${name}`);
    }
    slowestMs = Math.max(slowestMs, fastestMs);
    if (fastestMs > MAX_CPU_MS) slowCount += 1;
  }
  await explorer.close();
  await database.close();
  console.log(
    `  ${payloads} payloads made from ${recorded.length} recorded payloads in ${values.minutes} minutes, --seed ${values.seed}`,
  );
  console.log(
    `  over ${MAX_CPU_MS} ms of CPU time: ${slowCount} (limit: 0); slowest ${slowestMs.toFixed(0)} ms`,
  );
  console.log(`  failed, refused by Slack, or with live markup: ${faults.size} (limit: 0)`);
  for (const fault of [...faults].slice(0, 40)) console.log(`    ${fault}`);
}
