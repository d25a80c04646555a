import { randomBytes } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { expect } from 'vitest';
import { createEncryption } from '../../src/access/encryption.ts';
import { deleteOldEntries } from '../../src/access/record/delete-entries.ts';
import type { AuditEntry } from '../../src/access/record/entry.ts';
import { createAuditRecord } from '../../src/access/record/record.ts';
import { verifyRecord, type WorkspaceHead } from '../../src/access/record/verify.ts';
import type { BotSchema } from '../../src/app/schema.ts';

export const OLD = new Date(Date.now() - 408 * 24 * 60 * 60 * 1000);
export const RECENT = new Date(Date.now() - 399 * 24 * 60 * 60 * 1000);

const entry: AuditEntry = { workspace: 'T1', actor: 'U1', action: 'roles give', decision: 'done' };

export type AuditChain = ReturnType<typeof createAuditChain>;

/** The audit log of a database, and what its operator and an attacker do with it. */
export function createAuditChain(db: Kysely<BotSchema>) {
  let encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  return {
    async add(times: readonly Date[], workspace = 'T1'): Promise<void> {
      const onError = (error: unknown) => expect(error).toBeUndefined();
      const record = createAuditRecord({ db, encryption, now: () => new Date(), onError });
      await Promise.all(times.map((at) => record.add({ ...entry, workspace, at })));
    },
    /** Deletes old entries. Returns how many, and the errors by workspace. */
    async deleteOld(deletingDb = db): Promise<{ deleted: number; errors: string[] }> {
      const errors: string[] = [];
      const deleted = await deleteOldEntries({
        db: deletingDb,
        encryption,
        isStopped: () => false,
        onError: (error, { workspace }) => errors.push(`${workspace}: ${String(error)}`),
      });
      return { deleted, errors };
    },
    verify: (heads: readonly WorkspaceHead[] = []) => verifyRecord(db, encryption, heads),
    getEncryption: () => encryption,
    /** The old key of the chains can't be decrypted from then on. */
    loseKey(): void {
      encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
    },
    listRows: (workspace = 'T1') =>
      db.selectFrom('audit_entry').selectAll().where('workspace', '=', workspace).orderBy('seq').execute(),
    async listSeqs(workspace = 'T1'): Promise<number[]> {
      return (await this.listRows(workspace)).map(({ seq }) => seq);
    },
    /** Everything that is stored about all chains. */
    readAll: async () =>
      Promise.all(
        (['audit_entry', 'audit_head', 'audit_checkpoint', 'shared_secret'] as const).map((table) =>
          sql`select t::text from ${sql.table(table)} t order by 1`.execute(db).then(({ rows }) => rows),
        ),
      ),
    /** Changes rows like an attacker who owns the tables. */
    async tamper(change: () => Promise<unknown>): Promise<void> {
      await sql`alter table audit_entry disable trigger all`.execute(db);
      await change();
      await sql`alter table audit_entry enable trigger all`.execute(db);
    },
  };
}

/** Fails before the statement with this number, from 0. `isReached` returns whether there was one. */
export function createFailure(failingStatement: number): { plugin: KyselyPlugin; isReached(): boolean } {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      if (statements > failingStatement) throw new Error('the instance was killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { plugin, isReached: () => statements > failingStatement };
}
