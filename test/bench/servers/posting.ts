import { join, resolve } from 'node:path';

/** Submits `COUNT` posts with the checkout in `FOLDER`, and prints posts per second. */

const { FOLDER = '.', DATABASE_URL = '', COUNT = '' } = process.env;
const AT_ONCE = 20;
const WARM_UP = 200;
const MAX_RUN_MS = 10 * 60_000;

const load = (path: string) => import(join(resolve(FOLDER), path));
const { openDatabase }: typeof import('../../../src/store/database.ts') = await load('src/store/database.ts');
const { createPostgresDialect }: typeof import('../../../src/store/postgres-dialect.ts') = await load(
  'src/store/postgres-dialect.ts',
);
const { migrations }: typeof import('../../../src/store/migrations.ts') =
  await load('src/store/migrations.ts');
const { createApiClient }: typeof import('../../../src/api/client.ts') = await load('src/api/client.ts');
const { PACE }: typeof import('../../../src/submissions/pace.ts') = await load('src/submissions/pace.ts');
const { postAt, postingMachine, sendPost }: typeof import('../../support/posting.ts') =
  await load('test/support/posting.ts');
const { startPracticeService }: typeof import('../../support/practice-service.ts') = await load(
  'test/support/practice-service.ts',
);
const { firstProject }: typeof import('../submissions/first-project.ts') = await load(
  'test/bench/submissions/first-project.ts',
);
const { untilQuiet }: typeof import('../submissions/open-bench-database.ts') = await load(
  'test/bench/submissions/open-bench-database.ts',
);

const db = await openDatabase<import('../../../src/store/schema.ts').BotSchema>({
  dialect: createPostgresDialect(DATABASE_URL),
  migrations,
});
const service = await startPracticeService();
const api = createApiClient({ baseUrl: service.url, token: service.token });
const projectId = await firstProject(api);
const onError = (message: string, facts: object) => console.error(message, facts);
const machine = postingMachine({ db, api, pace: PACE, onError });
machine.start();

async function post(first: number, count: number): Promise<number> {
  let next = first;
  const one = async () => {
    for (let index = next++; index < first + count; index = next++)
      await sendPost(machine, postAt(`post ${index}`, index, projectId), { formId: `form-${index}` });
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  await untilQuiet(db, MAX_RUN_MS);
  return count / ((performance.now() - started) / 1000);
}

await post(0, WARM_UP);
console.log(`${await post(WARM_UP, Number(COUNT))} posts/s`);
await machine.stop();
await api.close();
await service.close();
await db.destroy();
