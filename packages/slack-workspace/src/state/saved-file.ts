import { z } from 'zod';

/**
 * A file. It has a `ticket` until its bytes are uploaded, `completedAt` once the upload is completed, and `deleted`
 * once it is deleted. Messages and blocks can show it between completion and deletion.
 */
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
  /** The last part of the upload address. Absent after the upload. */
  ticket: z.string().exactOptional(),
  /** When the upload was completed, in ms since the epoch. */
  completedAt: z.number().exactOptional(),
  deleted: z.boolean().exactOptional(),
  /** The size of a picture, in pixels. */
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  /** A text file that Slack shows in a message: `text` has its first lines, and `lines` is the number of all lines. */
  snippet: z.object({ type: z.string(), lines: z.number(), text: z.string() }).exactOptional(),
  /** The messages with this file. */
  shares: z.array(z.object({ channel: z.string(), ts: z.string() })),
});

export type StoredFile = z.infer<typeof file>;
