import { DIGEST_OCCURRENCES } from '../digests/domain.ts';
import { PUBLICATIONS } from '../publications/domain.ts';
import { SUBMISSIONS } from '../submissions/domain.ts';
import type { DeliveryDomain } from './domain.ts';

/**
 * All kinds of deliveries. The command for restored backups, the uninstallation of the app and the lifecycle tests read
 * this list. A test compares it with the tables in the database.
 */
export const DELIVERY_DOMAINS: readonly DeliveryDomain[] = [SUBMISSIONS, DIGEST_OCCURRENCES, PUBLICATIONS];
