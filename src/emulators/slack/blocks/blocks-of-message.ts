import { type Json, recordsIn } from '../json.ts';

/** All blocks of a message: its own, and those in its attachments. */
export function blocksOfMessage(message: { blocks?: unknown[]; attachments?: readonly Json[] }): Json[] {
  return [
    ...recordsIn({ blocks: message.blocks }, 'blocks'),
    ...(message.attachments ?? []).flatMap((attachment) => recordsIn(attachment, 'blocks')),
  ];
}
