import { computePostFingerprint, type Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../handlers/call.ts';
import type { HeldInfo, ListedHeldPost } from '../../../held-posts/listed-posts.ts';
import type { PostFacts } from '../../../posts/describe-post.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import { findAuthors } from '../../../submissions/sql/lists.ts';
import { findScheduledDrafts } from '../../../submissions/sql/scheduled-drafts.ts';

const POST_KIND = 'post';

/** A post, with the fields that only Upnext knows. */
export interface ListedPost {
  post: Post;
  /** The Slack id of the author, if the post was sent from Upnext. */
  author?: string | undefined;
  /** Whether the service doesn't have the post, or it is unknown. Its row has no buttons, because the outbox has them. */
  isUnsent?: boolean;
  /** What its description depends on, unless Upnext keeps it. */
  facts?: PostFacts | undefined;
  /** Set if Upnext keeps the post. */
  held?: HeldInfo | undefined;
  /** Set if it is one post of Upnext and several of the service. */
  parts?: ListedHeldPost['parts'];
  /** Set for a draft if a duplicate of it was sent. `scheduledAt` is undefined if the duplicate is a draft too. */
  duplicate?: { scheduledAt: Date | undefined; zone: string | undefined } | undefined;
}

/** Adds the author of each post, and the duplicate of each draft. */
export async function addAuthorsAndDuplicates(
  call: Call,
  project: Project,
  posts: readonly Post[],
): Promise<readonly ListedPost[]> {
  const { context, actor } = call;
  const { workspace } = actor;
  const fingerprints = await context.submissions.computeFingerprints(
    { workspace, kind: POST_KIND, project: project.id },
    posts.map((post) => computePostFingerprint(project.id, post, hasStatus(post, 'DRAFT'))),
  );
  const [authors, duplicatesByDraft] = await Promise.all([
    findAuthors(context.db, {
      workspace,
      kind: POST_KIND,
      serviceIds: posts.flatMap(({ id }) => id ?? []),
      fingerprints,
    }),
    findScheduledDrafts(context.db, {
      workspace,
      project: project.id,
      drafts: posts.flatMap((post) => (hasStatus(post, 'DRAFT') ? (post.id ?? []) : [])),
    }),
  ]);
  return posts.map((post, index) => ({
    post,
    facts: { status: post.status, readAt: call.now() },
    author: authors.byServiceId.get(post.id ?? '') ?? authors.byFingerprint.get(fingerprints[index] ?? ''),
    duplicate: duplicatesByDraft.get(post.id ?? ''),
  }));
}
