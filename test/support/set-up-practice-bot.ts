import { afterAll, beforeAll } from 'vitest';
import { startPracticeService } from './practice-service.ts';
import { setUpBot } from './set-up-bot.ts';

/** Sets up one bot with the practice service for all tests of a file, on a clock that the tests can move. */
export function setUpPracticeBot() {
  const { running, startBot } = setUpBot();
  let service: Awaited<ReturnType<typeof startPracticeService>> | undefined;
  let now = () => new Date();
  const getService = () => {
    if (!service) throw new Error('the practice service was not started');
    return service;
  };

  beforeAll(async () => {
    service = await startPracticeService({ now: () => now() });
    await startBot({
      service: { url: service.url, token: service.token },
      isEmulated: true,
      followsClock: true,
    });
    now = () => new Date(running.workspace.clock.now());
  });
  afterAll(async () => {
    await service?.close();
  });

  return {
    running,
    getService,
    getAna: () => running.workspace.as('Ana').in('#harbour-coffee'),
    /** Moves the clock, and wakes the polls, which then find the due digests and publications. */
    moveClock(to: string): void {
      running.workspace.clock.set(new Date(to).getTime());
      running.bot.engine.handleClockChange();
    },
  };
}
