import { features } from '../../../../src/app/features.ts';
import { iterateObjects } from '../shown.ts';
import { buildRequest, type RequestSource } from './surface-request.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ask = (body: object) => Promise<unknown[]>;

/** Values by field. Other fields keep their initial value. */
export type Filling = Readonly<Record<string, string | readonly string[]>>;

const ACTIONS = new Set(features.flatMap(({ actions = {} }) => Object.keys(actions)));

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const getFieldName = (blockId: unknown) => String(blockId).replace(/\.\d+$/, '');

/** Finds the latest version of the form among the answers. */
function findLastForm(answers: readonly unknown[], name: string): Fields | undefined {
  return [...iterateObjects(answers)].findLast(
    ({ type, callback_id }) => type === 'modal' && callback_id === name,
  );
}

/**
 * Fills a person's form field by field, as Slack reports it, so that the stored form is up to date. Returns the view as
 * Slack describes it in a payload. A form with a confirmation is submitted up to the confirmation.
 */
export async function fillForm(
  ask: Ask,
  source: RequestSource,
  { name, openingAnswers, filling }: { name: string; openingAnswers: readonly unknown[]; filling: Filling },
): Promise<object> {
  let form = findLastForm(openingAnswers, name);
  const buildFilledView = (field?: string, value: string | readonly string[] = '') => {
    if (!form)
      throw new Error(`the form "${name}" was not shown: ${JSON.stringify(openingAnswers).slice(0, 500)}`);
    return buildView(form, field === undefined ? {} : { [field]: value });
  };
  for (const [field, value] of Object.entries(filling)) {
    const filledView = buildFilledView(field, value);
    const id = `${name}.${field}`;
    const answers = ACTIONS.has(id)
      ? await ask(buildRequest(source, { surface: 'action', id, view: filledView }))
      : [];
    form = findLastForm(answers, name) ?? withState(form, filledView);
  }
  const completeView = buildFilledView();
  if (`${name}.confirm` in VIEWS)
    await ask(buildRequest(source, { surface: 'view', id: name, view: completeView }));
  return {
    ...completeView,
    blocks: Object.keys(completeView.state.values).map((block_id) => ({ block_id })),
  };
}

const VIEWS: Fields = Object.assign({}, ...features.map(({ views = {} }) => views));

/** Returns the form with the values that Slack preserves if the app doesn't render the form again. */
function withState(form: Fields | undefined, { state }: { state: unknown }): Fields {
  return { ...form, state };
}

/** Builds the form's view with these values. */
function buildView(form: Fields, filling: Filling) {
  const { callback_id, private_metadata, blocks, state } = form;
  const inputs = (Array.isArray(blocks) ? blocks : []).filter(({ type }) => type === 'input');
  const currentValues = isFields(state) && isFields(state.values) ? state.values : {};
  const values = Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      const field = getFieldName(block_id);
      const value = filling[field];
      const currentState = isFields(currentValues[block_id])
        ? currentValues[block_id]
        : { [element.action_id]: createInitialState(element) };
      const state =
        value === undefined ? currentState : { [element.action_id]: createInputState(element.type, value) };
      return [block_id, state];
    }),
  );
  return {
    ...{ id: 'V1', hash: 'h', type: 'modal', callback_id, private_metadata, blocks },
    state: { values },
  };
}

/** Creates the state of an input that nobody has changed. */
function createInitialState({
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

function createInputState(type: string, value: string | readonly string[]): object {
  const options = [value].flat().map((text) => ({ value: text, text: { type: 'plain_text', text } }));
  const [option] = options;
  const [firstValue = ''] = [value].flat();
  return {
    ...{ type, value: firstValue, selected_option: option, selected_options: options },
    ...{ selected_conversation: firstValue, selected_users: [value].flat() },
  };
}
