import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { EXTRA_FIELDS, type ExtraField } from '../api/post-fields.ts';
import { getServiceId } from '../api/project-ids.ts';
import type { Budget } from '../budget.ts';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import type { Queryable } from '../store/database.ts';
import { readContent } from '../submissions/content.ts';
import type { DescribedPost } from '../submissions/kind.ts';
import { PROBLEM_PARTS, type RowProblem } from './cells.ts';
import type { CheckedRow } from './check-rows.ts';
import type { ImportContext } from './import-context.ts';
import { COLUMN_USES } from './import-settings.ts';
import { LIFECYCLE, type PostImportRow, type PostImportTables } from './post-import.ts';
import type { TableRow } from './read-table.ts';

const namedSchema = z.object({ id: z.string(), name: z.string() });

/** What the file doesn't say, as it was chosen. */
const settingsSchema = z.object({
  project: namedSchema.optional(),
  zone: z.string().optional(),
  personZone: z.string().optional(),
  order: z.enum(['day-first', 'month-first']).optional(),
  platforms: z.array(z.string()).readonly().optional(),
  columns: z.record(z.string(), z.enum(COLUMN_USES)).optional(),
});

/** The file as it was read, for another check with other settings. */
const sourceSchema = z.object({
  rows: z
    .array(
      z.object({
        number: z.number(),
        cells: z.array(z.string()).readonly(),
        tooLong: z
          .array(z.object({ column: z.string(), value: z.string(), problem: z.string() }))
          .readonly()
          .optional(),
      } satisfies Record<keyof TableRow, z.ZodType>),
    )
    .readonly(),
  settings: settingsSchema,
  /** The files of the table's message: those that no row names, and what the cells had instead of their links. */
  linked: z
    .object({
      unusedFiles: z.array(z.string()).readonly(),
      fileNames: z.record(z.string(), z.string()).readonly(),
    })
    .optional(),
  /** In how many parts the rows are. Defaults to 1. */
  parts: z.number().optional(),
});
export type ImportSource = z.infer<typeof sourceSchema>;

const aboutSchema = z.object({
  fileName: z.string(),
  /** The projects of the good rows, and the role that each needs. */
  projects: z.array(namedSchema.extend({ role: z.enum(['contributor', 'publisher']) })),
});
export type AboutImport = z.infer<typeof aboutSchema>;

/** Lists the projects of the good rows, with the role that their posts need. */
export function listTargets(rows: readonly CheckedRow[]): AboutImport['projects'] {
  const good = rows.filter(({ outcome }) => outcome === 'good');
  return [...Map.groupBy(good, ({ post }) => post.project.id)].flatMap(([id, ofProject]) => {
    const role: 'contributor' | 'publisher' = ofProject.every(({ post }) => post.isDraft)
      ? 'contributor'
      : 'publisher';
    const name = ofProject[0]?.post.project.name ?? getServiceId(id);
    return { id, name, role };
  });
}

const extraFieldSchemas: Record<ExtraField, z.ZodOptional<z.ZodString>> = Object.assign(
  {},
  ...EXTRA_FIELDS.map(({ name }) => ({ [name]: z.string().optional() })),
);

const rowSchema = z.object({
  number: z.number(),
  outcome: z.enum(['good', 'equal', 'skipped', 'faulty']),
  post: z.object({
    project: namedSchema,
    text: z.string(),
    media: z.string(),
    ...extraFieldSchemas,
    platforms: z.array(z.string()),
    ownTexts: z.record(z.string(), z.string()).optional(),
    isDraft: z.boolean(),
    zone: z.string(),
    moment: z.object({ instant: z.coerce.date(), zone: z.string(), notes: z.array(z.string()) }).optional(),
    slotFrom: z.coerce.date().optional(),
  } satisfies Record<keyof DescribedPost, z.ZodType>),
  time: z.string(),
  problems: z.array(
    z.object({
      column: z.string(),
      value: z.string(),
      problem: z.string(),
      part: z.enum(PROBLEM_PARTS).optional(),
    } satisfies Record<keyof RowProblem, z.ZodType>),
  ),
  notes: z.array(z.string()),
});

interface PartContents {
  /** The settings and the first rows at 0, and further rows behind them. */
  source: ImportSource;
  about: AboutImport;
  /** Good rows of one project, which are imported in one transaction. The position counts them. */
  batch: CheckedRow[];
  /**
   * Rows that aren't imported. The position is that of their batch plus one. Those of the check are at 0 and, in the next
   * parts, behind those of all batches.
   */
  left: CheckedRow[];
}
type Part = keyof PartContents;

const PARTS: { readonly [Name in Part]: z.ZodType<PartContents[Name]> } = {
  source: sourceSchema,
  about: aboutSchema,
  batch: z.array(rowSchema),
  left: z.array(rowSchema),
};

/** Maximum number of rows in a transaction. It holds up other forms of the author for about a tenth of a second. */
const BATCH_SIZE = 50;

type Store = Pick<ImportContext, 'encryption' | 'log'>;

function buildPart(
  { encryption }: Store,
  key: { id: string; workspace: string },
  part: Part,
  position: number,
  value: unknown,
) {
  return {
    id: buildPartId(key.id, part, position),
    workspace: key.workspace,
    post_import: key.id,
    content: encryption.encrypt(JSON.stringify(value), key.workspace),
  };
}

function buildPartId(id: string, part: Part, position: number): string {
  return `${id} ${part} ${position}`;
}

/** Reads a part of an import. Undefined if there is none, or it can't be decrypted. */
export async function readPart<Name extends Part>(
  { db, encryption, log }: Store & { db: Kysely<PostImportTables> },
  { id, workspace }: Pick<PostImportRow, 'id' | 'workspace'>,
  part: Name,
  position = 0,
): Promise<PartContents[Name] | undefined> {
  const row = await db
    .selectFrom('post_import_part')
    .select(['id', 'workspace', 'content'])
    .where(({ and }) => and({ id: buildPartId(id, part, position), workspace }))
    .executeTakeFirst();
  return row && readContent({ encryption, log }, { content: PARTS[part] }, row)?.content;
}

/** Reads the file of an import with all of its rows. Undefined if there is none, or it can't be decrypted. */
export async function readSource(
  store: Store & { db: Kysely<PostImportTables> },
  key: Pick<PostImportRow, 'id' | 'workspace'>,
): Promise<ImportSource | undefined> {
  const source = await readPart(store, key, 'source');
  const rows = [...(source?.rows ?? [])];
  for (let position = 1; position < (source?.parts ?? 1); position += 1) {
    const part = await readPart(store, key, 'source', position);
    if (!part) return undefined;
    rows.push(...part.rows);
  }
  return source && { ...source, rows };
}

/** A checked table, before it is stored. */
interface CheckedImport {
  workspace: string;
  author: string;
  source: ImportSource;
  about: AboutImport;
  rows: readonly CheckedRow[];
}

/** Splits good rows into batches of one project each, in their order. */
function splitIntoBatches(rows: readonly CheckedRow[]): CheckedRow[][] {
  return [...Map.groupBy(rows, ({ post }) => post.project.id).values()].flatMap((ofProject) =>
    Array.from({ length: Math.ceil(ofProject.length / BATCH_SIZE) }, (_, index) =>
      ofProject.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    ),
  );
}

/** The most rows and characters of a part, which is encrypted or decrypted at once: a few milliseconds of work. */
const [MAX_PART_ROWS, MAX_PART_LENGTH] = [500, 256 * 1024];

/** Splits rows into parts. The first one may be empty, and a single row longer than others. */
async function splitIntoParts<Row extends object>(rows: readonly Row[], budget: Budget): Promise<Row[][]> {
  const parts: Row[][] = [[]];
  let length = 0;
  for (const row of rows) {
    const ofRow = JSON.stringify(row).length;
    await budget.giveWay();
    length += ofRow;
    const last = parts.at(-1);
    if (last && (last.length === 0 || (last.length < MAX_PART_ROWS && length <= MAX_PART_LENGTH)))
      last.push(row);
    else {
      parts.push([row]);
      length = ofRow;
    }
  }
  return parts;
}

/** Stores a checked import. Nothing of it is imported before its author says so. Resolves with its row. */
export async function storeImport(
  context: Pick<ImportContext, 'db' | 'encryption' | 'log' | 'clock'>,
  { workspace, author, source, about, rows }: CheckedImport,
  budget: Budget,
): Promise<PostImportRow> {
  const now = context.clock.readShared();
  const id = randomUUID();
  const byOutcome = Map.groupBy(rows, ({ outcome }) => outcome);
  const count = (outcome: CheckedRow['outcome']) => byOutcome.get(outcome)?.length ?? 0;
  const batches = splitIntoBatches(byOutcome.get('good') ?? []);
  const key = { id, workspace };
  budget.resume();
  const ofSource = await splitIntoParts(source.rows, budget);
  const left = await splitIntoParts(
    rows.filter(({ outcome }) => outcome !== 'good'),
    budget,
  );
  const contents: readonly (readonly [part: Part, position: number, value: unknown])[] = [
    ['about', 0, about],
    ...ofSource.map((ofPart, index) => {
      const value = { ...source, rows: ofPart, ...(index === 0 && { parts: ofSource.length }) };
      return ['source', index, value] as const;
    }),
    ...left.map((value, index) => ['left', index === 0 ? 0 : batches.length + index, value] as const),
    ...batches.map((batch, index) => ['batch', index, batch] as const),
  ];
  const parts: ReturnType<typeof buildPart>[] = [];
  for (const content of contents) {
    parts.push(buildPart(context, key, ...content));
    await budget.giveWay();
  }
  return context.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('post_import')
      .values({
        ...{ id, workspace, author, batches: batches.length, position: 0 },
        ...{ imported: 0, undone: 0, created_at: now },
        ...{ good: count('good'), equal: count('equal'), skipped: count('skipped'), faulty: count('faulty') },
        ...buildEntryColumns(LIFECYCLE, 'checked', now),
        // The person reads the result of the check at once.
        notify_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    // One statement for all would have too many parameters, and be too long.
    for (const part of parts) await transaction.insertInto('post_import_part').values(part).execute();
    return row;
  });
}

/** Stores rows of a batch that could not be imported. Can be repeated. */
export async function storeLeftRows(
  context: Store,
  db: Queryable<PostImportTables>,
  { id, workspace, position }: Pick<PostImportRow, 'id' | 'workspace' | 'position'>,
  rows: readonly CheckedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('post_import_part')
    .values(buildPart(context, { id, workspace }, 'left', position + 1, rows))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Reads all rows that weren't imported, in the order of the file. */
export async function readLeftRows(
  context: Store & { db: Kysely<PostImportTables> },
  row: Pick<PostImportRow, 'id' | 'workspace' | 'batches'>,
): Promise<CheckedRow[]> {
  const rows: CheckedRow[] = [];
  for (let position = 0; ; position += 1) {
    const part = await readPart(context, row, 'left', position);
    if (!part && position > row.batches) break;
    rows.push(...(part ?? []));
  }
  return rows.toSorted((one, other) => one.number - other.number);
}

export function findImport(
  db: Kysely<PostImportTables>,
  { id, workspace, author }: Pick<PostImportRow, 'id' | 'workspace' | 'author'>,
): Promise<PostImportRow | undefined> {
  return db
    .selectFrom('post_import')
    .selectAll()
    .where(({ and }) => and({ id, workspace, author }))
    .executeTakeFirst();
}

/** Maximum number of imports in a list. */
const MAX_LISTED = 5;

/** Lists the newest imports of a person, without those that were dropped. */
export function listImports(
  db: Kysely<PostImportTables>,
  { workspace, author }: Pick<PostImportRow, 'workspace' | 'author'>,
): Promise<PostImportRow[]> {
  return db
    .selectFrom('post_import')
    .selectAll()
    .where(({ and }) => and({ workspace, author }))
    .where('state', '!=', 'dropped')
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

export async function saveImportMessage(
  db: Kysely<PostImportTables>,
  { id }: Pick<PostImportRow, 'id'>,
  { channel, ts }: { channel: string; ts: string },
): Promise<void> {
  await db
    .updateTable('post_import')
    .set({ message_channel: channel, message_ts: ts })
    .where('id', '=', id)
    .execute();
}
