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

/**
 * Whether the result has rows. Their columns aren't checked: as with every driver, the caller declares the row type.
 */
export function hasRows<Row>(result: StatementResult<unknown>): result is StatementResult<Row> {
  return Array.isArray(result.rows);
}
