/** Buttons, menu options and forms that a person was shown. Their values can be sent back in requests. */

interface Button {
  action: string;
  value: string;
}

/** An input of a form, as Slack describes it. */
interface Input {
  block: string;
  action: string;
  type: string;
  /** The initial value. Defaults to the first option. */
  value: string;
}

interface Form {
  callback: string;
  metadata: string;
  inputs: readonly Input[];
}

export interface ShownElements {
  buttons: Button[];
  forms: Form[];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Iterates over all objects in the value, outermost first. */
export function* iterateObjects(value: unknown): Generator<Fields> {
  if (isFields(value)) yield value;
  const children = isFields(value) ? Object.values(value) : toList(value);
  for (const child of children) yield* iterateObjects(child);
}

const getOptionValue = (value: unknown): string => (isFields(value) ? toText(value.value) : '');

function listInputs(view: Fields): Input[] {
  return toList(view.blocks).flatMap((block) => {
    if (!isFields(block) || block.type !== 'input' || !isFields(block.element)) return [];
    const { element } = block;
    const [initialOption] = toList(element.initial_options);
    const [firstOption] = toList(element.options);
    const value =
      toText(element.initial_value) ||
      getOptionValue(element.initial_option) ||
      getOptionValue(initialOption) ||
      getOptionValue(firstOption) ||
      'some text';
    return [
      { block: toText(block.block_id), action: toText(element.action_id), type: toText(element.type), value },
    ];
  });
}

/** Collects buttons and menu options without duplicates, and the latest version of each form. */
export function collectShown(answers: readonly unknown[]): ShownElements {
  const buttons = new Map<string, Button>();
  const forms = new Map<string, Form>();
  for (const element of iterateObjects(answers)) {
    const { action_id: action } = element;
    if (typeof action === 'string') {
      const values =
        element.type === 'button' ? [toText(element.value)] : toList(element.options).map(getOptionValue);
      for (const value of values) buttons.set(`${action} ${value}`, { action, value });
    }
    if (element.type !== 'modal' || typeof element.callback_id !== 'string') continue;
    const metadata = toText(element.private_metadata);
    forms.set(`${element.callback_id} ${metadata}`, {
      ...{ callback: element.callback_id, metadata, inputs: listInputs(element) },
    });
  }
  return { buttons: [...buttons.values()], forms: [...forms.values()] };
}

/** Builds the state of a form's view, in which the input of `block` has the value `replacement`. */
export function buildFormState(inputs: readonly Input[], block?: string, replacement = ''): object {
  return Object.fromEntries(
    inputs.map((input) => {
      const value = input.block === block ? replacement : input.value;
      return [input.block, { [input.action]: { type: input.type, ...createInputState(input.type, value) } }];
    }),
  );
}

function createInputState(type: string, value: string): object {
  const option = { value, text: { type: 'plain_text', text: value } };
  if (type === 'multi_users_select') return { selected_users: [value] };
  if (type.startsWith('multi_') || type === 'checkboxes') return { selected_options: [option] };
  if (type.startsWith('conversations') || type.startsWith('channels'))
    return { selected_conversation: value };
  if (type.startsWith('users')) return { selected_user: value };
  if (type.startsWith('date')) return { selected_date: value };
  return type === 'plain_text_input' ? { value } : { selected_option: option };
}
