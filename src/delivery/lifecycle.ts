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
  /**
   * What a restored backup makes of it: the other system may be further than the backup, so nothing that may have been
   * sent since is sent again. `past` is for rows that the deliveries' `isPast` finds. Without it the row stays.
   */
  restored?: { to: State; past?: State };
  /** What becomes of it when the app leaves its workspace. Without it the row stays. */
  left?: State;
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

/**
 * Whether a row has ended: it is final, or it waits for a person although the other system certainly doesn't have it, or
 * has it. Retention starts there.
 */
export function hasEnded({ waitsFor, remote }: Pick<StateRule<string>, 'waitsFor' | 'remote'>): boolean {
  return waitsFor === 'nobody' || (waitsFor === 'person' && remote !== 'unknown');
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

interface Entered<State> {
  state: State;
  next_at: Date | null;
  tell_at: Date | null;
  retained_since: Date | null;
  changed_at: Date;
}

/** The columns of a row that comes into this state, as its rule says. What waits for Upnext is due at once. */
export function entering<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  at: Date,
): Entered<State> {
  const rule = lifecycle[state];
  return {
    state,
    next_at: rule.waitsFor === 'us' ? at : null,
    tell_at: rule.notifies ? at : null,
    retained_since: hasEnded(rule) ? at : null,
    changed_at: at,
  };
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
