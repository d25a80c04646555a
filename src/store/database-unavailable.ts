/**
 * The connection to the database broke or timed out after a statement was sent, so the server may have applied the
 * statement. If no connection could be opened, nothing was sent, and the error is DatabaseUnavailable.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost', { cause });
    this.name = 'ConnectionLost';
  }
}

/** SQLSTATE of a write to a read-only server, such as a standby. */
export const READ_ONLY_SQL_TRANSACTION = '25006';

/**
 * Reasons for the error message, by Node's system error code or Postgres' SQLSTATE
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'its socket does not exist',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'the lookup of its host name failed',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  [READ_ONLY_SQL_TRANSACTION]: 'it is read-only',
  // PgBouncer uses this code for all its own errors, and Postgres for a client that breaks the protocol.
  '08P01':
    'PgBouncer, if it is used, refuses this user, password or database, or has no connection to Postgres',
  '28000': 'it refuses this user',
  '28P01': 'it refuses this user or password',
  '3D000': 'it has no database of this name',
  '53300': 'it allows no more connections',
  '57P03': 'it is starting up or shutting down',
};

/** Codes of errors that last until an operator changes a setting. */
const PERMANENT_CODES = ['28000', '28P01', '3D000'];

/** pg's own errors, raised for timeouts and for unsupported encryption or authentication, have no code. */
const REASON_WITHOUT_CODE =
  "it does not answer, or its password or encryption requirements don't match the connection URL";

/**
 * The database is down or refuses the connection. `code` is Node's (ECONNREFUSED) or Postgres' (28P01) code; undefined
 * if the error has none. The message never contains the address, the user or the password. The cause may contain them.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string | undefined;
  /** Whether waiting may help, because the database or the network may be starting. */
  readonly isTransient: boolean;

  constructor(cause: unknown) {
    const code = getErrorCode(cause);
    const reason = REASONS[code ?? ''] ?? (code === undefined ? REASON_WITHOUT_CODE : `error ${code}`);
    super(`the database cannot be used: ${reason}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.code = code;
    this.isTransient = code === undefined || !PERMANENT_CODES.includes(code);
  }
}

function getErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Matches the SQLSTATEs for failures of the database rather than of a statement: the classes for connection, transaction
 * rollback, resources, operator intervention and system errors.
 */
const DATABASE_FAILURE_PATTERN = /^(?:08|40|53|57|58)[0-9A-Z]{3}$/;
/** Node's codes for a connection that could not be opened, or broke. */
const CONNECTION_ERROR_CODES: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
];

/** Whether the database failed, rather than the statement. Also checks the causes of the error. */
export function isDatabaseFailure(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof DatabaseUnavailable) return true;
  const code = getErrorCode(error);
  if (code === READ_ONLY_SQL_TRANSACTION) return true;
  if (code !== undefined && (DATABASE_FAILURE_PATTERN.test(code) || CONNECTION_ERROR_CODES.includes(code)))
    return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseFailure(error.cause);
}

const DISK_FULL = '53100';
/** The SQLSTATEs of a statement that timed out, waited too long for a lock, or wrote to a full tablespace. */
const STATEMENT_FAILURE_CODES: readonly string[] = ['57014', '55P03', DISK_FULL];

/** Whether the database has no room for what a statement writes. */
export const isDiskFull = (error: unknown): boolean => getErrorCode(error) === DISK_FULL;

/** Whether only the statement failed, without an effect, so that a statement on other tables may succeed. */
export function isStatementFailure(error: unknown): boolean {
  return !isDatabaseFailure(error) || STATEMENT_FAILURE_CODES.includes(getErrorCode(error) ?? '');
}
