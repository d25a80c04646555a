import type { Fields } from './field.ts';
import type { Change, Form, State } from './form.ts';
import type { Loaded } from './loaded.ts';

/** A state with what follows from it, and which fields got another value by that. */
interface Settled<F extends Fields, Kept extends Loaded> {
  state: State<F, Kept>;
  changed: readonly string[];
}

/** After somebody has changed something, or `change` has: what else changes. Pure. */
export function settled<F extends Fields, Kept extends Loaded, Content>(
  form: Pick<Form<F, Kept, Content>, 'settle'>,
  before: State<F, Kept>,
  change: Change<F, Kept> = {},
): Settled<F, Kept> {
  const changed = withChange(before, change);
  const state = form.settle ? withChange(changed, form.settle(changed)) : changed;
  const names = Object.keys(state.typed).filter((name) => !isSame(state.typed[name], before.typed[name]));
  return { state, changed: names };
}

function withChange<F extends Fields, Kept extends Loaded>(
  state: State<F, Kept>,
  { typed, facts }: Change<F, Kept>,
): State<F, Kept> {
  return { ...state, typed: { ...state.typed, ...typed }, facts: facts ?? state.facts };
}

/** As JSON, which is how it is kept. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
