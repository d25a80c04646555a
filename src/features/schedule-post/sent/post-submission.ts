import type { Outcome } from '../../../api/outcome.ts';
import type { Post } from '../../../api/post.ts';
import { createPost, listPosts } from '../../../api/posts.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import type { CheckableKind } from '../../../submissions/check.ts';
import type { Parts } from '../../../submissions/parts.ts';
import { type PostContent, postContent } from '../form/form-facts.ts';

/** The service may round a moment. */
const AROUND_MS = 60_000;
const PAGE = 100;
/** Posts of two minutes beyond this many, or drafts beyond the newest page, are not looked through. */
const MOST_SCHEDULED = 1_000;

/** A post on its way to the service. */
export const postSubmission: CheckableKind<PostContent> = {
  name: 'post',
  content: postContent,
  send: (api, { typed, project, moment }) =>
    createPost(api, {
      projectId: project.id,
      content: typed.text.trim() === '' ? undefined : typed.text,
      media: typed.media.trim() === '' ? undefined : typed.media,
      templateId: typed.template?.id,
      promptId: typed.prompt.trim() === '' ? undefined : typed.prompt.trim(),
      schedule: moment && { instant: new Date(moment.instant), zone: moment.zone },
      platforms: readPlatforms(typed.platforms) ?? [],
      status: typed.status,
    }),
  look: lookForPost,
};

/** Whether the service lists a post with this content, media, platforms and moment. */
async function lookForPost({ api }: Parts, content: PostContent): Promise<Outcome<boolean>> {
  const instant = content.moment && new Date(content.moment.instant).getTime();
  const range =
    instant === undefined
      ? { status: ['DRAFT'] }
      : { scheduledFrom: new Date(instant - AROUND_MS), scheduledTo: new Date(instant + AROUND_MS) };
  const most = instant === undefined ? PAGE : MOST_SCHEDULED;
  for (let skip = 0; ; skip += PAGE) {
    const page = await listPosts(api, { projectId: content.project.id, ...range, skip, limit: PAGE });
    if (page.kind !== 'done') return page;
    const { items, shape, unreadable } = page.data;
    if (items.some((post) => isSame(post, content))) return { ...page, data: true };
    // It may be among those that cannot be read.
    if (shape === 'unreadable' || unreadable > 0) {
      return { kind: 'unknown', cause: 'unreadable-answer', requestId: page.requestId };
    }
    if (items.length < PAGE || skip + PAGE >= most) return { ...page, data: false };
  }
}

function isSame(post: Post, { typed, moment }: PostContent): boolean {
  const text = (words: string | undefined) => (words ?? '').trim().normalize('NFC');
  const there = post.scheduleDate?.getTime();
  const meant = moment && new Date(moment.instant).getTime();
  return (
    text(post.content) === text(typed.text) &&
    text(post.media) === text(typed.media) &&
    isSameSet(new Set(post.platforms), new Set(typed.platforms)) &&
    // What was to be scheduled may be published by now; a draft of the same words is another post.
    (post.status === undefined || (post.status === 'DRAFT') === (typed.status === 'DRAFT')) &&
    (meant === undefined ? there === undefined : there !== undefined && Math.abs(there - meant) < AROUND_MS)
  );
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value));
}
