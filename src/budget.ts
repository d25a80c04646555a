import { createGiveWay } from './promises.ts';

/** What reading one text or file from outside may take. Whoever made it doesn't know these limits, or tries to reach them. */
interface BudgetLimits {
  /** Steps: reads of a file, cells of a table, or turns of a loop whose count is in the input. */
  maxSteps: number;
  /** What reading may produce: characters, bytes or entries that are then stored or looked at again. */
  maxOutput: number;
  /** Time on this thread, without waits, in ms. */
  maxMs: number;
}

/** The budgets of all parsers of outside bytes that read for longer than one turn of the event loop. */
export const BUDGETS = {
  /**
   * A picture or video of 100 MB. A PNG of that size in chunks of 4 KB takes 50,000 reads, and a GIF of 25,000 frames
   * 175,000, which are half a second. The output is the places of private data in a HEIC picture, which has one or two.
   */
  media: { maxSteps: 250_000, maxOutput: 1_000, maxMs: 10_000 },
  /**
   * A table of 10 MB and 5,000 rows with 100 columns, each of which is looked at a few times. The output is its cells. The
   * worst ones take 5 s, and several times as long while other programs have the processor.
   */
  table: { maxSteps: 2_000_000, maxOutput: 600_000, maxMs: 60_000 },
} as const satisfies Record<string, BudgetLimits>;

/** Reading took more than its budget. `limit`: which of its limits was reached. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
  readonly limit: keyof BudgetLimits;
  constructor(limit: keyof BudgetLimits) {
    super(`reading exceeded ${limit}`);
    this.limit = limit;
  }
}

/**
 * The budget of one text or file. Parsers of outside bytes take one as an argument, count what they do, and give way
 * between their steps. Throws BudgetExceeded when one of its limits is reached.
 */
export type Budget = ReturnType<typeof createBudget>;

/** `now`: a monotonic clock in ms. Defaults to that of the process. */
export function createBudget(limits: BudgetLimits, now: () => number = () => performance.now()) {
  let [steps, output, usedMs] = [0, 0, 0];
  /** Undefined while time isn't counted. */
  let countedFrom: number | undefined = now();
  const readUsedMs = () => usedMs + (countedFrom === undefined ? 0 : now() - countedFrom);
  const turn = createGiveWay(now, readUsedMs);
  const budget = {
    spend(count = 1): void {
      steps += count;
      if (steps > limits.maxSteps) throw new BudgetExceeded('maxSteps');
    },
    produce(count: number): void {
      output += count;
      if (output > limits.maxOutput) throw new BudgetExceeded('maxOutput');
    },
    /** Lets others work if this turn has lasted long enough. */
    async giveWay(): Promise<void> {
      if (!turn.isDue()) return;
      budget.pause();
      await turn.giveWay();
      budget.resume();
    },
    /** Stops counting time before a wait for something else. It may not be one, so the turn goes on. */
    pause(): void {
      usedMs = readUsedMs();
      countedFrom = undefined;
      if (usedMs > limits.maxMs) throw new BudgetExceeded('maxMs');
    },
    /** Counts time again after such a wait. */
    resume(): void {
      countedFrom = now();
    },
  };
  return budget;
}
