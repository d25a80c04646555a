import { sql } from 'kysely';
import type { Encryption } from '../../../src/access/access.ts';
import type { Target } from '../network.ts';
import type { People } from '../people.ts';
import { addReached, type Reached, type Rule, takeReached } from '../reached.ts';
import type { World } from '../world.ts';
import { checkDigests } from './check-digests.ts';
import { checkImports } from './check-imports.ts';
import { takePostViolations } from './check-posts.ts';
import { checkSeries } from './check-series.ts';
import { RESTORED } from './check-truth.ts';
import { type createLedger, INSTALLED, listTokens, UNINSTALLS } from './ledger.ts';
import { isSeriesToken } from './series.ts';

/** The calls of all instances, and how many posts people wrote. */
export interface Counts {
  posts: number;
  applied: number;
  calls: Record<Target, number>;
  idleCalls: Record<Target, number>;
}

/** What the instances have used so far. */
interface Usage {
  calls: Record<Target, number>;
  /** How many statements named or returned each row, by its id. */
  statements: ReadonlyMap<string, number>;
}

/** In these states a row waits for Upnext, which has had days for it. */
const UNFINISHED: Readonly<Record<string, readonly string[]>> = {
  submission: ['saved', 'sending', 'retryable', 'unknown', 'reconciling'],
  held_post: ['held', 'awaiting-review', 'handed-over'],
  publication: ['checking', 'late'],
  digest_occurrence: ['sending', 'reconciling', 'following-up'],
};
/** In these states a row waits for a person, who must have read so. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  submission: ['unsure', 'blocked', 'refused', 'gave-up'],
  held_post: ['needs-person'],
};
/** In half a day without any event, an instance does no more than scan, and check again who may do what. */
const MAX_IDLE_CALLS: Record<Target, number> = { database: 2_500, slack: 100, service: 100 };
/**
 * Statements that name or return one row: in a whole simulation, in which a post may be sent again and again for a day,
 * and in half a day without an event, in which Upnext looks once an hour whether somebody has decided. A look at a post
 * with several texts takes three.
 */
const MAX_STATEMENTS = 2_000;
const MAX_IDLE_STATEMENTS = 40;
const MAX_CALLS_PER_POST: Record<Target, number> = { database: 4_000, slack: 400, service: 800 };

/** A post that was handed over waits for what its author decides about the uncertain request, also of one of its texts. */
const ASKED_ABOUT_SUBMISSION = sql`not (state = 'handed-over' and exists (
  select from submission where submission.state in ('unsure', 'blocked') and submission.workspace = held_post.workspace
  and (submission.id = held_post.submission or submission.origin = held_post.id)))`;

interface Row {
  id: string;
  workspace: string;
  state: string;
  reason: string | null;
  content: string | null;
  changed_at: Date;
  publish_at: Date | null;
}

/** Checks what is left after everything has worked again for days. */
export async function checkEnd(options: {
  world: World;
  people: People;
  wishes: ReturnType<typeof createLedger>['wishes'];
  /** What people last read of each post that Upnext would send without anybody, by its token. */
  waiting: ReadonlyMap<string, string>;
  encryption: Encryption;
  idle: { before: Usage; after: Usage };
}): Promise<{ violations: string[]; counts: Counts; reached: Reached }> {
  const { world, people, wishes, waiting, encryption, idle } = options;
  const violations: string[] = [];
  const readToken = (row: Pick<Row, 'workspace' | 'content'>) => {
    try {
      return row.content === null ? [] : listTokens(encryption.decrypt(row.content, row.workspace));
    } catch {
      return [];
    }
  };
  const drafts = findDrafts(world.history);
  const lostTokens = findLostTokens(world.history);
  for (const [table, states] of Object.entries(UNFINISHED)) {
    const columns =
      table === 'submission' || table === 'held_post'
        ? 'content, publish_at'
        : 'null as content, null as publish_at';
    const query = sql<Row>`
      select id, workspace, state, reason, changed_at, ${sql.raw(columns)} from ${sql.table(table)}
      where ${table === 'held_post' ? ASKED_ABOUT_SUBMISSION : sql`true`}`;
    const { rows } = await world.waitFor(query.execute(world.database.admin));
    for (const row of rows) {
      const [token = row.id] = readToken(row);
      const name = `${table} ${token} in ${row.state}${row.reason === null ? '' : ` (${row.reason})`}`;
      const isDue = row.publish_at === null || row.publish_at.getTime() < world.time.now();
      if (states.includes(row.state) && isDue) violations.push(`${name} never ended`);
      const count = idle.after.statements.get(row.id) ?? 0;
      const idleCount = count - (idle.before.statements.get(row.id) ?? 0);
      if (count > MAX_STATEMENTS) violations.push(`${name} took ${count} statements`);
      if (idleCount > MAX_IDLE_STATEMENTS)
        violations.push(`${name} took ${idleCount} statements in half a day without an event`);
      if (WAITING[table]?.includes(row.state) && drafts.has(row.id))
        violations.push(`${name} waits for a decision, although it was saved as a draft`);
      if (!WAITING[table]?.includes(row.state) || !token.startsWith('§')) continue;
      const wasTold = world.history.some(
        (entry) =>
          entry.kind === 'shown' &&
          entry.at >= row.changed_at.getTime() - 60_000 &&
          listTokens(entry.text).includes(token),
      );
      if (!wasTold && !lostTokens.has(row.workspace)) violations.push(`nobody was told of ${name}`);
    }
  }
  violations.push(...(await findLostInstallations(world)));
  for (const [token, wish] of wishes) {
    if (!wish.isSent || wish.isAtService || wish.isWithdrawn || wish.isForgotten) continue;
    if (await people.canFind(wish.workspace, wish.author, token)) continue;
    violations.push(`${token} is lost: ${wish.author} can't find the text anywhere`);
  }
  for (const [token, sentence] of waiting) {
    const wish = wishes.get(token);
    // Its posts end with the simulation.
    if (!wish || isSeriesToken(token) || wish.isAtService || wish.isForgotten) continue;
    violations.push(`${token} was never sent, and “${sentence}” is the last that anybody read of it`);
  }
  violations.push(...(await world.waitFor(takePostViolations(world.database.admin))));
  violations.push(...findMissingTexts(world, wishes));
  const digests = await world.waitFor(checkDigests(world));
  const imports = await world.waitFor(checkImports(world));
  violations.push(...digests.violations, ...imports.violations);
  violations.push(...(await world.waitFor(checkSeries(world, wishes, readToken))));
  const { calls } = idle.after;
  const idleCalls = { ...calls };
  for (const target of ['database', 'slack', 'service'] as const) {
    idleCalls[target] -= idle.before.calls[target];
    if (idleCalls[target] > MAX_IDLE_CALLS[target])
      violations.push(`${idleCalls[target]} calls to the ${target} in half a day without an event`);
    if (calls[target] > MAX_CALLS_PER_POST[target] * (wishes.size + 4))
      violations.push(`${calls[target]} calls to the ${target} for ${wishes.size} posts`);
  }
  for (const { level, message, fields } of world.logLines)
    if ((level === 'error' || level === 'warn') && isProgrammingError(fields))
      violations.push(`${message}: ${describeError(fields)}`);
  for (const method of world.slack.unknownMethods) violations.push(`Slack's ${method} isn't simulated`);
  const applied = [...wishes.values()].filter(({ isAtService }) => isAtService).length;
  const matched = {
    'rule: a digest is sent': digests.sentCount,
    'rule: an import is done': imports.doneCount,
  } satisfies Partial<Record<`rule: ${Rule}`, number>>;
  const reached = addReached(await world.waitFor(takeReached(world.database.admin)), matched);
  return { violations, counts: { posts: wishes.size, applied, calls, idleCalls }, reached };
}

/** Finds the rows of submissions that somebody has saved as drafts, which the service has. */
function findDrafts(history: World['history']): ReadonlySet<string> {
  const rows = history.flatMap((entry, index) => {
    if (entry.kind !== 'deed' || entry.pressed !== 'Save as draft' || !entry.button) return [];
    const tokens = listTokens(entry.saw ?? '');
    const isSaved = history
      .slice(index)
      .some(
        (later) =>
          later.kind === 'created' &&
          later.isDraft &&
          later.isApplied &&
          tokens.includes(listTokens(later.content)[0] ?? ''),
      );
    return isSaved ? (/[\da-f-]{36}$/u.exec(entry.button.value) ?? []) : [];
  });
  return new Set(rows);
}

/** What people read if the service doesn't have all texts of a post. */
const PARTLY =
  /Scheduled on \d+ of \d+ platforms|Not on |may have it|don’t know whether|isn’t sent|(?:wo|did|was)n’t sen[dt]|won’t be sent|Not sent|find out/u;

/** Finds platforms without their text of a post, if others have theirs, and nobody was told. */
function findMissingTexts({ history }: World, wishes: ReturnType<typeof createLedger>['wishes']): string[] {
  return [...wishes].flatMap(([token, { last, scheduled, isWithdrawn, isForgotten }]) => {
    const [first] = scheduled;
    if (!first || !last.texts || !last.isSaved || isWithdrawn || isForgotten) return [];
    const reached = scheduled.flatMap(({ platforms }) => platforms);
    const missing = Object.keys(last.texts).filter((platform) => !reached.includes(platform));
    const wasTold = history.some(
      (entry) => entry.kind === 'shown' && listTokens(entry.text).includes(token) && PARTLY.test(entry.text),
    );
    return missing.length === 0 || wasTold
      ? []
      : [`${missing.join()} never got ${token}, and nobody was told`];
  });
}

/** Finds workspaces of which a backup has brought back an earlier installation, whose token has ended. */
function findLostTokens(history: World['history']): ReadonlySet<string> {
  const restoredAt = history.findLastIndex(
    ({ kind, ...entry }) => kind === 'note' && 'text' in entry && entry.text === RESTORED,
  );
  return new Set(
    history
      .slice(0, Math.max(0, restoredAt))
      .flatMap((entry) => (entry.kind === 'deed' && entry.text === UNINSTALLS ? [entry.workspace] : [])),
  );
}

/** Finds workspaces that have the app, while Upnext has no installation of theirs. A backup may be older than it. */
async function findLostInstallations({ database, history }: World): Promise<string[]> {
  const last = new Map<string, string>();
  for (const entry of history) {
    if (entry.kind === 'note' && entry.text === RESTORED) return [];
    if (entry.kind === 'deed' && [UNINSTALLS, INSTALLED].includes(entry.text))
      last.set(entry.workspace, entry.text);
  }
  const { rows } = await sql<{ id: string }>`select id from installation`.execute(database.admin);
  return [...last].flatMap(([workspace, deed]) =>
    deed === INSTALLED && !rows.some(({ id }) => id === workspace)
      ? [`${workspace} has the app, but Upnext has lost the installation`]
      : [],
  );
}

/** Errors that no fault of another system causes. */
const PROGRAMMING_ERRORS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'ZodError'];
function isProgrammingError(fields: object): boolean {
  const error = 'err' in fields ? fields.err : undefined;
  if (!(error instanceof Error) || error.message === 'fetch failed') return false;
  const code = 'code' in error ? error.code : undefined;
  // SQLSTATE classes 22, 23 and 42: data, constraints and statements.
  return (
    PROGRAMMING_ERRORS.includes(error.name) || (typeof code === 'string' && /^(?:22|23|42)\w{3}$/.test(code))
  );
}

function describeError(fields: object): string {
  const error = 'err' in fields ? fields.err : undefined;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
