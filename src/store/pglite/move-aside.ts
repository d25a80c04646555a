import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseTooOld } from '../database-too-old.ts';
import { versionMismatch } from '../version-mismatch.ts';
import type { Session } from './session.ts';

/** Replaces a database that an earlier version made and this one can't use. */
export interface EarlierVersionHandling {
  /** Names of this version's migrations. */
  migrations: readonly string[];
  /** Called after the earlier database was moved to the folder `to`. */
  onMovedAside(to: string): void;
}

/** Whether an earlier version made this database. False for a newer version's, which must stay where it is. */
export async function isFromEarlierVersion(
  session: Session,
  migrations: readonly string[],
): Promise<boolean> {
  const { rows: tables } = await session.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
    [],
  );
  if (!tables[0]?.found) return false;
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration', []);
  const names = rows.map(({ name }) => name);
  return versionMismatch(names, migrations) instanceof DatabaseTooOld;
}

/**
 * Moves a closed cluster from a folder that the caller has locked to the first free folder beside it. For example,
 * `data/database/cluster` becomes `data/database-earlier-1/cluster`; renaming the folder back restores the database.
 * The move is atomic: after a crash the cluster is in one of the two places. Returns the new folder.
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
