/**
 * How many tables this process reads and checks at once. The worst ones that people can send take about 120 MB each, of
 * the 768 MB that the app may use.
 */
const MAX_CHECKS = 3;

/** Runs the checks of tables: one of a workspace at a time, in their order, and few of all workspaces. */
export type CheckQueue = ReturnType<typeof createCheckQueue>;

export function createCheckQueue(maxChecks = MAX_CHECKS) {
  let freeCount = maxChecks;
  const waiting: (() => void)[] = [];
  const last = new Map<string, Promise<unknown>>();

  async function runInTurn<Result>(earlier: Promise<unknown> | undefined, check: () => Promise<Result>) {
    // Its own caller learns of a failure.
    await earlier?.catch(() => {});
    if (freeCount > 0) freeCount -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await check();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else freeCount += 1;
    }
  }

  return async <Result>(workspace: string, check: () => Promise<Result>): Promise<Result> => {
    const running = runInTurn(last.get(workspace), check);
    last.set(workspace, running);
    try {
      return await running;
    } finally {
      if (last.get(workspace) === running) last.delete(workspace);
    }
  };
}
