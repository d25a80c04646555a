import { parseArgs } from 'node:util';
import { MOST_CPU_MS, sendHostilePayloads } from '../security/hostile-payloads.ts';
import { openBotDatabase } from '../support/bot.ts';
import { everyLine } from '../support/explorer.ts';

/** Signed payloads with hostile fields for every command, form, button and list, for so many minutes. */
export async function hostilePayloads(given: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...given],
    options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
  });
  const until = performance.now() + Number(values.minutes) * 60_000;
  const database = await openBotDatabase();
  const found = await sendHostilePayloads(database.db, {
    seed: Number(values.seed),
    lines: everyLine,
    isEnough: () => performance.now() > until,
  });
  await database.close();
  console.log(
    `  ${found.payloads} payloads of ${found.shapes} recorded in ${values.minutes} minutes, --seed ${values.seed}`,
  );
  console.log(`  answered with 500 or not at all: ${found.failed.length} (wanted: 0)`);
  console.log(
    `  over ${MOST_CPU_MS} ms of CPU time: ${found.slow.length} (wanted: 0); the slowest ${found.slowest.toFixed(0)} ms`,
  );
  console.log(`  told nothing but a reference: ${found.unhandled.length} (wanted: 0)`);
  console.log(`  came alive in Slack: ${found.alive.length} (wanted: 0)`);
  for (const fault of [...found.failed, ...found.slow, ...found.unhandled, ...found.alive].slice(0, 40))
    console.log(`    ${fault}`);
}
