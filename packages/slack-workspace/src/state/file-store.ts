import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The bytes of uploaded files, by file id. */
export interface FileStore {
  write(id: string, bytes: Buffer): Promise<void>;
  /** Undefined if there are no bytes of this file. */
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

export function createMemoryFileStore(): FileStore {
  const bytesById = new Map<string, Buffer>();
  return {
    async write(id, bytes) {
      bytesById.set(id, bytes);
    },
    read: async (id) => bytesById.get(id),
    async remove(id) {
      bytesById.delete(id);
    },
    async clear() {
      bytesById.clear();
    },
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
