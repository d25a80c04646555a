import type { FaultPlan } from 'scheduling-service-emulator';
import { createApiClient } from '../src/api/client.ts';
import { postSubmission } from '../src/features/schedule-post/sent/post-submission.ts';
import { createPostAt, createPostSubmissions, sendPost } from '../test/support/post-submissions.ts';
import { startPracticeService } from '../test/support/practice-service.ts';
import { findFirstProjectId } from './submissions/first-project.ts';
import { openBenchDatabase, waitUntilNoSubmissionIsInProgress } from './submissions/open-bench-database.ts';
import { createScaledPace } from './submissions/scaled-pace.ts';

/**
 * Submits posts while the service fails at random, with all waits shortened to a hundredth. Counts the posts that are
 * lost, duplicated or never finished. A post is lost if it is neither in the service nor waiting for a person.
 * Compares with a naive app, which calls the service when the form is submitted and retries on an error.
 */
const SUBMISSION_COUNT = Number(process.env.SUBMISSIONS ?? 10_000);
const SCALE = 100;
/** Timeout of a call. A hundredth of the usual 15 s would be too short on a busy machine. */
const CALL_TIMEOUT_MS = 600;
const CONCURRENCY = 40;
/** One in this many people presses the button twice. */
const DOUBLE_PRESS_INTERVAL = 8;
const MAX_RUN_MS = 10 * 60_000;
const NAIVE_ATTEMPTS = 4;

const FAULTS: FaultPlan = {
  seed: 6,
  rules: [
    { operation: 'createPost', share: 0.04, fault: 'cut', commit: 'first' },
    { operation: 'createPost', share: 0.04, fault: 'cut', commit: 'never' },
    { operation: 'createPost', share: 0.03, fault: 'status', status: 503, commit: 'first' },
    { operation: 'createPost', share: 0.03, fault: 'status', status: 502, commit: 'never' },
    { operation: 'createPost', share: 0.01, fault: 'cut', commit: { lateMs: 300 } },
    { operation: 'createPost', share: 0.01, fault: 'hang', commit: { lateMs: 900 } },
    // Later than Upnext's last attempt to reconcile the post.
    { operation: 'createPost', share: 0.005, fault: 'cut', commit: { lateMs: 4_000 } },
    { operation: 'createPost', share: 0.01, fault: 'hang', commit: 'first' },
    { operation: 'createPost', share: 0.01, fault: 'hang', commit: 'never' },
    { operation: 'createPost', share: 0.02, fault: 'garbage', garbage: 'html' },
    { operation: 'createPost', share: 0.01, fault: 'garbage', garbage: 'cut-json' },
    { operation: 'createPost', share: 0.02, fault: 'status', status: 429, retryAfter: 0 },
    { operation: 'createPost', share: 0.005, fault: 'status', status: 409, commit: 'never' },
    { operation: 'listPosts', share: 0.03, fault: 'cut', commit: 'never' },
    { operation: 'listPosts', share: 0.03, fault: 'status', status: 503 },
    { operation: 'listPosts', share: 0.01, fault: 'hang', commit: 'never' },
  ],
};

export async function measureSubmissions(): Promise<void> {
  const service = await startPracticeService();
  const api = createApiClient({ baseUrl: service.url, token: service.token, maxCallMs: CALL_TIMEOUT_MS });
  const projectId = await findFirstProjectId(api);
  const rows: string[][] = [
    ['', 'once', 'waiting for a person', 'lost', 'duplicated', 'unfinished', 'calls', 's'],
  ];
  for (const [name, run] of [
    ['Upnext', runUpnext],
    ['naive app', runNaiveApp],
  ] as const) {
    await service.faults.set(FAULTS);
    const startedAt = performance.now();
    const { waitingTexts, unfinishedCount } = await run(api, projectId, name);
    await service.faults.waitForAll();
    const seconds = (performance.now() - startedAt) / 1000;
    const { calls } = service.faults.counts();
    await service.faults.clear();
    const postCounts = await service.posts.countAllByContent();
    const counts = { once: 0, waiting: 0, lost: 0, duplicated: 0 };
    for (let index = 0; index < SUBMISSION_COUNT; index += 1) {
      const copies = postCounts.get(renderPostText(name, index)) ?? 0;
      if (copies > 1) counts.duplicated += 1;
      else if (waitingTexts.has(renderPostText(name, index))) counts.waiting += 1;
      else if (copies === 1) counts.once += 1;
      else counts.lost += 1;
    }
    const callCount = Object.values(calls).reduce((sum, count) => sum + (count ?? 0), 0);
    rows.push([
      name,
      ...[counts.once, counts.waiting, counts.lost, counts.duplicated, unfinishedCount, callCount].map(
        String,
      ),
      seconds.toFixed(0),
    ]);
  }
  for (const row of rows)
    console.log(`  ${row.map((cell, index) => cell.padEnd(index === 0 ? 14 : 21)).join('')}`);
  await api.close();
  await service.close();
}

type ApiClient = ReturnType<typeof createApiClient>;
interface RunResult {
  /** Texts that wait for a person's decision, or whose author was notified that they weren't sent. */
  waitingTexts: ReadonlySet<string>;
  /** Number of submissions that never finished. */
  unfinishedCount: number;
}

const renderPostText = (name: string, index: number) => `${name} ${index}`;

async function runUpnext(api: ApiClient, projectId: string, name: string): Promise<RunResult> {
  const { db, close } = await openBenchDatabase();
  const onError = (message: string, fields: object) => console.error(message, fields);
  const submissions = createPostSubmissions({ db, api, pace: createScaledPace(SCALE), onError });
  submissions.start();
  const forms = new Map<string, string>();
  await runPooled(SUBMISSION_COUNT, async (index) => {
    const content = createPostAt(renderPostText(name, index), index, projectId);
    const formId = `form-${index}`;
    forms.set(formId, content.values.text);
    const pressCount = index % DOUBLE_PRESS_INTERVAL === 0 ? 2 : 1;
    await Promise.all(Array.from({ length: pressCount }, () => sendPost(submissions, content, { formId })));
  });
  const hasFinished = await waitUntilNoSubmissionIsInProgress(db, MAX_RUN_MS);
  await submissions.stop();
  const rows = await db.selectFrom('submission').select(['origin', 'state']).execute();
  const waitingRows = rows.filter(({ state }) => ['unsure', 'blocked', 'refused', 'gave-up'].includes(state));
  const finishedCount = rows.filter(({ state }) => state === 'confirmed').length + waitingRows.length;
  await close();
  const waitingTexts = new Set(waitingRows.flatMap(({ origin }) => forms.get(origin) ?? []));
  const unfinishedCount = hasFinished
    ? SUBMISSION_COUNT - finishedCount
    : Math.max(1, SUBMISSION_COUNT - finishedCount);
  return { waitingTexts, unfinishedCount };
}

/** Works like many apps: makes a few attempts with backoff, and then shows an error. */
async function runNaiveApp(api: ApiClient, projectId: string, name: string): Promise<RunResult> {
  await runPooled(SUBMISSION_COUNT, async (index) => {
    const content = createPostAt(renderPostText(name, index), SUBMISSION_COUNT + index, projectId);
    for (let attempt = 1; attempt <= NAIVE_ATTEMPTS; attempt += 1) {
      const outcome = await postSubmission.send(api, content);
      if (outcome.kind === 'done') return;
      await new Promise((resolve) => setTimeout(resolve, (1_000 / SCALE) * 2 ** attempt));
    }
  });
  return { waitingTexts: new Set(), unfinishedCount: 0 };
}

async function runPooled(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let nextIndex = 0;
  const worker = async () => {
    for (let index = nextIndex++; index < count; index = nextIndex++) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
