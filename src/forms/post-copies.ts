import { z } from 'zod';
import type { Post } from '../api/posts.ts';
import type { Call } from '../app/call.ts';
import type { Named } from './field.ts';
import { openSealed, storeSealed } from './sealed-store.ts';

const postCopy = z.object({
  project: z.object({ id: z.string(), name: z.string() }),
  /** The id at the service. A draft's id is stored when its copy is scheduled. */
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
  /** Fields of the service's record that could not be read. */
  unread: z.array(z.string()).optional(),
  /** The display name of the author, if the post was sent with Upnext. */
  by: z.string().optional(),
});

/** A post as it was shown to somebody, as the source of a copy. */
export type PostCopy = z.infer<typeof postCopy>;

const copies = z.array(postCopy);

/** Converts a post of the service; `by` is the display name of its author. */
export function toPostCopy(
  { id, name }: Named,
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

const KIND = 'post-copies.1';

/** Stores the posts shown to a person, readable by that person alone. Returns an opaque id for each, in order. */
export async function storePostCopies(call: Call, seen: readonly PostCopy[]): Promise<string[]> {
  if (seen.length === 0) return [];
  const id = await storeSealed(call, KIND, seen);
  return seen.map((_, index) => `${id}.${index}`);
}

/**
 * Undefined if the copy was stored for another person, or has expired. Throws if the person may no longer view its
 * project.
 */
export async function readPostCopy(call: Call, copyId: string): Promise<PostCopy | undefined> {
  const [id = '', index = ''] = copyId.split('.');
  const copy = (await openSealed(call, KIND, copies, id))?.[Number(index)];
  if (copy) await call.permit('viewer', copy.project.id, 'post copy');
  return copy;
}
