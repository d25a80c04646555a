import { sendHostile } from '../security/hostile-texts.ts';
import { openBotDatabase } from '../support/bot.ts';

const TEXTS = 50_000;

/** Texts made to come alive, through commands, lists, forms and errors; every payload for Slack is looked at. */
export async function hostileTexts(): Promise<void> {
  const database = await openBotDatabase();
  const started = performance.now();
  const { texts, payloads, alive, failed } = await sendHostile(database.db, {
    texts: TEXTS,
    seed: Date.now(),
  });
  await database.close();
  console.log(
    `  ${texts} texts in ${payloads} payloads, ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  console.log(`  came alive: ${alive.length} (wanted: 0); requests that failed: ${failed.length}`);
  for (const fault of alive.slice(0, 10)) console.log(`    ${fault}`);
}
