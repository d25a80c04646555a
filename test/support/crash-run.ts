import { randomUUID } from 'node:crypto';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { type Program, startProgram } from './program.ts';
import type { Stage, TruthService } from './truth-service.ts';

/**
 * Points at which a process is killed. It kills itself, or the service kills it at points that only the service sees.
 */
export const POINTS = [
  'before-row',
  'after-row',
  'before-sending',
  'after-sending',
  'mid-body',
  'after-body',
  'after-headers',
  'before-result',
  'after-result',
  'after-acknowledgement',
  'before-view',
  'after-claim',
  'reconciling',
  'before-message',
] as const;
export type Point = (typeof POINTS)[number];

/** Points that only the service sees. */
const STAGES: readonly string[] = ['mid-body', 'after-body', 'after-headers'];
/**
 * Points after an unknown outcome. The service causes the outcome: it closes the connection before its first
 * response.
 */
const CUT: readonly string[] = ['after-claim', 'reconciling', 'before-view', 'before-message'];
/** Length of a text that needs several packets, so that a request can be cut in the middle. */
const LONG_TEXT_LENGTH = 400_000;
/** Timeout of a run, several times the limit at normal pace. */
const RUN_TIMEOUT_MS = 300_000;

const program = new URL('../submissions/programs/sender.ts', import.meta.url);

export interface CrashRun {
  point: Point;
  /** The number of posts in the service with this content. 1 is correct. 0 is correct if the author has to decide. */
  copies: number;
  state: string;
  reason: string | null;
  /** Time from the restart until the submission was claimed. */
  resumedAfterMs: number;
  /** Time from the restart until the submission was final and its author was notified. */
  ms: number;
  /** Views and messages that the author saw. */
  shown: string[];
  /** The typed content. The service must never have it more than once. */
  content: string;
}

/**
 * Sends one submission for each point, one after the other, on the same database. The process is killed (SIGKILL) at
 * the point. The next process completes the submission, sends the next one, and is killed at the next point.
 */
export async function* crashChain(options: {
  points: readonly Point[];
  database: string;
  service: TruthService;
  /** Whether the author presses [Send] again after the crash at this point. */
  pressesAgain(index: number): boolean;
  /** Whether the waits are the usual ones. Defaults to false: the waits are a hundredth of them. */
  usual?: boolean;
}): AsyncGenerator<CrashRun> {
  const { points, database, service, pressesAgain, usual = false } = options;
  const input = JSON.stringify({ database, service: service.url, usual });
  const start = async () => {
    const started = await startProgram(program, input);
    await started.line();
    return started;
  };
  let running = await start();
  try {
    for (const [index, point] of points.entries()) {
      const content = `${point} ${randomUUID()}`;
      const send = { do: 'send', formId: randomUUID(), content: postContent(content, index) };
      const length = point === 'mid-body' ? LONG_TEXT_LENGTH : 0;
      watch(service, point, running.pid);
      const sendToPoint = () =>
        sendOrder(running, { ...send, length, killAt: point, viewGone: point === 'before-message' });
      sendToPoint();
      const before = await readUntilKilled(running, point, sendToPoint);
      service.watch(() => undefined);

      const restarted = performance.now();
      running = await start();
      // A submission that wasn't saved exists only in the author's form.
      const sendAgain = () => sendOrder(running, { ...send, length });
      if (pressesAgain(index) || point === 'before-row') sendAgain();
      const { row, lines, resumedAt } = await waitUntilFinished(running, send.formId, sendAgain);
      const copies = countCopies(service, content);
      const ms = performance.now() - restarted;
      const resumedAfterMs = resumedAt - restarted;
      const shown = [...before, ...lines];
      yield { point, copies, state: row.state, reason: row.reason, resumedAfterMs, ms, shown, content };
    }
  } finally {
    await running.kill();
  }
}

/** Counts the posts with this content in the service. */
export function countCopies(service: TruthService, content: string): number {
  return service.posts.filter((post) => post.Content.startsWith(content)).length;
}

/**
 * Creates a database whose last migration is interrupted `times` times before its commit. Resolves with true if each
 * start repeats the migration and the last start completes it.
 */
export async function crashWhileMigrating(database: string, service: string, times = 1): Promise<boolean> {
  const input = { database, service };
  for (let time = 0; time < times; time += 1) {
    const stopped = await startProgram(program, JSON.stringify({ ...input, killAt: 'migrating' }));
    const lines = await readUntilKilled(stopped, 'migrating');
    if (lines.length > 0) return false;
  }
  const restarted = await startProgram(program, JSON.stringify(input));
  const isComplete = (await restarted.line()) === 'started';
  await restarted.kill();
  return isComplete;
}

function watch(service: TruthService, point: Point, pid: number): void {
  service.watch((stage: Stage) => {
    if (STAGES.includes(point) && stage === point) process.kill(pid, 'SIGKILL');
    return CUT.includes(point) && stage === 'after-body' ? 'cut' : undefined;
  });
}

function sendOrder(running: Program, order: object): void {
  running.send(JSON.stringify(order));
}

/** The output if a form couldn't be saved in time because the machine is too busy. The form then stays open. */
const NOT_SAVED = 'ack Again';

/** Reads the output until the process is killed, and returns its lines. */
async function readUntilKilled(
  stopped: Program,
  point: string,
  sendAgain: () => void = () => undefined,
): Promise<string[]> {
  const lines: string[] = [];
  let isTimedOut = false;
  const timeout = setTimeout(() => {
    isTimedOut = true;
    process.kill(stopped.pid, 'SIGKILL');
  }, RUN_TIMEOUT_MS);
  try {
    for (;;) {
      const line = await stopped.line();
      if (line === NOT_SAVED) sendAgain();
      else lines.push(line);
    }
  } catch {
    clearTimeout(timeout);
  }
  if (isTimedOut) throw new Error(`the process never reached “${point}”; output: ${lines.join(', ')}`);
  return lines;
}

interface Row {
  state: string;
  reason: string | null;
  fence: number;
  notify_at: boolean;
}

/** Waits until the submission is final or needs its author, and the author was notified. */
async function waitUntilFinished(running: Program, formId: string, sendAgain: () => void) {
  const lines: string[] = [];
  const began = performance.now();
  let first: Row | undefined;
  let resumedAt: number | undefined;
  for (;;) {
    sendOrder(running, { do: 'state', formId });
    let line = await running.line();
    for (; !line.startsWith('state '); line = await running.line()) {
      if (line === NOT_SAVED) sendAgain();
      else lines.push(line);
    }
    const [row] = JSON.parse(line.slice('state '.length)) as Row[];
    first ??= row;
    if (first && row?.fence !== first.fence) resumedAt ??= performance.now();
    if (row && !row.notify_at && ['confirmed', 'needs-person'].includes(row.state)) {
      return { row, lines, resumedAt: resumedAt ?? performance.now() };
    }
    if (performance.now() - began > RUN_TIMEOUT_MS)
      throw new Error(`the submission did not finish: ${line}; ${lines.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Each post gets its own minute, so that posts don't conflict. */
function postContent(text: string, minute: number): PostContent {
  const instant = new Date(Date.UTC(2030, 0, 1) + minute * 300_000).toISOString();
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: 'p1', name: 'Harbour Coffee' },
    moment: { instant, zone: 'UTC' },
  };
}
