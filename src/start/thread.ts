import { flushCompileCache } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { StartError } from './run.ts';

/**
 * An emulator runs in a thread of its own, so that its work doesn't block the app:
 *
 *   starting → ready (with its facts) → closing (at the parent's request) → ended
 *          └→ failed (with the error that the parent's `startThread` rejects with)
 */

interface Running<Facts> {
  facts: Facts;
  close(): Promise<void>;
}

/**
 * Threads need less memory for new objects than the app's own thread, whose `--max-semi-space-size` would otherwise apply
 * to them too. The young generation has three semi-spaces.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 };

type ThreadMessage =
  | { kind: 'ready'; facts: unknown }
  | { kind: 'failed'; error: unknown }
  | { kind: 'message'; message: unknown };

function isThreadMessage(message: unknown): message is ThreadMessage {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/**
 * Starts an entry point in a thread and waits until it is ready. Rejects with the error of the entry point, including
 * `code` and `port` of a system error. `onEnd` is called if the thread ends by itself later, and `onMessage` for each
 * of its messages.
 */
export function startThread(
  entry: URL,
  data: object,
  onEnd: (error: Error) => void,
  onMessage: (message: unknown) => void = () => undefined,
): Promise<Running<unknown> & { send?(message: object): void }> {
  const worker = new Worker(entry, { workerData: data, resourceLimits: THREAD_LIMITS });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let handleEnd: (error: Error) => void = reject;
    worker.once('error', (error: Error) => handleEnd(error));
    // A thread can also end without an error.
    worker.once('exit', (code) => handleEnd(new Error(`${entry.pathname} ended with ${code}`)));
    worker.on('message', (message: unknown) => {
      if (!isThreadMessage(message)) return reject(new Error(`${entry.pathname} sent an unknown message`));
      if (message.kind === 'message') return onMessage(message.message);
      if (message.kind === 'failed') return reject(toError(message.error));
      handleEnd = onEnd;
      return resolve({
        facts: message.facts,
        send: (sent) => worker.postMessage(sent),
        async close() {
          handleEnd = () => undefined;
          worker.postMessage('close');
          await ended;
        },
      });
    });
  });
}

const failure = z.looseObject({ name: z.string(), message: z.string() });

/** An error as a plain object, because structured cloning drops an error's class and fields. */
function toPlainError(error: unknown): z.infer<typeof failure> {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  return { ...error, name: error.name, message: error.message, stack: error.stack };
}

function toError(plain: unknown): Error {
  const { name, message, ...facts } = failure.parse(plain);
  const error = name === 'StartError' ? new StartError(message) : new Error(message);
  return Object.assign(error, { name, ...facts });
}

/** Whether this entry point runs as a thread of `npm start`, and not as a program. */
export const isThread = !isMainThread && parentPort !== null;

/** Runs an entry point as a thread: starts it with the parent's data, and handles the parent's messages. */
export async function serveThread(
  start: (
    data: unknown,
    sendToParent: (message: unknown) => void,
  ) => Promise<Running<object> & { receive?(message: object): void }>,
): Promise<void> {
  const parent = parentPort;
  if (!parent) throw new Error('serveThread must run in a thread');
  try {
    const { facts, close, receive } = await start(workerData, (message) =>
      parent.postMessage({ kind: 'message', message } satisfies ThreadMessage),
    );
    parent.on('message', (message: unknown) => {
      if (message !== 'close') {
        return typeof message === 'object' && message !== null ? receive?.(message) : undefined;
      }
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
    parent.postMessage({ kind: 'ready', facts } satisfies ThreadMessage);
    flushCompileCache();
  } catch (error) {
    parent.postMessage({ kind: 'failed', error: toPlainError(error) } satisfies ThreadMessage);
  }
}

/** Called when the data of an earlier version was moved to the folder `to`. */
export type OnMovedAside = (to: string) => void;

/** For an emulator that runs as a program. */
export const printMovedAside: OnMovedAside = (to) =>
  console.log(`An earlier version's data was moved aside to ${to}; starting without it.`);

const movedAside = z.object({ movedAside: z.string() });

export const createMovedAsideMessage = (to: string): z.infer<typeof movedAside> => ({ movedAside: to });

/** Calls `onMovedAside` if the message is one of `createMovedAsideMessage`. */
export function receiveMovedAside(message: unknown, onMovedAside: OnMovedAside): void {
  const { data } = movedAside.safeParse(message);
  if (data) onMovedAside(data.movedAside);
}
