import { createLog } from '../../../src/observability/log.ts';
import { registerSecrets } from '../../../src/observability/redact.ts';
import { run } from '../../../src/start/run.ts';

// A program that crashes in the way that its argument names. Every part of the error contains a secret.
const [way = '', canary = ''] = process.argv.slice(2);
registerSecrets(canary);

function createFailure(): Error {
  const cause = Object.assign(new Error(`the cause has ${canary}`), { detail: canary });
  return Object.assign(new Error(`it broke with ${canary}`, { cause }), {
    data: { text: canary },
    config: { headers: { authorization: `Bearer ${canary}` } },
    body: Buffer.from(canary),
  });
}

const WAYS: Record<string, () => void> = {
  thrown: () => {
    throw createFailure();
  },
  rejected: () => void Promise.reject(createFailure()),
  'rejected with nothing': () => void Promise.reject(undefined),
  'no error': () => {
    throw { token: canary };
  },
  text: () => {
    throw canary;
  },
  logged: () => createLog('trace').error({ err: createFailure(), token: canary }, `logged ${canary}`),
};

await run(async () => {
  if (way === 'starting') throw createFailure();
  setImmediate(() => WAYS[way]?.());
  return { close: async () => undefined };
});
