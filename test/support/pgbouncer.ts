import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseTarget } from './database-proxy.ts';
import { findFreePort } from './listening-port.ts';
import { createServerFolder, findUnprivilegedUser } from './postgres-programs.ts';

export interface PgBouncer {
  /** The address of a database through PgBouncer. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** The path of the program. Undefined if PgBouncer isn't installed. */
export const pgBouncerProgram = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));

/** Starts a PgBouncer in transaction mode in front of a Postgres, with `poolSize` connections to each database. */
export async function startPgBouncer(databaseUrl: string, poolSize: number): Promise<PgBouncer> {
  if (pgBouncerProgram === undefined) throw new Error('PgBouncer is not installed');
  const target = parseTarget(databaseUrl);
  const [host, targetPort] =
    'socketPath' in target ? [dirname(target.socketPath), 5432] : [target.host, target.port];
  const identity = await findUnprivilegedUser();
  const folder = await createServerFolder(identity);
  const port = await findFreePort();
  const users = join(folder, 'users.txt');
  await writeFile(users, '"postgres" ""\n');
  const settings = [
    '[databases]',
    `* = host=${host} port=${targetPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 1000',
    'server_login_retry = 1',
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  const server = spawn(pgBouncerProgram, [file], {
    cwd: folder,
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  for await (const line of createInterface({ input: server.stderr })) if (line.includes('process up')) break;
  server.stderr.resume();
  return {
    url: (database) => `postgres://postgres:nothing@127.0.0.1:${port}/${database}`,
    stop: async () => {
      process.off('exit', kill);
      const exited = once(server, 'exit');
      kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
