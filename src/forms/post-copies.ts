import { z } from 'zod';
import type { Post } from '../api/posts.ts';
import type { Call } from '../app/call.ts';
import type { NamedRecord } from './field.ts';
import { openSealed, storeSealed } from './sealed-store.ts';

const postCopy = z.object({
  project: z.object({ id: z.string(), name: z.string() }),
  /** The service's id of the post. If the post is a draft, a scheduled copy stores this id. */
  id: z.string().optional(),
  content: z.string().optional(),
  media: z.string().optional(),
  templateId: z.string().optional(),
  promptId: z.string().optional(),
  /** ISO 8601. */
  scheduleDate: z.string().optional(),
  timezone: z.string().optional(),
  platforms: z.array(z.string()),
  status: z.string().optional(),
  /** Names of the record's unreadable fields. */
  unread: z.array(z.string()).optional(),
  /** The author's display name, if the post was sent with Upnext. */
  by: z.string().optional(),
});

/** A post as it was shown to a person. The person can schedule a copy of it. */
export type PostCopy = z.infer<typeof postCopy>;

const postCopies = z.array(postCopy);

/** Converts a post from the service. `by` is the author's display name. */
export function toPostCopy(
  { id, name }: NamedRecord,
  { post, by }: { post: Post; by?: string | undefined },
): PostCopy {
  const { scheduleDate, platforms, unreadableFields: unread, ...rest } = post;
  return {
    ...rest,
    project: { id, name },
    platforms: [...platforms],
    ...(scheduleDate && { scheduleDate: scheduleDate.toISOString() }),
    ...(unread && { unread: [...unread] }),
    ...(by !== undefined && { by }),
  };
}

/** The kind and version in the store. */
const KIND = 'post-copies.1';

/** Stores the posts shown to the actor. Only the actor can read them. Returns an opaque id for each post, in order. */
export async function storePostCopies(call: Call, shownPosts: readonly PostCopy[]): Promise<string[]> {
  if (shownPosts.length === 0) return [];
  const id = await storeSealed(call, KIND, shownPosts);
  return shownPosts.map((_, index) => `${id}.${index}`);
}

/**
 * Reads the copy of a post. Undefined if it was stored for another person, or has expired. Throws if the actor may no
 * longer view the post's project.
 */
export async function readPostCopy(call: Call, copyId: string): Promise<PostCopy | undefined> {
  const [id = '', index = ''] = copyId.split('.');
  const copy = (await openSealed(call, KIND, postCopies, id))?.[Number(index)];
  if (copy) await call.permit('viewer', copy.project.id, 'post copy');
  return copy;
}
