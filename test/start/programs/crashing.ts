import { createLog } from '../../../src/observability/log.ts';
import { keepOut } from '../../../src/observability/redact.ts';
import { run } from '../../../src/start/run.ts';

// Dies as it is told, with secrets in everything that it dies of.
const [way = '', canary = ''] = process.argv.slice(2);
keepOut(canary);

function failure(): Error {
  const cause = Object.assign(new Error(`the cause has ${canary}`), { detail: canary });
  return Object.assign(new Error(`it broke with ${canary}`, { cause }), {
    data: { text: canary },
    config: { headers: { authorization: `Bearer ${canary}` } },
    body: Buffer.from(canary),
  });
}

const WAYS: Record<string, () => void> = {
  thrown: () => {
    throw failure();
  },
  rejected: () => void Promise.reject(failure()),
  'rejected with nothing': () => void Promise.reject(undefined),
  'no error': () => {
    throw { token: canary };
  },
  text: () => {
    throw canary;
  },
  logged: () => createLog('trace').error({ err: failure(), token: canary }, `logged ${canary}`),
};

await run(async () => {
  if (way === 'starting') throw failure();
  setImmediate(() => WAYS[way]?.());
  return { close: async () => undefined };
});
