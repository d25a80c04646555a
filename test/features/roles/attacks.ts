import { features } from '../../../src/app/features.ts';
import {
  buildCommand,
  buildMention,
  buildPress,
  buildSearch,
  buildSubmission,
  buildView,
} from './requests.ts';
import type { Id } from './seeded-ids.ts';
import { buildFormState, type Shown } from './shown.ts';
import { RECORDS } from './three-workspaces.ts';

const ACTIONS = features.flatMap(({ actions = {} }) => Object.keys(actions));

/** Kinds of ids in the service, which are only valid together with their project. */
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

/** Yields the attacker's requests with each id swapped for a foreign one, and other people's requests. */
export function* createAttacks(attack: Attack): Generator<object> {
  yield* swapButtons(attack);
  yield* swapForms(attack);
  yield* replayOthers(attack);
  yield* pressAllWithForeignIds(attack);
  const texts = [
    ...attack.foreign.filter(({ kind }) => kind === 'project').map(({ id }) => id),
    ...attack.secrets,
  ];
  for (const name of features.flatMap(({ commands }) => commands.map((one) => one.name))) {
    for (const text of texts) yield buildCommand(attack.number, attack.user, `${name} ${text}`);
    yield buildMention(attack.number, attack.user, `${name} ${texts[0] ?? ''}`);
  }
}

/** Copies of the text, each with one of the attacker's ids swapped for a foreign one. */
function swapIds(text: string, { ownIds, foreign }: Attack): string[] {
  const copies = ownIds
    .filter(({ id }) => text.includes(id))
    .flatMap((own) =>
      foreign.filter(({ kind }) => kind === own.kind).map(({ id }) => text.replaceAll(own.id, id)),
    );
  return [...new Set(copies)].filter((other) => other !== text);
}

/** One button of each action, among those whose value contains one of these ids. */
function findButtonsWithIds({ buttons }: Shown, ids: readonly Id[]): Shown['buttons'] {
  const matchingButtons = buttons.filter(({ value }) => ids.some(({ id }) => value.includes(id)));
  return [...new Map(matchingButtons.map((button) => [button.action, button])).values()];
}

function* swapButtons(attack: Attack): Generator<object> {
  for (const { action, value } of findButtonsWithIds(attack.own, attack.ownIds))
    for (const other of swapIds(value, attack)) yield buildPress(attack.number, attack.user, action, other);
}

/** One form of each kind. A form that was opened twice counts once. */
function uniqueForms({ forms }: Shown): Shown['forms'] {
  return [...new Map(forms.map((form) => [form.callback, form])).values()];
}

function* swapForms(attack: Attack): Generator<object> {
  const { number, user, foreign, secrets } = attack;
  const [first] = foreign.filter(({ kind }) => kind === 'project');
  const serviceIds = foreign.filter(({ id }) => /^[a-z-]+\d\d$/.test(id));
  const records = serviceIds
    .filter(({ kind, project }) => kind === 'project' || project === first?.project)
    .map(({ id }) => id);
  for (const form of uniqueForms(attack.own)) {
    const { inputs } = form;
    for (const metadata of swapIds(form.metadata, attack)) {
      yield buildSubmission(number, user, buildView({ ...form, metadata }, buildFormState(inputs)));
      for (const { action, type } of inputs) {
        const view = buildView({ ...form, metadata }, buildFormState(inputs));
        if (type.includes('external')) yield buildSearch(number, user, action, view);
        else if (ACTIONS.includes(action)) yield buildPress(number, user, action, '', view);
      }
    }
    for (const { block, action, type } of inputs) {
      for (const other of type === 'plain_text_input' ? secrets : records) {
        const view = buildView(form, buildFormState(inputs, block, other));
        yield buildSubmission(number, user, view);
        // Slack reports other inputs only when the form is submitted.
        if (ACTIONS.includes(action)) yield buildPress(number, user, action, other, view);
        for (const one of inputs)
          if (one.type.includes('external')) yield buildSearch(number, user, one.action, view);
      }
    }
  }
}

function* replayOthers({ number, user, others, foreign }: Attack): Generator<object> {
  for (const { action, value } of findButtonsWithIds(others, foreign))
    yield buildPress(number, user, action, value);
  for (const form of uniqueForms(others)) {
    const view = buildView(form, buildFormState(form.inputs));
    yield buildSubmission(number, user, view);
    for (const { action, type } of form.inputs)
      if (type.includes('external')) yield buildSearch(number, user, action, view);
  }
}

/** Presses every button with one foreign id of each kind. */
function* pressAllWithForeignIds({ number, user, foreign }: Attack): Generator<object> {
  // Ids of people and ids of channels are refused for different reasons.
  const kindKey = ({ kind, person }: Id) => `${kind.split(' ')[0]} ${person === undefined}`;
  const standaloneIds = foreign.filter(({ kind }) => !SERVICE_KINDS.includes(kind));
  const oneOfEachKind = [...new Map(standaloneIds.map((one) => [kindKey(one), one])).values()];
  for (const action of ACTIONS.filter((id) => !/\.[1-9]\d*$/.test(id)))
    for (const { id } of oneOfEachKind) yield buildPress(number, user, action, id);
}
