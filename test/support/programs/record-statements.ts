import { PostgresQueryCompiler } from 'kysely';
import { recordStatement } from '../sent-statements.ts';

/** Loaded into a command's process. Records the statements that the command compiles, except those of migrations. */
const { compileQuery } = PostgresQueryCompiler.prototype;
PostgresQueryCompiler.prototype.compileQuery = function compileAndRecord(...query) {
  const compiled = compileQuery.apply(this, query);
  if (/^\s*(select|insert|update|delete|with)\b/i.test(compiled.sql)) recordStatement(compiled);
  return compiled;
};
