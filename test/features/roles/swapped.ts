import { features } from '../../../src/app/features.ts';
import { command, mention, press, search, submission, viewOf } from './requests.ts';
import type { Id } from './seeded-ids.ts';
import { type Shown, stateOf } from './shown.ts';
import { RECORDS } from './three-workspaces.ts';

const ACTIONS = features.flatMap(({ actions = {} }) => Object.keys(actions));

/** What only counts beside its project. */
const SERVICE_KINDS: readonly string[] = RECORDS;

interface Attack {
  number: number;
  user: string;
  /** What they were shown themselves, and what others were. */
  own: Shown;
  others: Shown;
  ownIds: readonly Id[];
  foreign: readonly Id[];
  /** How what is not theirs is called. */
  secrets: readonly string[];
}

/** Their own requests with each id swapped for another's of its kind, and others' requests as if they were theirs. */
export function* swapped(at: Attack): Generator<object> {
  yield* ownButtons(at);
  yield* ownForms(at);
  yield* othersRequests(at);
  yield* everyIdEverywhere(at);
  const words = [...at.foreign.filter(({ kind }) => kind === 'project').map(({ id }) => id), ...at.secrets];
  for (const name of features.flatMap(({ commands }) => commands.map((one) => one.name))) {
    for (const word of words) yield command(at.number, at.user, `${name} ${word}`);
    yield mention(at.number, at.user, `${name} ${words[0] ?? ''}`);
  }
}

/** Each other text that this one becomes where an id of theirs stands in it. */
function swaps(text: string, { ownIds, foreign }: Attack): string[] {
  const all = ownIds
    .filter(({ id }) => text.includes(id))
    .flatMap((own) =>
      foreign.filter(({ kind }) => kind === own.kind).map(({ id }) => text.replaceAll(own.id, id)),
    );
  return [...new Set(all)].filter((other) => other !== text);
}

/** A button of each kind that carries one of these. */
function carrying({ buttons }: Shown, ids: readonly Id[]): Shown['buttons'] {
  const found = buttons.filter(({ value }) => ids.some(({ id }) => value.includes(id)));
  return [...new Map(found.map((button) => [button.action, button])).values()];
}

function* ownButtons(at: Attack): Generator<object> {
  for (const { action, value } of carrying(at.own, at.ownIds))
    for (const other of swaps(value, at)) yield press(at.number, at.user, action, other);
}

/** One of each: what was opened more than once is the same. */
function oneOfEachForm({ forms }: Shown): Shown['forms'] {
  return [...new Map(forms.map((form) => [form.callback, form])).values()];
}

function* ownForms(at: Attack): Generator<object> {
  const { number, user, foreign, secrets } = at;
  const [first] = foreign.filter(({ kind }) => kind === 'project');
  const inService = foreign.filter(({ id }) => /^[a-z-]+\d\d$/.test(id));
  const records = inService
    .filter(({ kind, project }) => kind === 'project' || project === first?.project)
    .map(({ id }) => id);
  for (const form of oneOfEachForm(at.own)) {
    const { inputs } = form;
    for (const metadata of swaps(form.metadata, at)) {
      yield submission(number, user, viewOf({ ...form, metadata }, stateOf(inputs)));
      for (const { action, type } of inputs) {
        const view = viewOf({ ...form, metadata }, stateOf(inputs));
        if (type.includes('external')) yield search(number, user, action, view);
        else if (ACTIONS.includes(action)) yield press(number, user, action, '', view);
      }
    }
    for (const { block, action, type } of inputs) {
      for (const other of type === 'plain_text_input' ? secrets : records) {
        const view = viewOf(form, stateOf(inputs, block, other));
        yield submission(number, user, view);
        // What stands in other fields is not told of until the form is sent.
        if (ACTIONS.includes(action)) yield press(number, user, action, other, view);
        for (const one of inputs)
          if (one.type.includes('external')) yield search(number, user, one.action, view);
      }
    }
  }
}

function* othersRequests({ number, user, others, foreign }: Attack): Generator<object> {
  for (const { action, value } of carrying(others, foreign)) yield press(number, user, action, value);
  for (const form of oneOfEachForm(others)) {
    const view = viewOf(form, stateOf(form.inputs));
    yield submission(number, user, view);
    for (const { action, type } of form.inputs)
      if (type.includes('external')) yield search(number, user, action, view);
  }
}

/** Whatever a button carries, in the place of every other. */
function* everyIdEverywhere({ number, user, foreign }: Attack): Generator<object> {
  // What is one person's alone is turned away for another reason than what a channel has.
  const name = ({ kind, person }: Id) => `${kind.split(' ')[0]} ${person === undefined}`;
  const alone = foreign.filter(({ kind }) => !SERVICE_KINDS.includes(kind));
  const oneOfEachKind = [...new Map(alone.map((one) => [name(one), one])).values()];
  for (const action of ACTIONS.filter((id) => !/\.[1-9]\d*$/.test(id)))
    for (const { id } of oneOfEachKind) yield press(number, user, action, id);
}
