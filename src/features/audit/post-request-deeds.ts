import type { Deed } from './deeds.ts';

/** Requests by their deed. */
export type RequestDeeds = readonly (readonly [deed: Deed, requests: readonly string[]])[];

/** Puts the beginning of a request before each of its names. */
export function prefix(start: string, names: string): string[] {
  return names.split(' ').map((name) => `${start}${name}`);
}

/** The requests about posts: writing, listing, changing and reviewing them. */
export const POST_REQUESTS: RequestDeeds = [
  ['open the next post', ['up-next command next', 'up-next open', 'action up-next.refresh']],
  ['share the next post', ['action up-next.share']],
  ['share the next post with people outside the workspace', ['action up-next.share-outside']],
  [
    'open the post form',
    [
      'shortcut schedule-post.new',
      'action schedule-post.another',
      'action up-next.schedule',
      'action list-posts.schedule',
    ],
  ],
  ['start a post', ['schedule-post command schedule']],
  ['open the post form from a message', ['shortcut schedule-post.message']],
  [
    'open the form for a copy of a post',
    [
      'action up-next.again',
      'action list-posts.again',
      'action notifications.duplicate',
      'action schedule-post.duplicate',
    ],
  ],
  ['confirm the preview of a post', ['action schedule-post.preview-schedule']],
  [
    'confirm the preview of a draft',
    ['action schedule-post.preview-save', 'action schedule-post.preview-draft'],
  ],
  [
    'edit the preview of a post',
    [
      'action schedule-post.preview-edit',
      'action schedule-post.preview-back',
      'action schedule-post.preview-project',
      'action schedule-post.preview-platform',
      'action schedule-post.preview-moment',
    ],
  ],
  ['open the preview of a post', ['action schedule-post.feeds', 'action schedule-post.preview-feeds']],
  ['discard the preview of a post', ['action schedule-post.preview-cancel']],
  ['share a post', ['action schedule-post.share']],
  ['share a post with people outside the workspace', ['action schedule-post.share-outside']],
  [
    'open the list of posts',
    [
      'list-posts command posts',
      'action notifications.posts',
      ...prefix('action list-posts.', 'project range list previous next earlier later all suggestion'),
    ],
  ],
  [
    'open the list of posts to change one',
    ['list-posts command duplicate', 'action list-posts.edit', 'action list-posts.edit-project'],
  ],
  ['open the filter of the list of posts', ['action list-posts.filter']],
  ['open a post', ['action list-posts.row', 'action home.open']],
  ['open a post that can be edited', ['held-posts open', 'action held-posts.history']],
  ['open the form of a post that can be edited', ['action held-posts.edit']],
  ['open the form that moves a post', ['action held-posts.move']],
  ['change the time of a post', ['held-posts view held-posts.move']],
  ['open the form for a comment', ['action held-posts.comment']],
  ['save a comment on a post', ['held-posts view held-posts.comment']],
  ['schedule a draft', ['action held-posts.schedule']],
  ['send a post for review', ['action held-posts.send-for-review']],
  ['approve a post', ['action review.approve']],
  ['open the form that approves a post for a new time', ['action review.approve-later']],
  ['approve a post for a new time', ['held-posts view review.approve-later']],
  ['open the form that returns a post', prefix('action review.', 'request-changes reject')],
  ['return a post to its author', ['held-posts view review.reason']],
  ['open a post for review', ['action review.open']],
  ['schedule a post again', ['action held-posts.again']],
  ['cancel a post', ['action held-posts.cancel']],
  ['cancel all listed posts', ['action bulk.cancel']],
  ['approve all listed posts', ['action bulk.approve']],
  ['open the form that moves all listed posts', ['action bulk.move']],
  ['change the time of all listed posts', ['held-posts view bulk.move']],
  ['export posts as CSV', ['action list-posts.export']],
  ['restore a cancelled post', ['action held-posts.undo']],
  ['take over a post', ['action held-posts.take-over']],
  ['send a post to the service at once', ['action held-posts.hand-over']],
  ['share a post that can be edited', ['action held-posts.share']],
  ['share a post that can be edited with people outside the workspace', ['action held-posts.share-outside']],
];
