/**
 * The rule of one state of a submission or a digest. SQL takes its sets of states from these rules, so that a new state
 * can't be forgotten.
 */
export interface StateRule<State extends string> {
  /** The states that may follow. A final state has none. */
  to: readonly State[];
  /** `us`: a worker claims it when it is due. `person`: somebody has to decide. `nobody`: it is final. */
  waitsFor: 'us' | 'person' | 'nobody';
  /** Whether the other system has it. While that is `unknown`, Upnext looks for it instead of sending it again. */
  remote: 'absent' | 'unknown' | 'present';
  /** Its person is told when it comes here. */
  notifies: boolean;
  /** Entered right before the call, with a lease that covers it. An abandoned row may have been sent. */
  sends?: true;
}

export type Lifecycle<State extends string> = Readonly<Record<State, StateRule<State>>>;

/** The states whose rule passes `test`. */
export function statesWhere<State extends string>(
  lifecycle: Lifecycle<State>,
  test: (rule: StateRule<State>) => boolean,
): State[] {
  const isWanted = (name: string): name is State => isStateOf(lifecycle, name) && test(lifecycle[name]);
  return Object.keys(lifecycle).filter(isWanted);
}

/** False for a state of a newer version, whose instances take care of the row. */
export function isStateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): name is State {
  return Object.hasOwn(lifecycle, name);
}

/** Throws unless a row may go from one state to the other. Staying is always allowed. */
export function assertWay<State extends string>(lifecycle: Lifecycle<State>, from: string, to: State): void {
  if (!isStateOf(lifecycle, from)) throw new Error(`the state "${from}" is unknown to this version`);
  if (from !== to && !lifecycle[from].to.includes(to)) throw new Error(`no way from ${from} to ${to}`);
}
