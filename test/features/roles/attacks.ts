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
import { buildFormState, type ShownElements } from './shown.ts';
import { RECORD_KINDS } from './three-workspaces.ts';

const ACTIONS = features.flatMap(({ actions = {} }) => Object.keys(actions));

/** Kinds of ids in the service, which are only valid together with their project. */
const SERVICE_KINDS: readonly string[] = RECORD_KINDS;

interface Attack {
  workspaceNumber: number;
  user: string;
  shownToAttacker: ShownElements;
  shownToOthers: ShownElements;
  ownIds: readonly Id[];
  foreignIds: readonly Id[];
  /** Names and texts that the attacker must not see. */
  secrets: readonly string[];
}

/** Yields the attacker's requests with each id swapped for a foreign id, and other people's requests. */
export function* createAttacks(attack: Attack): Generator<object> {
  yield* swapButtons(attack);
  yield* swapForms(attack);
  yield* replayOthersRequests(attack);
  yield* pressAllWithForeignIds(attack);
  const texts = [
    ...attack.foreignIds.filter(({ kind }) => kind === 'project').map(({ id }) => id),
    ...attack.secrets,
  ];
  for (const name of features.flatMap(({ commands }) => commands.map((command) => command.name))) {
    for (const text of texts) yield buildCommand(attack.workspaceNumber, attack.user, `${name} ${text}`);
    yield buildMention(attack.workspaceNumber, attack.user, `${name} ${texts[0] ?? ''}`);
  }
}

/** Returns copies of the text, each with one of the attacker's ids swapped for a foreign id. */
function swapIds(text: string, { ownIds, foreignIds }: Attack): string[] {
  const copies = ownIds
    .filter(({ id }) => text.includes(id))
    .flatMap((ownId) =>
      foreignIds.filter(({ kind }) => kind === ownId.kind).map(({ id }) => text.replaceAll(ownId.id, id)),
    );
  return [...new Set(copies)].filter((copy) => copy !== text);
}

/** Finds the buttons whose value contains one of these ids, one for each action or item of a menu. */
function findButtonsWithIds({ buttons }: ShownElements, ids: readonly Id[]): ShownElements['buttons'] {
  const matchingButtons = buttons.filter(({ value }) => ids.some(({ id }) => value.includes(id)));
  return [...new Map(matchingButtons.map((button) => [getActionKey(button), button])).values()];
}

/** The value of an item of a menu begins with the item's name: "pause 4711". */
function getActionKey({ action, value }: ShownElements['buttons'][number]): string {
  return `${action} ${/^[a-z-]+ /.exec(value)?.[0] ?? ''}`;
}

function* swapButtons(attack: Attack): Generator<object> {
  for (const { action, value } of findButtonsWithIds(attack.shownToAttacker, attack.ownIds))
    for (const swappedValue of swapIds(value, attack))
      yield buildPress(attack.workspaceNumber, attack.user, action, swappedValue);
}

/** Lists one form of each kind. A form that was opened twice is listed once. */
function listUniqueForms({ forms }: ShownElements): ShownElements['forms'] {
  return [...new Map(forms.map((form) => [form.callback, form])).values()];
}

function* swapForms(attack: Attack): Generator<object> {
  const { workspaceNumber, user, foreignIds, secrets } = attack;
  const [firstProject] = foreignIds.filter(({ kind }) => kind === 'project');
  const serviceIds = foreignIds.filter(({ id }) => /^[a-z-]+\d\d$/.test(id));
  const recordIds = serviceIds
    .filter(({ kind, projectNumber }) => kind === 'project' || projectNumber === firstProject?.projectNumber)
    .map(({ id }) => id);
  for (const form of listUniqueForms(attack.shownToAttacker)) {
    const { inputs } = form;
    for (const metadata of swapIds(form.metadata, attack)) {
      yield buildSubmission(workspaceNumber, user, buildView({ ...form, metadata }, buildFormState(inputs)));
      for (const { action, type } of inputs) {
        const view = buildView({ ...form, metadata }, buildFormState(inputs));
        if (type.includes('external')) yield buildSearch(workspaceNumber, user, action, view);
        else if (ACTIONS.includes(action)) yield buildPress(workspaceNumber, user, action, '', view);
      }
    }
    for (const { block, action, type } of inputs) {
      for (const value of type === 'plain_text_input' ? secrets : recordIds) {
        const view = buildView(form, buildFormState(inputs, block, value));
        yield buildSubmission(workspaceNumber, user, view);
        // Slack reports an input without a handler only when the form is submitted.
        if (ACTIONS.includes(action)) yield buildPress(workspaceNumber, user, action, value, view);
        for (const input of inputs)
          if (input.type.includes('external')) yield buildSearch(workspaceNumber, user, input.action, view);
      }
    }
  }
}

function* replayOthersRequests({
  workspaceNumber,
  user,
  shownToOthers,
  foreignIds,
}: Attack): Generator<object> {
  for (const { action, value } of findButtonsWithIds(shownToOthers, foreignIds))
    yield buildPress(workspaceNumber, user, action, value);
  for (const form of listUniqueForms(shownToOthers)) {
    const view = buildView(form, buildFormState(form.inputs));
    yield buildSubmission(workspaceNumber, user, view);
    for (const { action, type } of form.inputs)
      if (type.includes('external')) yield buildSearch(workspaceNumber, user, action, view);
  }
}

/** Presses every button with one foreign id of each kind. */
function* pressAllWithForeignIds({ workspaceNumber, user, foreignIds }: Attack): Generator<object> {
  // People's ids and channels' ids are refused for different reasons.
  const getKindKey = ({ kind, person }: Id) => `${kind.split(' ')[0]} ${person === undefined}`;
  const standaloneIds = foreignIds.filter(({ kind }) => !SERVICE_KINDS.includes(kind));
  const oneOfEachKind = [
    ...new Map(standaloneIds.map((candidate) => [getKindKey(candidate), candidate])).values(),
  ];
  for (const action of ACTIONS.filter((id) => !/\.[1-9]\d*$/.test(id)))
    for (const { id } of oneOfEachKind) yield buildPress(workspaceNumber, user, action, id);
}
