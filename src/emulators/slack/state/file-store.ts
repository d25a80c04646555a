import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the bytes of uploaded files are: by file id. */
export interface FileStore {
  write(id: string, bytes: Buffer): Promise<void>;
  /** Undefined where there are none. */
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

export function createMemoryFileStore(): FileStore {
  const all = new Map<string, Buffer>();
  return {
    async write(id, bytes) {
      all.set(id, bytes);
    },
    read: async (id) => all.get(id),
    async remove(id) {
      all.delete(id);
    },
    async clear() {
      all.clear();
    },
  };
}

/** The files are gone for everybody who asks, even where the disk still holds them. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
    console.error(`The workspace could not delete ${path}:`, error),
  );
}

/** One file for each, named by its id, readable by nobody else. */
export function createFolderFileStore(folder: string): FileStore {
  const home = join(folder, 'files');
  return {
    async write(id, bytes) {
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeFile(join(home, id), bytes, { mode: 0o600 });
    },
    read: (id) => readFile(join(home, id)).catch(() => undefined),
    remove: (id) => removeQuietly(join(home, id)),
    clear: () => removeQuietly(home),
  };
}
