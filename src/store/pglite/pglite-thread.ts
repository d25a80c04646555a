import { parentPort, workerData } from 'node:worker_threads';
import { openPGliteSession } from './pglite-session.ts';
import {
  type Call,
  OPENING_ID,
  type Session,
  type StatementResult,
  serializeError,
  type WorkerReply,
  type WorkerRequest,
} from './session.ts';

// The database's worker thread. An error before the database is ready reaches the parent as the worker's `error` event.
if (parentPort === null || typeof workerData !== 'string') {
  throw new Error('pglite-thread.ts must run as a worker thread');
}
const port = parentPort;
const session = await openPGliteSession(workerData);

port.on('message', ({ id, call }: WorkerRequest) => {
  const reply = (message: WorkerReply) => {
    port.postMessage(message);
    // Closing the port ends the thread, because nothing else keeps its event loop alive.
    if (call.kind === 'close') port.close();
  };
  runCall(session, call).then(
    (result) => reply({ id, result }),
    (error: unknown) => reply({ id, failure: serializeError(error) }),
  );
});
port.postMessage({ id: OPENING_ID, result: { rows: [], affectedRows: 0 } } satisfies WorkerReply);

async function runCall(session: Session, call: Call): Promise<StatementResult<unknown>> {
  if (call.kind === 'query') return session.query(call.sql, call.parameters, call.transaction);
  if (call.kind === 'close') await session.close();
  else await session[call.kind](call.transaction);
  return { rows: [], affectedRows: 0 };
}
