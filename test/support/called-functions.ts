import { Session } from 'node:inspector/promises';

const SRC = new URL('../../src/', import.meta.url).href;

/**
 * Creates a recorder of calls. It reports each called function of `src` as `path#name`. Without `reportsAgain`, V8 reports a
 * function only once, and runs faster.
 */
export function createCallRecorder({ reportsAgain = false } = {}) {
  const session = new Session();
  return {
    async start(): Promise<void> {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.startPreciseCoverage', { callCount: reportsAgain, detailed: false });
    },
    /** Resolves with the functions that ran since the last call. Without `reportsAgain`, only those that are new. */
    async takeCalledFunctions(): Promise<Set<string>> {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return new Set(
        result.flatMap(({ url, functions }) => {
          if (!url.startsWith(SRC)) return [];
          const path = `src/${url.slice(SRC.length)}`;
          return functions
            .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
            .map(({ functionName }) => `${path}#${functionName}`);
        }),
      );
    },
    stop: () => session.disconnect(),
  };
}
