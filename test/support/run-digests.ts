import type { DigestsOptions } from '../../src/digests/digest-context.ts';
import { createDigests, type Digests } from '../../src/digests/digests.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';

/** Digests on an engine of their own, which a test starts and stops. */
export type RunnableDigests = Digests & Pick<Engine, 'start' | 'stop' | 'runOnce'>;

export function createRunnableDigests(
  options: Omit<DigestsOptions, 'engine' | 'findManagers'> & Partial<Pick<DigestsOptions, 'findManagers'>>,
): RunnableDigests {
  const { db, clock, log } = options;
  const engine = createEngine({ db, clock, log, isTemporary: isTransient });
  const { start, stop, runOnce } = engine;
  return { ...createDigests({ findManagers: async () => [], ...options, engine }), start, stop, runOnce };
}
