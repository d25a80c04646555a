import { type Kysely, type KyselyPlugin, type RawNode, sql } from 'kysely';
import type { BotSchema } from '../../../../src/store/schema.ts';

/** What is kept of a workspace; everything else that a request writes is about the request itself. */
const KEPT = [
  ...['submission', 'access_grant', 'channel_project', 'zone', 'digest', 'digest_occurrence'],
  ...['credential', 'draft_copy'],
];
/** What somebody leaves behind by trying: forms, requests for access, what happens once. */
const LEFT_BEHIND = ['open_form', 'access_request', 'done_once', 'home_tab'];

/** What is new there is in nobody's way; only what was there is brought back. */
const MAY_GROW = ['open_form', 'access_request'];

/** The tables that a statement in SQL writes to, named in it or given to it. */
function writtenBy(node: RawNode): string[] {
  return [...textOfRaw(node).matchAll(/\b(?:insert into|update|delete from)\s+(\w+)/gi)].flatMap(
    ([, table]) => table ?? [],
  );
}

function textOfRaw({ sqlFragments, parameters }: RawNode): string {
  return sqlFragments.map((fragment, index) => fragment + textOf(parameters[index])).join('');
}

function textOf(parameter: RawNode['parameters'][number] | undefined): string {
  if (parameter?.kind === 'RawNode') return textOfRaw(parameter as RawNode);
  return parameter?.kind === 'TableNode'
    ? (/"name":"(\w+)"/.exec(JSON.stringify(parameter))?.[1] ?? '')
    : '?';
}

/** Sees which tables a request changes, and brings them back to how they were. */
export async function watchedDatabase(db: Kysely<BotSchema>) {
  const changed = new Set<string>();
  const tables = new WeakMap<object, readonly string[]>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'InsertQueryNode') tables.set(queryId, [node.into?.table.identifier.name ?? '']);
      if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') {
        tables.set(queryId, [/"name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? '']);
      }
      if (node.kind === 'RawNode') tables.set(queryId, writtenBy(node));
      return node;
    },
    async transformResult({ queryId, result }) {
      if (result.rows.length > 0 || (result.numAffectedRows ?? 0n) > 0n)
        for (const table of tables.get(queryId) ?? []) changed.add(table);
      return result;
    },
  };
  const all = [...KEPT, ...LEFT_BEHIND].map((table) => ({ table, copy: `${table}_as_it_was` }));
  async function isAllThere(table: string, copy: string): Promise<boolean> {
    const lost = sql`(table ${sql.table(copy)} except table ${sql.table(table)}) limit 1`;
    return (await lost.execute(db)).rows.length === 0;
  }
  return {
    db: db.withPlugin(plugin),
    /** Of what is kept of a workspace, the rows that are different from how they were: their table and id, or whose a new one is. */
    async changed(workspace: string): Promise<string[]> {
      const written = all.filter(({ table }) => KEPT.includes(table) && changed.has(table));
      const different = await Promise.all(
        written.map(async ({ table, copy }) => {
          const [is, was] = [sql.table(table), sql.table(copy)];
          const { rows } = await sql<{ id: string; whose: string; new: boolean }>`select
            coalesce(row ->> 'id', row ->> 'submission', row ->> 'subject', row ->> 'channel') as id,
            min(coalesce(row ->> 'author', row ->> 'owner', row ->> 'subject', row ->> 'channel')) as whose, bool_and(is_now) as new
          from (
            select true as is_now, to_jsonb(now) as row from (table ${is} except table ${was}) now
            union all
            select false, to_jsonb(before) from (table ${was} except table ${is}) before
          ) changes where row ->> 'workspace' = ${workspace} group by 1`.execute(db);
          return rows.map((row) => `${table} ${row.new ? `new of ${row.whose}` : row.id}`);
        }),
      );
      return different.flat();
    },
    /** As it is now is how it will be again. */
    async keep() {
      for (const { table, copy } of all) {
        await sql`drop table if exists ${sql.table(copy)}`.execute(db);
        await sql`create table ${sql.table(copy)} as select * from ${sql.table(table)}`.execute(db);
      }
      changed.clear();
    },
    async restore() {
      for (const { table, copy } of all.filter((one) => changed.has(one.table))) {
        if (MAY_GROW.includes(table) && (await isAllThere(table, copy))) continue;
        await sql`delete from ${sql.table(table)}`.execute(db);
        await sql`insert into ${sql.table(table)} select * from ${sql.table(copy)}`.execute(db);
      }
      changed.clear();
    },
  };
}
