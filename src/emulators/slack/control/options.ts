import type { AppChoice } from '../acting/demand.ts';
import type { WaitOptions } from '../acting/wait-for.ts';

/** Arguments of the control API as the options of the acting module. An absent argument is no option. */

export function withTimeout(timeoutMs: number | undefined): WaitOptions {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

export function withApp(app: string | undefined): AppChoice {
  return app === undefined ? {} : { app };
}
