/** Whether the other system has a row's content. `unknown`: it may, or may not. */
type Remote = 'absent' | 'unknown' | 'present';

/** What the owner of a delivery becomes with it, see `Owner`. `keepsReason`: it gets the delivery's reason too. */
export interface OwnerState {
  state: string;
  /** Defaults to none. */
  reason?: string;
  keepsReason?: true;
}

/** The rule of one state of a delivery. SQL derives its sets of states from these, so that none misses a new state. */
export interface StateRule<State extends string> {
  /** The states that may follow. Empty for a final state. */
  nextStates: readonly State[];
  /** `upnext`: an instance claims the due row. `person`: somebody has to decide. `nobody`: the row is final. */
  waitsFor: 'upnext' | 'person' | 'nobody';
  /** Whether the other system has the content. While that is `unknown`, Upnext reconciles instead of sending again. */
  remote: Remote;
  /** Whether somebody is notified when a row enters the state. */
  notifies: boolean;
  /** Whether only Upnext has content that somebody may need. Its retention waits while the row waits for a person. */
  keepsContent?: true;
  /**
   * Whether rows enter the state only through `beginSending`, right before a call. The lease covers the call. A row
   * that an instance abandoned in this state may have been sent.
   */
  sends?: true;
  /**
   * The state after a backup was restored. The row may have been sent since the backup, so it must not be sent again
   * without a check. `overdue`: the state of overdue rows; defaults to `to`. Defaults to no change.
   */
  afterRestore?: { to: State; overdue?: State };
  /** The state after the app was uninstalled from the row's workspace. Defaults to no change. */
  afterUninstall?: State;
  /** The state of the row's owner. In a lifecycle with an owner, every state has one. */
  owner?: OwnerState;
}

export type Lifecycle<State extends string> = Readonly<Record<State, StateRule<State>>>;

/** The type of the states whose rule has `Value` in `Field`. */
export type StatesWith<Rules, Field extends string, Value> = {
  [State in keyof Rules]: Rules[State] extends Readonly<Record<Field, Value>> ? State : never;
}[keyof Rules] &
  string;

export function filterStates<State extends string>(
  lifecycle: Lifecycle<State>,
  test: (rule: StateRule<State>) => boolean,
): State[] {
  const isWanted = (name: string): name is State => isStateOf(lifecycle, name) && test(lifecycle[name]);
  return Object.keys(lifecycle).filter(isWanted);
}

/**
 * Whether a state ends the delivery. A final state ends the delivery. A state that waits for a person also ends the
 * delivery, unless `remote` is `unknown` or the content has to be kept. Retention starts when the delivery ends.
 */
export function endsDelivery(rule: Pick<StateRule<string>, 'waitsFor' | 'remote' | 'keepsContent'>): boolean {
  const { waitsFor, remote, keepsContent } = rule;
  return waitsFor === 'nobody' || (waitsFor === 'person' && remote !== 'unknown' && !keepsContent);
}

/** Whether this version knows the state. Rows in other states are processed by instances of a newer version. */
export function isStateOf<State extends string>(lifecycle: Lifecycle<State>, name: string): name is State {
  return Object.hasOwn(lifecycle, name);
}

/** Throws for a state that only a newer version knows. */
export function parseState<State extends string>(lifecycle: Lifecycle<State>, name: string): State {
  if (!isStateOf(lifecycle, name)) throw new Error(`the state "${name}" is unknown to this version`);
  return name;
}

/** Builds the columns that change when a row enters a state. A row that waits for Upnext is due at once. */
export function buildEntryColumns<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  enteredAt: Date,
) {
  const rule = lifecycle[state];
  return {
    state,
    next_at: rule.waitsFor === 'upnext' ? enteredAt : null,
    notify_at: rule.notifies ? enteredAt : null,
    retained_since: endsDelivery(rule) ? enteredAt : null,
    changed_at: enteredAt,
  };
}

/** Returns the step of a state. Throws if the state has none, because its rows must never be claimed. */
export function getStep<Step>(steps: Readonly<Record<string, Step>>, state: string): Step {
  const step = Object.hasOwn(steps, state) ? steps[state] : undefined;
  if (!step) throw new Error(`the state "${state}" has no step`);
  return step;
}

/** Throws if the lifecycle doesn't allow the transition. A row may always stay in its state. */
export function assertTransition<State extends string>(
  lifecycle: Lifecycle<State>,
  from: string,
  to: State,
): void {
  const isAllowed = lifecycle[parseState(lifecycle, from)].nextStates.includes(to);
  if (from !== to && !isAllowed) throw new Error(`no transition from ${from} to ${to}`);
}
