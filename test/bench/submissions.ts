import { createApiClient } from '../../src/api/client.ts';
import type { FaultPlan } from '../../src/emulators/service/service.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { postAt, postingMachine, sendPost } from '../support/posting.ts';
import { startPracticeService } from '../support/practice-service.ts';
import { firstProject } from './submissions/first-project.ts';
import { openBenchDatabase, untilQuiet } from './submissions/open-bench-database.ts';
import { scaledPace } from './submissions/scaled-pace.ts';

/**
 * Submits posts while the service fails at random, with all waits shortened to a hundredth. Counts the posts that are
 * lost, duplicated or never finished. A post is lost if it is neither in the service nor waiting for a person.
 * Compares with a naive app, which calls the service when the form is submitted and retries on an error.
 */
const COUNT = Number(process.env.SUBMISSIONS ?? 10_000);
const SCALE = 100;
/** Timeout of a call. Not a hundredth of 15 s, which is too short on a busy machine. */
const CALL_MS = 600;
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

export async function submissions(): Promise<void> {
  const service = await startPracticeService();
  const api = createApiClient({ baseUrl: service.url, token: service.token, maxCallMs: CALL_MS });
  const projectId = await firstProject(api);
  const rows: string[][] = [
    ['', 'once', 'waiting for a person', 'lost', 'duplicated', 'unfinished', 'calls', 's'],
  ];
  for (const [name, run] of [
    ['Upnext', runUpnext],
    ['naive app', runNaiveApp],
  ] as const) {
    await service.faults.set(FAULTS);
    const startedAt = performance.now();
    const { asked, open } = await run(api, projectId, name);
    await service.faults.waitForAll();
    const seconds = (performance.now() - startedAt) / 1000;
    const { calls } = service.faults.counts();
    await service.faults.clear();
    const postCounts = await service.posts.byContent();
    const counts = { once: 0, asked: 0, lost: 0, duplicated: 0 };
    for (let index = 0; index < COUNT; index += 1) {
      const times = postCounts.get(postText(name, index)) ?? 0;
      if (times > 1) counts.duplicated += 1;
      else if (asked.has(postText(name, index))) counts.asked += 1;
      else if (times === 1) counts.once += 1;
      else counts.lost += 1;
    }
    const sent = Object.values(calls).reduce((sum, count) => sum + (count ?? 0), 0);
    rows.push([
      name,
      ...[counts.once, counts.asked, counts.lost, counts.duplicated, open, sent].map(String),
      seconds.toFixed(0),
    ]);
  }
  for (const row of rows)
    console.log(`  ${row.map((cell, index) => cell.padEnd(index === 0 ? 14 : 21)).join('')}`);
  await api.close();
  await service.close();
}

type Client = ReturnType<typeof createApiClient>;
interface Run {
  /** Texts that wait for a person's decision, or whose author was notified that they weren't sent. */
  asked: ReadonlySet<string>;
  /** Number of submissions that never finished. */
  open: number;
}

const postText = (name: string, index: number) => `${name} ${index}`;

async function runUpnext(api: Client, projectId: string, name: string): Promise<Run> {
  const { db, close } = await openBenchDatabase();
  const onError = (message: string, fields: object) => console.error(message, fields);
  const machine = postingMachine({ db, api, pace: scaledPace(SCALE), onError });
  machine.start();
  const forms = new Map<string, string>();
  await runPooled(COUNT, async (index) => {
    const content = postAt(postText(name, index), index, projectId);
    const formId = `form-${index}`;
    forms.set(formId, content.values.text);
    const presses = index % DOUBLE_PRESS_INTERVAL === 0 ? 2 : 1;
    await Promise.all(Array.from({ length: presses }, () => sendPost(machine, content, { formId })));
  });
  const isQuiet = await untilQuiet(db, MAX_RUN_MS);
  await machine.stop();
  const rows = await db.selectFrom('submission').select(['origin', 'state']).execute();
  const waiting = rows.filter(({ state }) => ['needs-person', 'refused', 'gave-up'].includes(state));
  const finished = rows.filter(({ state }) => state === 'confirmed').length + waiting.length;
  await close();
  const asked = new Set(waiting.flatMap(({ origin }) => forms.get(origin) ?? []));
  return { asked, open: isQuiet ? COUNT - finished : Math.max(1, COUNT - finished) };
}

/** Works like many apps: makes a few attempts with backoff, and then shows an error. */
async function runNaiveApp(api: Client, projectId: string, name: string): Promise<Run> {
  await runPooled(COUNT, async (index) => {
    const content = postAt(postText(name, index), COUNT + index, projectId);
    for (let attempt = 1; attempt <= NAIVE_ATTEMPTS; attempt += 1) {
      const outcome = await postSubmission.send(api, content);
      if (outcome.kind === 'done') return;
      await new Promise((resolve) => setTimeout(resolve, (1_000 / SCALE) * 2 ** attempt));
    }
  });
  return { asked: new Set(), open: 0 };
}

async function runPooled(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
