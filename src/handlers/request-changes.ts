import { listCommittedTables } from '../store/commits.ts';
import { ConnectionLost } from '../store/database-unavailable.ts';
import type { BotSchema } from './schema.ts';

/** Tables that only keep the books: whatever a request was for, it wasn't what it has written there. */
const BOOKS: readonly (keyof BotSchema)[] = [
  ...(['once_claim', 'open_form', 'home_tab', 'audit_entry', 'service_pause', 'shared_secret'] as const),
  ...(['installation', 'installed_workspace', 'known_service', 'known_project'] as const),
  ...(['held_post_message', 'slot_reservation', 'media_file', 'media_chunk'] as const),
];

/**
 * Whether a request that failed may have done what it was for: it has committed something, or the answer to a COMMIT may be
 * lost. Then nobody may read that nothing was saved, because the failure may be that of a later step.
 */
export function mayHaveChanged(error?: unknown): boolean {
  return (
    error instanceof ConnectionLost ||
    listCommittedTables().some((table) => !BOOKS.some((name) => name === table))
  );
}
