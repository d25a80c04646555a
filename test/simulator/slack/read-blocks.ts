/** A JSON object. */
export type Json = Record<string, unknown>;
/** The state of an element, as Slack sends it: `{ type, value }`, `{ type, selected_option }` and so on. */
export type ElementState = Json & { type: string };
/** `state.values`: block_id → action_id → state. */
export type ViewValues = Record<string, Record<string, ElementState>>;
/** What a person types or chooses: a text, the value of an option, an id or a date; several for menus that take several. */
export type Choice = string | readonly string[] | null;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function getRecords(object: Json, key: string): Json[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function getRecord(object: Json, key: string): Json | undefined {
  const value = object[key];
  return isRecord(value) ? value : undefined;
}

export function getString(object: Json, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** The readable text of a text object in a field. '' without one. */
export function getText(object: Json, key: string): string {
  return unescapeText(getString(getRecord(object, key) ?? {}, 'text'));
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** An interactive element with its block. */
export interface ListedElement {
  blockId: string;
  actionId: string;
  type: string;
  /** The text of a button, the label of an input, or the text or placeholder of another element. */
  label: string;
  /** Whether the block is an input block. */
  isInput: boolean;
  isOptional: boolean;
  /** Whether a choice is sent to the app at once. */
  isDispatched: boolean;
  /** The options of menus, checkboxes, radio buttons and overflow menus, without those of external menus. */
  options: { value: string; label: string }[];
  element: Json;
}

/** All options of an element, also those in groups. */
export function listOptions(element: Json): Json[] {
  const groups = getRecords(element, 'option_groups').flatMap((group) => getRecords(group, 'options'));
  return [...getRecords(element, 'options'), ...groups];
}

const labelOf = (option: Json) => getText(option, 'text');

/** Lists the interactive elements in reading order. */
export function listElements(blocks: readonly Json[]): ListedElement[] {
  return blocks.flatMap((block) => {
    const inner = block.type === 'input' ? 'element' : 'accessory';
    const elements =
      block.type === 'actions' ? getRecords(block, 'elements') : [getRecord(block, inner) ?? {}];
    return elements
      .filter((element) => typeof element.action_id === 'string')
      .map((element) => ({
        blockId: getString(block, 'block_id'),
        actionId: getString(element, 'action_id'),
        type: getString(element, 'type'),
        label:
          getText(element, 'text') ||
          getText(block, 'label') ||
          getText(element, 'placeholder') ||
          getText(block, 'text'),
        isInput: block.type === 'input',
        isOptional: block.optional === true,
        isDispatched: block.type !== 'input' || block.dispatch_action === true,
        options: listOptions(element).map((option) => ({
          value: getString(option, 'value'),
          label: labelOf(option),
        })),
        element,
      }));
  });
}

/** Lists the buttons that send something, if there are any. Links send nothing. */
export function listButtons(blocks: readonly Json[]): {
  buttons?: { actionId: string; value: string }[];
} {
  const buttons = listElements(blocks)
    .filter(({ element }) => typeof element.value === 'string')
    .map(({ actionId, element }) => ({ actionId, value: getString(element, 'value') }));
  return buttons.length === 0 ? {} : { buttons };
}

/**
 * Element type → the field of its value in the state, and the field of its initial value. Buttons and overflow menus
 * have no state.
 */
const STATE_FIELDS: Readonly<Record<string, readonly [field: string, initial: string]>> = {
  plain_text_input: ['value', 'initial_value'],
  email_text_input: ['value', 'initial_value'],
  url_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  file_input: ['files', 'initial_files'],
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  radio_buttons: ['selected_option', 'initial_option'],
  multi_static_select: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  checkboxes: ['selected_options', 'initial_options'],
  users_select: ['selected_user', 'initial_user'],
  multi_users_select: ['selected_users', 'initial_users'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations'],
  channels_select: ['selected_channel', 'initial_channel'],
  multi_channels_select: ['selected_channels', 'initial_channels'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  datetimepicker: ['selected_date_time', 'initial_date_time'],
};

const MULTIPLE = /^(?:selected_(options|users|conversations|channels)|files)$/;

/** Whether elements of this type have a state. */
export function hasState(type: string): boolean {
  return Object.hasOwn(STATE_FIELDS, type);
}

/** The value in a state: a text, an option, an id, or a list. Undefined if it is empty. */
export function readValue(state: ElementState | undefined): unknown {
  const value = state?.[STATE_FIELDS[state.type]?.[0] ?? ''];
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

/**
 * The state of all elements. An element keeps its earlier state if its block_id, action_id and type stay. Otherwise its
 * initial value applies (bolt-js #290, #1073, #1258).
 */
export function computeValues(blocks: readonly Json[], earlier: ViewValues): ViewValues {
  const values: ViewValues = {};
  for (const { blockId, actionId, type, element } of listElements(blocks)) {
    const [field, initial] = STATE_FIELDS[type] ?? [];
    if (field === undefined || initial === undefined) continue;
    const kept = earlier[blockId]?.[actionId];
    const empty = MULTIPLE.test(field) ? [] : null;
    const state = kept?.type === type ? kept : { type, [field]: element[initial] ?? empty };
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/**
 * The state of an element after a choice. Undefined if a person can't choose this, such as an option that isn't in the
 * menu. `loaded` has the options of an external menu.
 */
export function applyChoice(
  { type, element }: ListedElement,
  choice: Choice,
  loaded: readonly Json[] = [],
): ElementState | undefined {
  const [field = '', initial = ''] = STATE_FIELDS[type] ?? [];
  const texts = choice === null || choice === '' ? [] : typeof choice === 'string' ? [choice] : [...choice];
  const isMultiple = MULTIPLE.test(field);
  if (!isMultiple && texts.length > 1) return undefined;
  let chosen: unknown[] = field === 'selected_date_time' ? texts.map(Number) : texts;
  if (field.startsWith('selected_option')) {
    const initials = [element[initial]].flat().filter(isRecord);
    const known = [...listOptions(element), ...loaded, ...initials];
    chosen = texts.flatMap((value) => known.find((option) => option.value === value) ?? []);
    if (chosen.length < texts.length) return undefined;
  }
  // A file is chosen by its id and name: "F1/photo.png".
  if (field === 'files') chosen = texts.map((text) => ({ id: text.split('/')[0], name: text.split('/')[1] }));
  return { type, [field]: isMultiple ? chosen : (chosen[0] ?? null) };
}

/**
 * The error that Slack's client shows under a field without sending the form. Only the text for an empty field is Slack's
 * own.
 */
export function findClientError(listed: ListedElement, state: ElementState | undefined): string | undefined {
  const value = readValue(state);
  if (value === undefined) return listed.isOptional ? undefined : 'Please complete this required field.';
  if (typeof value !== 'string') return undefined;
  const { min_length: minLength, max_length: maxLength, min_value: min, max_value: max } = listed.element;
  if (typeof minLength === 'number' && value.length < minLength)
    return `Please enter at least ${minLength} characters.`;
  if (typeof maxLength === 'number' && value.length > maxLength)
    return `Please enter no more than ${maxLength} characters.`;
  if (listed.type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value))
    return 'Please enter a valid email address.';
  if (listed.type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  if (listed.type !== 'number_input') return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (listed.element.is_decimal_allowed !== true && !Number.isInteger(number))
    return 'Please enter a whole number.';
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`;
  return max !== undefined && number > Number(max) ? `Please enter a number of at most ${max}.` : undefined;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  return isRecord(value) ? labelOf(value) : String(value ?? '');
}

function renderElement(block: Json, element: Json, values: ViewValues | undefined): string {
  const { type } = element;
  if (type === 'button') return `[${getText(element, 'text')}]`;
  const labels = listOptions(element).map((option) =>
    [labelOf(option), getText(option, 'description')].filter(Boolean).join(' – '),
  );
  if (type === 'overflow') return labels.map((label) => `[${label}]`).join(' ');
  if (type === 'image') return getString(element, 'alt_text');
  if (type === 'plain_text' || type === 'mrkdwn') return unescapeText(getString(element, 'text'));
  const [, initial = ''] = STATE_FIELDS[String(type)] ?? [];
  const state = values?.[getString(block, 'block_id')]?.[getString(element, 'action_id')];
  const value = describeValue(values ? readValue(state) : element[initial]);
  const shown = value || getText(element, 'placeholder');
  return [labels.join(' / '), shown === '' ? '' : `(${shown})`].filter(Boolean).join(' ');
}

/** The text inside rich text and table cells. */
function renderDeep(value: unknown): string {
  if (Array.isArray(value)) return value.map(renderDeep).join('');
  if (!isRecord(value)) return '';
  const name = value.type === 'emoji' ? `:${getString(value, 'name')}:` : '';
  const mention = getString(value, 'user_id') || getString(value, 'channel_id');
  const isLine = value.type === 'rich_text_section' || value.type === 'rich_text_quote';
  const link = value.text === undefined ? getString(value, 'url') : '';
  const text = name + (mention && `<${mention}>`) + getString(value, 'text') + link;
  return `${text}${renderDeep(value.elements)}${isLine ? '\n' : ''}`;
}

function renderBlock(block: Json, values: ViewValues | undefined): string[] {
  const render = (element: Json | undefined) => (element ? renderElement(block, element, values) : '');
  switch (block.type) {
    case 'section': {
      const fields = getRecords(block, 'fields').map(render);
      return [getText(block, 'text'), ...fields, render(getRecord(block, 'accessory'))];
    }
    case 'actions':
    case 'context':
      return [getRecords(block, 'elements').map(render).join(' ')];
    case 'input':
      return [getText(block, 'label'), render(getRecord(block, 'element')), getText(block, 'hint')];
    case 'image':
      return [getText(block, 'title'), getString(block, 'alt_text')];
    case 'markdown':
      return [unescapeText(getString(block, 'text'))];
    case 'rich_text':
      return [renderDeep(block.elements)];
    case 'table':
      return (Array.isArray(block.rows) ? block.rows : []).map((row: unknown) =>
        (Array.isArray(row) ? row : []).map((cell) => renderDeep(cell).trim()).join(' | '),
      );
    default:
      return [getText(block, 'text')];
  }
}

/**
 * Renders everything readable, a line each: the blocks, or the text if there are none. Buttons and the entries of
 * overflow menus are in square brackets. The options of other menus are separated by slashes, and the value or placeholder
 * is in parentheses. `values` has the values of the inputs. Defaults to the initial values.
 */
export function renderText(blocks: readonly Json[], text: string, values?: ViewValues): string {
  const lines =
    blocks.length > 0 ? blocks.flatMap((block) => renderBlock(block, values)) : [unescapeText(text)];
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
