import { availableParallelism, loadavg } from 'node:os';
import { SLACK_LIMITS } from 'slack-workspace-emulator';

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

/**
 * Lets the emulated Slack of this process wait longer for an acknowledgement, until the returned function is called. An
 * app in this process needs the same factor in its pace.
 */
export function stretchDeadlines(busyness: number): () => void {
  const stretch = (factor: number) => {
    for (const { limit, value } of LIMITS) Object.assign(limit, { value: value * factor });
  };
  stretch(busyness);
  return () => stretch(1);
}
