import { listPostDifferences, type PostDifference } from '../posts/post-changes.ts';
import type { CardPost } from '../posts/post-text.ts';
import type { Viewers } from '../posts/post-time.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readEventText, readHeldPost } from './held-post-context.ts';
import type { HeldPostEventRow } from './sql/events.ts';

/** An event of a post's history, with what people read of it. */
export interface HistoryEntry {
  event: HeldPostEventRow;
  /** The text of a comment or of a reason. */
  text: string | undefined;
  /** What a version changed. */
  differences: readonly PostDifference[];
}

/** Nothing else shows a text that somebody has replaced. Both texts fit into an entry. */
const QUOTE_LENGTH = 600;

export function readHistory(
  heldContext: HeldPostContext,
  row: HeldPostRow,
  events: readonly HeldPostEventRow[],
  readers: { viewers: Viewers; now: Date },
): HistoryEntry[] {
  let before: CardPost | undefined;
  return events.map((event) => {
    const text = readEventText(heldContext, event);
    const isVersion = event.content !== null && text === undefined;
    const after = isVersion ? readHeldPost(heldContext, { ...row, content: event.content }) : undefined;
    const differences =
      before && after ? listPostDifferences(before, after, { ...readers, quoteLength: QUOTE_LENGTH }) : [];
    before = after ?? before;
    return { event, text, differences };
  });
}
