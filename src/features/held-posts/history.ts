import type { KnownBlock } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall } from '../../handlers/call.ts';
import { renderDeed } from '../../held-posts/notices/notice-text.ts';
import { type HistoryEntry, readHistory } from '../../held-posts/read-history.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { listEvents } from '../../held-posts/sql/events.ts';
import { describePost } from '../../posts/describe-post.ts';
import { renderPostDifference } from '../../posts/post-changes.ts';
import { context, plain, plainSection, renderDateForReaders, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { clip, renderCount } from '../../words.ts';
import { type PressedPost, renderPostExcerpt } from './press.ts';

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

/** Slack refuses a message whose blocks have about 12,000 characters together. */
const MAX_HISTORY_LENGTH = 8_000;
const MAX_ENTRIES = 20;
const MAX_DIFFERENCES_LENGTH = 1_500;

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
