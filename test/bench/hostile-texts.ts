import { sendHostile } from '../security/hostile-texts.ts';
import { openBotDatabase } from '../support/bot-database.ts';

const TEXT_COUNT = 50_000;

/** Sends texts with Slack markup through commands, lists, forms and errors, and checks every payload to Slack. */
export async function measureHostileTexts(): Promise<void> {
  const database = await openBotDatabase();
  const startedAt = performance.now();
  const { texts, payloads, markup, failed } = await sendHostile(database.db, {
    texts: TEXT_COUNT,
    seed: Date.now(),
  });
  await database.close();
  console.log(
    `  ${texts} texts in ${payloads} payloads, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  console.log(`  live markup: ${markup.length} (limit: 0); failed requests: ${failed.length}`);
  for (const fault of markup.slice(0, 10)) console.log(`    ${fault}`);
}
