import type { Post } from '../api/posts.ts';
import { computeFingerprint } from '../posts/merge-plan.ts';
import { mapInTurns } from '../promises.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { findAuthors } from './sql/authors.ts';

/**
 * Finds the authors (Slack ids) of the service's posts, by their ids or else by their fingerprints. `posts`: by the ids of
 * their projects. Posts that weren't sent from Upnext have none.
 */
export async function findPostAuthors(
  { db, submissions, kind: { name: kind } }: HeldPostContext,
  workspace: string,
  posts: ReadonlyMap<string, readonly Post[]>,
): Promise<ReadonlyMap<Post, string>> {
  const fingerprints = new Map<Post, string>();
  for (const [project, ofProject] of posts) {
    const plain = await mapInTurns(ofProject, (post) =>
      computeFingerprint({ project: { id: project }, post }),
    );
    const keyed = await submissions.computeFingerprints({ workspace, kind, project }, plain);
    ofProject.forEach((post, index) => {
      fingerprints.set(post, keyed[index] ?? '');
    });
  }
  const serviceIds = [...fingerprints.keys()].flatMap(({ id }) => id ?? []);
  const { byServiceId, byFingerprint } = await findAuthors(db, {
    ...{ workspace, kind, serviceIds },
    fingerprints: [...fingerprints.values()],
  });
  const found = new Map<Post, string>();
  for (const [post, fingerprint] of fingerprints) {
    const author = byServiceId.get(post.id ?? '') ?? byFingerprint.get(fingerprint);
    if (author !== undefined) found.set(post, author);
  }
  return found;
}
