import { createLog, registerSecrets } from '../../../src/observability/redact.ts';
import { run } from '../../../src/start/run.ts';

// A program that crashes in a given way. Every part of the error contains a secret.
const [crashKind = '', canary = ''] = process.argv.slice(2);
registerSecrets(canary);

function createFailure(): Error {
  const cause = Object.assign(new Error(`the cause has ${canary}`), { detail: canary });
  return Object.assign(new Error(`it broke with ${canary}`, { cause }), {
    data: { text: canary },
    config: { headers: { authorization: `Bearer ${canary}` } },
    body: Buffer.from(canary),
  });
}

const CRASHES: Record<string, () => void> = {
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
  if (crashKind === 'starting') throw createFailure();
  setImmediate(() => CRASHES[crashKind]?.());
  return { close: async () => undefined };
});
