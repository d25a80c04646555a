import { features } from '../../../src/app/features.ts';
import { command, mention, press, search, submission, viewOf } from './requests.ts';
import type { Id } from './seeded-ids.ts';
import { type Shown, stateOf } from './shown.ts';
import { RECORDS } from './three-workspaces.ts';

const ACTIONS = features.flatMap(({ actions = {} }) => Object.keys(actions));

/** Ids in the service. They mean nothing without their project. */
const SERVICE_KINDS: readonly string[] = RECORDS;

interface Attack {
  number: number;
  user: string;
  /** What the attacker was shown, and what others were shown. */
  own: Shown;
  others: Shown;
  ownIds: readonly Id[];
  foreign: readonly Id[];
  /** Names and texts that the attacker must not see. */
  secrets: readonly string[];
}

/** The attacker's own requests with each id swapped for a foreign one of its kind, and other people's requests. */
export function* createAttacks(at: Attack): Generator<object> {
  yield* swapButtons(at);
  yield* swapForms(at);
  yield* replayOthers(at);
  yield* pressAllWithForeignIds(at);
  const words = [...at.foreign.filter(({ kind }) => kind === 'project').map(({ id }) => id), ...at.secrets];
  for (const name of features.flatMap(({ commands }) => commands.map((one) => one.name))) {
    for (const word of words) yield command(at.number, at.user, `${name} ${word}`);
    yield mention(at.number, at.user, `${name} ${words[0] ?? ''}`);
  }
}

/** The text with each id of the attacker's swapped for a foreign one. */
function swapIds(text: string, { ownIds, foreign }: Attack): string[] {
  const all = ownIds
    .filter(({ id }) => text.includes(id))
    .flatMap((own) =>
      foreign.filter(({ kind }) => kind === own.kind).map(({ id }) => text.replaceAll(own.id, id)),
    );
  return [...new Set(all)].filter((other) => other !== text);
}

/** A button of each action whose value contains one of these ids. */
function buttonsWith({ buttons }: Shown, ids: readonly Id[]): Shown['buttons'] {
  const found = buttons.filter(({ value }) => ids.some(({ id }) => value.includes(id)));
  return [...new Map(found.map((button) => [button.action, button])).values()];
}

function* swapButtons(at: Attack): Generator<object> {
  for (const { action, value } of buttonsWith(at.own, at.ownIds))
    for (const other of swapIds(value, at)) yield press(at.number, at.user, action, other);
}

/** One form of each kind, since a form that was opened twice is the same. */
function uniqueForms({ forms }: Shown): Shown['forms'] {
  return [...new Map(forms.map((form) => [form.callback, form])).values()];
}

function* swapForms(at: Attack): Generator<object> {
  const { number, user, foreign, secrets } = at;
  const [first] = foreign.filter(({ kind }) => kind === 'project');
  const serviceIds = foreign.filter(({ id }) => /^[a-z-]+\d\d$/.test(id));
  const records = serviceIds
    .filter(({ kind, project }) => kind === 'project' || project === first?.project)
    .map(({ id }) => id);
  for (const form of uniqueForms(at.own)) {
    const { inputs } = form;
    for (const metadata of swapIds(form.metadata, at)) {
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
        // Slack reports other inputs only when the form is submitted.
        if (ACTIONS.includes(action)) yield press(number, user, action, other, view);
        for (const one of inputs)
          if (one.type.includes('external')) yield search(number, user, one.action, view);
      }
    }
  }
}

function* replayOthers({ number, user, others, foreign }: Attack): Generator<object> {
  for (const { action, value } of buttonsWith(others, foreign)) yield press(number, user, action, value);
  for (const form of uniqueForms(others)) {
    const view = viewOf(form, stateOf(form.inputs));
    yield submission(number, user, view);
    for (const { action, type } of form.inputs)
      if (type.includes('external')) yield search(number, user, action, view);
  }
}

/** Presses every button with one foreign id of each kind. */
function* pressAllWithForeignIds({ number, user, foreign }: Attack): Generator<object> {
  // A person's own ids are refused for other reasons than a channel's.
  const kindKey = ({ kind, person }: Id) => `${kind.split(' ')[0]} ${person === undefined}`;
  const standaloneIds = foreign.filter(({ kind }) => !SERVICE_KINDS.includes(kind));
  const oneOfEachKind = [...new Map(standaloneIds.map((one) => [kindKey(one), one])).values()];
  for (const action of ACTIONS.filter((id) => !/\.[1-9]\d*$/.test(id)))
    for (const { id } of oneOfEachKind) yield press(number, user, action, id);
}
