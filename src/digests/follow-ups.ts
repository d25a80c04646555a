import { z } from 'zod';
import type { ComposedMessage } from './composer.ts';
import type { DigestContext } from './digest-context.ts';
import type { OccurrenceRow } from './occurrence.ts';

const blocks = z.array(
  z.custom<NonNullable<ComposedMessage['blocks']>[number]>((block) => typeof block === 'object'),
);
const followUp = z.object({
  /** User id of the recipient; absent for a reply in the digest's thread. */
  recipient: z.string().optional(),
  /** Direct messages with the same key are sent once per workspace. */
  deduplicationKey: z.string().optional(),
  message: z.object({ text: z.string(), blocks: blocks.optional() }),
});

/** A message that follows a digest: a reply in its thread, or a direct message. */
export type FollowUp = z.infer<typeof followUp>;

/**
 * Encrypts the messages that follow a digest. They are stored before the digest is sent, so that any instance can send
 * them. Returns null if there are none.
 */
export function encryptComposedFollowUps(
  context: Pick<DigestContext, 'encryption'>,
  workspace: string,
  { thread = [], directMessages = [] }: Pick<ComposedMessage, 'thread' | 'directMessages'>,
): string | null {
  return encryptFollowUps(context, workspace, [...thread.map((message) => ({ message })), ...directMessages]);
}

export function encryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  workspace: string,
  followUps: readonly object[],
): string | null {
  return followUps.length === 0 ? null : encryption.encrypt(JSON.stringify(followUps), workspace);
}

export function decryptFollowUps(
  { encryption }: Pick<DigestContext, 'encryption'>,
  row: Pick<OccurrenceRow, 'follow_ups' | 'workspace'>,
): FollowUp[] {
  if (row.follow_ups === null) return [];
  return z.array(followUp).parse(JSON.parse(encryption.decrypt(row.follow_ups, row.workspace)));
}
