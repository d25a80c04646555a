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
