import { z } from 'zod';
import type { Call, OpenView } from '../app/call.ts';
import type { ViewValues } from '../slack/view-values.ts';
import {
  begunWith,
  blockId,
  chosenProject,
  type Fields,
  formIdOf,
  type Generations,
  generationsOf,
  isTyped,
  named,
} from './field.ts';
import type { Change, Checked, Form, State } from './form.ts';
import { changeForm, isSame, type KeptForm, keptForm } from './kept-form.ts';
import type { Loaded } from './loaded.ts';

/** An open form as it came from Slack, with what is kept of it. */
export interface Standing<F extends Fields = Fields, Kept extends Loaded = Loaded> {
  formId: string;
  generations: Generations;
  kept: KeptForm<Kept>;
  state: State<F, Kept>;
}

/**
 * Undefined where the form is not one of this version, not this person's, or not whole: nothing of it is sent. Throws
 * where they may not open it for its project any more.
 */
export async function standingForm<F extends Fields, Kept extends Loaded, Content>(
  form: Form<F, Kept, Content>,
  call: Call,
  view: OpenView,
): Promise<Standing<F, Kept> | undefined> {
  const formId = formIdOf(form.version, view.metadata);
  const kept = formId === undefined ? undefined : await keptForm(form, call, formId);
  const facts = kept?.facts;
  if (formId === undefined || !kept || !facts) return undefined;
  const { typed, generations } = readView(form.fields, view, facts);
  if (!isWhole(form, view.values, generations, facts) || !isTyped(form.fields, typed)) return undefined;
  await permitProjects(form.fields, call, typed);
  return { formId, generations, kept, state: { typed, facts, now: call.now() } };
}

/** The same with what can be found out of what stands in it. */
export async function looked<F extends Fields, Kept extends Loaded, Content>(
  form: Form<F, Kept, Content>,
  call: Call,
  standing: Standing<F, Kept>,
): Promise<Standing<F, Kept>> {
  if (!form.look) return standing;
  return { ...standing, state: { ...standing.state, facts: await form.look(standing.state, call) } };
}

/** What was typed before the second look. Throws where the person may not open the form for its project any more. */
export async function waitingForm<F extends Fields, Kept extends Loaded, Content>(
  form: Form<F, Kept, Content>,
  call: Call,
  metadata: string,
): Promise<Standing<F, Kept> | undefined> {
  const formId = formIdOf(form.version, metadata);
  const kept = formId === undefined ? undefined : await keptForm(form, call, formId);
  if (formId === undefined || !kept?.facts || !kept.waiting) return undefined;
  const typed = begunWith(form.fields, kept.waiting, kept.facts);
  await permitProjects(form.fields, call, typed);
  return { formId, kept, generations: {}, state: { typed, facts: kept.facts, now: call.now() } };
}

/** What stands in each field; what is not asked has the value that it begins with. */
export function readView(
  fields: Fields,
  { blockIds, values }: Pick<OpenView, 'blockIds' | 'values'>,
  loaded: Loaded,
): { typed: Record<string, unknown>; generations: Generations } {
  const generations = generationsOf(Object.keys(fields), [...blockIds, ...Object.keys(values)]);
  const read = Object.entries(fields).map(([name, field]) => {
    const isAsked = field.instead?.(loaded) === undefined;
    const fixed = field.begun ? field.begun(field.empty, loaded) : field.empty;
    return [name, isAsked ? field.read(values, blockId(name, generations)) : fixed] as const;
  });
  return { typed: Object.fromEntries(read), generations };
}

/** False where a block is missing, or one is there that this version does not have. */
function isWhole(form: Form, values: ViewValues, generations: Generations, loaded: Loaded): boolean {
  const asked = Object.entries(form.fields).filter(([, { instead }]) => instead?.(loaded) === undefined);
  const known = asked.map(([name]) => blockId(name, generations));
  const mayHide: readonly string[] = form.mayHide ?? [];
  const needed = asked
    .filter(([name]) => !mayHide.includes(name))
    .map(([name]) => blockId(name, generations));
  const there = Object.keys(values);
  return there.every((id) => known.includes(id)) && needed.every((id) => there.includes(id));
}

/** Throws where the person may not open the form for a project that stands in it, as they could when they opened it. */
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
 * Stores the project that Slack reported. The menus that go by it can't rely on Slack, whose requests for options may
 * carry an older state of the form, or none (bolt-js #1146 and #660, bolt-python #336, java-slack-sdk #1292). To be
 * called before anything slow: the request for options that comes next waits for it.
 */
export async function storeReportedProject(form: Form, call: Call, view: OpenView): Promise<void> {
  const formId = formIdOf(form.version, view.metadata);
  if (formId === undefined) return;
  await changeForm(form, call, formId, (stored) => {
    if (!stored.facts) return stored;
    return { ...stored, project: chosenProject(readView(form.fields, view, stored.facts).typed) };
  });
}

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
  if ('answer' in ending || ending.kind.whenUnknown.way !== 'reconcile') return;
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
