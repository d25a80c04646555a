import { ConnectionLost } from './connection-lost.ts';

// Node's system error codes, and Postgres' own: https://www.postgresql.org/docs/current/errcodes-appendix.html
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'its socket does not exist',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up just now',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  '28000': 'it refuses this user',
  '28P01': 'it refuses this user or password',
  '3D000': 'it has no database of this name',
  '53300': 'it has no connection left for us',
  '57P03': 'it is starting up or shutting down',
};

/** Somebody has to change something before it works: waiting doesn't help. */
const LASTING = ['28000', '28P01', '3D000'];

/** pg's own errors have no code: a time limit, and also a server that cannot be spoken to as the address says. */
const NO_CODE =
  'it does not answer, or asks for a password or for encryption in another way than its address gives';

/**
 * The database is down or refuses us. `code` is Node's (ECONNREFUSED) or Postgres' (28P01), where there is one; the
 * message never contains the address, the user or the password, the cause may.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string | undefined;
  /** The database may be there in a moment: it is starting, or the network is. */
  readonly isTransient: boolean;

  constructor(cause: unknown) {
    const code = codeOf(cause);
    const reason = REASONS[code ?? ''] ?? (code === undefined ? NO_CODE : `error ${code}`);
    super(`the database cannot be used: ${reason}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.code = code;
    this.isTransient = code === undefined || !LASTING.includes(code);
  }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * SQLSTATE classes about the database itself and not about a statement: connection, transaction rollback, resources,
 * operator intervention, system error, and a server that only reads now (25006).
 */
const DOWN = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^25006$/;
/** Node's codes for a connection that could not be made or broke. */
const NOT_CONNECTED: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
];

/** Whether the database failed, and not what it was asked. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  if (code !== undefined && (DOWN.test(code) || NOT_CONNECTED.includes(code))) return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseDown(error.cause);
}
