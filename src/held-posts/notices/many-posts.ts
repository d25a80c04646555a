import type { Button, KnownBlock } from '@slack/types';
import type { Group } from '../../engine/notifier.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { renderExcerpt } from '../../posts/post-text.ts';
import type { HELD_REASONS, HeldReason } from '../../posts/state-copy.ts';
import {
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  escapeText,
  plainSection,
  section,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderProblemLines } from '../../submissions/text/render-submission.ts';
import type { HeldPostRow } from '../held-post.ts';
import { findCardReaders, readShownPost } from '../show.ts';
import { MAX_NAMED } from '../text/bulk-text.ts';
import {
  buildHeldPostValue,
  buildReviewValue,
  HELD_LIST_PREFIX,
  OPEN_HELD_POST_ACTION,
  REVIEW_ACTIONS,
  type ShownHeldPost,
} from '../text/held-post-buttons.ts';
import { describeHeldPost } from '../text/held-post-card.ts';
import { renderPeople } from './notice-text.ts';
import type { PostNotification } from './notify-of-post.ts';

/** Up to this many posts have a message each, because it has their buttons and changes with them. */
export const MAX_SINGLE_NOTICES = 3;

/** The reasons for which a post needs somebody. */
type NeedReason = {
  [Reason in HeldReason]: (typeof HELD_REASONS)[Reason]['state'] extends 'needs-person' ? Reason : never;
}[HeldReason];

/** What became of several posts that need somebody, and what to do (mrkdwn). Posts are taken back one by one. */
const NEEDED: Readonly<
  Partial<Record<HeldReason, string>> & Record<Exclude<NeedReason, 'taken-back'>, string>
> = {
  refused:
    'The scheduling service didn’t accept them, so they won’t go out. They’re saved here: open a post to see why, and fix it.',
  'gave-up': 'I couldn’t send them for 24 hours. They’re saved here: open a post to schedule it again.',
  overdue:
    'Their times have passed, so I didn’t send them. They’re saved here: open a post to pick a new time.',
  'not-allowed':
    'Neither their author nor an approver may schedule them now. They’re saved here: a Publisher can open a post and take it over.',
  'not-approved':
    'They weren’t approved in time, so I didn’t send them. They’re saved here: open a post to pick a new time, and I’ll ask its reviewers again.',
  'other-service':
    'Their project isn’t at the scheduling service that’s connected now. They’re saved here, and I’ll go on with them when it’s there again.',
  restored:
    'My data was restored from a backup, so the service may have them already. Check there before you schedule one again.',
};

const UNAPPROVED = 'A post that isn’t approved in time isn’t sent.';

/** What a message says about all its posts (mrkdwn), and how each of them is opened. */
interface AboutAll {
  text: string;
  advice: string;
  details?: readonly KnownBlock[];
  createButton?(post: ShownHeldPost): Button;
}

/** Why people read of many posts that wait for their review: they are asked, or nobody may approve the posts. */
type ManyRequests = 'asked' | 'unasked';

const REQUESTS: Readonly<Record<ManyRequests, AboutAll>> = {
  asked: {
    text: `Please review them. ${UNAPPROVED}`,
    createButton: ({ row }) => button('Review', REVIEW_ACTIONS.open, buildReviewValue(row)),
    advice: 'See all with `/upnext posts review`, where you can approve them together.',
  },
  unasked: {
    text: `I found nobody who may approve them: a Manager can change that with \`/upnext policy\`. ${UNAPPROVED}`,
    advice: 'See all with `/upnext posts review`.',
  },
};

const createOpenButton = ({ row }: ShownHeldPost) =>
  button('Open', OPEN_HELD_POST_ACTION, buildHeldPostValue(row, HELD_LIST_PREFIX));

/** Says what became of many posts: Upnext has sent them for review, or they need somebody for the same reason. */
function describeAll(posts: readonly ShownHeldPost[], { state, reason }: HeldPostRow): AboutAll {
  if (state === 'awaiting-review')
    return {
      text: `They need an approval before they go out, so I sent them for review. ${UNAPPROVED}`,
      advice: 'See all with `/upnext posts review`.',
    };
  const problems = new Set(posts.map(({ refusal }) => renderProblemLines({ refusal })));
  const [problem = ''] = problems.size === 1 ? problems : [];
  return {
    text: (reason && NEEDED[reason]) ?? 'They weren’t sent. They’re saved here: open a post to decide.',
    details: problem === '' ? [] : [plainSection(problem)],
    advice: 'See all with `/upnext posts undecided`, where you can move or cancel them together.',
  };
}

/**
 * Renders a message about many posts of an author, which are all in the same state, and names the first ones. `to`: the
 * person or channel that reads it.
 */
export async function renderManyPosts(
  notification: Pick<PostNotification, 'context' | 'client'>,
  [row, ...otherRows]: Group<HeldPostRow>,
  { to, requests, mentioned = [] }: { to: string; requests?: ManyRequests; mentioned?: readonly string[] },
): Promise<Message> {
  const read = (each: HeldPostRow) => readShownPost(notification.context, each);
  const first = await read(row);
  const posts = [first, ...(await Promise.all(otherRows.slice(0, MAX_NAMED - 1).map(read)))];
  const readers = await findCardReaders(notification.context, notification.client, first);
  const about = requests ? REQUESTS[requests] : describeAll(posts, row);
  const { text, advice, details = [], createButton = createOpenButton } = about;
  const note = mentioned.length === 0 ? undefined : `For ${renderPeople(mentioned)}:`;
  const { emoji, name } = describeHeldPost(first, readers);
  const author = clipLine(readers.names?.get(row.author) ?? '');
  const whose = to === row.author ? ' of your posts' : ` posts${author === '' ? '' : ` by ${author}`}`;
  const count = otherRows.length + 1;
  const title = `${count}${whose} for ${clipLine(first.project)}: ${name}`;
  const hiddenCount = count - posts.length;
  const blocks = [
    ...(note === undefined ? [] : [section(note)]),
    section(`${emoji} *${escapeText(title)}*\n${text}`),
    ...details,
    ...posts.map((shown) => {
      const { post = { platforms: [] } } = shown;
      const open = createButton(shown);
      return renderPostRow({
        ...{ post, now: readers.now, viewers: readers.viewers },
        // The title says what became of the post.
        facts: { status: 'DECISION', at: undefined },
        heading: { status: 'DECISION' },
        accessory: addAccessibilityLabel(open, `${open.text.text}: ${renderExcerpt(post)}`),
      });
    }),
    context(`${hiddenCount > 0 ? `…and ${hiddenCount} more. ` : ''}${advice}`),
  ];
  return { text: `${note === undefined ? '' : `${note} `}${escapeText(title)}. ${text}`, blocks };
}
