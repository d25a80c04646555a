import { createContents } from '../test/explorer/contents.ts';
import { createExplorer } from '../test/explorer/explorer.ts';
import { findFailures, findMarkup } from '../test/explorer/oracles.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';

const TEXT_COUNT = 50_000;
const CONTENT = 'strange texts and records';

/** Sends texts with Slack markup through commands, lists, forms and errors, and checks every payload to Slack. */
export async function measureHostileTexts(): Promise<void> {
  const startedAt = performance.now();
  const faults = new Set<string>();
  let [texts, payloads] = [0, 0];
  for (let seed = Date.now(); texts < TEXT_COUNT; seed += 1) {
    const database = await openBotDatabase();
    const { [CONTENT]: content } = createContents(seed);
    const explorer = await createExplorer(database.db, content ? { [CONTENT]: content } : {});
    const ids = new Set<string>();
    await explorer.explore(CONTENT, (_body, result) => {
      payloads += result.sent.length;
      for (const [id] of JSON.stringify(result.sent).matchAll(/EVIL\d+/g)) ids.add(id);
      for (const fault of [...findMarkup(result.sent), ...findFailures(result)]) faults.add(fault);
    });
    texts += ids.size;
    await explorer.close();
    await database.close();
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`  ${texts} texts in ${payloads} payloads, ${seconds} s`);
  console.log(`  live markup and failed requests: ${faults.size} (limit: 0)`);
  for (const fault of [...faults].slice(0, 10)) console.log(`    ${fault}`);
}
