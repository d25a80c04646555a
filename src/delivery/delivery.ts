import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import type { Kernel } from './kernel.ts';
import { createPoll, type Poll } from './poll.ts';
import { createTransitions, type Transitions } from './transitions.ts';

/** What a domain gets for its definition: transitions of its rows, and the poll. */
export interface Delivery<State extends string, Sending extends State, Row>
  extends Transitions<State, Sending, Row> {
  poll: Poll;
}

export function createDelivery<State extends string, Sending extends State, Row extends DeliveryRow>(
  kernel: Kernel,
  definition: Definition<State, Row>,
): Delivery<State, Sending, Row> {
  const { db, clock } = kernel;
  const poll = createPoll(kernel, definition);
  return { ...createTransitions<State, Sending, Row>({ db, clock, wake: poll.wake }, definition), poll };
}
