/**
 * An external system or a command can't start. Its message is printed as the only line. It begins with the name of the
 * setting that can fix it, and never contains the setting's value.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The system's errors when listening on a port. `:port` is replaced by its number. */
const LISTENING: Record<string, string> = {
  EADDRINUSE: ':port is in use by another program: stop that program, or choose another port',
  EACCES: ':port is a privileged port: choose a port from 1024 up',
  EADDRNOTAVAIL: 'cannot be used: HOST is not an address of this machine',
  ENOTFOUND: 'cannot be used: HOST is an unknown host name',
};

/** Waits for a system to start. A failure becomes a StartError that begins with the name of the variable. */
export async function blameSetting<T>(variable: string, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw new StartError(`${variable}${describeReason(error)}`, { cause: error });
  }
}

function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return `: ${String(error)}`;
  // Only system errors have a `syscall`. Other errors use the same codes for other things.
  const code = 'syscall' in error && 'code' in error ? String(error.code) : '';
  const listening = LISTENING[code];
  if (listening === undefined) return `: ${error.message}`;
  const port = 'port' in error ? ` ${error.port}` : '';
  return ` ${listening}`.replace(' :port', port);
}
