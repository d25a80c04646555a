import { DIGEST_OCCURRENCES } from '../digests/domain.ts';
import type { DeliveryDomain } from '../engine/domain.ts';
import { HELD_POSTS } from '../held-posts/domain.ts';
import { PUBLICATIONS } from '../publications/domain.ts';
import { SUBMISSIONS } from '../submissions/domain.ts';
import type { EndDeliveries } from '../workspaces/workspaces.ts';
import type { BotSchema } from './schema.ts';

/**
 * All kinds of deliveries. This list is read by the command for restored backups, by the code that handles an
 * uninstallation, and by the lifecycle tests. A test compares it with the tables in the database.
 */
export const DELIVERY_DOMAINS: readonly DeliveryDomain<BotSchema>[] = [
  SUBMISSIONS,
  DIGEST_OCCURRENCES,
  PUBLICATIONS,
  HELD_POSTS,
];

/** Ends all deliveries of a workspace that the app has left. */
export const endDeliveries: EndDeliveries = async (transaction, uninstall) => {
  for (const { endAfterUninstall } of DELIVERY_DOMAINS) await endAfterUninstall(transaction, uninstall);
};
