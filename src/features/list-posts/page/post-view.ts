import type { KnownBlock, ModalView } from '@slack/types';
import type { PostCopy } from '../../../forms/post-copies.ts';
import { renderPostCard } from '../../../posts/post-card.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import { type Editability, renderEditLimit, renderKeepEditable } from '../../../posts/post-text.ts';
import { actions, button, context } from '../../../slack/blocks.ts';
import { buildModal } from '../../../slack/message-view.ts';
import type { ListViewer } from './arrange.ts';
import type { ListedPost } from './listed-post.ts';
import { toShownPost } from './post-row.ts';

/** The action id of [Duplicate]. The button's value is the opaque id of the stored post. */
export const DUPLICATE_ACTION = 'list-posts.again';

/** Renders the whole card of a post, in a modal. `id` is the opaque id of the stored post. */
export function renderPostView({
  id,
  copy,
  duplicate,
  viewer,
  editability,
}: {
  id: string;
  copy: PostCopy;
  duplicate: ListedPost['duplicate'];
  viewer: ListViewer;
  editability: Editability;
}): ModalView {
  const { scheduleDate, author, project, held: _, ...fields } = copy;
  const post = { ...fields, ...(scheduleDate !== undefined && { scheduleDate: new Date(scheduleDate) }) };
  const card = renderPostCard({
    ...toShownPost({ post, author, duplicate }, viewer),
    title: getTitle(copy),
    project: project.name,
    hasWholeText: true,
  });
  const blocks: KnownBlock[] = [
    ...card.blocks,
    actions(button('Duplicate', DUPLICATE_ACTION, id, 'primary')),
    context(getEditNote(copy)),
    ...(hasStatus(copy, 'SCHEDULED') ? renderKeepEditable(editability) : []),
  ];
  return buildModal('Post', blocks);
}

function getEditNote(post: PostCopy): string {
  return hasStatus(post, 'DRAFT')
    ? 'I can’t schedule this draft from Slack. Duplicate it to schedule a copy; the draft stays.'
    : renderEditLimit(post.status);
}

function getTitle({ status }: PostCopy): string {
  switch (status?.toUpperCase()) {
    case 'DRAFT':
      return 'Draft';
    case 'SCHEDULED':
      return 'Scheduled post';
    case 'PUBLISHED':
      return 'Published post';
    default:
      return 'Post';
  }
}
