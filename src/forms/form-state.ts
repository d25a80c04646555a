import type { Call } from '../app/call.ts';
import type { Fields } from './field.ts';
import type { Change, Checked, Form, State } from './form.ts';
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

/** What the form itself finds, with what each of its fields finds wrong by itself. Pure. */
export function checkForm<F extends Fields, Kept extends Loaded, Content>(
  form: Pick<Form<F, Kept, Content>, 'fields' | 'check' | 'hidden'>,
  state: State<F, Kept>,
): Checked<F, Content> {
  const checked = form.check(state);
  const hidden: readonly string[] = form.hidden?.(state) ?? [];
  const own = Object.entries(form.fields).flatMap(([name, field]) => {
    const isAsked = !hidden.includes(name) && field.instead?.(state.facts) === undefined;
    const fault = isAsked ? field.fault?.(state.typed[name], state.facts) : undefined;
    return fault === undefined ? [] : [[name, fault] as const];
  });
  if (own.length === 0) return checked;
  const errors = checked.kind === 'faulty' ? checked.errors : {};
  return { kind: 'faulty', errors: { ...errors, ...Object.fromEntries(own) } };
}

/** It stands so now: where it could be sent, what is there before is counted in the background. Returns at once. */
export function countSoon(
  form: Form,
  { context, who }: Pick<Call, 'context' | 'who'>,
  id: string,
  state: State,
): void {
  const { ending } = form;
  if ('answer' in ending || ending.kind.whenUnknown.way !== 'look') return;
  context.submissions.countEarly({
    id,
    workspace: who.workspace,
    kind: ending.kind,
    contents() {
      const checked = checkForm(form, state);
      return checked.kind === 'good' ? checked.contents : [];
    },
  });
}
