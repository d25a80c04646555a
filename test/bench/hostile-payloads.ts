import { parseArgs } from 'node:util';
import { MAX_CPU_MS, sendHostilePayloads } from '../security/hostile-payloads.ts';
import { openBotDatabase } from '../support/bot-database.ts';
import { EVERY_LINE } from '../support/explorer.ts';

/** Sends signed payloads with hostile fields for `--minutes`, to every command, form, button and list. */
export async function measureHostilePayloads(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
  });
  const until = performance.now() + Number(values.minutes) * 60_000;
  const database = await openBotDatabase();
  const result = await sendHostilePayloads(database.db, {
    seed: Number(values.seed),
    lines: EVERY_LINE,
    isEnough: () => performance.now() > until,
  });
  await database.close();
  console.log(
    `  ${result.payloads} payloads made from ${result.shapes} recorded payloads in ${values.minutes} minutes, --seed ${values.seed}`,
  );
  console.log(`  answered with 500, or unanswered: ${result.failedPayloads.length} (limit: 0)`);
  console.log(
    `  over ${MAX_CPU_MS} ms of CPU time: ${result.slowPayloads.length} (limit: 0); slowest ${result.slowestMs.toFixed(0)} ms`,
  );
  console.log(`  answered only with an error reference: ${result.unhandledFailures.length} (limit: 0)`);
  console.log(`  live markup in Slack: ${result.liveMarkup.length} (limit: 0)`);
  for (const fault of [
    ...result.failedPayloads,
    ...result.slowPayloads,
    ...result.unhandledFailures,
    ...result.liveMarkup,
  ].slice(0, 40))
    console.log(`    ${fault}`);
}
