import { z } from 'zod';
import type { Post } from '../api/posts.ts';
import type { Call } from '../app/call.ts';
import type { Named } from './field.ts';
import { openSealed, storeSealed } from './sealed-store.ts';

const postCopy = z.object({
  project: z.object({ id: z.string(), name: z.string() }),
  /** The service's; of a draft that is scheduled so it is remembered. */
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
  /** Fields that were there and could not be read. */
  unread: z.array(z.string()).optional(),
  /** Who sent it from here, by name. */
  by: z.string().optional(),
});

/** A post as somebody saw it, for another one like it. */
export type PostCopy = z.infer<typeof postCopy>;

const copies = z.array(postCopy);

/** A post of the service's as it was shown; `by` is who sent it from here. */
export function copyOf({ id, name }: Named, { post, by }: { post: Post; by?: string | undefined }): PostCopy {
  const { scheduleDate, platforms, unread, ...rest } = post;
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

/** Keeps what somebody sees, for them alone; an opaque id for each, in their order. */
export async function keepPostCopies(call: Call, seen: readonly PostCopy[]): Promise<string[]> {
  if (seen.length === 0) return [];
  const id = await storeSealed(call, KIND, seen);
  return seen.map((_, index) => `${id}.${index}`);
}

/**
 * What was kept under the id; undefined for everybody else, and once it is too old. Throws where the person may not
 * look at its project any more.
 */
export async function readPostCopy(call: Call, copyId: string): Promise<PostCopy | undefined> {
  const [id = '', index = ''] = copyId.split('.');
  const copy = (await openSealed(call, KIND, copies, id))?.[Number(index)];
  if (copy) await call.permit('viewer', copy.project.id, 'post copy');
  return copy;
}
