import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { createPoll, type Poll } from './poll.ts';
import { createTransitions, type Transitions } from './transitions.ts';

/** The transitions and the poll that are created from a domain's definition. */
export interface Delivery<State extends string, SendingState extends State, Row>
  extends Transitions<State, SendingState, Row> {
  poll: Poll;
}

export function createDelivery<State extends string, SendingState extends State, Row extends DeliveryRow>(
  dependencies: DeliveryDependencies,
  definition: Definition<State, Row>,
): Delivery<State, SendingState, Row> {
  const { db, clock } = dependencies;
  const poll = createPoll(dependencies, definition);
  const stop = async () => {
    await poll.stop();
    // If this fails, the turns soon end by themselves.
    await definition.turns?.release().catch(() => undefined);
  };
  return {
    ...createTransitions<State, SendingState, Row>(
      { db, clock: clock.readShared, wake: poll.wake },
      definition,
    ),
    poll: { ...poll, stop },
  };
}
