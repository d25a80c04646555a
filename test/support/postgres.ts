import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { buildPostgresUrl, createCluster, findPostgresPrograms } from './postgres-programs.ts';

export interface PrivatePostgres {
  /** The address of a database. The user `postgres` may do everything; `stranger` is refused. */
  url(database: string, user: string): string;
  /** Stops the server, and starts it after `downMs`. `fast` disconnects clients and rolls back. `immediate` is a crash. */
  restart(mode: 'fast' | 'immediate', downMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Postgres from the system's binaries, on a Unix socket. Undefined if it isn't installed. */
export async function startPostgres(): Promise<PrivatePostgres | undefined> {
  const programs = await findPostgresPrograms();
  if (programs === undefined) return undefined;
  const folder = await programs.createFolder();
  await createCluster(programs, folder);
  const start = () => programs.startServer(folder);
  let server = await start();
  const killServer = () => server.kill('SIGQUIT');
  process.once('exit', killServer);
  const stopServer = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  return {
    url: (database, user) => buildPostgresUrl(folder, database, user),
    restart: async (mode, downMs = 0) => {
      await stopServer(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await delay(downMs);
      server = await start();
    },
    stop: async () => {
      process.off('exit', killServer);
      await stopServer('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
