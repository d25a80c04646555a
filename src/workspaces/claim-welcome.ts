import type { Kysely } from 'kysely';
import { claimOnce } from '../engine/once-claim.ts';
import type { Actor } from '../slack/actor.ts';
import type { WorkspaceTables } from './tables.ts';

/**
 * Claims the welcome message for a person. It is sent after the person installs the app or first uses it. Resolves with
 * false if the person was welcomed before.
 */
export function claimWelcome(db: Kysely<WorkspaceTables>, { workspace, user }: Actor): Promise<boolean> {
  return claimOnce(db, { workspace, name: `welcome.${user}` });
}
