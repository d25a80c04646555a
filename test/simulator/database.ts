import { PGlite } from '@electric-sql/pglite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  sql,
} from 'kysely';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { CleaningQueryCompiler } from '../../src/store/column-values.ts';
import { watchCommits } from '../../src/store/commits.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ConnectionLost, DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createSessionDialect } from '../../src/store/pglite/locked-database.ts';
import { createSession, pgliteOptions } from '../../src/store/pglite/pglite-session.ts';
import type { Session } from '../../src/store/pglite/session.ts';
import { cacheReads } from './cached-session.ts';
import { installPostChecks } from './model/check-posts.ts';
import type { Network } from './network.ts';
import { installCounters } from './reached.ts';
import { getProcess, type Process, runIn } from './virtual-time.ts';

/** The numbers of transactions of instances. Those of the simulation itself are small. */
let lastTransaction = 1_000_000_000;

const RESTORES_PER_CHECKPOINT = 20;

/**
 * The one database of all instances: PGlite in this thread, which runs transactions one after the other. `saved` is what
 * `save` has returned, without which a new database is created.
 */
export async function openSimulatedDatabase(network: () => Network, saved?: Blob) {
  const pglite = await PGlite.create('memory://', { ...pgliteOptions, ...(saved && { loadDataDir: saved }) });
  const reads = cacheReads(createSession(pglite), { held_post: 'post' });
  const { session } = reads;
  const admin = await openDatabase<BotSchema>({ dialect: createSessionDialect(session), migrations });
  const connections = new Set<Connection>();
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace
    and relkind = 'r' and relname not like 'kysely_migration%' order by relname`.execute(admin);
  const tables = rows.map(({ name }) => name);
  const numbered = await sql<{ table: string; column: string }>`
    select attrelid::regclass::text as table, attname as column from pg_attribute
    where attidentity <> '' and attrelid::regclass::text = any(${tables})`.execute(admin);
  if (!saved) {
    await sql`create schema copies`.execute(admin);
    await installCounters(admin);
    await installPostChecks(admin);
    // Nothing has to outlive this process, and what isn't logged is written faster.
    await setUnlogged(admin, tables);
  } else reads.begin(tables);
  await sql`set synchronous_commit = off`.execute(admin);
  await sql`set plan_cache_mode = force_generic_plan`.execute(admin);
  let restoreCount = 0;
  const copyOf = (name: string, table: string) => `copies.${name}_${table}`;
  const statements = new Map<string, number>();

  function createDialect(): Dialect {
    return {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SimulatedDriver({ session, network, connections, onIds: countIds }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new CleaningQueryCompiler(),
    };
  }
  function countIds(ids: readonly string[]): void {
    for (const id of ids) statements.set(id, (statements.get(id) ?? 0) + 1);
  }
  return {
    admin,
    /** How many statements of instances have named or returned each row so far, by its id. */
    readStatements: (): ReadonlyMap<string, number> => new Map(statements),
    forgetStatements: () => statements.clear(),
    /** The handle of an instance, which must be created in its process. */
    connect: () => new Kysely<BotSchema>({ dialect: watchCommits(createDialect()) }),
    /** Ends the transactions of a process, as the server does when a connection breaks or is idle for too long. */
    async breakConnections(process?: Process) {
      for (const connection of connections)
        if (!process || connection.process === process) await connection.break();
    },
    /** Copies all rows, as a backup does. */
    async copy(name: string) {
      await admin.transaction().execute(async (trx) => {
        for (const table of tables) {
          const copy = sql.table(copyOf(name, table));
          await sql`drop table if exists ${copy}`.execute(trx);
          await sql`create table ${copy} as select * from ${sql.table(table)}`.execute(trx);
        }
      });
      // A function, because other statements than SELECT end the prepared ones, and with them most of the speed. The role
      // switches triggers and foreign keys off. The database's own numbers, and its random ones, begin anew.
      await sql`create or replace function ${sql.table(`copies.restore_${name}`)}() returns void language plpgsql as ${sql.lit(`begin
        perform set_config('session_replication_role', 'replica', true);
        truncate ${tables.join(', ')};
        ${tables.map((table) => `insert into ${table} overriding system value select * from ${copyOf(name, table)};`).join('\n')}
        ${numbered.rows.map(({ table, column }) => `perform setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}) + 1, 1), false) from ${table};`).join('\n')}
        perform set_config('session_replication_role', 'origin', true);
        perform setseed(0);
      end`)}`.execute(admin);
      reads.begin(tables);
    },
    /** Saves the database with its copies. The tables themselves aren't logged, so they are empty when it is opened. */
    async save(): Promise<Blob> {
      await sql`checkpoint`.execute(admin);
      return pglite.dumpDataDir('none');
    },
    /** Replaces all rows by those of a copy. No instance may run. */
    async restore(name: string) {
      await sql`select ${sql.table(`copies.restore_${name}`)}()`.execute(admin);
      restoreCount += 1;
      // Otherwise the log grows by megabytes with each simulation.
      if (restoreCount % RESTORES_PER_CHECKPOINT === 0) await sql`checkpoint`.execute(admin);
    },
  };
}

/** A table must wait for those that refer to it. */
async function setUnlogged(db: Kysely<BotSchema>, tables: readonly string[]): Promise<void> {
  const waiting: string[] = [];
  for (const table of tables)
    await sql`alter table ${sql.table(table)} set unlogged`.execute(db).catch(() => void waiting.push(table));
  if (waiting.length === tables.length)
    throw new Error(`these tables can’t be unlogged: ${waiting.join(', ')}`);
  if (waiting.length > 0) await setUnlogged(db, waiting);
}

interface Server {
  session: Session;
  network: () => Network;
  connections: Set<Connection>;
  /** Hears of the rows that each statement names or returns. */
  onIds(ids: readonly string[]): void;
}

/** Lists the ids of rows that a statement names or returns, each once. */
function listIds(parameters: readonly unknown[], rows: readonly object[]): string[] {
  const returned = rows.map((row) => ('id' in row ? row.id : undefined));
  const values = [...parameters.flat(), ...returned];
  return [...new Set(values.filter((value) => typeof value === 'string' && ROW_ID.test(value)))] as string[];
}
/** Whether a parameter has transitions, one of which is into a state in which something is sent. */
const isSending = (value: unknown) => typeof value === 'string' && value.includes('"isSendingState":true');
const WRITES = /\b(?:insert into|update "?\w+"? (?:t )?set)\b/iu;
const createDiskFull = () =>
  Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
const CLAIMS_POST = /update "post" set lease_until = \S+, next_at = \S+, fence = fence \+ 1\b/u;
const READS_TIME = /^\s*select \(extract\(epoch from clock_timestamp\(\)\) \* 1000\)::float8 as time\s*$/u;
const ROW_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/u;

class SimulatedDriver implements Driver {
  readonly #server: Server;
  constructor(server: Server) {
    this.#server = server;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    const network = this.#server.network();
    if (network.getCondition('database') === 'down') {
      const refusal = new DatabaseUnavailable(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
      const fate = { ...network.drawFate('database'), isRefused: true, delayMs: 10 };
      await network.call('database', fate, { effect: async () => undefined, lose: () => refusal });
    }
    const connection = new Connection(this.#server);
    this.#server.connections.add(connection);
    return connection;
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) this.#server.connections.delete(connection);
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) await connection.begin();
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) await connection.commit();
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) await connection.rollback();
  }
  async destroy(): Promise<void> {}
}

/** A connection of an instance. A lost answer breaks it, and the server then rolls its transaction back. */
class Connection implements DatabaseConnection {
  readonly process = getProcess();
  readonly #session: Session;
  readonly #network: Network;
  #transaction: number | undefined;
  readonly #onIds: Server['onIds'];
  #isBroken = false;

  constructor({ session, network, onIds }: Server) {
    this.#session = session;
    this.#network = network();
    this.#onIds = onIds;
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.#call(async () => {
      // Instances ask for the time again and again, and the database has that of the simulation.
      if (READS_TIME.test(query.sql)) return { rows: [{ time: Date.now() }] as Row[], affectedRows: 0 };
      if (this.#network.getCondition('database') === 'full' && WRITES.test(query.sql)) throw createDiskFull();
      return this.#session.query<Row>(query.sql, query.parameters, this.#transaction);
    });
    this.#onIds(listIds(query.parameters, rows as readonly object[]));
    if (rows.length > 0 && query.parameters.some(isSending)) await this.#network.passStatement('sending');
    if (rows.length > 0 && CLAIMS_POST.test(query.sql)) await this.#network.passStatement('claiming');
    return { rows, numAffectedRows: BigInt(affectedRows) };
  }
  // biome-ignore lint/correctness/useYield: the app streams nothing
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('not simulated');
  }
  async begin(): Promise<void> {
    await this.#call(async () => {
      lastTransaction += 1;
      const transaction = lastTransaction;
      await this.#session.begin(transaction);
      // Its process may have ended while it waited for its turn.
      if (this.#isBroken) return this.#session.rollback(transaction);
      this.#transaction = transaction;
    });
  }
  async commit(): Promise<void> {
    await this.#call(() => this.#end((transaction) => this.#session.commit(transaction)));
  }
  async rollback(): Promise<void> {
    await this.#call(() => this.#end((transaction) => this.#session.rollback(transaction)));
  }
  async break(): Promise<void> {
    this.#isBroken = true;
    await this.#end((transaction) => this.#session.rollback(transaction));
  }
  async #end(end: (transaction: number) => Promise<void>): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (transaction !== undefined) await end(transaction);
  }
  async #call<Result>(effect: () => Promise<Result>): Promise<Result> {
    const network = this.#network;
    const fate = network.drawFate('database');
    // A statement that arrives after its connection has broken has no effect. The server takes none later.
    if (fate.applied === 'late') fate.applied = 'never';
    if (fate.isOdd) Object.assign(fate, { isLost: true });
    const lost = () => new ConnectionLost(new Error('the simulated connection broke'));
    try {
      return await network.call('database', fate, {
        lose: lost,
        effect: () => {
          if (this.#isBroken) throw lost();
          return effect();
        },
      });
    } catch (error) {
      if (error instanceof ConnectionLost && !this.#isBroken) await runIn(undefined, () => this.break());
      throw error;
    }
  }
}
