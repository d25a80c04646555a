import { features } from '../../../../src/app/features.ts';
import { objectsIn } from '../shown.ts';
import { type From, requestOf } from './asking.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ask = (body: object) => Promise<unknown[]>;

/** What is put into a form, by field; the others keep what they begin with. */
export type Filling = Readonly<Record<string, string | readonly string[]>>;

const ACTIONS = new Set(features.flatMap(({ actions = {} }) => Object.keys(actions)));

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldOf = (blockId: unknown) => String(blockId).replace(/\.\d+$/, '');

/** The form that was shown last. */
function shownForm(said: readonly unknown[], name: string): Fields | undefined {
  return [...objectsIn(said)].findLast(({ type, callback_id }) => type === 'modal' && callback_id === name);
}

/**
 * Somebody's form, filled field by field as Slack reports it, so that what is stored beside it is as it would be;
 * as Slack describes it in a payload. Where it is looked at once more, it waits for that.
 */
export async function filledForm(
  ask: Ask,
  from: From,
  { name, opened, filling }: { name: string; opened: readonly unknown[]; filling: Filling },
): Promise<object> {
  let form = shownForm(opened, name);
  const view = (field?: string, value: string | readonly string[] = '') => {
    if (!form) throw new Error(`the form "${name}" was not shown: ${JSON.stringify(opened).slice(0, 500)}`);
    return viewOf(form, field === undefined ? {} : { [field]: value });
  };
  for (const [field, value] of Object.entries(filling)) {
    const filled = view(field, value);
    const id = `${name}.${field}`;
    const said = ACTIONS.has(id) ? await ask(requestOf(from, { surface: 'action', id, view: filled })) : [];
    form = shownForm(said, name) ?? withState(form, filled);
  }
  const filled = view();
  if (`${name}.confirm` in VIEWS) await ask(requestOf(from, { surface: 'view', id: name, view: filled }));
  return { ...filled, blocks: Object.keys(filled.state.values).map((block_id) => ({ block_id })) };
}

const VIEWS: Fields = Object.assign({}, ...features.map(({ views = {} }) => views));

/** The same form when nothing draws it anew: Slack keeps what was put in. */
function withState(form: Fields | undefined, { state }: { state: unknown }): Fields {
  return { ...form, state };
}

/** A form as it stands, with this in one field. */
function viewOf(form: Fields, put: Filling) {
  const { callback_id, private_metadata, blocks, state } = form;
  const inputs = (Array.isArray(blocks) ? blocks : []).filter(({ type }) => type === 'input');
  const before = isFields(state) && isFields(state.values) ? state.values : {};
  const values = Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      const field = fieldOf(block_id);
      const given = put[field];
      const stands = isFields(before[block_id]) ? before[block_id] : { [element.action_id]: begun(element) };
      const value = given === undefined ? stands : { [element.action_id]: holding(element.type, given) };
      return [block_id, value];
    }),
  );
  return {
    ...{ id: 'V1', hash: 'h', type: 'modal', callback_id, private_metadata, blocks },
    state: { values },
  };
}

/** What stands in an input that nobody has touched. */
function begun({
  type,
  initial_value,
  initial_option,
  initial_options,
  initial_conversation,
}: Fields): object {
  return {
    type,
    value: initial_value ?? null,
    selected_option: initial_option ?? null,
    selected_options: initial_options ?? [],
    selected_conversation: initial_conversation ?? null,
    selected_users: [],
  };
}

function holding(type: string, value: string | readonly string[]): object {
  const options = [value].flat().map((one) => ({ value: one, text: { type: 'plain_text', text: one } }));
  const [option] = options;
  const [first = ''] = [value].flat();
  return {
    ...{ type, value: first, selected_option: option, selected_options: options },
    ...{ selected_conversation: first, selected_users: [value].flat() },
  };
}
