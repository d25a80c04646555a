import { getRecords, type Json } from '../json.ts';

/** All blocks of a message, including those in its attachments. */
export function listMessageBlocks(message: { blocks?: unknown[]; attachments?: readonly Json[] }): Json[] {
  return [
    ...getRecords({ blocks: message.blocks }, 'blocks'),
    ...(message.attachments ?? []).flatMap((attachment) => getRecords(attachment, 'blocks')),
  ];
}
