import { Pool } from 'pg';
import { createBarePosts } from '../ratios/bare-posts.ts';

/** Sends `COUNT` posts without an app, `CONCURRENCY` at once, after as many to warm up. Prints the rate per second. */

const { COUNT = '', CONCURRENCY = '', DATABASE_URL, SERVICE_URL = '' } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(CONCURRENCY) });
const sendPost = await createBarePosts(pool, SERVICE_URL);

async function sendPosts(): Promise<number> {
  let startedCount = 0;
  const sendInTurn = async () => {
    while (startedCount < Number(COUNT)) {
      startedCount += 1;
      await sendPost(`Post ${startedCount}: ${'a text of the usual length. '.repeat(6)}`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Number(CONCURRENCY) }, sendInTurn));
  return startedCount / ((performance.now() - startedAt) / 1000);
}

await sendPosts();
console.log(`rate ${(await sendPosts()).toFixed(0)}`);
process.exit();
