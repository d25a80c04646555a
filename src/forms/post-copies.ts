import { z } from 'zod';
import { mapPostFields, POST_FIELDS, type PostTexts } from '../api/post-fields.ts';
import type { Post } from '../api/posts.ts';
import type { Call } from '../handlers/call.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { type NamedRecord, namedRecord } from './field.ts';
import { readSealedValue, storeSealedValue } from './sealed-store.ts';

const storedCopy = z.object({
  project: namedRecord,
  /** The service's id of the post. If the post is a draft, a post scheduled from it refers to the draft by this id. */
  id: z.string().optional(),
  ...mapPostFields(() => z.string().optional()),
  /** ISO 8601. */
  scheduleDate: z.string().optional(),
  timezone: z.string().optional(),
  platforms: z.array(z.string()),
  ownTexts: z
    .array(z.object({ platforms: z.array(z.string()), text: z.string() }))
    .readonly()
    .optional(),
  status: z.string().optional(),
  /** When the post was read from the service, ISO 8601. */
  readAt: z.string().optional(),
  /** Names of the fields of the record that couldn't be read. */
  unreadableFields: z.array(z.string()).readonly().optional(),
  /** The author's Slack id, if the post was scheduled with Upnext. */
  author: z.string().optional(),
  /** The channel in which the post was shown. The form for a duplicate belongs to the same channel. */
  channel: z.string().optional(),
  /** The id of the held post, if Upnext keeps the post. */
  held: z.string().optional(),
});

export type PostCopy = z.infer<typeof storedCopy>;

const storedCopies = z.array(storedCopy);

/** The action id of [Duplicate] for a stored copy. The button's value is the opaque id of the copy. */
export const DUPLICATE_COPY_ACTION = 'list-posts.again';

/** Converts a post from the service or a held post. `author` is the author's Slack id. */
export function toPostCopy(
  { id, name }: NamedRecord,
  shown: {
    post: Post;
    author?: string | undefined;
    held?: { id: string } | undefined;
    facts?: Pick<PostFacts, 'readAt'> | undefined;
  },
): PostCopy {
  const { post, author, held, facts } = shown;
  const { scheduleDate, platforms, ownTexts, ...fields } = post;
  return {
    ...fields,
    project: { id, name },
    platforms: [...platforms],
    ...(ownTexts && { ownTexts: ownTexts.map((own) => ({ ...own, platforms: [...own.platforms] })) }),
    ...(scheduleDate && { scheduleDate: scheduleDate.toISOString() }),
    ...(facts?.readAt && { readAt: facts.readAt.toISOString() }),
    ...(author !== undefined && { author }),
    ...(held && { held: held.id }),
  };
}

/** The kind and version in the store. */
const KIND = 'post-copies.1';

/** Stores the posts shown to the actor. Only the actor can read them. Returns an opaque id for each post, in order. */
export async function storePostCopies(call: Call, shownPosts: readonly PostCopy[]): Promise<string[]> {
  if (shownPosts.length === 0) return [];
  const { channel } = call;
  const copies = shownPosts.map((post) => ({ ...post, ...(channel !== undefined && { channel }) }));
  const id = await storeSealedValue(call, KIND, copies);
  return shownPosts.map((_, index) => `${id}.${index}`);
}

/**
 * Reads the copy of a post. Undefined if the copy was stored for another person, or has expired. Throws if the actor
 * may no longer view the project of the post.
 */
export async function readPostCopy(call: Call, copyId: string): Promise<PostCopy | undefined> {
  const [id = '', index = ''] = copyId.split('.');
  const stored = (await readSealedValue(call, KIND, storedCopies, id))?.[Number(index)];
  if (!stored) return undefined;
  await call.permit('viewer', stored.project.id, 'post copy');
  return { ...stored, ...(await findOwnFields(call, stored)) };
}

const OWN_FIELDS = POST_FIELDS.filter(({ api }) => api === undefined);

/** Finds the fields of a post at the service that only Upnext knows: those of its submission. */
async function findOwnFields({ context, actor }: Call, copy: PostCopy): Promise<PostTexts> {
  const kind = context.submissions.context.findKind('post');
  if (copy.id === undefined || !kind?.post) return {};
  const [sent] = await context.submissions.listConfirmed(kind, {
    ...{ workspace: actor.workspace, project: copy.project.id },
    ...{ serviceId: copy.id, limit: 1 },
  });
  const texts = sent && kind.post.toPost(sent.content);
  const fields = OWN_FIELDS.filter(
    ({ name }) =>
      copy[name] === undefined &&
      // It describes nothing without a picture, and another one if somebody has replaced that of the post.
      (name !== 'altText' || (copy.media !== undefined && texts?.media === copy.media)),
  );
  return Object.fromEntries(fields.map(({ name }) => [name, texts?.[name]]));
}
