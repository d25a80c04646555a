/**
 * What is known of one state of something that Upnext sends by itself: a submission, a digest. Every statement that
 * looks for states takes them from such a table, so that a new state can't be forgotten.
 */
export interface StateRule<State extends string> {
  /** The states that may follow. A final state has none. */
  to: readonly State[];
  /** `us`: it goes on by itself and is claimed when it is due. `person`: somebody decides. `nobody`: it is final. */
  waitsFor: 'us' | 'person' | 'nobody';
  /** Whether the other system has it. What is `unknown` is looked for, and never sent again by itself. */
  remote: 'absent' | 'unknown' | 'present';
  /** Its person is told when it comes here. */
  notifies: boolean;
  /** Entered right before the call, with a lease that covers it. Who finds it without its sender knows nothing. */
  sends?: true;
}

export type Lifecycle<State extends string> = Readonly<Record<State, StateRule<State>>>;

/** The states whose rule passes `test`. */
export function statesWhere<State extends string>(
  lifecycle: Lifecycle<State>,
  test: (rule: StateRule<State>) => boolean,
): State[] {
  return statesOf(lifecycle).filter((state) => test(lifecycle[state]));
}

function statesOf<State extends string>(lifecycle: Lifecycle<State>): State[] {
  const isState = (name: string): name is State => isStateOf(lifecycle, name);
  return Object.keys(lifecycle).filter(isState);
}

/** False for a state of a newer version, whose instances take care of the row. */
export function isStateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): name is State {
  return Object.hasOwn(lifecycle, name);
}

/** Throws where the table knows no way from one state to the other. Staying is always one. */
export function assertWay<State extends string>(lifecycle: Lifecycle<State>, from: State, to: State): void {
  if (from !== to && !lifecycle[from].to.includes(to)) throw new Error(`no way from ${from} to ${to}`);
}
