import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import { onTestFinished } from 'vitest';
import type * as app from '../../src/app/app.ts';
import { KEEP_ALIVE_MS, type Running } from './bot.ts';
import { listenOnFreePort } from './listening-port.ts';
import type * as requestsInFlight from './requests-in-flight.ts';

const INSTANCE = '?instance=2';

/** Imports a module a second time. As in another process, the app's modules share no variables with those of the first. */
async function importAgain<Module>(path: string): Promise<Module> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isOurs = context.parentURL?.endsWith(INSTANCE) && resolved.url.includes('/src/');
      return isOurs ? { ...resolved, url: `${resolved.url}${INSTANCE}` } : resolved;
    },
  });
  try {
    return await import(new URL(`${path}${INSTANCE}`, import.meta.url).href);
  } finally {
    hooks.deregister();
  }
}

/**
 * Starts another instance of a bot in HTTP mode, with the same database and workspace, until the end of the test.
 * Resolves with the address to which `deliver` can send requests of Slack.
 */
export async function startSecondInstance({ settings }: Pick<Running, 'settings'>) {
  const { createBot } = await importAgain<typeof app>('../../src/app/app.ts');
  const { countRequestsInFlight, waitUntilIdle } =
    await importAgain<typeof requestsInFlight>('./requests-in-flight.ts');
  countRequestsInFlight();
  const bot = createBot(settings);
  const receiver = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    bot.requestListener?.(request, response),
  );
  const url = `http://127.0.0.1:${await listenOnFreePort(receiver)}/slack/events`;
  await bot.start();
  onTestFinished(async () => {
    await bot.stop();
    receiver.close();
    receiver.closeAllConnections();
  });
  return { url, waitUntilIdle };
}
