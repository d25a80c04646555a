import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseTooOld } from '../database-too-old.ts';
import { otherVersion } from '../other-version.ts';
import type { Session } from './session.ts';

/** What becomes of a database that an earlier version made and this one can't use. */
export interface Replacing {
  /** Names of the migrations that this version knows. */
  migrations: readonly string[];
  /** Called once the earlier database lies in the folder `to`. */
  onMovedAside(to: string): void;
}

/** Whether an earlier version made this database. Not a newer one: that is left alone. */
export async function isEarlier(session: Session, migrations: readonly string[]): Promise<boolean> {
  const { rows: tables } = await session.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
    [],
  );
  if (!tables[0]?.found) return false;
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration', []);
  const names = rows.map(({ name }) => name);
  return otherVersion(names, migrations) instanceof DatabaseTooOld;
}

/**
 * Moves a closed cluster out of a folder that the caller has locked, to the first free folder beside it:
 * `data/database/cluster` becomes `data/database-earlier-1/cluster`, so that the folder can take the other's place
 * again. The rename is atomic: after a crash the cluster is in one place or the other. Returns the new folder.
 */
export async function moveAside(cluster: string, folder: string): Promise<string> {
  const name = basename(cluster);
  for (let number = 1; ; number += 1) {
    const aside = `${folder}-earlier-${number}`;
    if (existsSync(join(aside, name))) continue;
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await rename(cluster, join(aside, name));
    return aside;
  }
}
