import type { FaultPlan } from 'scheduling-service-emulator';
import { createApiClient } from '../src/api/client.ts';
import { createPostAt, createPostSubmissions, sendPost } from '../test/support/post-submissions.ts';
import { startPracticeService } from '../test/support/practice-service.ts';
import { findFirstProjectId } from './submissions/first-project.ts';
import { openBenchDatabase, waitUntilNoSubmissionIsInProgress } from './submissions/open-bench-database.ts';
import { createScaledPace } from './submissions/scaled-pace.ts';

/**
 * The service fails for ten minutes while one post a second is submitted. All waits are divided by ten. Measures the
 * number of requests to the service (normally one count and one creation for each post), and the time to send all
 * posts after the service has recovered.
 */
const SCALE = 10;
const OUTAGE_SECONDS = 600;
const CALL_TIMEOUT_MS = 1_500;

const OUTAGES: Record<string, FaultPlan> = {
  'refuses connections': { down: true },
  'answers 503': { rules: [{ fault: 'status', status: 503 }] },
  hangs: { rules: [{ fault: 'hang', commit: 'never' }] },
  'refuses posts, lists them': { rules: [{ operation: 'createPost', fault: 'status', status: 503 }] },
};

export async function measureOutages(): Promise<void> {
  console.log(
    '  fault                      posts  needs person  requests  of normal (≤ 1.1)  drained after, s (≤ 120)',
  );
  for (const [name, plan] of Object.entries(OUTAGES)) await measureOutage(name, plan);
}

async function measureOutage(name: string, plan: FaultPlan): Promise<void> {
  const service = await startPracticeService();
  const { db, close } = await openBenchDatabase();
  let requests = 0;
  const onCall = () => {
    requests += 1;
  };
  const api = createApiClient({
    baseUrl: service.url,
    token: service.token,
    maxCallMs: CALL_TIMEOUT_MS,
    onCall,
  });
  const project = await findFirstProjectId(api);
  const submissions = createPostSubmissions({ db, api, pace: createScaledPace(SCALE) });
  submissions.start();
  await sendPost(submissions, createPostAt('before', 0, project));
  requests = 0;
  await service.faults.set(plan);
  const pendingSends: Promise<void>[] = [];
  for (let second = 1; second <= OUTAGE_SECONDS; second += 1) {
    pendingSends.push(sendPost(submissions, createPostAt(`${name} ${second}`, second, project)));
    await wait(1_000 / SCALE);
  }
  await service.faults.clear();
  const recoveredAt = performance.now();
  await Promise.all(pendingSends);
  const findUnsent = () =>
    db.selectFrom('submission').select('id').where('state', 'in', ['saved', 'retryable']).execute();
  // Only the wait for the first probe is scaled, not the work after it.
  const waitingCount = (await findUnsent()).length;
  while (waitingCount > 0 && (await findUnsent()).length === waitingCount) await wait(20);
  const probedAt = performance.now();
  while ((await findUnsent()).length > 0) await wait(50);
  const drainSeconds = ((probedAt - recoveredAt) / 1000) * SCALE + (performance.now() - probedAt) / 1000;
  await waitUntilNoSubmissionIsInProgress(db, 60_000);
  const needsPerson = await db
    .selectFrom('submission')
    .select('id')
    .where('state', 'in', ['unsure', 'blocked'])
    .execute();
  const cells = [
    String(OUTAGE_SECONDS).padStart(5),
    String(needsPerson.length).padStart(13),
    String(requests).padStart(9),
    (requests / (2 * OUTAGE_SECONDS)).toFixed(2).padStart(18),
    drainSeconds.toFixed(0).padStart(25),
  ];
  console.log(`  ${name.padEnd(26)} ${cells.join(' ')}`);
  await submissions.stop();
  await api.close();
  await close();
  await service.close();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
