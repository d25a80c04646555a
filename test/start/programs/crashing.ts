import { createLog } from '../../../src/observability/log.ts';
import { registerSecrets } from '../../../src/observability/redact.ts';
import { run } from '../../../src/start/run.ts';

// A program that crashes in the way of its argument, with secrets in every part of the error.
const [way = '', canary = ''] = process.argv.slice(2);
registerSecrets(canary);

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
