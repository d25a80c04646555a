import { parseArgs } from 'node:util';
import { migrations } from '../src/app/migrations.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { openDatabase } from '../src/store/database.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { listSentStatements, type SentStatement } from '../test/support/sent-statements.ts';
import { RARE_STATEMENTS } from '../test/support/statement-plans.ts';
import { fillLargeTables } from './large-tables/fill-large-tables.ts';
import { createMeasurement, type Figures } from './large-tables/measure-statement.ts';
import { printVerdict } from './print-verdict.ts';

/**
 * Measures each statement that the app sends, on a Postgres with 1.2 million submissions, 100,000 digests and 5 million
 * other rows, with the settings of a new Postgres. The statements are those that the last `npm test` recorded, with
 * values of stored rows. Writes are rolled back. `--all` prints the fast statements too, and `--plans` prints the plans of
 * the slow ones. `--database URL` names a database that this benchmark fills once, to compare changes on the same rows. `--only
 * TEXT` measures only statements that contain the text.
 */

const MAX_P99_MS = 20;
/** Statements with a faster 99th percentile are printed only with `--all`. */
const MIN_PRINTED_MS = 5;
const EXPLANATION = `  Times in ms from the app to the server and back, half of them in workspaces with 50,000 submissions.
  first: the first run after other statements. again: p99 of a second measurement, which counts if it is lower.
  cpu: p99 of the server's processor time. If again is much longer, the machine is busy with other work.`;
/** Statements that aren't the app's: those of migrations, and those that read no table. */
const OTHER_STATEMENTS =
  /pg_catalog|kysely_migration|pg_advisory|information_schema|^select 1$|clock_timestamp/;
/** Kinds of statements that aren't compared with the limit, with the statements. */
const OTHER_KINDS: Readonly<Record<string, readonly RegExp[]>> = {
  'commands and uninstallations': [
    ...RARE_STATEMENTS.map(([pattern]) => pattern),
    /^select "id" as "rowKey"/, // npm run rotate-keys
    /^update "\w+" set next_at = \$1 where state = \$2 and reason = \$3 and lease_until is null$/, // npm run resume-sending
    /^update "held_post" set "hand_over_at" = least\(|as "inReview" from "held_post"/, // npm run hand-over
    /^update "(held_post|publication)" set "(next|notify)_at" = \$1 where ("state" in|"notify_at" is not)/, // npm run restored
    /^update "\w+" set "?notify_at"? = .* where "?workspace"? = \$\d( and notify_at is not null)?$/,
    /^update "digest" set "notify_at" = \$1, "notify_attempts" = .* and "pause_reason" = \$5$/,
    /^update "digest" set "state" = \$1, .* where "workspace" = \$8 and "state" = \$9 returning \*$/,
    /^update "submission" set "awaits_publication" = \$1 .* and "workspace" = \$3$/,
  ],
  purges: [/^delete from "\w+" where "\w+" = any\(array\(/],
  'changes of all waiting rows of a workspace or project, after a person’s decision': [
    /^update "digest(_occurrence)?" set "notify_at" = \$1 where "workspace" = \$2 and "notify_at" > /, // installed again
    /^update "held_post" set "next_at" = least\(/, // /upnext connect
    /^update "submission" set fence = fence \+ 1, .* and workspace = .* and project = /, // /upnext stop
    /^update "\w+" set next_at = \$1 where state = .* and workspace = .* and project = /, // /upnext resume
    /^update "held_post" set "hand_over_at" = (case|\$1)/, // a changed policy
  ],
};

export async function measureLargeTables(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean' },
      plans: { type: 'boolean' },
      database: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const statements = selectStatements(listSentStatements()).filter(({ sql }) =>
    sql.includes(values.only ?? ''),
  );
  if (statements.length === 0) return console.log('  not run: `npm test` records the statements');
  const postgres = values.database === undefined ? await startPostgres() : undefined;
  const url = values.database ?? postgres?.url('postgres', 'postgres');
  if (url === undefined) return console.log('  not run: no Postgres');
  const db = await openDatabase<BotSchema>({ dialect: createPostgresDialect(url), migrations });
  try {
    await fillLargeTables(db, url);
    const measurement = await createMeasurement(db);
    const figures = new Map<SentStatement, Figures>();
    const measureAll = async (selected: readonly SentStatement[], results: Map<SentStatement, Figures>) => {
      for (const [index, statement] of selected.entries()) {
        if (index % 50 === 0) console.log(`  measuring statement ${index + 1} of ${selected.length} …`);
        results.set(statement, await measurement.measure(statement, { isRare: isRare(statement) }));
      }
    };
    const usual = statements.filter((statement) => !isRare(statement));
    await measureAll(usual, figures);
    // Again, after all others. Other work on the machine slows down a statement in one of both at most.
    const slow = usual.filter((statement) => (figures.get(statement)?.p99 ?? 0) > MAX_P99_MS);
    const again = new Map<SentStatement, Figures>();
    await measureAll(slow, again);
    const plans: string[] = [];
    if (values.plans) for (const statement of slow) plans.push(await measurement.explain(statement));
    // Rare statements are measured last: some change whole tables, whose pages are slow to read until autovacuum.
    await measureAll(statements.filter(isRare), figures);
    printFigures(statements, { figures, again, isAllPrinted: values.all ?? false });
    console.log(`  control (\`select 1\`): p99 ${(await measurement.measureControl()).toFixed(1)} ms`);
    for (const plan of plans) console.log(plan);
  } finally {
    await db.destroy();
    await postgres?.stop();
  }
}

/** Statements that differ only in the length of a list count once, with the longest list. */
function selectStatements(statements: readonly SentStatement[]): SentStatement[] {
  const longest = new Map<string, SentStatement>();
  for (const statement of statements) {
    const shape = normalize(statement.sql);
    if (OTHER_STATEMENTS.test(shape)) continue;
    const known = longest.get(shape);
    if (!known || known.parameters.length < statement.parameters.length) longest.set(shape, statement);
  }
  return [...longest.values()];
}

function normalize(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\$(, \$)+/g, '$, …')
    .replaceAll(/(\((\$(::\w+)?(, )?…?)+\)(, )?){2,}/g, '(…), …');
}

const CHECKED_KIND = 'requests and polls';

function findKind({ sql }: SentStatement): string {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  const kind = Object.entries(OTHER_KINDS).find(([, patterns]) =>
    patterns.some((pattern) => pattern.test(text)),
  );
  return kind?.[0] ?? CHECKED_KIND;
}

const isRare = (statement: SentStatement) => findKind(statement) !== CHECKED_KIND;

interface Results {
  figures: ReadonlyMap<SentStatement, Figures>;
  again: ReadonlyMap<SentStatement, Figures>;
  isAllPrinted: boolean;
}

function printFigures(statements: readonly SentStatement[], { figures, again, isAllPrinted }: Results): void {
  const getP99 = (statement: SentStatement) =>
    Math.min(...[figures, again].map((measured) => measured.get(statement)?.p99 ?? Number.POSITIVE_INFINITY));
  const sorted = statements.toSorted((a, b) => getP99(b) - getP99(a));
  console.log(EXPLANATION);
  for (const kind of [...Object.keys(OTHER_KINDS), CHECKED_KIND]) {
    const ofKind = sorted.filter((statement) => findKind(statement) === kind);
    console.log(
      `  ${kind}: ${ofKind.length} statements\n      p50     p99     max   first   again     cpu  rows`,
    );
    for (const statement of ofKind) {
      const measured = figures.get(statement);
      if (!measured || (getP99(statement) < MIN_PRINTED_MS && measured.failedRuns === 0 && !isAllPrinted))
        continue;
      const { p50, p99, max, first, cpuP99, rows, failedRuns, error } = measured;
      const columns = [p50, p99, max, first, again.get(statement)?.p99, cpuP99].map((ms) =>
        (ms?.toFixed(1) ?? '').padStart(7),
      );
      const failure = failedRuns > 0 ? ` (${failedRuns} runs failed: ${String(error)})` : '';
      console.log(
        `  ${columns.join(' ')} ${String(rows).padStart(5)}  ${normalize(statement.sql)}${failure}`,
      );
    }
  }
  const checked = sorted.filter((statement) => findKind(statement) === CHECKED_KIND);
  const isCpuSlow = (statement: SentStatement) =>
    [figures, again].every(
      (measured) => (measured.get(statement)?.cpuP99 ?? Number.POSITIVE_INFINITY) > MAX_P99_MS,
    );
  for (const [name, slow] of [
    ['each', checked.filter((statement) => getP99(statement) > MAX_P99_MS)],
    ['by the server’s processor time, each', checked.filter(isCpuSlow)],
  ] as const)
    printVerdict(
      `${name} of ${checked.length} statements of requests and polls takes at most ${MAX_P99_MS} ms at p99`,
      slow.length > 0 ? [`${slow.length} take longer`] : [],
    );
}
