export interface StatementResult<Row> {
  rows: Row[];
  affectedRows: number;
}

/**
 * An embedded database, in this thread or in another. Statements run one after the other. While a transaction is open,
 * statements outside it wait until it ends. The caller of `begin` chooses the transaction's number.
 */
export interface Session {
  query<Row>(
    sql: string,
    parameters: readonly unknown[],
    transaction?: number,
  ): Promise<StatementResult<Row>>;
  begin(transaction: number): Promise<void>;
  commit(transaction: number): Promise<void>;
  rollback(transaction: number): Promise<void>;
  close(): Promise<void>;
}

/** Whether the result has rows. Their columns aren't checked: as with every driver, the caller declares them. */
export function hasRows<Row>(result: StatementResult<unknown>): result is StatementResult<Row> {
  return Array.isArray(result.rows);
}

/** An operation of the worker thread that runs the database. */
export type Call =
  | { kind: 'query'; sql: string; parameters: readonly unknown[]; transaction: number | undefined }
  | { kind: 'begin' | 'commit' | 'rollback'; transaction: number }
  | { kind: 'close' };

/** The caller chooses the id, and the reply repeats it. */
export interface WorkerRequest {
  id: number;
  call: Call;
}

/** The id of the thread's first reply, which isn't the reply to a request: the database is open. */
export const OPENING_ID = 0;

export type WorkerReply = { id: number } & (
  | { result: StatementResult<unknown> }
  | { failure: SerializedError }
);

/**
 * An error as a plain object that can be sent between threads. Sending the Error itself would drop its additional
 * fields, such as Postgres' `code`. Postgres' fields are all strings.
 */
interface SerializedError {
  name: string;
  message: string;
  fields: Readonly<Record<string, string>>;
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} };
  const fields = Object.fromEntries(
    Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return { name: error.name, message: error.message, fields };
}

export function deserializeError({ name, message, fields }: SerializedError): Error {
  return Object.assign(new Error(message), fields, { name });
}
