import { availableParallelism, loadavg } from 'node:os';
import { SLACK_LIMITS } from 'slack-workspace-emulator';
import { RespondingApp } from '../../src/handlers/bolt/bolt.ts';

/** How many times longer things take because other programs use the processor. 1 on a machine that only runs the tests. */
export function measureBusyness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.max(1, lastMinute / availableParallelism() - 1);
}

const { acknowledgementMs, triggerIdMs } = SLACK_LIMITS;
const LIMITS = [
  { limit: acknowledgementMs, value: acknowledgementMs.value },
  { limit: triggerIdMs, value: triggerIdMs.value },
];

const ACKNOWLEDGEMENT_MS: number = acknowledgementMs.value;

/** How much later the app's time for an acknowledgement starts. */
let extraMs = 0;

const { processEvent } = RespondingApp.prototype;
RespondingApp.prototype.processEvent = function (event) {
  const { arrivedAt = performance.now() } = event;
  return processEvent.call(this, { ...event, arrivedAt: arrivedAt + extraMs });
};

/**
 * Lets the emulated Slack of this process wait longer for an acknowledgement, and the app take longer, until the returned
 * function is called.
 */
export function stretchDeadlines(busyness: number): () => void {
  const stretch = (factor: number) => {
    for (const { limit, value } of LIMITS) Object.assign(limit, { value: value * factor });
    extraMs = (factor - 1) * ACKNOWLEDGEMENT_MS;
  };
  stretch(busyness);
  return () => stretch(1);
}
