import { features } from '../../src/app/features.ts';
import { iterateObjects } from './iterate-objects.ts';
import { buildRequest, type RequestSource } from './surface-request.ts';

type Fields = Readonly<Record<string, unknown>>;
type Deliver = (body: object) => Promise<readonly unknown[]>;

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
 * Slack describes it in a payload. If `isSubmitted`, a form with a
 * confirmation is submitted up to the confirmation.
 */
export async function fillForm(
  deliver: Deliver,
  source: RequestSource,
  {
    name,
    openingAnswers,
    filling,
    isSubmitted = true,
  }: { name: string; openingAnswers: readonly unknown[]; filling: Filling; isSubmitted?: boolean },
): Promise<object> {
  let form = findLastForm(openingAnswers, name);
  const buildFilledView = (field?: string, value: string | readonly string[] = '') => {
    if (!form)
      throw new Error(`the form "${name}" was not shown: ${JSON.stringify(openingAnswers).slice(-900)}`);
    return buildView(form, field === undefined ? {} : { [field]: value });
  };
  for (const [field, value] of Object.entries(filling)) {
    const filledView = buildFilledView(field, value);
    const id = `${name}.${field}`;
    const answers = ACTIONS.has(id)
      ? await deliver(buildRequest(source, { surface: 'action', id, view: filledView }))
      : [];
    form = findLastForm(answers, name) ?? withState(form, filledView);
  }
  const completeView = buildFilledView();
  if (isSubmitted && `${name}.confirm` in VIEWS)
    await deliver(buildRequest(source, { surface: 'view', id: name, view: completeView }));
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

interface Input {
  blockId: string;
  /** The name of the field, without the version of the form. */
  field: string;
  label: string;
  element: Fields;
}

/** Lists the inputs of a form. */
export function listInputs({ blocks }: Fields): Input[] {
  return (Array.isArray(blocks) ? blocks : [])
    .filter(({ type }) => type === 'input')
    .map(({ block_id, label, element }) => ({
      ...{ blockId: String(block_id), field: getFieldName(block_id), label: label.text, element },
    }));
}

/** Builds the form's view with these values. */
export function buildView(form: Fields, filling: Filling) {
  const { callback_id, private_metadata, blocks, state } = form;
  const currentValues = isFields(state) && isFields(state.values) ? state.values : {};
  const values = Object.fromEntries(
    listInputs(form).map(({ blockId, field, element }) => {
      const value = filling[field];
      const currentState = isFields(currentValues[blockId])
        ? currentValues[blockId]
        : { [String(element.action_id)]: createInitialState(element) };
      const state =
        value === undefined
          ? currentState
          : { [String(element.action_id)]: createInputState(element, value) };
      return [blockId, state];
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

function createInputState({ type, options: shown }: Fields, value: string | readonly string[]): object {
  const options = [value].flat().map((text) => {
    const option = Array.isArray(shown) ? shown.find((candidate) => candidate.value === text) : undefined;
    // The label of an option that a search found, which isn't the service's own word.
    return option ?? { value: text, text: { type: 'plain_text', text: text.toLowerCase() } };
  });
  const [option] = options;
  const [firstValue = ''] = [value].flat();
  return {
    ...{ type, value: firstValue, selected_option: option, selected_options: options },
    ...{ selected_conversation: firstValue, selected_users: [value].flat() },
  };
}
