import type { Fields } from './field.ts';
import type { Checked, Form, State } from './form.ts';
import type { Loaded } from './loaded.ts';

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
