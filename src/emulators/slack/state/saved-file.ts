import { z } from 'zod';

/** Expected (an address was given out) → uploaded (its bytes are here) → complete → deleted. */
export const file = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimetype: z.string(),
  /** Bytes. */
  size: z.number(),
  user: z.string(),
  /** ms since the epoch. */
  madeAt: z.number(),
  altText: z.string().exactOptional(),
  /** Where its bytes are awaited: the last part of the upload address. */
  ticket: z.string().exactOptional(),
  /** ms since the epoch, once the upload was completed. */
  completedAt: z.number().exactOptional(),
  deleted: z.boolean().exactOptional(),
  /** Of a picture, in pixels. */
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  /** Text that Slack shows in a message: its first lines, and how many there are. */
  snippet: z.object({ type: z.string(), lines: z.number(), text: z.string() }).exactOptional(),
  /** Messages that show it. */
  shares: z.array(z.object({ channel: z.string(), ts: z.string() })),
});

export type StoredFile = z.infer<typeof file>;
