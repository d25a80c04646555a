import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DEFAULT_POLICY, savePolicy } from '../src/preferences/project-policy.ts';
import { type Running, startBot } from '../test/support/bot.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';
import { printVerdict } from './print-verdict.ts';

/**
 * Counts what a person presses to plan a month of posts with a file, a weekly series, and a post with two texts: in what
 * reaches the app. Each choice in a menu, each button and each dropped file counts; typing doesn't. The posts that are stored
 * then are compared.
 */

interface Task {
  name: string;
  maxPresses: number;
  postCount: number;
  run(running: Running): Promise<void>;
}

const DAYS = 31;
/** Slack waits longer for a form on a slow machine. */
const PACE = { acknowledgementTimeoutMs: 2_800 };
/** The posts of a series are made after it is stored. */
const MAX_WAIT_MS = 10_000;

const TASKS: readonly Task[] = [
  {
    name: `${DAYS} posts by import`,
    maxPresses: 2,
    postCount: DAYS,
    async run(running) {
      const rows = Array.from(
        { length: DAYS },
        (_, day) => `2026-12-${`${day + 1}`.padStart(2, '0')} 09:00,X,Harbour Coffee,Post ${day + 1}`,
      );
      const bytes = new TextEncoder().encode(['Time,Platforms,Project,Text', ...rows].join('\n'));
      const ana = await running.workspace.as('Ana').inDirectMessage();
      await ana.drop([{ name: 'posts.csv', bytes }]);
      await ana.sees('Nothing is imported yet.');
      await ana.press(`Import ${DAYS} posts`);
      await ana.sees(`${DAYS} posts imported`);
    },
  },
  {
    name: 'a weekly series, from a typed line',
    maxPresses: 2,
    postCount: 5,
    async run(running) {
      const ana = running.workspace.as('Ana').in('#harbour-coffee');
      await ana.type('/schedule-post every monday at 9 on x: Hello');
      const form = await ana.modal('Schedule a post');
      await form.submit();
      await ana.sees('[Start series]');
      await (await ana.modal('New series')).submit();
      await ana.sees('Saved.');
    },
  },
  {
    name: 'one post with two texts, in the form',
    maxPresses: 4,
    postCount: 1,
    async run(running) {
      const ana = running.workspace.as('Ana').in('#harbour-coffee');
      await ana.type('/schedule-post');
      const form = await ana.modal('Schedule a post');
      await form.fill('Text', 'We open at nine');
      await form.choose('Platforms', ['X']);
      await form.choose('Platforms', ['X', 'LinkedIn']);
      await form.fill('When', '1 Dec 9am');
      await ana.sees('Different text for');
      await form.choose('Different text for', ['X']);
      await ana.sees('Text for X');
      await form.fill('Text for X', 'At nine!');
      await form.submit();
      await ana.sees('Text for X:');
    },
  },
];

const chosen = z.object({ actions: z.array(z.object({ type: z.string() })) });

/** Lists the presses that have reached the app, by the names of their requests. */
function listPresses({ workspace }: Running): string[] {
  const isPress = ({ kind, name, payload }: ReturnType<typeof workspace.app.requests>[number]) =>
    kind === 'view_submission' ||
    name === 'file_shared' ||
    (kind === 'block_actions' &&
      chosen.parse(payload).actions.some(({ type }) => type !== 'plain_text_input'));
  return workspace.app
    .requests()
    .filter(isPress)
    .map(({ name }) => name);
}

export async function countPresses(): Promise<void> {
  for (const task of TASKS) {
    const database = await openBotDatabase();
    const running = await startBot({ db: database.db, pace: PACE });
    await savePolicy(
      database.db,
      { workspace: 'T01HARBOUR', project: 'p1' },
      { ...DEFAULT_POLICY, leadMinutes: 60 },
    );
    await task.run(running);
    const presses = listPresses(running);
    const readPosts = () => database.db.selectFrom('held_post').select('id').execute();
    const deadline = performance.now() + MAX_WAIT_MS;
    while ((await readPosts()).length < task.postCount && performance.now() < deadline) await delay(100);
    const posts = await readPosts();
    await running.close();
    await database.close();
    console.log(`  ${task.name}: ${presses.length} presses (${presses.join(', ')})`);
    printVerdict(
      `${task.postCount} posts are stored after ${task.maxPresses} presses`,
      posts.length === task.postCount && presses.length <= task.maxPresses
        ? []
        : [`${posts.length} posts after ${presses.length} presses`],
    );
  }
}
