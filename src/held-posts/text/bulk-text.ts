import type { Button, KnownBlock } from '@slack/types';
import type { Post } from '../../api/posts.ts';
import { renderCount, renderExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type TimeShift, type Viewer } from '../../posts/post-time.ts';
import {
  actions,
  button,
  context,
  escapeText,
  plainSection,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildFallbackText, type Message } from '../../slack/message.ts';
import { UNDO_DAYS } from '../pace.ts';

export type BulkChange = { kind: 'cancel' } | { kind: 'approve' } | { kind: 'move'; shift: TimeShift };

export type BulkRefusal = 'changed' | 'not-allowed' | 'past' | 'no-time' | 'not-checked';

/** The action ids of the buttons for all held posts of a list, which `features/held-posts` handles. */
export const BULK_ACTIONS = { move: 'bulk.move', cancel: 'bulk.cancel', approve: 'bulk.approve' } as const;

/** Maximum number of unchanged posts that a result names. */
const MAX_NAMED = 10;

/** Renders the buttons for the held posts of a list. `selection`: the id of the stored posts. One post has its own buttons. */
export function renderBulkButtons(
  selection: string,
  list: { count: number; reviewCount: number; mayChange: boolean; arePartlySent: boolean },
): KnownBlock[] {
  const { count, reviewCount, mayChange, arePartlySent } = list;
  const buttons: Button[] = [
    ...(reviewCount > 1 ? [renderApproveAll(selection, reviewCount)] : []),
    ...(mayChange && count > 0
      ? [button('Move all…', BULK_ACTIONS.move, selection), renderCancelAll(selection, count, arePartlySent)]
      : []),
  ];
  if (buttons.length === 0) return [];
  return [section(`${renderCount(count, 'post')} in this list can still be changed.`), actions(...buttons)];
}

function renderCancelAll(selection: string, count: number, arePartlySent: boolean): Button {
  const limit = arePartlySent ? ' What a platform already has stays there.' : '';
  return withConfirmation(button('Cancel all…', BULK_ACTIONS.cancel, selection, 'danger'), {
    title: `Cancel ${renderCount(count, 'post')}?`,
    text: `They won’t be sent.${limit} You can restore each of them for ${UNDO_DAYS} days.`,
    confirm: 'Cancel them',
    deny: 'Keep them',
    style: 'danger',
  });
}

function renderApproveAll(selection: string, count: number): Button {
  return withConfirmation(button('Approve all…', BULK_ACTIONS.approve, selection), {
    title: `Approve ${renderCount(count, 'post')}?`,
    text: 'You approve each post as it is in this list. Posts that aren’t waiting for you stay as they are.',
    confirm: 'Approve them',
  });
}

const DONE: Readonly<Record<BulkChange['kind'], string>> = {
  cancel: 'cancelled',
  move: 'moved',
  approve: 'approved',
};

const REFUSALS: Readonly<Record<BulkRefusal, string>> = {
  changed: 'had changed',
  'not-allowed': 'not yours to decide',
  past: 'would be in the past',
  'no-time': 'had no time',
  'not-checked': 'couldn’t be checked',
};

/** A post that wasn't changed. `post` is undefined if the person can't see it any more. */
interface UnchangedPost {
  post: Post | undefined;
  refusal: BulkRefusal;
}

/** Renders the result: "3 posts moved, 2 had changed:", and the posts that weren't changed. */
export function renderBulkResult(
  kind: BulkChange['kind'],
  result: { doneCount: number; dueCount: number; unchanged: readonly UnchangedPost[] },
  { viewer, now }: { viewer: Viewer; now: Date },
): Message {
  const { doneCount, dueCount, unchanged } = result;
  const counts = [...Map.groupBy(unchanged, ({ refusal }) => refusal)].map(
    ([refusal, posts]) => `${posts.length} ${REFUSALS[refusal]}`,
  );
  const line = [`${renderCount(doneCount, 'post')} ${DONE[kind]}`, ...counts].join(', ');
  const names = unchanged.slice(0, MAX_NAMED).map(({ post }) => `• ${renderName(post, viewer, now)}`);
  const hiddenCount = unchanged.length - names.length;
  const lines = [...names, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more`] : [])];
  const blocks = [
    section(`*${line}${lines.length === 0 ? '.' : ':'}*`),
    ...(lines.length === 0 ? [] : [plainSection(lines.join('\n'))]),
    ...(dueCount === 0
      ? []
      : [
          section(
            `${renderCount(dueCount, 'post')} of these are close to their time, so I’m handing them over now.`,
          ),
        ]),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** What an author can do after a bulk change by somebody else (mrkdwn). */
const ADVICE: Readonly<Record<BulkChange['kind'], string>> = {
  cancel: 'Find and restore them with `/upnext posts cancelled`.',
  move: 'See them with `/upnext posts`.',
  approve: 'See them with `/upnext posts`.',
};

/** Tells an author what somebody did with several of their posts: "@Ana moved 3 of your posts:", and the posts. */
export function renderBulkNotice(
  kind: BulkChange['kind'],
  { actor, posts }: { actor: string; posts: readonly (Post | undefined)[] },
  now: Date,
): Message {
  const lines = posts.slice(0, MAX_NAMED).map((post) => `• ${escapeText(renderName(post, {}, now))}`);
  const hiddenCount = posts.length - lines.length;
  const blocks = [
    section(`<@${escapeText(actor)}> ${DONE[kind]} ${posts.length} of your posts:`),
    section([...lines, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more`] : [])].join('\n')),
    context(ADVICE[kind]),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

function renderName(post: Post | undefined, viewer: Viewer, now: Date): string {
  if (!post) return 'A post that isn’t there any more';
  const { scheduleDate: instant, timezone: zone } = post;
  const time = instant ? renderPostTime({ instant, zone }, viewer, now).plain : 'No date';
  return `${time}: ${renderExcerpt(post)}`;
}
