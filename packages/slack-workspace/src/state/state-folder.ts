import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeNumber, makeSecret } from './ids.ts';
import { isNewer, type SavedSlack, savedSlack } from './saved-state.ts';

/** Changes within this time are written together. A crash loses what wasn't written yet. */
const SAVE_AFTER_MS = 50;
/**
 * The pause between writes, as a multiple of the time to serialize the state. A large state is written less often,
 * because serializing it blocks the process and leaves megabytes of garbage.
 */
const PAUSE_FACTOR = 50;

const tokens = z.object({
  /** The app's bot token in the first workspace. */
  bot: z.string(),
  app: z.string(),
  signingSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});
export type Tokens = z.infer<typeof tokens>;
/** Files from before the workspace had OAuth have no client. */
const earlierTokens = tokens.extend({
  clientId: z.string().exactOptional(),
  clientSecret: z.string().exactOptional(),
});

/** Reads a JSON file. Undefined if it doesn't exist. Leaves a file that it can't read as it is. */
async function readJsonFile<T>(path: string, shape: z.ZodType<T>): Promise<T | undefined> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: remove it to begin anew`, { cause: error });
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export function createTokens(): Tokens {
  return {
    bot: `xoxb-${makeSecret()}`,
    app: `xapp-1-${makeSecret()}`,
    signingSecret: makeSecret(16),
    clientId: `${makeNumber()}.${makeNumber()}`,
    clientSecret: makeSecret(16),
  };
}

/** Reads the tokens in the folder, or creates them. Only the owner of the file may read it. */
export async function readOrCreateTokens(folder: string): Promise<Tokens> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'tokens.json');
  const stored = await readJsonFile(path, earlierTokens);
  const complete = { ...createTokens(), ...stored };
  if (stored && Object.keys(complete).every((name) => name in stored)) return complete;
  await replaceFile(path, JSON.stringify(complete));
  return complete;
}

/** Reads the state in the folder. Undefined without one, and after moving aside the state of an earlier version. */
export async function loadState(
  folder: string,
  onMovedAside: (to: string) => void,
): Promise<SavedSlack | undefined> {
  const path = join(folder, 'state.json');
  const stored = await readJsonFile(path, z.unknown());
  if (stored === undefined) return undefined;
  const { success, data } = savedSlack.safeParse(stored);
  if (success) return data;
  if (isNewer(stored)) throw new Error(`${path} belongs to a newer version. Nothing was changed`);
  onMovedAside(await moveAside(folder));
  return undefined;
}

/**
 * Moves the state and the files to the first free folder beside this one, `workspace-earlier-1`; tokens stay. The state
 * goes last, so that the next start moves it too if the process ends in between.
 */
async function moveAside(folder: string): Promise<string> {
  let number = 1;
  while (existsSync(join(`${folder}-earlier-${number}`, 'state.json'))) number += 1;
  const aside = `${folder}-earlier-${number}`;
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of ['files', 'state.json'])
    if (existsSync(join(folder, name))) await rename(join(folder, name), join(aside, name));
  return aside;
}

export interface Saver {
  touch(): void;
  /** Writes changes that aren't written yet. */
  close(): Promise<void>;
}

/** Creates the writer of the state file, which always writes the complete state. */
export function createSaver(folder: string, current: () => object): Saver {
  const path = join(folder, 'state.json');
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let pauseMs = SAVE_AFTER_MS;
  const serialize = () => {
    const startedAt = performance.now();
    const text = JSON.stringify(current());
    pauseMs = Math.max(SAVE_AFTER_MS, (performance.now() - startedAt) * PAUSE_FACTOR);
    return text;
  };
  const write = () => {
    timer = undefined;
    writing = writing
      .then(() => replaceFile(path, serialize()))
      .catch((error: unknown) => {
        console.error(`could not write the workspace's state to ${path}:`, error);
      });
  };
  return {
    touch() {
      timer ??= setTimeout(write, pauseMs);
    },
    async close() {
      if (timer) {
        clearTimeout(timer);
        write();
      }
      await writing;
    },
  };
}

/** The bytes of uploaded files, by file id. */
export interface FileStore {
  write(id: string, bytes: Buffer): Promise<void>;
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

export function createMemoryFileStore(): FileStore {
  const bytesById = new Map<string, Buffer>();
  return {
    write: async (id, bytes) => {
      bytesById.set(id, bytes);
    },
    read: async (id) => bytesById.get(id),
    remove: async (id) => {
      bytesById.delete(id);
    },
    clear: async () => bytesById.clear(),
  };
}

/** Deletes files. A failure is only logged, because the workspace doesn't show the files any more. */
async function deleteOrLog(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
    console.error(`could not delete ${path}:`, error),
  );
}

/** Stores each file in the folder under its id. Only the owner of the folder can read them. */
export function createFolderFileStore(folder: string): FileStore {
  const filesFolder = join(folder, 'files');
  return {
    async write(id, bytes) {
      await mkdir(filesFolder, { recursive: true, mode: 0o700 });
      await writeFile(join(filesFolder, id), bytes, { mode: 0o600 });
    },
    read: (id) => readFile(join(filesFolder, id)).catch(() => undefined),
    remove: (id) => deleteOrLog(join(filesFolder, id)),
    clear: () => deleteOrLog(filesFolder),
  };
}
