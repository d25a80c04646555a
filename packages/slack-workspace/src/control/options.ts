import type { AppChoice } from '../acting/require-by-name.ts';
import type { WaitOptions } from '../acting/wait-for.ts';

/** Converts optional arguments of the control API to options of the acting module. */

export function withTimeout(timeoutMs: number | undefined): WaitOptions {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

export function withApp(app: string | undefined): AppChoice {
  return app === undefined ? {} : { app };
}
