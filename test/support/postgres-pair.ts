import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';
import {
  buildPostgresUrl,
  createCluster,
  findPostgresPrograms,
  type PostgresPrograms,
} from './postgres-programs.ts';

const runProgram = promisify(execFile);
const POLL_INTERVAL_MS = 50;
const STREAMING_TIMEOUT_MS = 60_000;

interface Server {
  folder: string;
  process: ChildProcess;
}

/** A primary, and a standby that streams its changes. After a failover, the standby is the primary. */
export class PostgresPair {
  readonly #programs: PostgresPrograms;
  readonly #isSynchronous: boolean;
  /** The connection through which the standby receives changes. */
  #replication: DatabaseProxy | undefined;
  #primary: Server;
  #standby: Server | undefined;
  readonly #killServers = () => {
    for (const server of [this.#primary, this.#standby]) server?.process.kill('SIGQUIT');
  };

  private constructor(programs: PostgresPrograms, primary: Server, isSynchronous: boolean) {
    this.#programs = programs;
    this.#primary = primary;
    this.#isSynchronous = isSynchronous;
    process.once('exit', this.#killServers);
  }

  /** Undefined if Postgres isn't installed. If `isSynchronous`, each commit waits until the standby has it on disk. */
  static async start(isSynchronous: boolean): Promise<PostgresPair | undefined> {
    const programs = await findPostgresPrograms();
    if (programs === undefined) return undefined;
    const folder = await programs.createFolder();
    await createCluster(programs, folder);
    const primary = { folder, process: await programs.startServer(folder) };
    const pair = new PostgresPair(programs, primary, isSynchronous);
    await pair.attachStandby();
    return pair;
  }

  /** The address of a database on the primary. */
  url(database: string, user: string): string {
    return buildPostgresUrl(this.#primary.folder, database, user);
  }

  /** The address of a database on the standby, which is read-only. */
  standbyUrl(database: string, user: string): string {
    return buildPostgresUrl(this.#getStandby().folder, database, user);
  }

  /** Copies the primary to a new standby, and waits until the standby receives all changes. */
  async attachStandby(): Promise<void> {
    const { folder: primaryFolder } = this.#primary;
    const folder = await this.#programs.createFolder();
    this.#replication = await startDatabaseProxy({ socketPath: join(primaryFolder, '.s.PGSQL.5432') });
    // The proxy doesn't parse requests for encryption.
    const source = `host=127.0.0.1 port=${this.#replication.port} user=postgres sslmode=disable gssencmode=disable`;
    const target = ['-D', join(folder, 'data'), '--checkpoint=fast', '--no-sync', '--write-recovery-conf'];
    await this.#programs.run('pg_basebackup', folder, ['-d', source, ...target]);
    this.#standby = { folder, process: await this.#programs.startServer(folder) };
    // The copy doesn't contain this setting. So the standby waits for no other standby when it is the primary.
    if (this.#isSynchronous) {
      await this.#run(this.url('postgres', 'postgres'), "alter system set synchronous_standby_names = '*'");
      await this.#run(this.url('postgres', 'postgres'), 'select pg_reload_conf()');
    }
    const expected = this.#isSynchronous ? 'sync' : 'async';
    const endsAt = Date.now() + STREAMING_TIMEOUT_MS;
    const statement = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = '${expected}'`;
    while ((await this.#run(this.url('postgres', 'postgres'), statement)) === 0) {
      if (Date.now() > endsAt) throw new Error('the standby receives no changes');
      await delay(POLL_INTERVAL_MS);
    }
  }

  /** From now on, the standby receives no changes, and isn't told that it doesn't. */
  cutReplication(): void {
    this.#replication?.cutSilently();
  }

  /** Kills all processes of the primary at once (SIGKILL), as the failure of its machine does. */
  async killPrimary(): Promise<void> {
    const { folder, process: server } = this.#primary;
    const pid = server.pid ?? 0;
    const exited = once(server, 'exit');
    // A stopped server starts no further processes.
    process.kill(pid, 'SIGSTOP');
    const { stdout } = await runProgram('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
    for (const child of [...stdout.split('\n').filter(Boolean).map(Number), pid]) {
      try {
        process.kill(child, 'SIGKILL');
      } catch {
        // This process has ended by itself.
      }
    }
    await exited;
    await removeSharedMemory(folder);
    await rm(folder, { recursive: true, force: true });
  }

  /** Makes the standby the primary, after `killPrimary`. */
  async promoteStandby(): Promise<void> {
    await this.#replication?.close();
    this.#primary = this.#getStandby();
    this.#standby = undefined;
    await this.#run(this.url('postgres', 'postgres'), 'select pg_promote()');
  }

  async stop(): Promise<void> {
    process.off('exit', this.#killServers);
    await this.#replication?.close();
    for (const server of [this.#standby, this.#primary]) {
      if (server === undefined) continue;
      const { process: child, folder } = server;
      child.kill('SIGQUIT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  }

  #getStandby(): Server {
    if (!this.#standby) throw new Error('there is no standby');
    return this.#standby;
  }

  /** Runs a statement, and returns the number of its rows. */
  async #run(url: string, statement: string): Promise<number> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(statement)).rows.length;
    } finally {
      await client.end();
    }
  }
}

/** A killed server leaves a segment of shared memory. The last line of its pid file with two numbers names it. */
async function removeSharedMemory(folder: string): Promise<void> {
  const pidFile = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const [, id] = /^ *\d+ +(\d+)$/m.exec(pidFile) ?? [];
  if (id !== undefined) await runProgram('ipcrm', ['-m', id]).catch(() => undefined);
}
