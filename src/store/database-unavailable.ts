import { ConnectionLost } from './connection-lost.ts';

// Node's system error codes and Postgres' SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'its socket does not exist',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'the lookup of its host name failed',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  '28000': 'it refuses this user',
  '28P01': 'it refuses this user or password',
  '3D000': 'it has no database of this name',
  '53300': 'it allows no more connections',
  '57P03': 'it is starting up or shutting down',
};

/** Waiting doesn't help: somebody has to change a setting first. */
const PERMANENT = ['28000', '28P01', '3D000'];

/** pg's own errors have no code: for a timeout, and for a server that needs another form of encryption or password. */
const REASON_WITHOUT_CODE =
  'it does not answer, or asks for a password or for encryption in another way than its address gives';

/**
 * The database is down or refuses the connection. `code` is Node's (ECONNREFUSED) or Postgres' (28P01), if there is
 * one. The message never contains the address, the user or the password; the cause may.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string | undefined;
  /** Waiting may help: the database or the network may be starting. */
  readonly isTransient: boolean;

  constructor(cause: unknown) {
    const code = codeOf(cause);
    const reason = REASONS[code ?? ''] ?? (code === undefined ? REASON_WITHOUT_CODE : `error ${code}`);
    super(`the database cannot be used: ${reason}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.code = code;
    this.isTransient = code === undefined || !PERMANENT.includes(code);
  }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * SQLSTATE classes for failures of the database, not of a statement: connection, transaction rollback, resources,
 * operator intervention and system errors, and a server that has become read-only (25006).
 */
const DOWN = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^25006$/;
/** Node's codes for a connection that could not be opened, or broke. */
const NOT_CONNECTED: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
];

/** Whether the database failed, as opposed to the statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  if (code !== undefined && (DOWN.test(code) || NOT_CONNECTED.includes(code))) return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseDown(error.cause);
}
