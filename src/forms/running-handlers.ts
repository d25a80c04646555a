import type { ActionCall, SubmissionCall } from '../app/call.ts';
import { within } from '../within.ts';

/**
 * Our own choice: the maximum time that a submission waits for handlers. More than an update of a view usually takes.
 */
const MAX_HANDLER_WAIT_MS = 1_000;
/**
 * Our own choice: the time since the arrival of a submission after which it waits no longer. After 2.6 s the router
 * replaces the answer, and the person would lose what they typed.
 */
const LATEST_ANSWER_MS = 2_200;

/** One instance for all open forms, since view ids are unique in all of Slack. */
const runningHandlers = createRunningHandlers();

/** Runs the handler of a form's field or button. Answers to submissions of the form wait for it. */
export function runInForm(call: ActionCall, handle: () => Promise<void>): Promise<void> {
  return call.view ? runningHandlers.run(call.view.id, handle) : handle();
}

/**
 * Returns the call of a submission whose answer waits for the handlers of the form that are running in this instance. Each
 * may update the view. A later update would remove the errors, or replace the view of the answer, and the person would
 * press the button again without knowing why.
 */
export function answerAfterHandlers(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    async answer(response) {
      const remainingMs = LATEST_ANSWER_MS - (performance.now() - call.receivedAt);
      if ('errors' in response || 'view' in response)
        await runningHandlers.waitFor(call.view.id, Math.min(MAX_HANDLER_WAIT_MS, Math.max(0, remainingMs)));
      return call.answer(response);
    },
  };
}

/** Creates a record of the running handlers of each view. */
function createRunningHandlers() {
  /** By view id. Resolves when all handlers of the view have ended. */
  const endings = new Map<string, Promise<void>>();
  return {
    run(viewId: string, handle: () => Promise<void>): Promise<void> {
      const handling = handle();
      const ending = Promise.allSettled([endings.get(viewId), handling]).then(() => {
        if (endings.get(viewId) === ending) endings.delete(viewId);
      });
      endings.set(viewId, ending);
      return handling;
    },
    /** Resolves when the handlers of the view that are running now have ended, or after `timeoutMs`. */
    async waitFor(viewId: string, timeoutMs: number): Promise<void> {
      const ending = endings.get(viewId);
      if (ending) await within(timeoutMs, ending);
    },
  };
}
