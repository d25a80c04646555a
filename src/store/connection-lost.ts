/**
 * The connection to the database broke, or gave no answer in time, after a statement was sent: nobody knows yet whether
 * it was applied. A connection that could not be had at all is DatabaseUnavailable: then certainly nothing was sent.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost', { cause });
    this.name = 'ConnectionLost';
  }
}
