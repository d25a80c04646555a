import { z } from 'zod';
import { mapLimited } from '../api/map-limited.ts';
import { shiftTime } from '../posts/shift-time.ts';
import type { BulkChange, BulkRefusal } from './bulk-change.ts';
import { type ChangeResult, cancelHeldPost } from './change.ts';
import { moveHeldPost } from './decisions.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { notifyAfterBulkChange } from './notify-after-bulk-change.ts';
import { approveHeldPost, type DecisionPress, type DecisionResult } from './review/decide.ts';
import { findHeldPost } from './sql/held-posts.ts';

/** The kind and version of a stored selection. */
export const SELECTION_KIND = 'held-selection.1';

/** The held posts of a list, with the version that the person saw. A list stores them for its buttons. */
export const heldSelection = z.object({
  /** The project's id in the service. */
  project: z.string(),
  posts: z.array(z.object({ id: z.string(), version: z.number(), hash: z.string() })),
});
export type HeldSelection = z.infer<typeof heldSelection>;

interface BulkResult {
  /** The changed posts, as they are now. */
  done: readonly HeldPostRow[];
  refused: readonly { row: HeldPostRow | undefined; refusal: BulkRefusal }[];
}

/** Maximum posts that are changed at the same time. */
const MAX_CONCURRENT = 4;

/** Changes each post that is as the person saw it, and tells their authors. Each change is authorized and compared alone. */
export async function changeAll(
  context: HeldPostContext,
  { workspace, actor, posts }: Pick<HeldSelection, 'posts'> & { workspace: string; actor: string },
  change: BulkChange,
  mayChange: (row: HeldPostRow) => boolean,
): Promise<BulkResult> {
  const results = await mapLimited(posts, MAX_CONCURRENT, async (post) => {
    const row = await findHeldPost(context.db, { id: post.id, workspace });
    if (!row) return { row, refusal: 'changed' as const };
    const press = { ...post, workspace, actor, notifyAfterMs: context.pace.notifyLeaseMs };
    const result = mayChange(row) ? await changeOne(context, row, press, change) : 'not-allowed';
    return typeof result === 'string' ? { row, refusal: result } : readResult(row, result);
  });
  const done = results.flatMap(({ row, refusal }) => (refusal === undefined && row ? [row] : []));
  await notifyAfterBulkChange(context, { workspace, actor, kind: change.kind, rows: done });
  return {
    done,
    refused: results.flatMap(({ row, refusal }) => (refusal === undefined ? [] : [{ row, refusal }])),
  };
}

async function changeOne(
  context: HeldPostContext,
  row: HeldPostRow,
  press: DecisionPress,
  change: BulkChange,
): Promise<ChangeResult | DecisionResult | BulkRefusal> {
  if (change.kind === 'cancel') return cancelHeldPost(context, press);
  if (change.kind === 'approve') return approveHeldPost(context, press);
  if (row.publish_at === null) return 'no-time';
  const zone = findZone(context, row);
  const instant = shiftTime(row.publish_at, zone, change.shift);
  if (instant <= context.clock.now()) return 'past';
  return moveHeldPost(context, press, { instant, isScheduled: false });
}

/** The zone in which a day later has the same time on the clock. */
function findZone(context: HeldPostContext, row: HeldPostRow): string {
  const held = readHeldContent(context, row);
  return (held && context.kind.toPost?.(held.content).timezone) ?? 'UTC';
}

function readResult(
  row: HeldPostRow,
  result: ChangeResult | DecisionResult,
): { row: HeldPostRow; refusal?: BulkRefusal } {
  switch (result.kind) {
    case 'changed':
      return { row: result.row };
    case 'may-not':
      return { row, refusal: 'not-allowed' };
    case 'not-checked':
      return { row, refusal: 'not-checked' };
    default:
      return { row, refusal: 'changed' };
  }
}
