import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import type { SubmissionOptions } from '../../src/submissions/submission-context.ts';
import { createSubmissions, type Submissions } from '../../src/submissions/submissions.ts';

/** Submissions on an engine of their own, which a test starts and stops. */
export interface RunnableSubmissions extends Omit<Submissions, 'stop'> {
  engine: Engine;
  start(): void;
  stop(): Promise<void>;
}

export function createRunnableSubmissions(
  options: Omit<SubmissionOptions, 'engine' | 'findManagers'> &
    Partial<Pick<SubmissionOptions, 'findManagers'>>,
): RunnableSubmissions {
  const { db, clock, log, random } = options;
  const engine = createEngine({ db, clock, log, isTemporary: isTransient, ...(random && { random }) });
  const submissions = createSubmissions({ findManagers: async () => [], ...options, engine });
  return {
    ...submissions,
    engine,
    start: engine.start,
    async stop() {
      submissions.stop();
      await engine.stop();
    },
  };
}
