import { type Json, recordsIn } from '../json.ts';

/** All blocks of a message, including those in its attachments. */
export function listMessageBlocks(message: { blocks?: unknown[]; attachments?: readonly Json[] }): Json[] {
  return [
    ...recordsIn({ blocks: message.blocks }, 'blocks'),
    ...(message.attachments ?? []).flatMap((attachment) => recordsIn(attachment, 'blocks')),
  ];
}
