import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { StartError } from './start-error.ts';

/**
 * An embedded part runs in a thread of its own, so that what it is busy with delays nobody else:
 *
 *   starting → ready (its facts) → closing (asked by the parent) → ended
 *          └→ failed (the error that the parent's `startThread` rejects with)
 */

interface Running<Facts> {
  facts: Facts;
  /** Tells the part something while it runs; a part that listens to nothing is told nothing. */
  tell?(said: object): void;
  close(): Promise<void>;
}

/** What a part's own thread says to its parent. */
type Said =
  | { kind: 'ready'; facts: unknown }
  | { kind: 'failed'; error: unknown }
  | { kind: 'told'; told: unknown };

function isSaid(message: unknown): message is Said {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/**
 * Starts an entry point in a thread and waits until it is ready.
 * `onEnd` is called when the thread ends by itself afterwards: the part is gone. `onTold` hears what it says meanwhile.
 * Rejects with what the part itself failed with (`code` and `port` of a system error kept).
 */
export function startThread(
  entry: URL,
  data: object,
  onEnd: (error: Error) => void,
  onTold: (said: unknown) => void = () => undefined,
): Promise<Running<unknown>> {
  const worker = new Worker(entry, { workerData: data });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let gone: (error: Error) => void = reject;
    worker.once('error', (error: Error) => gone(error));
    // A thread can also end without an error, and is gone all the same.
    worker.once('exit', (code) => gone(new Error(`${entry.pathname} ended with ${code}`)));
    worker.on('message', (message: unknown) => {
      if (!isSaid(message)) return reject(new Error(`${entry.pathname} said something else than ready`));
      if (message.kind === 'told') return onTold(message.told);
      if (message.kind === 'failed') return reject(revivedError(message.error));
      gone = onEnd;
      return resolve({
        facts: message.facts,
        tell: (said) => worker.postMessage(said),
        async close() {
          gone = () => undefined;
          worker.postMessage('close');
          await ended;
        },
      });
    });
  });
}

const failure = z.looseObject({ name: z.string(), message: z.string() });

/** An error's class and fields do not come through a thread's messages by themselves. */
function plainError(error: unknown): z.infer<typeof failure> {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  return { ...error, name: error.name, message: error.message, stack: error.stack };
}

function revivedError(plain: unknown): Error {
  const { name, message, ...facts } = failure.parse(plain);
  const error = name === 'StartError' ? new StartError(message) : new Error(message);
  return Object.assign(error, { name, ...facts });
}

/** Whether this entry point runs as a part of `npm start` and not as a command of its own. */
export const isThread = !isMainThread && parentPort !== null;

/** In an entry point that runs as a thread: starts the part with what the parent passed, and obeys its parent. */
export async function serveThread(
  start: (data: unknown, tellParent: (told: unknown) => void) => Promise<Running<object>>,
): Promise<void> {
  const parent = parentPort;
  if (!parent) throw new Error('serveThread runs in a thread only');
  try {
    const { facts, close, tell } = await start(workerData, (told) =>
      parent.postMessage({ kind: 'told', told } satisfies Said),
    );
    parent.on('message', (said: unknown) => {
      if (said !== 'close') return typeof said === 'object' && said !== null ? tell?.(said) : undefined;
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
    parent.postMessage({ kind: 'ready', facts } satisfies Said);
  } catch (error) {
    parent.postMessage({ kind: 'failed', error: plainError(error) } satisfies Said);
  }
}
