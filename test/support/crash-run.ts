import { randomUUID } from 'node:crypto';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import type { InspectableService, Stage } from './inspectable-service.ts';
import { type Program, startProgram } from './program.ts';

/**
 * The points at which a process is killed. At most of them the process kills itself. At SERVICE_POINTS, which only the
 * service sees, the service kills the process.
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
  'before-receipt',
  'after-receipt',
  'after-acknowledgement',
  'before-view',
  'after-claim',
  'reconciling',
  'before-message',
] as const;
export type Point = (typeof POINTS)[number];

/** Points that only the service sees. */
const SERVICE_POINTS: readonly string[] = ['mid-body', 'after-body', 'after-headers'];
/**
 * Points after an unknown outcome. To cause an unknown outcome, the service closes the connection before its first
 * response.
 */
const POINTS_AFTER_CUT: readonly string[] = ['after-claim', 'reconciling', 'before-view', 'before-message'];
/** Points at which the author's form was opened in a channel, where Upnext sends the receipt. */
const RECEIPT_POINTS: readonly string[] = ['before-receipt', 'after-receipt'];
/** Length of a text that needs several packets, so that a request can be cut in the middle. */
const LONG_TEXT_LENGTH = 400_000;
/** Timeout of a run. It is several times the limit of a run with the usual waits. */
const RUN_TIMEOUT_MS = 600_000;

const program = new URL('../submissions/programs/sender.ts', import.meta.url);

export interface CrashRun {
  point: Point;
  /** The number of posts in the service with this content. Must be 1, or 0 if the author has to decide. */
  copies: number;
  state: string;
  reason: string | null;
  /** Time from the restart until the submission was claimed. */
  resumedAfterMs: number;
  /** Time from the restart until the submission was final and its author was notified. */
  finishedAfterMs: number;
  /** Views and messages that the author saw. */
  shown: string[];
  /** The text of the post. The service must never have two posts with this text. */
  content: string;
}

/**
 * Sends one submission for each point, one after the other, on the same database. The process is killed (SIGKILL) at
 * the point. The next process completes the submission, sends the next one, and is killed at the next point.
 */
export async function* runCrashChain(options: {
  points: readonly Point[];
  database: string;
  service: InspectableService;
  /** Whether the author presses [Send] again after the crash at this point. */
  pressesAgain(index: number): boolean;
  /** Whether waits are as long as in production. Otherwise they are a hundredth as long, the default. */
  usesProductionPace?: boolean;
}): AsyncGenerator<CrashRun> {
  const { points, database, service, pressesAgain, usesProductionPace = false } = options;
  const input = JSON.stringify({ database, service: service.url, usesProductionPace });
  const start = async () => {
    const instance = await startProgram(program, input);
    await instance.readLine();
    return instance;
  };
  let instance = await start();
  try {
    for (const [index, point] of points.entries()) {
      const content = `${point} ${randomUUID()}`;
      const send = {
        do: 'send',
        formId: randomUUID(),
        content: createPostContent(content, index),
        ...(RECEIPT_POINTS.includes(point) && { channel: 'C1' }),
      };
      const length = point === 'mid-body' ? LONG_TEXT_LENGTH : 0;
      watchService(service, point, instance.pid);
      const sendToPoint = () =>
        sendCommand(instance, { ...send, length, killAt: point, isViewClosed: point === 'before-message' });
      sendToPoint();
      const linesBefore = await readUntilKilled(instance, point, sendToPoint);
      service.setWatcher(() => undefined);

      const restartedAt = performance.now();
      instance = await start();
      // A submission that wasn't saved exists only in the author's form.
      const sendAgain = () => sendCommand(instance, { ...send, length });
      if (pressesAgain(index) || point === 'before-row') sendAgain();
      const { row, lines, resumedAt } = await waitUntilFinished(instance, send.formId, sendAgain);
      const copies = countCopies(service, content);
      const finishedAfterMs = performance.now() - restartedAt;
      const resumedAfterMs = resumedAt - restartedAt;
      const shown = [...linesBefore, ...lines];
      yield {
        point,
        copies,
        state: row.state,
        reason: row.reason,
        resumedAfterMs,
        finishedAfterMs,
        shown,
        content,
      };
    }
  } finally {
    await instance.kill();
  }
}

/** Counts the posts with this content in the service. */
export function countCopies(service: InspectableService, content: string): number {
  return service.posts.filter((post) => post.Content.startsWith(content)).length;
}

/**
 * Creates a database whose last migration is interrupted before its commit. Resolves with true if the process was
 * killed there. The next start must repeat the migration.
 */
export async function killWhileMigrating(database: string, service: string): Promise<boolean> {
  const input = JSON.stringify({ database, service, killAt: 'migrating' });
  return (await readUntilKilled(await startProgram(program, input), 'migrating')).length === 0;
}

/** Interrupts the last migration `times` times. Resolves with true if the last start completes it. */
export async function crashWhileMigrating(
  database: string,
  service: string,
  times: number,
): Promise<boolean> {
  for (let time = 0; time < times; time += 1) {
    if (!(await killWhileMigrating(database, service))) return false;
  }
  const restartedProgram = await startProgram(program, JSON.stringify({ database, service }));
  const isComplete = (await restartedProgram.readLine()) === 'started';
  await restartedProgram.kill();
  return isComplete;
}

function watchService(service: InspectableService, point: Point, pid: number): void {
  service.setWatcher((stage: Stage) => {
    if (SERVICE_POINTS.includes(point) && stage === point) process.kill(pid, 'SIGKILL');
    return POINTS_AFTER_CUT.includes(point) && stage === 'after-body' ? 'cut' : undefined;
  });
}

function sendCommand(instance: Program, command: object): void {
  instance.send(JSON.stringify(command));
}

/** The line that is printed if the machine was too busy to save a form in time. The form stays open. */
const NOT_SAVED = 'ack Again';

/** Reads the output until the process is killed, and returns its lines. */
async function readUntilKilled(
  killedProgram: Program,
  point: string,
  sendAgain: () => void = () => undefined,
): Promise<string[]> {
  const lines: string[] = [];
  let hasTimedOut = false;
  const timeout = setTimeout(() => {
    hasTimedOut = true;
    process.kill(killedProgram.pid, 'SIGKILL');
  }, RUN_TIMEOUT_MS);
  try {
    for (;;) {
      const line = await killedProgram.readLine();
      if (line === NOT_SAVED) sendAgain();
      else lines.push(line);
    }
  } catch {
    clearTimeout(timeout);
  }
  if (hasTimedOut) throw new Error(`the process never reached “${point}”; output: ${lines.join(', ')}`);
  return lines;
}

interface Row {
  state: string;
  reason: string | null;
  fence: number;
  notify_at: boolean;
}

/** Waits until the submission is final or needs its author, and the author was notified. */
async function waitUntilFinished(instance: Program, formId: string, sendAgain: () => void) {
  const lines: string[] = [];
  const startedAt = performance.now();
  let firstRow: Row | undefined;
  let resumedAt: number | undefined;
  for (;;) {
    sendCommand(instance, { do: 'state', formId });
    let line = await instance.readLine();
    for (; !line.startsWith('state '); line = await instance.readLine()) {
      if (line === NOT_SAVED) sendAgain();
      else lines.push(line);
    }
    const [row] = JSON.parse(line.slice('state '.length)) as Row[];
    firstRow ??= row;
    if (firstRow && row?.fence !== firstRow.fence) resumedAt ??= performance.now();
    if (row && !row.notify_at && ['confirmed', 'unsure', 'blocked'].includes(row.state)) {
      return { row, lines, resumedAt: resumedAt ?? performance.now() };
    }
    if (performance.now() - startedAt > RUN_TIMEOUT_MS)
      throw new Error(`the submission did not finish: ${line}; ${lines.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Each post gets its own minute, so that posts don't conflict. */
function createPostContent(text: string, minute: number): PostContent {
  const instant = new Date(Date.UTC(2030, 0, 1) + minute * 300_000).toISOString();
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: 'p1', name: 'Harbour Coffee' },
    moment: { instant, zone: 'UTC' },
  };
}
