import {
  getRecord,
  getRecords,
  getString,
  isRecord,
  type Json,
  listElements,
  listOptions,
} from './read-blocks.ts';

/** Returns Slack's messages about a value, such as `must provide a string [json-pointer:/blocks/0/text]`. */
type Check = (value: unknown, pointer: string) => string[];

const report = (isBroken: boolean, message: string, pointer: string) =>
  isBroken ? [`[ERROR] ${message} [json-pointer:${pointer}]`] : [];

const any: Check = () => [];
const flag: Check = (value, pointer) => report(typeof value !== 'boolean', 'must provide a boolean', pointer);

const string =
  (max: number, min = 0, pattern?: RegExp): Check =>
  (value, pointer) => {
    if (typeof value !== 'string') return report(true, 'must provide a string', pointer);
    return [
      ...report(value.length < min, `must be more than ${min - 1} characters`, pointer),
      ...report(value.length > max, `must be less than ${max + 1} characters`, pointer),
      ...report(pattern?.test(value) === false, 'failed to match schema', pointer),
    ];
  };

const integer =
  (min: number, max: number): Check =>
  (value, pointer) =>
    report(
      !(Number.isInteger(value) && Number(value) >= min && Number(value) <= max),
      'must provide an integer',
      pointer,
    );

const list =
  (item: Check, max: number, min = 1): Check =>
  (value, pointer) => {
    if (!Array.isArray(value)) return report(true, 'must provide an array', pointer);
    return [
      ...report(value.length < min, `must provide at least ${min} items`, pointer),
      ...report(value.length > max, `no more than ${max} items allowed`, pointer),
      ...value.flatMap((entry, index) => item(entry, `${pointer}/${index}`)),
    ];
  };

/** An object with these fields and no others. The names of required fields end in `!`. */
const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, pointer) => {
    if (!isRecord(value)) return report(true, 'must provide an object', pointer);
    const names = Object.keys(fields).map((name) => name.replace('!', ''));
    const unknown = Object.keys(value).filter((key) => key !== 'type' && !names.includes(key));
    return [
      ...unknown.flatMap((key) => report(true, `invalid additional property: ${key}`, pointer)),
      ...Object.entries(fields).flatMap(([key, check]) => {
        const name = key.replace('!', '');
        if (value[name] !== undefined) return check(value[name], `${pointer}/${name}`);
        return report(key.endsWith('!'), `missing required field: ${name}`, pointer);
      }),
    ];
  };

const text =
  (max: number, types: readonly string[] = ['plain_text', 'mrkdwn']): Check =>
  (value, pointer) => {
    if (!isRecord(value)) return report(true, 'must provide an object', pointer);
    return [
      ...report(!types.includes(String(value.type)), `unsupported type: ${value.type}`, `${pointer}/type`),
      ...object({ 'text!': string(max, 1), emoji: flag, verbatim: flag })(value, pointer),
    ];
  };
const plain = (max: number) => text(max, ['plain_text']);

/** An object with one of these types. */
const typed =
  (kinds: Readonly<Record<string, Check>>): Check =>
  (value, pointer) => {
    if (!isRecord(value)) return report(true, 'must provide an object', pointer);
    const check = kinds[String(value.type)];
    return check?.(value, pointer) ?? report(true, `unsupported type: ${value.type}`, `${pointer}/type`);
  };

const style = string(7, 0, /^(primary|danger)$/);
const confirm = object({
  title: plain(100),
  'text!': text(300),
  confirm: plain(30),
  deny: plain(30),
  style,
});
const createOption = (label: (max: number) => Check) =>
  object({ 'text!': label(75), 'value!': string(75), description: label(75), url: string(3000) });
const option = createOption(plain);
const formattedOption = createOption(text);
const options = list(option, 100);
const groups = list(object({ 'label!': plain(75), 'options!': options }), 100);

const picker = { action_id: string(255, 1), confirm, focus_on_load: flag };
const select = { ...picker, placeholder: plain(150) };
const several = { ...select, max_selected_items: integer(1, Number.MAX_SAFE_INTEGER) };
const external = { min_query_length: integer(0, Number.MAX_SAFE_INTEGER) };
const conversations = { default_to_current_conversation: flag, filter: any };
const input = {
  action_id: string(255, 1),
  focus_on_load: flag,
  placeholder: plain(150),
  dispatch_action_config: any,
  initial_value: string(3000),
};
const ids = list(string(255), 100);

const MENUS: Readonly<Record<string, Check>> = {
  checkboxes: object({
    ...picker,
    'options!': list(formattedOption, 10),
    initial_options: list(formattedOption, 10),
  }),
  radio_buttons: object({
    ...picker,
    'options!': list(formattedOption, 10),
    initial_option: formattedOption,
  }),
  static_select: object({ ...select, options, option_groups: groups, initial_option: option }),
  multi_static_select: object({ ...several, options, option_groups: groups, initial_options: options }),
  external_select: object({ ...select, ...external, initial_option: option }),
  multi_external_select: object({ ...several, ...external, initial_options: options }),
  users_select: object({ ...select, initial_user: string(255) }),
  multi_users_select: object({ ...several, initial_users: ids }),
  conversations_select: object({
    ...select,
    ...conversations,
    response_url_enabled: flag,
    initial_conversation: string(255),
  }),
  multi_conversations_select: object({ ...several, ...conversations, initial_conversations: ids }),
  channels_select: object({ ...select, response_url_enabled: flag, initial_channel: string(255) }),
  multi_channels_select: object({ ...several, initial_channels: ids }),
  datepicker: object({ ...select, initial_date: string(10, 10, /^\d{4}-\d{2}-\d{2}$/) }),
  timepicker: object({
    ...select,
    initial_time: string(5, 5, /^([01]\d|2[0-3]):[0-5]\d$/),
    timezone: string(255),
  }),
};
const DATE_TIME = {
  datetimepicker: object({ ...picker, initial_date_time: integer(1_000_000_000, 9_999_999_999) }),
};
const BUTTONS = {
  button: object({
    action_id: string(255, 1),
    confirm,
    style,
    accessibility_label: string(75),
    'text!': plain(75),
    value: string(2000),
    url: string(3000),
  }),
  overflow: object({ action_id: string(255, 1), confirm, 'options!': list(option, 5) }),
};
const INPUTS = {
  plain_text_input: object({
    ...input,
    multiline: flag,
    min_length: integer(0, 3000),
    max_length: integer(1, 3000),
  }),
  file_input: object({
    action_id: string(255, 1),
    filetypes: list(string(30, 1), 100),
    max_files: integer(1, 10),
  }),
  email_text_input: object(input),
  url_text_input: object(input),
  number_input: object({
    ...input,
    initial_value: string(255),
    'is_decimal_allowed!': flag,
    min_value: string(255),
    max_value: string(255),
  }),
};
const picture = {
  image_url: string(3000, 1),
  slack_file: object({ id: string(255), url: string(3000) }),
  'alt_text!': string(2000, 1),
};

const CELL = typed({
  raw_text: object({ 'text!': string(10_000, 1) }),
  raw_number: object({ 'text!': string(10_000, 1), 'value!': any }),
  rich_text: any,
});
const block_id = string(255);
const BLOCK: Check = typed({
  section: object({
    block_id,
    text: text(3000),
    fields: list(text(2000), 10),
    accessory: typed({ ...BUTTONS, ...MENUS, image: object(picture) }),
    expand: flag,
  }),
  header: object({ block_id, 'text!': plain(150) }),
  divider: object({ block_id }),
  context: object({
    block_id,
    'elements!': list(typed({ image: object(picture), plain_text: text(3000), mrkdwn: text(3000) }), 10),
  }),
  actions: object({ block_id, 'elements!': list(typed({ ...BUTTONS, ...MENUS, ...DATE_TIME }), 25) }),
  image: object({ block_id, ...picture, title: plain(2000) }),
  input: object({
    block_id,
    'label!': plain(2000),
    'element!': typed({ ...INPUTS, ...MENUS, ...DATE_TIME }),
    hint: plain(2000),
    optional: flag,
    dispatch_action: flag,
  }),
  markdown: object({ block_id, 'text!': string(12_000, 1) }),
  rich_text: object({ block_id, 'elements!': any }),
  table: object({
    block_id,
    'rows!': list(list(CELL, 20), 100),
    column_settings: list(object({ align: string(6, 0, /^(left|center|right)$/), is_wrapped: flag }), 20),
  }),
});

const VIEW_FIELDS = {
  'blocks!': list(BLOCK, 100, 0),
  private_metadata: string(3000),
  callback_id: string(255),
  external_id: string(255),
};
const VIEWS: Readonly<Record<string, Check>> = {
  modal: object({
    ...VIEW_FIELDS,
    'title!': plain(24),
    submit: plain(24),
    close: plain(24),
    clear_on_close: flag,
    notify_on_close: flag,
  }),
  home: object(VIEW_FIELDS),
};

function hasDuplicates(names: readonly unknown[]): boolean {
  const given = names.filter((name) => name !== undefined && name !== '');
  return new Set(given).size < given.length;
}

/** Pictures and files anywhere in the blocks that Slack can't show. */
function findFileProblems(value: unknown, pointer: string, hasFile: (id: string) => boolean): string[] {
  if (Array.isArray(value))
    return value.flatMap((entry, index) => findFileProblems(entry, `${pointer}/${index}`, hasFile));
  if (!isRecord(value)) return [];
  const file = getRecord(value, 'slack_file');
  const isPictureBroken = value.type === 'image' && (value.image_url === undefined) === (file === undefined);
  return [
    ...report(isPictureBroken, 'must provide exactly one of: image_url, slack_file', pointer),
    ...report(
      file !== undefined && !hasFile(getString(file, 'id')),
      'invalid slack file',
      `${pointer}/slack_file`,
    ),
    ...Object.entries(value).flatMap(([key, inner]) => findFileProblems(inner, `${pointer}/${key}`, hasFile)),
  ];
}

function isInitialUnknown(element: Json): boolean {
  if (!/^(multi_)?static_select$|^checkboxes$|^radio_buttons$/.test(String(element.type))) return false;
  const isSame = (one: Json, other: Json) =>
    one.value === other.value && getRecord(one, 'text')?.text === getRecord(other, 'text')?.text;
  return [element.initial_option, element.initial_options]
    .flat()
    .filter(isRecord)
    .some((initial) => !listOptions(element).some((each) => isSame(each, initial)));
}

/** The rules about several fields or blocks. */
function findListProblems(blocks: readonly Json[], pointer: string, isMessage: boolean): string[] {
  const typesOf = (type: string) => blocks.filter((block) => block.type === type);
  const markdown = typesOf('markdown').reduce((sum, block) => sum + getString(block, 'text').length, 0);
  const elements = blocks.flatMap((block) => [
    ...getRecords(block, 'elements'),
    ...[block.accessory, block.element].filter(isRecord),
  ]);
  const focused = elements.filter((element) => element.focus_on_load === true);
  const misplaced = isMessage ? [] : [...typesOf('markdown'), ...typesOf('table')];
  return [
    ...report(hasDuplicates(blocks.map((block) => block.block_id)), '`block_id` already exists', pointer),
    ...report(markdown > 12_000, 'must be less than 12001 characters', pointer),
    ...report(typesOf('table').length > 1, 'only one table is allowed', pointer),
    ...report(countCharacters(typesOf('table')) > 10_000, 'must be less than 10001 characters', pointer),
    ...report(focused.length > 1, 'only one element can have focus_on_load', pointer),
    ...misplaced.flatMap(({ type }) => report(true, `unsupported type: ${type}`, pointer)),
    ...elements.flatMap((element) => [
      ...report(isInitialUnknown(element), 'must be one of the provided options', pointer),
      ...report(
        /static_select$/.test(String(element.type)) && 'options' in element === 'option_groups' in element,
        'must provide only one of: options, option_groups',
        pointer,
      ),
    ]),
    ...blocks.flatMap((block, index) => [
      ...report(
        block.type === 'section' && !('text' in block) && !('fields' in block),
        'missing required field: text',
        `${pointer}/${index}`,
      ),
      ...report(
        block.type === 'actions' &&
          hasDuplicates(getRecords(block, 'elements').map((each) => each.action_id)),
        '`action_id` already exists',
        `${pointer}/${index}`,
      ),
    ]),
  ];
}

/** The length of all texts together. Markdown blocks have a limit of their own. */
function countCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + countCharacters(entry), 0);
  if (!isRecord(value) || value.type === 'markdown') return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum + (key === 'text' && typeof inner === 'string' ? inner.length : countCharacters(inner)),
    0,
  );
}

/** Slack refuses longer blocks in a message with `msg_blocks_too_long` (refused at 11,341 characters). */
const MAX_MESSAGE_CHARACTERS = 11_340;

/** Whether the blocks of a message are too long together. */
export function areBlocksTooLong(blocks: readonly Json[]): boolean {
  return countCharacters(blocks) > MAX_MESSAGE_CHARACTERS;
}

/** Slack's messages about the blocks of a message. `hasFile` says whether an uploaded file can be shown. */
export function findMessageProblems(blocks: readonly unknown[], hasFile: (id: string) => boolean): string[] {
  const records = blocks.filter(isRecord);
  return [
    ...list(BLOCK, 50, 0)(blocks, '/blocks'),
    ...findListProblems(records, '/blocks', true),
    ...findFileProblems(records, '/blocks', hasFile),
  ];
}

const MAX_VIEW_LENGTH = 250 * 1024;

/** Slack's messages about a view. */
export function findViewProblems(
  view: unknown,
  type: 'modal' | 'home',
  hasFile: (id: string) => boolean,
): string[] {
  if (!isRecord(view)) return report(true, 'must provide an object', '/view');
  const blocks = getRecords(view, 'blocks');
  const isSubmitMissing = type === 'modal' && view.submit === undefined;
  return [
    ...report(view.type !== type, 'must be a valid enum value', '/view/type'),
    ...(VIEWS[type]?.(view, '/view') ?? []),
    ...findListProblems(blocks, '/view/blocks', false),
    ...findFileProblems(blocks, '/view/blocks', hasFile),
    ...report(
      isSubmitMissing && blocks.some((block) => block.type === 'input'),
      'must define `submit` to use an `input` block in modals',
      '/view',
    ),
    ...report(JSON.stringify(view).length > MAX_VIEW_LENGTH, 'view is too large', '/view'),
  ];
}

/** Slack's messages about the options in an app's response to an options request. */
export function findOptionsProblems(response: Json): string[] {
  return object({ options: list(option, 100, 0), option_groups: list(any, 100, 0) })(response, '');
}

/** Adds ids wherever the app set none, as Slack does. They are new in each update, so such an input loses its value. */
export function addIds(blocks: readonly Json[], createId: (prefix: string) => string): Json[] {
  const addActionId = (element: unknown) =>
    isRecord(element) && !['image', 'plain_text', 'mrkdwn'].includes(String(element.type))
      ? { ...element, action_id: element.action_id ?? createId('a') }
      : element;
  return blocks.map((block) => ({
    ...block,
    ...(block.type === 'input' && { element: addActionId(block.element) }),
    ...(block.accessory !== undefined && { accessory: addActionId(block.accessory) }),
    ...(block.type === 'actions' && { elements: getRecords(block, 'elements').map(addActionId) }),
    block_id: block.block_id ?? createId('b'),
  }));
}

/** Whether a block may have an error under it: only inputs can. */
export function isInputBlock(blocks: readonly Json[], blockId: string): boolean {
  return listElements(blocks).some((listed) => listed.isInput && listed.blockId === blockId);
}
