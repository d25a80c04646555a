import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);
const cache = join(import.meta.dirname, '../../.cache');
/** A socket's path has at most 107 characters, including `/.s.PGSQL.5432`. */
const MAX_FOLDER_LENGTH = 90;

export interface PrivatePostgres {
  /** The address of a database. The user `postgres` may do everything; `stranger` is refused. */
  url(database: string, user: string): string;
  /** Stops the server, and starts it after `downMs`. `fast` disconnects clients and rolls back. `immediate` is a crash. */
  restart(mode: 'fast' | 'immediate', downMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Postgres from the system's binaries, on a Unix socket. Undefined if it isn't installed. */
export async function startPostgres(): Promise<PrivatePostgres | undefined> {
  const binaries = await findBinaries();
  if (binaries === undefined) return undefined;
  const identity = await findUnprivilegedUser();
  const folder = await createFolder(identity);
  const data = join(folder, 'data');
  await runProgram(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    {
      cwd: folder,
      ...identity,
    },
  );
  // All users are trusted, except `stranger`, who needs a password that doesn't exist.
  await writeFile(join(data, 'pg_hba.conf'), 'local all stranger scram-sha-256\nlocal all all trust\n');
  await appendFile(
    join(data, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${folder}'\nunix_socket_permissions = 0777\nfsync = off\nmax_connections = 300\n`,
  );
  const start = () => startServer(join(binaries, 'postgres'), data, { cwd: folder, ...identity });
  let server = await start();
  const killServer = () => server.kill('SIGQUIT');
  process.once('exit', killServer);
  const stopServer = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  return {
    url: (database, user) => `postgres://${user}:nothing@/${database}?host=${encodeURIComponent(folder)}`,
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

/** Maximum attempts to start. A server can't start while processes of a crashed server use the shared memory. */
const MAX_ATTEMPTS = 20;

async function startServer(program: string, data: string, options: object): Promise<ChildProcess> {
  for (let remaining = MAX_ATTEMPTS; ; remaining -= 1) {
    const server = spawn(program, ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await waitUntilReady(server);
      return server;
    } catch (error) {
      if (remaining === 0) throw error;
      await delay(250);
    }
  }
}

async function findBinaries(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? await readdir(debian) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

type Identity = { uid: number; gid: number } | Record<string, never>;

/** Finds a user for the server, because Postgres refuses to run as root. */
async function findUnprivilegedUser(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // This user doesn't exist; try the next one.
    }
  }
  throw new Error('Postgres does not run as root, and there is neither a user postgres nor nobody');
}

/**
 * Creates a folder in .cache. Uses the temporary folder if the user can't write to .cache, or if the socket's path
 * would be too long there.
 */
async function createFolder(identity: Identity): Promise<string> {
  await mkdir(cache, { recursive: true });
  for (const parent of [cache, tmpdir()]) {
    const folder = await mkdtemp(join(parent, 'postgres-'));
    await chmod(folder, 0o755);
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
    const isWritable = await runProgram('test', ['-w', folder], identity).then(
      () => true,
      () => false,
    );
    if (isWritable && folder.length <= MAX_FOLDER_LENGTH) return folder;
    await rm(folder, { recursive: true });
  }
  throw new Error('found no folder for the data of Postgres');
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (server.stderr === null) throw new Error('the server has no stderr');
  for await (const line of createInterface({ input: server.stderr })) {
    if (line.includes('ready to accept connections')) {
      server.stderr.resume();
      return;
    }
    lines.push(line);
  }
  throw new Error(`Postgres did not start:\n${lines.join('\n')}`);
}
