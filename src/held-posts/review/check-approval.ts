import type { Kysely } from 'kysely';
import type { Permission } from '../../access/access.ts';
import type { BotSchema } from '../../store/schema.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';

/** Whether a post may be handed over as far as its review is concerned. A post without a review may. */
export async function checkApproval(
  _context: HeldPostContext,
  _db: Kysely<BotSchema>,
  row: HeldPostRow,
): Promise<Permission> {
  return row.in_review ? 'no' : 'yes';
}
