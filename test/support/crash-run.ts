import { randomUUID } from 'node:crypto';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { type Program, startProgram } from './program.ts';
import type { Stage, TruthService } from './truth-service.ts';

/** Where a process is stopped: by itself at its own points, by the service where only that knows. */
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

/** The service sees these; the process does not. */
const STAGES: readonly string[] = ['mid-body', 'after-body', 'after-headers'];
/** These come only once nobody knows, so the service cuts its first answer off. */
const CUT: readonly string[] = ['after-claim', 'reconciling', 'before-view', 'before-message'];
/** More than one packet, so that there is a middle. */
const LONG = 400_000;
/** It waits for a point that never comes, or for an end that never does: several times what is allowed at the usual pace. */
const LONGEST_MS = 300_000;

const program = new URL('../submissions/programs/sender.ts', import.meta.url);

export interface CrashRun {
  point: Point;
  /** Posts in the service with this content: 1 is right; 0 is right too where a person was asked. */
  there: number;
  state: string;
  reason: string | null;
  /** From the restart until somebody went on with it, ms. */
  wentOnMs: number;
  /** From the restart until it had ended and its person knew, ms. */
  ms: number;
  /** What its person was shown. */
  told: string[];
  /** What was typed, which the service holds once at most, however late it is looked. */
  content: string;
}

/**
 * One submission for each point, one after the other on the same database: each is stopped by kill -9 at its point, and
 * the process that is started next brings it to its end, takes the next one, and is stopped at the next point: a start
 * for each kill.
 */
export async function* crashChain(options: {
  points: readonly Point[];
  database: string;
  service: TruthService;
  /** The person presses [Send] once more after the crash, as people do; told which of the points it is. */
  pressesAgain(index: number): boolean;
  /** At the usual pace, and not a hundred times as fast. */
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
      // What was never saved is still in the person's form, and nowhere else.
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

/** How often the service has what was typed. */
export function timesThere(service: TruthService, content: string): number {
  return service.posts.filter((post) => post.Content.startsWith(content)).length;
}

/**
 * A new database whose last migration is stopped before it is committed, so many times; true where each start after that
 * begins anew, and the last makes it whole.
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

/** A machine that is too busy to save it in time says so, and the form stands. */
const NOT_SAVED = 'ack Again';

/** All that it said before it was stopped. */
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
  }, LONGEST_MS);
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

/** Until it is in a final state or in its person's hands, and they know. */
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
    if (performance.now() - began > LONGEST_MS)
      throw new Error(`it did not end: ${line}; ${said.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A minute of its own, so that none is in another's way. */
function postOf(text: string, minute: number): PostContent {
  const instant = new Date(Date.UTC(2030, 0, 1) + minute * 300_000).toISOString();
  return {
    typed: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: 'p1', name: 'Harbour Coffee' },
    moment: { instant, zone: 'UTC' },
  };
}
