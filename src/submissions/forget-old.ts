import { later } from '../delivery/later.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import { dropOldContent, keepSummary, oldRemembered } from './sql/lists.ts';

/** So many at a time: each is opened and sealed. */
const AT_ONCE = 100;
/** Rows of one statement, which is done well within the limit on statements. */
const BATCH = 1_000;

/**
 * Content is kept for 30 days after the end; that there was something, and what became of it, stays, and of some kinds
 * what they are remembered by. How many lost their content.
 */
export async function forgetOld(
  machine: Pick<Machine, 'db' | 'clock' | 'pace' | 'kinds' | 'kindOf' | 'encryption' | 'log'>,
): Promise<number> {
  const before = later(machine.clock(), -machine.pace.keepMs);
  let forgotten = await summarize(machine, before);
  for (let dropped = BATCH; dropped === BATCH; forgotten += dropped) {
    dropped = await dropOldContent(machine.db, { before, limit: BATCH });
  }
  return forgotten;
}

async function summarize(machine: Parameters<typeof forgetOld>[0], before: Date): Promise<number> {
  const kinds = machine.kinds.flatMap(({ name, remembered }) => (remembered ? [name] : []));
  if (kinds.length === 0) return 0;
  const rows = await oldRemembered(machine.db, { before, kinds, limit: AT_ONCE });
  for (const row of rows) {
    const kind = machine.kindOf(row.kind);
    const read = readContent(machine, kind, row);
    const summary = read && kind && summaryOf(machine, kind, { id: row.id, content: read.content });
    const sealed = summary === undefined ? null : machine.encryption.seal(summary, row.workspace);
    await keepSummary(machine.db, row.id, sealed);
  }
  return rows.length + (rows.length < AT_ONCE ? 0 : await summarize(machine, before));
}

/** Undefined where there is none to be had: content goes after its time all the same. */
function summaryOf(
  { log }: Pick<Machine, 'log'>,
  kind: AnyKind,
  { id, content }: { id: string; content: unknown },
): string | undefined {
  try {
    return JSON.stringify(kind.remembered?.(content));
  } catch (error) {
    log.error(
      { submission: id, error: error instanceof Error ? error.name : typeof error },
      'no summary of a submission',
    );
    return undefined;
  }
}
