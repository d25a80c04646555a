import { randomUUID } from 'node:crypto';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { type Program, startProgram } from './program.ts';
import type { Stage, TruthService } from './truth-service.ts';

/** The points at which a process is killed: by itself, or by the service at points that only the service sees. */
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
/** Points after an unknown outcome, which the service causes by cutting off its first answer. */
const CUT: readonly string[] = ['after-claim', 'reconciling', 'before-view', 'before-message'];
/** More than one packet, so that a request can be cut in the middle. */
const LONG = 400_000;
/** The timeout of a run: several times what is allowed at normal pace, ms. */
const RUN_TIMEOUT_MS = 300_000;

const program = new URL('../submissions/programs/sender.ts', import.meta.url);

export interface CrashRun {
  point: Point;
  /** Posts in the service with this content. 1 is correct; 0 is too if a person was asked. */
  there: number;
  state: string;
  reason: string | null;
  /** From the restart until the submission was claimed, ms. */
  wentOnMs: number;
  /** From the restart until it had ended and its author was notified, ms. */
  ms: number;
  /** What the author was shown. */
  told: string[];
  /** The typed content, which the service must hold at most once, then and later. */
  content: string;
}

/**
 * Sends one submission for each point, one after the other, on the same database. At its point the process is killed
 * (-9). The next process completes that submission, takes the next one, and is killed at the next point.
 */
export async function* crashChain(options: {
  points: readonly Point[];
  database: string;
  service: TruthService;
  /** Whether the author presses [Send] again after the crash at this point. */
  pressesAgain(index: number): boolean;
  /** Run at normal pace. Defaults to a hundred times as fast. */
  usual?: boolean;
}): AsyncGenerator<CrashRun> {
  const { points, database, service, pressesAgain, usual = false } = options;
  const given = JSON.stringify({ database, service: service.url, usual });
  const start = async () => {
    const started = await startProgram(program, given);
    await started.line();
    return started;
  };
  let running = await start();
  try {
    for (const [index, point] of points.entries()) {
      const content = `${point} ${randomUUID()}`;
      const send = { do: 'send', formId: randomUUID(), content: postOf(content, index) };
      const length = point === 'mid-body' ? LONG : 0;
      watch(service, point, running.pid);
      const sendToPoint = () =>
        tell(running, { ...send, length, killAt: point, viewGone: point === 'before-message' });
      sendToPoint();
      const before = await lastWords(running, point, sendToPoint);
      service.watch(() => undefined);

      const restarted = performance.now();
      running = await start();
      // A submission that wasn't saved exists only in the author's form.
      const sendAgain = () => tell(running, { ...send, length });
      if (pressesAgain(index) || point === 'before-row') sendAgain();
      const { row, said, wentOnAt } = await untilEnded(running, send.formId, sendAgain);
      const there = timesThere(service, content);
      const ms = performance.now() - restarted;
      const wentOnMs = wentOnAt - restarted;
      const told = [...before, ...said];
      yield { point, there, state: row.state, reason: row.reason, wentOnMs, ms, told, content };
    }
  } finally {
    await running.kill();
  }
}

/** How many posts with this content the service has. */
export function timesThere(service: TruthService, content: string): number {
  return service.posts.filter((post) => post.Content.startsWith(content)).length;
}

/**
 * Creates a database whose last migration is interrupted `times` times before its commit. True if each following start
 * repeats the migration, and the last completes it.
 */
export async function crashWhileMigrating(database: string, service: string, times = 1): Promise<boolean> {
  const given = { database, service };
  for (let time = 0; time < times; time += 1) {
    const stopped = await startProgram(program, JSON.stringify({ ...given, killAt: 'migrating' }));
    const said = await lastWords(stopped, 'migrating');
    if (said.length > 0) return false;
  }
  const again = await startProgram(program, JSON.stringify(given));
  const isWhole = (await again.line()) === 'started';
  await again.kill();
  return isWhole;
}

function watch(service: TruthService, point: Point, pid: number): void {
  service.watch((stage: Stage) => {
    if (STAGES.includes(point) && stage === point) process.kill(pid, 'SIGKILL');
    return CUT.includes(point) && stage === 'after-body' ? 'cut' : undefined;
  });
}

function tell(running: Program, order: object): void {
  running.tell(JSON.stringify(order));
}

/** If the machine is too busy to save in time, the form says so and stays open. */
const NOT_SAVED = 'ack Again';

/** Everything that the process printed before it was killed. */
async function lastWords(
  stopped: Program,
  point: string,
  sendOnceMore: () => void = () => undefined,
): Promise<string[]> {
  const said: string[] = [];
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    process.kill(stopped.pid, 'SIGKILL');
  }, RUN_TIMEOUT_MS);
  try {
    for (;;) {
      const line = await stopped.line();
      if (line === NOT_SAVED) sendOnceMore();
      else said.push(line);
    }
  } catch {
    clearTimeout(late);
  }
  if (isLate) throw new Error(`it never came to “${point}”; it said: ${said.join(', ')}`);
  return said;
}

interface Row {
  state: string;
  reason: string | null;
  fence: number;
  notify_at: boolean;
}

/** Waits until the submission is final or waits for its author, and the author was notified. */
async function untilEnded(running: Program, formId: string, sendOnceMore: () => void) {
  const said: string[] = [];
  const began = performance.now();
  let first: Row | undefined;
  let wentOnAt: number | undefined;
  for (;;) {
    tell(running, { do: 'state', formId });
    let line = await running.line();
    for (; !line.startsWith('state '); line = await running.line()) {
      if (line === NOT_SAVED) sendOnceMore();
      else said.push(line);
    }
    const [row] = JSON.parse(line.slice('state '.length)) as Row[];
    first ??= row;
    if (first && row?.fence !== first.fence) wentOnAt ??= performance.now();
    if (row && !row.notify_at && ['confirmed', 'needs-person'].includes(row.state)) {
      return { row, said, wentOnAt: wentOnAt ?? performance.now() };
    }
    if (performance.now() - began > RUN_TIMEOUT_MS)
      throw new Error(`it did not end: ${line}; ${said.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Each post gets its own minute, so that posts don't conflict. */
function postOf(text: string, minute: number): PostContent {
  const instant = new Date(Date.UTC(2030, 0, 1) + minute * 300_000).toISOString();
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: 'p1', name: 'Harbour Coffee' },
    moment: { instant, zone: 'UTC' },
  };
}
