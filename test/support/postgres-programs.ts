import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findParentFolder } from './test-folder.ts';

const runProgram = promisify(execFile);
/** A socket's path has at most 107 characters, including `/.s.PGSQL.5432`. */
const MAX_FOLDER_LENGTH = 90;

/** The system's Postgres programs, run by a user who may run them. */
export interface PostgresPrograms {
  /** Creates a folder for a server: its data, and its socket. */
  createFolder(): Promise<string>;
  /** Runs a client program or `initdb` in a folder. */
  run(name: string, folder: string, args: readonly string[]): Promise<void>;
  /** Starts the server whose data are in `folder/data`. Its socket is in `folder`. */
  startServer(folder: string): Promise<ChildProcess>;
}

/** Undefined if Postgres isn't installed. */
export async function findPostgresPrograms(): Promise<PostgresPrograms | undefined> {
  const binaries = await findBinaries();
  if (binaries === undefined) return undefined;
  const identity = await findUnprivilegedUser();
  return {
    createFolder: () => createServerFolder(identity),
    run: async (name, folder, args) => {
      await runProgram(join(binaries, name), args, { cwd: folder, ...identity });
    },
    startServer: (folder) => startServer(join(binaries, 'postgres'), folder, { cwd: folder, ...identity }),
  };
}

/** Creates the data of a new server in `folder/data`. */
export async function createCluster(programs: PostgresPrograms, folder: string): Promise<void> {
  const data = join(folder, 'data');
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  await programs.run('initdb', folder, args);
  // All users are trusted, except `stranger`, who needs a password that doesn't exist.
  await writeFile(
    join(data, 'pg_hba.conf'),
    'local all stranger scram-sha-256\nlocal all all trust\nlocal replication all trust\n',
  );
  await appendFile(
    join(data, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_permissions = 0777\nfsync = off\nmax_connections = 300\n`,
  );
}

/** Builds the address of a database on the server whose socket is in `folder`. */
export function buildPostgresUrl(folder: string, database: string, user: string): string {
  return `postgres://${user}:nothing@/${database}?host=${encodeURIComponent(folder)}`;
}

/** Maximum attempts to start. A server can't start while processes of a crashed server use the shared memory. */
const MAX_ATTEMPTS = 20;

async function startServer(program: string, folder: string, options: object): Promise<ChildProcess> {
  const args = ['-D', join(folder, 'data'), '-k', folder];
  for (let remaining = MAX_ATTEMPTS; ; remaining -= 1) {
    const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
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
  const folder = folders.find(
    (each) => existsSync(join(each, 'postgres')) && existsSync(join(each, 'initdb')),
  );
  // A folder of PATH may have links to some of the programs only.
  return folder && dirname(await realpath(join(folder, 'postgres')));
}

type Identity = { uid: number; gid: number } | Record<string, never>;

/** Finds a user for the server, because Postgres refuses to run as root. */
export async function findUnprivilegedUser(): Promise<Identity> {
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
 * Creates a folder for a server. Uses the system's temporary folder if the user can't write to the folder of the tests,
 * or if the socket's path would be too long there.
 */
export async function createServerFolder(identity: Identity): Promise<string> {
  for (const parent of [findParentFolder(), tmpdir()]) {
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

const READY = /ready to accept (?:read-only )?connections/;

async function waitUntilReady(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (server.stderr === null) throw new Error('the server has no stderr');
  for await (const line of createInterface({ input: server.stderr })) {
    if (READY.test(line)) {
      server.stderr.resume();
      return;
    }
    lines.push(line);
  }
  throw new Error(`Postgres did not start:\n${lines.join('\n')}`);
}
