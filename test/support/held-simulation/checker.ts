import type { Kysely } from 'kysely';
import type { BotSchema } from '../../../src/store/schema.ts';
import type { SimulatedService } from './simulated-service.ts';

/** What people were told about one post, in the order in which it was accepted. */
export interface Ledger {
  /** The text of each accepted version, by version. */
  versions: Map<number, string>;
  /** The texts of the versions that a reviewer approved. */
  approvedTexts: Set<string>;
  /** The times at which a cancellation was accepted and not undone. Ms on the simulated clock. */
  cancelledAt: number | undefined;
}

/** The outcome of a simulation. All counts of defects must be 0. */
export interface Figures {
  posts: number;
  delivered: number;
  askedPerson: number;
  cancelledOrDraft: number;
  lost: number;
  doubled: number;
  late: number;
  sentAfterCancel: number;
  sentWhileStopped: number;
  otherContent: number;
  notApproved: number;
}

/** Compares what the service got with what people were told. */
export async function checkSimulation(
  db: Kysely<BotSchema>,
  ledgers: ReadonlyMap<string, Ledger>,
  service: SimulatedService,
  sentWhileStopped: number,
): Promise<Figures> {
  const rows = await db.selectFrom('held_post').selectAll().execute();
  const submissions = await db.selectFrom('submission').selectAll().execute();
  const figures: Figures = {
    ...{ posts: rows.length, delivered: 0, askedPerson: 0, cancelledOrDraft: 0, lost: 0 },
    ...{ doubled: 0, late: 0, sentAfterCancel: 0, sentWhileStopped, otherContent: 0, notApproved: 0 },
  };
  for (const row of rows) {
    const ledger = ledgers.get(row.id);
    const texts = new Set(ledger?.versions.values());
    const sent = service.calls.filter(({ text, isApplied }) => isApplied && texts.has(text));
    const isUncertain = submissions.some(
      ({ id, state }) => id === row.submission && state === 'needs-person',
    );
    if (sent.length > 1) figures.doubled += 1;
    if (sent.some(({ at, publishAt }) => at >= publishAt)) figures.late += 1;
    if (ledger?.cancelledAt !== undefined && sent.length > 0) figures.sentAfterCancel += 1;
    // The version that goes over is the last one that somebody was told is saved.
    if (sent.some(({ text }) => text !== ledger?.versions.get(row.version))) figures.otherContent += 1;
    else if (row.in_review && sent.some(({ text }) => !ledger?.approvedTexts.has(text)))
      figures.notApproved += 1;
    if (row.state === 'delivered' && sent.length === 1) figures.delivered += 1;
    else if (row.state === 'needs-person' || (row.state === 'handed-over' && isUncertain))
      figures.askedPerson += 1;
    else if (row.state === 'cancelled' || row.state === 'draft') figures.cancelledOrDraft += 1;
    else figures.lost += 1;
    if (row.state === 'needs-person' && sent.length > 0) figures.lost += 1;
  }
  return figures;
}
