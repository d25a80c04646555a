import { join, resolve } from 'node:path';

/**
 * Submits `COUNT` posts with the checkout in `FOLDER`. Prints the number of posts, including those to warm up, and the
 * rate in posts per second.
 */

const { FOLDER = '.', DATABASE_URL = '', COUNT = '' } = process.env;
const CONCURRENCY = 20;
const WARM_UP_COUNT = 200;
const MAX_RUN_MS = 10 * 60_000;

const importModule = (path: string) => import(join(resolve(FOLDER), path));
const { openDatabase }: typeof import('../../src/store/database.ts') =
  await importModule('src/store/database.ts');
const { createPostgresDialect }: typeof import('../../src/store/postgres-dialect.ts') = await importModule(
  'src/store/postgres-dialect.ts',
);
const { migrations }: typeof import('../../src/app/migrations.ts') =
  await importModule('src/app/migrations.ts');
const { createApiClient }: typeof import('../../src/api/client.ts') = await importModule('src/api/client.ts');
const { PACE }: typeof import('../../src/submissions/pace.ts') =
  await importModule('src/submissions/pace.ts');
const {
  createPostAt,
  createPostSubmissions,
  sendPost,
}: typeof import('../../test/support/post-submissions.ts') = await importModule(
  'test/support/post-submissions.ts',
);
const { startPracticeService }: typeof import('../../test/support/practice-service.ts') = await importModule(
  'test/support/practice-service.ts',
);
const { findFirstProjectId }: typeof import('../submissions/first-project.ts') = await importModule(
  'bench/submissions/first-project.ts',
);
const { waitUntilNoSubmissionIsInProgress }: typeof import('../submissions/open-bench-database.ts') =
  await importModule('bench/submissions/open-bench-database.ts');

const db = await openDatabase<import('../../src/handlers/schema.ts').BotSchema>({
  dialect: createPostgresDialect(DATABASE_URL),
  migrations,
});
const service = await startPracticeService();
const api = createApiClient({ baseUrl: service.url, token: service.token });
const projectId = await findFirstProjectId(api);
const onError = (message: string, fields: object) => console.error(message, fields);
const submissions = createPostSubmissions({ db, api, pace: PACE, onError });
submissions.start();

async function submitPosts(first: number, count: number): Promise<number> {
  let nextIndex = first;
  const sendInTurn = async () => {
    for (let index = nextIndex++; index < first + count; index = nextIndex++)
      await sendPost(submissions, createPostAt(`post ${index}`, index, projectId), {
        formId: `form-${index}`,
      });
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
  await waitUntilNoSubmissionIsInProgress(db, MAX_RUN_MS);
  return count / ((performance.now() - startedAt) / 1000);
}

await submitPosts(0, WARM_UP_COUNT);
const rate = await submitPosts(WARM_UP_COUNT, Number(COUNT));
console.log(`${WARM_UP_COUNT + Number(COUNT)} posts, ${rate} posts/s`);
await submissions.stop();
await api.close();
await service.close();
await db.destroy();
