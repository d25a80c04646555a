import type { KnownBlock } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall } from '../../handlers/call.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { type HeldPostContext, readEventText, readHeldPost } from '../../held-posts/held-post-context.ts';
import { renderDeed } from '../../held-posts/notices/notice-text.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { type HeldPostEventRow, listEvents } from '../../held-posts/sql/events.ts';
import { describePost } from '../../posts/describe-post.ts';
import { listPostDifferences, type PostDifference, renderPostDifference } from '../../posts/post-changes.ts';
import type { CardPost } from '../../posts/post-text.ts';
import type { Viewers } from '../../posts/post-time.ts';
import { context, plain, plainSection, renderDateForReaders, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { clip, renderCount } from '../../words.ts';
import { type PressedPost, renderPostExcerpt } from './press.ts';

interface HistoryEntry {
  event: HeldPostEventRow;
  text: string | undefined;
  differences: readonly PostDifference[];
}

/**
 * [History] lists who changed what, the comments and the decisions, the newest last. What the service did with the post has
 * no event, and may still change, so the present state ends it.
 */
export async function showHistory(call: ActionCall, { row }: PressedPost): Promise<void> {
  const heldContext = call.context.heldPosts;
  const events = await listEvents(call.context.db, row);
  const viewers = await fetchReader(call);
  const entries = readHistory(heldContext, row, events, { viewers, now: call.now() });
  const { facts } = await readShownPost(heldContext, row);
  const { label } = describePost(facts, { viewers, now: call.now() });
  await call.reply(renderHistory(entries, renderPostExcerpt(call, row), label));
}

function readHistory(
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

/** Slack refuses a message whose blocks have about 12,000 characters together. */
const MAX_HISTORY_LENGTH = 8_000;
const MAX_ENTRIES = 20;
const MAX_DIFFERENCES_LENGTH = 1_500;
/** Nothing else shows a text that somebody has replaced. Both texts fit into an entry. */
const QUOTE_LENGTH = 600;

function renderHistory(entries: readonly HistoryEntry[], excerpt: string, state: string): Message {
  const blocks: KnownBlock[] = [];
  let length = 0;
  let shownCount = 0;
  for (const entry of entries.toReversed()) {
    const entryBlocks = renderEntry(entry);
    length += JSON.stringify(entryBlocks).length;
    if (shownCount === MAX_ENTRIES || (length > MAX_HISTORY_LENGTH && shownCount > 0)) break;
    blocks.unshift(...entryBlocks);
    shownCount += 1;
  }
  const hiddenCount = entries.length - shownCount;
  return {
    text: 'The history of this post',
    blocks: [
      section('*History*'),
      context(plain(excerpt)),
      ...(hiddenCount > 0
        ? [context(`${renderCount(hiddenCount, 'earlier entry', 'earlier entries')}…`)]
        : []),
      ...blocks,
      context(plain(`Now: ${state}`)),
    ],
  };
}

function renderEntry({ event, text, differences }: HistoryEntry): KnownBlock[] {
  const time = renderDateForReaders(event.at, '{date_short_pretty}, {time}');
  const lines = differences.map((difference) => `• ${renderPostDifference(difference)}`).join('\n');
  const details = text ?? lines;
  return [
    context(`${renderDeed(event)} · ${time}`),
    ...(details.trim() === '' ? [] : [plainSection(clip(details, MAX_DIFFERENCES_LENGTH))]),
  ];
}
