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

/** What the rest of the app does for submissions, for tests without it. */
const WITHOUT_APP = {
  findManagers: async () => [],
  isSwitchedOff: () => false,
  recordAllowed: () => undefined,
  prepareAllowed: () => undefined,
  onConfirmed: () => undefined,
  onAuthorNotified: () => undefined,
  takeOutcome: async () => false,
  takeForReview: async () => 'not-needed',
  findPublication: async () => undefined,
} satisfies Partial<SubmissionOptions>;

export function createRunnableSubmissions(
  options: Omit<SubmissionOptions, 'engine' | keyof typeof WITHOUT_APP> & Partial<SubmissionOptions>,
): RunnableSubmissions {
  const { db, clock, log, random } = options;
  const engine = createEngine({ db, clock, log, isTemporary: isTransient, ...(random && { random }) });
  const submissions = createSubmissions({ ...WITHOUT_APP, ...options, engine });
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
