import type { KnownBlock, ModalView } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import { storeSealedValue } from '../../forms/sealed-store.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import { type HeldSelection, SELECTION_KIND } from '../../held-posts/bulk.ts';
import { listHeldPlan } from '../../held-posts/listed-posts.ts';
import { readReviewReach, renderReviewReach } from '../../held-posts/review/review-reach.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import type { ListedHeldPost } from '../../posts/merge-plan.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderPerson } from '../../posts/post-card.ts';
import { areOtherTextsCut, isTextCut, renderPostBody } from '../../posts/post-text.ts';
import { renderPostTime, type Viewer } from '../../posts/post-time.ts';
import { findPolicy, type ProjectPolicy, reviewsSeriesOnce } from '../../preferences/project-policy.ts';
import { context, divider, escapeText, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPicture, type Message } from '../../slack/message.ts';
import { buildSubmitModal } from '../../slack/message-view.ts';
import { renderCount } from '../../words.ts';

/** The callback id of the form that shows the posts to approve. */
export const APPROVE_ALL_VIEW = 'bulk.approve';

/** Maximum blocks of the posts, so that the notes have room. */
const MAX_POST_BLOCKS = LIMITS.viewBlocks - 4;
/** Maximum characters of the posts. Our own limit: nobody reads more at once, and a view has at most 250 KB. */
const MAX_POST_TEXT = 60_000;

const NONE_FITS: Message = {
  text: 'These posts are too long to be shown together. Open each from the list.',
};
const NONE_WAITING: Message = { text: 'None of these posts is waiting for a review any more.' };

/**
 * Shows the posts that wait for a review, each with all its texts: an approval is for what its person has seen, and a list
 * shows only the beginning of the main text. What doesn't fit, or is cut here too, isn't approved.
 */
export async function openApproveAll(call: ActionCall, selection: HeldSelection): Promise<void> {
  await call.permit('viewer', selection.project, 'held-posts action bulk.approve');
  const { workspace } = call.actor;
  const ids = selection.posts.flatMap(({ id, mayApprove }) => (mayApprove === false ? [] : [id]));
  const { posts } = await listHeldPlan(call.context.heldPosts, {
    ...{ workspace, ids, states: ['awaiting-review'] },
  });
  const waiting = posts.filter(({ held }) => held.state === 'awaiting-review');
  if (waiting.length === 0) return call.reply(NONE_WAITING);
  const viewer = await fetchReader(call);
  const shown = await renderPosts(call, selection.project, waiting, viewer);
  if (shown.posts.length === 0) return call.reply(NONE_FITS);
  const id = await storeSealedValue(call, SELECTION_KIND, {
    project: selection.project,
    posts: shown.posts.map(({ held: { id: post, version, hash } }) => ({ id: post, version, hash })),
  } satisfies HeldSelection);
  const left = waiting.length - shown.posts.length;
  await call.openView(renderApproveAllView(id, shown.blocks, { count: shown.posts.length, left }), {
    isForm: true,
  });
}

/** Renders as many of the posts as fit, those first that come first. */
async function renderPosts(call: Call, project: string, waiting: readonly ListedHeldPost[], viewer: Viewer) {
  const posts: ListedHeldPost[] = [];
  const blocks: KnownBlock[] = [];
  const policy = await findPolicy(call.context.db, { workspace: call.actor.workspace, project });
  let length = 0;
  for (const listed of waiting) {
    if (!isShownWhole(listed)) continue;
    const rendered = [
      ...renderPost(listed, viewer, call.now()),
      ...(await renderReach(call, policy, listed, viewer)),
    ];
    length += JSON.stringify(rendered).length;
    if (blocks.length + rendered.length > MAX_POST_BLOCKS || length > MAX_POST_TEXT) break;
    posts.push(listed);
    blocks.push(...rendered);
  }
  return { posts, blocks };
}

/** Whether the form shows all of a post, and each platform gets it, or has it, like that. */
function isShownWhole({ post, held }: ListedHeldPost): boolean {
  const hasEarlier = (held.facts.parts?.earlier ?? []).length > 0;
  return !isTextCut({ post }) && !areOtherTextsCut(post) && !hasEarlier;
}

function renderPost({ post, author }: ListedHeldPost, viewer: Viewer, now: Date): KnownBlock[] {
  const { scheduleDate: instant, timezone: zone } = post;
  const time = instant ? renderPostTime({ instant, zone }, viewer, now).plain : 'No date';
  const picture = buildPicture(post.media, post.altText);
  const facts = [
    `*${escapeText(time)}*`,
    escapeText(renderPlatformNames(post.platforms)),
    ...renderPerson('by', { id: author }, viewer),
  ];
  return [divider(), section(facts.join(' · ')), ...renderPostBody(post), ...(picture ? [picture] : [])];
}

async function renderReach(
  call: Call,
  policy: ProjectPolicy,
  { held }: ListedHeldPost,
  viewers: Viewer,
): Promise<KnownBlock[]> {
  if (!reviewsSeriesOnce(policy)) return [];
  const row = await findHeldPost(call.context.db, { id: held.id, workspace: call.actor.workspace });
  const reach = row && (await readReviewReach(call.context.heldPosts, row, policy));
  return reach ? [renderReviewReach(reach, { viewers, now: call.now() })] : [];
}

/** Renders the posts with the button that approves them. `left`: how many others wait. */
function renderApproveAllView(
  selection: string,
  posts: readonly KnownBlock[],
  { count, left }: { count: number; left: number },
): ModalView {
  const note =
    left === 0
      ? []
      : [
          context(
            `${renderCount(left, 'more post doesn’t', 'more posts don’t')} fit here, so ${left === 1 ? 'it isn’t' : 'they aren’t'} approved. Open ${left === 1 ? 'it' : 'them'} from the list.`,
          ),
        ];
  const submit = `Approve ${renderCount(count, 'post')}`;
  return buildSubmitModal(
    { id: APPROVE_ALL_VIEW, metadata: selection, title: 'Approve all posts', submit, close: 'Cancel' },
    [
      section('You approve each post as it is here. Posts that aren’t waiting for you stay as they are.'),
      ...posts,
      ...note,
    ],
  );
}
