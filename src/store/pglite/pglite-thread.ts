import { parentPort, workerData } from 'node:worker_threads';
import { openPGliteSession } from './pglite-session.ts';
import type { Answer, Session } from './session.ts';
import { type Asked, type Call, type Reply, toFailure } from './thread-messages.ts';

// The database's thread. What throws before it is ready reaches the other side as the thread's `error` event.
if (parentPort === null || typeof workerData !== 'string') throw new Error('this is a thread, not a program');
const port = parentPort;
const session = await openPGliteSession(workerData);

port.on('message', ({ id, what }: Asked) => {
  const reply = (message: Reply) => {
    port.postMessage(message);
    // With nothing left to listen to, the thread ends.
    if (what.do === 'close') port.close();
  };
  run(session, what).then(
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
