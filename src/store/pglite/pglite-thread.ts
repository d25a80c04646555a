import { parentPort, workerData } from 'node:worker_threads';
import { openPGliteSession } from './pglite-session.ts';
import type { Answer, Session } from './session.ts';
import { type Call, type ThreadReply, type ThreadRequest, toFailure } from './thread-messages.ts';

// The database's thread. An error before it is ready reaches the parent as the worker's `error` event.
if (parentPort === null || typeof workerData !== 'string') {
  throw new Error('pglite-thread.ts must run as a worker thread');
}
const port = parentPort;
const session = await openPGliteSession(workerData);

port.on('message', ({ id, call }: ThreadRequest) => {
  const reply = (message: ThreadReply) => {
    port.postMessage(message);
    // The thread ends once nothing keeps its event loop alive.
    if (call.do === 'close') port.close();
  };
  run(session, call).then(
    (answer) => reply({ id, answer }),
    (error: unknown) => reply({ id, failure: toFailure(error) }),
  );
});
port.postMessage('open');

async function run(session: Session, call: Call): Promise<Answer<unknown>> {
  if (call.do === 'query') return session.query(call.sql, call.parameters, call.transaction);
  if (call.do === 'close') await session.close();
  else await session[call.do](call.transaction);
  return { rows: [], affectedRows: 0 };
}
