/**
 * A part cannot start. The message is the one line that the person who started it reads: it begins with the name
 * of the setting that can mend it, and never holds its value.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** System errors of listening, in words; a port that is taken is by far the most frequent. */
const LISTENING: Record<string, string> = {
  EADDRINUSE: 'is in use by another program: stop that program, or choose another port',
  EACCES: 'may not be listened on: choose a port from 1024 up',
  EADDRNOTAVAIL: 'belongs to no address of this machine: check HOST',
  ENOTFOUND: 'stands beside a HOST that is not known',
};

/** Waits for a part to start; what it fails with becomes a StartError that begins with `variable`. */
export async function startedBy<T>(variable: string, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw new StartError(`${variable}${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `: ${String(error)}`;
  // Only the system's own errors have a call; other errors use the same codes for other things.
  const code = 'syscall' in error && 'code' in error ? String(error.code) : '';
  const listening = LISTENING[code];
  return listening === undefined ? `: ${error.message}` : ` ${listening}`;
}
