import { createDelivery } from '../engine/delivery.ts';
import { createExclusions } from '../engine/exclusions.ts';
import { createPublicationDefinition } from './definition.ts';
import type { State } from './lifecycle.ts';
import { PUBLICATION_PACE } from './pace.ts';
import type { PublicationContext, PublicationOptions } from './publication-context.ts';
import type { PublicationRow } from './sql/publications.ts';

/** Finds out whether scheduled posts were published, and notifies their authors. */
export interface Publications {
  start(): void;
  /** Stops claiming rows. Resolves when all running steps have ended. */
  stop(): Promise<void>;
  /** Checks due posts after a change of the clock that people see. */
  handleClockChange(): void;
  /** Runs one scan and its steps, for callers with their own timer. Resolves with the time of the next scan. */
  runOnce(): Promise<Date>;
}

export function createPublications(options: PublicationOptions): Publications {
  const { clock, log, pace = PUBLICATION_PACE } = options;
  const context: PublicationContext = {
    ...options,
    pace,
    get delivery() {
      return delivery;
    },
    exclusions: createExclusions(
      () => clock().getTime(),
      (id, error) => log.error({ id, err: error }, 'publication excluded from claims for five minutes'),
    ),
  };
  const delivery = createDelivery<State, never, PublicationRow>(
    context,
    createPublicationDefinition(context),
  );
  const { poll } = delivery;
  return {
    start: poll.start,
    stop: poll.stop,
    handleClockChange: () => poll.wake(clock()),
    runOnce: poll.runOnce,
  };
}
