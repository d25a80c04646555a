/**
 * The rule of one state of a delivery. The sets of states in SQL are derived from these rules, so that no query can
 * miss a new state.
 */
export interface StateRule<State extends string> {
  /** The states that may follow. A final state has none. */
  to: readonly State[];
  /** `us`: an instance claims it when it is due. `person`: somebody has to decide. `nobody`: it is final. */
  waitsFor: 'us' | 'person' | 'nobody';
  /** Whether the other system has it. While that is `unknown`, Upnext reconciles instead of sending it again. */
  remote: 'absent' | 'unknown' | 'present';
  /** Whether somebody is notified when a row enters the state. */
  notifies: boolean;
  /**
   * Entered only through `send`, right before the call, with a lease that covers the call. An abandoned row may have
   * been sent.
   */
  sends?: true;
  /**
   * The state after a backup was restored. The row may have been sent since the backup, so it is never just sent again.
   * `past` is the state for overdue rows (`isPast` of the deliveries). Defaults to staying.
   */
  restored?: { to: State; past?: State };
  /** The state after the app left the row's workspace. Defaults to staying. */
  left?: State;
}

export type Lifecycle<State extends string> = Readonly<Record<State, StateRule<State>>>;

/** The states whose rule has `Value` in `Field`, as a type. */
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
 * Whether a state ends the delivery: it is final, or it waits for a person and the other system is known to have it or
 * not. Retention starts there.
 */
export function hasEnded({ waitsFor, remote }: Pick<StateRule<string>, 'waitsFor' | 'remote'>): boolean {
  return waitsFor === 'nobody' || (waitsFor === 'person' && remote !== 'unknown');
}

/** False for a state of a newer version. Instances of that version process the row. */
export function isStateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): name is State {
  return Object.hasOwn(lifecycle, name);
}

/** Throws for a state of a newer version. */
export function stateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): State {
  if (!isStateOf(lifecycle, name)) throw new Error(`the state "${name}" is unknown to this version`);
  return name;
}

interface EntryColumns<State> {
  state: State;
  next_at: Date | null;
  notify_at: Date | null;
  retained_since: Date | null;
  changed_at: Date;
}

/** The columns that a state's rule sets when a row enters the state. A row that waits for Upnext is due at once. */
export function entryColumns<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  at: Date,
): EntryColumns<State> {
  const rule = lifecycle[state];
  return {
    state,
    next_at: rule.waitsFor === 'us' ? at : null,
    notify_at: rule.notifies ? at : null,
    retained_since: hasEnded(rule) ? at : null,
    changed_at: at,
  };
}

/** The step of a state. Throws for a state without a step, because its rows are never claimed. */
export function stepOf<Step>(steps: Readonly<Record<string, Step>>, state: string): Step {
  const step = Object.hasOwn(steps, state) ? steps[state] : undefined;
  if (!step) throw new Error(`the state "${state}" has no step`);
  return step;
}

/** Throws unless the lifecycle allows the transition. Staying is always allowed. */
export function assertTransition<State extends string>(
  lifecycle: Lifecycle<State>,
  from: string,
  to: State,
): void {
  const isAllowed = lifecycle[stateOf(lifecycle, from)].to.includes(to);
  if (from !== to && !isAllowed) throw new Error(`no transition from ${from} to ${to}`);
}
