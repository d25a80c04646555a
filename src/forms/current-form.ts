import { z } from 'zod';
import type { Call, OpenView } from '../app/call.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import {
  blockId,
  chosenProject,
  type Fields,
  formIdOf,
  type Generations,
  generationsOf,
  isTyped,
  named,
  prefillFields,
} from './field.ts';
import type { Change, Checked, Form, State } from './form.ts';
import type { FormContext } from './form-context.ts';
import { changeForm, isSame, readStoredForm, type StoredForm } from './stored-form.ts';

/** An open form: the state that Slack sent, and what is stored about it. */
export interface CurrentForm<F extends Fields = Fields, Context extends FormContext = FormContext> {
  formId: string;
  generations: Generations;
  stored: StoredForm<Context>;
  state: State<F, Context>;
}

/**
 * Reads a form as Slack sent it. Undefined if it has another version, belongs to another person, or lacks a block:
 * nothing of such a form is sent. Throws if the person may no longer open the form for a project chosen in it.
 */
export async function readCurrentForm<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  view: OpenView,
): Promise<CurrentForm<F, Context> | undefined> {
  const formId = formIdOf(form.version, view.metadata);
  const stored = formId === undefined ? undefined : await readStoredForm(form, call, formId);
  const formContext = stored?.formContext;
  if (formId === undefined || !stored || !formContext) return undefined;
  const { typed, generations } = readView(form.fields, view, formContext);
  if (!isWhole(form, view.values, generations, formContext) || !isTyped(form.fields, typed)) return undefined;
  await permitProjects(form.fields, call, typed);
  return { formId, generations, stored, state: { typed, formContext, now: call.now() } };
}

/** Refreshes the context for the current values. */
export async function refreshContext<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  current: CurrentForm<F, Context>,
): Promise<CurrentForm<F, Context>> {
  if (!form.refreshContext) return current;
  const formContext = await form.refreshContext(current.state, call);
  return { ...current, state: { ...current.state, formContext } };
}

/** Reads a form that waits for confirmation. Throws if the person may no longer open it for its project. */
export async function readUnconfirmedForm<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  metadata: string,
): Promise<CurrentForm<F, Context> | undefined> {
  const formId = formIdOf(form.version, metadata);
  const stored = formId === undefined ? undefined : await readStoredForm(form, call, formId);
  if (formId === undefined || !stored?.formContext || !stored.unconfirmed) return undefined;
  const typed = prefillFields(form.fields, stored.unconfirmed, stored.formContext);
  await permitProjects(form.fields, call, typed);
  return {
    formId,
    stored,
    generations: {},
    state: { typed, formContext: stored.formContext, now: call.now() },
  };
}

/** The value of each field. A field that isn't shown as an input has its initial value. */
export function readView(
  fields: Fields,
  { blockIds, values }: Pick<OpenView, 'blockIds' | 'values'>,
  formContext: FormContext,
): { typed: Record<string, unknown>; generations: Generations } {
  const generations = generationsOf(Object.keys(fields), [...blockIds, ...Object.keys(values)]);
  const read = Object.entries(fields).map(([name, field]) => {
    const isAsked = field.fixedText?.(formContext) === undefined;
    const fixed = field.initialValue ? field.initialValue(field.empty, formContext) : field.empty;
    return [name, isAsked ? field.read(values, blockId(name, generations)) : fixed] as const;
  });
  return { typed: Object.fromEntries(read), generations };
}

/** Whether the view has all required blocks, and no block that this version of the form doesn't know. */
function isWhole(
  form: Form,
  values: ViewValues,
  generations: Generations,
  formContext: FormContext,
): boolean {
  const asked = Object.entries(form.fields).filter(
    ([, { fixedText }]) => fixedText?.(formContext) === undefined,
  );
  const known = asked.map(([name]) => blockId(name, generations));
  const mayHide: readonly string[] = form.mayHide ?? [];
  const needed = asked
    .filter(([name]) => !mayHide.includes(name))
    .map(([name]) => blockId(name, generations));
  const there = Object.keys(values);
  return there.every((id) => known.includes(id)) && needed.every((id) => there.includes(id));
}

/** Throws if the person may no longer open the form for a project chosen in it. */
async function permitProjects(
  fields: Fields,
  call: Pick<Call, 'permitForm'>,
  typed: Readonly<Record<string, unknown>>,
): Promise<void> {
  const holding = Object.keys(fields).filter((name) => fields[name]?.holdsProjects);
  const chosen = z.array(named.optional()).parse(holding.flatMap((name) => typed[name]));
  for (const project of chosen) if (project) await call.permitForm(project.id);
}

/**
 * Stores the project that Slack reported. Searches that depend on it can't rely on Slack, whose requests for options
 * may carry an older state of the form, or none (bolt-js #1146 and #660, bolt-python #336, java-slack-sdk #1292). Must
 * be called before anything slow, because the next request for options waits for it.
 */
export async function storeReportedProject(form: Form, call: Call, view: OpenView): Promise<void> {
  const formId = formIdOf(form.version, view.metadata);
  if (formId === undefined) return;
  await changeForm(form, call, formId, (stored) => {
    if (!stored.formContext) return stored;
    return { ...stored, project: chosenProject(readView(form.fields, view, stored.formContext).typed) };
  });
}

/** The state after a change, and the names of the fields whose value differs. */
interface ChangedState<F extends Fields, Context extends FormContext> {
  state: State<F, Context>;
  changed: readonly string[];
}

/** Applies a change, and the changes that the form derives from the result. Pure. */
export function applyChange<F extends Fields, Context extends FormContext, Content>(
  form: Pick<Form<F, Context, Content>, 'deriveChanges'>,
  before: State<F, Context>,
  change: Change<F, Context> = {},
): ChangedState<F, Context> {
  const changed = withChange(before, change);
  const state = form.deriveChanges ? withChange(changed, form.deriveChanges(changed)) : changed;
  const names = Object.keys(state.typed).filter((name) => !isSame(state.typed[name], before.typed[name]));
  return { state, changed: names };
}

function withChange<F extends Fields, Context extends FormContext>(
  state: State<F, Context>,
  { typed, formContext }: Change<F, Context>,
): State<F, Context> {
  return { ...state, typed: { ...state.typed, ...typed }, formContext: formContext ?? state.formContext };
}

/** Checks the form and each of its fields. A field's own error replaces the form's error for that field. Pure. */
export function checkForm<F extends Fields, Context extends FormContext, Content>(
  form: Pick<Form<F, Context, Content>, 'fields' | 'check' | 'hidden'>,
  state: State<F, Context>,
): Checked<F, Content> {
  const checked = form.check(state);
  const hidden: readonly string[] = form.hidden?.(state) ?? [];
  const fieldErrors = Object.entries(form.fields).flatMap(([name, field]) => {
    const isAsked = !hidden.includes(name) && field.fixedText?.(state.formContext) === undefined;
    const error = isAsked ? field.validate?.(state.typed[name], state.formContext) : undefined;
    return error === undefined ? [] : [[name, error] as const];
  });
  if (fieldErrors.length === 0) return checked;
  const errors = checked.kind === 'faulty' ? checked.errors : {};
  return { kind: 'faulty', errors: { ...errors, ...Object.fromEntries(fieldErrors) } };
}

/**
 * Starts to count equal posts at the service for a form that could be sent as it is, for a later reconciliation.
 * Returns at once.
 */
export function countEqualInBackground(
  form: Form,
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  id: string,
  state: State,
): void {
  const { destination } = form;
  if ('answer' in destination || destination.kind.whenUnknown.way !== 'reconcile') return;
  context.submissions.scheduleEarlyCount({
    id,
    workspace: actor.workspace,
    kind: destination.kind,
    getContents() {
      const checked = checkForm(form, state);
      return checked.kind === 'good' ? checked.contents : [];
    },
  });
}
