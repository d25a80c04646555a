/**
 * The rule of one state of a delivery. SQL takes its sets of states from these rules, so that a new state can't be
 * forgotten.
 */
export interface StateRule<State extends string> {
  /** The states that may follow. A final state has none. */
  to: readonly State[];
  /** `us`: an instance claims it when it is due. `person`: somebody has to decide. `nobody`: it is final. */
  waitsFor: 'us' | 'person' | 'nobody';
  /** Whether the other system has it. While that is `unknown`, Upnext looks for it instead of sending it again. */
  remote: 'absent' | 'unknown' | 'present';
  /** Its person is notified when it comes here. */
  notifies: boolean;
  /** Entered through `send` only, right before the call, with a lease that covers it. An abandoned row may have been sent. */
  sends?: true;
}

export type Lifecycle<State extends string> = Readonly<Record<State, StateRule<State>>>;

/** The states of a table whose rule has a value, for the compiler. */
export type StatesWith<Rules, Field extends string, Value> = {
  [State in keyof Rules]: Rules[State] extends Readonly<Record<Field, Value>> ? State : never;
}[keyof Rules] &
  string;

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

/** Throws for a state of a newer version. */
export function stateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): State {
  if (!isStateOf(lifecycle, name)) throw new Error(`the state "${name}" is unknown to this version`);
  return name;
}

/** The step of a state. Throws for a state without one: its rows aren't claimed. */
export function stepOf<Step>(steps: Readonly<Record<string, Step>>, state: string): Step {
  const step = Object.hasOwn(steps, state) ? steps[state] : undefined;
  if (!step) throw new Error(`the state "${state}" has no step`);
  return step;
}

/** Throws unless a row may go from one state to the other. Staying is always allowed. */
export function assertWay<State extends string>(lifecycle: Lifecycle<State>, from: string, to: State): void {
  const isAllowed = lifecycle[stateOf(lifecycle, from)].to.includes(to);
  if (from !== to && !isAllowed) throw new Error(`no way from ${from} to ${to}`);
}
