import type { DeliveryStorage } from '../engine/definition.ts';
import type { DeliveryDomain } from '../engine/domain.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import { cancelNotifications, type PublicationRow, skipPublications } from './sql/publications.ts';
import type { PublicationTables } from './tables.ts';

/** The storage of publications, for the delivery kernel. */
export const PUBLICATION_STORAGE: DeliveryStorage<State, PublicationRow> = {
  table: 'publication',
  lifecycle: LIFECYCLE,
  afterRestore: { createTransitionChange: () => ({}) },
};

/** The publications domain, registered with the other delivery domains. */
export const PUBLICATIONS: DeliveryDomain<PublicationTables> = {
  name: 'publications',
  table: PUBLICATION_STORAGE.table,
  lifecycle: LIFECYCLE,
  initialStates: ['checking'],
  /** Authors may have been notified since the backup, so nobody is notified of posts from before the restore. */
  async restore(db, now) {
    const { dropped = 0 } = await restoreDeliveries(db, PUBLICATION_STORAGE, now);
    await cancelNotifications(db);
    const skippedCount = await skipPublications(db, { publishedUntil: now });
    return [
      {
        count: dropped + skippedCount,
        label: 'Posts that were due before the restore',
        explanation: 'Their authors get no message about whether they went out.',
      },
    ];
  },
  async endAfterUninstall(transaction, { workspace, now }) {
    await transitionAfterUninstall(transaction, PUBLICATION_STORAGE, { workspace, now });
    await skipPublications(transaction, { workspace });
  },
};
