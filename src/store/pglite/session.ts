/** What one statement answers. */
export interface Answer<Row> {
  rows: Row[];
  affectedRows: number;
}

/**
 * One embedded database, in this thread or in another. Statements run one after the other; while a transaction is
 * open, what does not name it waits until it has ended. Who begins a transaction chooses its number.
 */
export interface Session {
  query<Row>(sql: string, parameters: readonly unknown[], transaction?: number): Promise<Answer<Row>>;
  begin(transaction: number): Promise<void>;
  commit(transaction: number): Promise<void>;
  rollback(transaction: number): Promise<void>;
  close(): Promise<void>;
}
