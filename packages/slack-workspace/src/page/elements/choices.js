import { getChannelTitle } from '../directory.js';
import { replaceEmojiCodes } from '../emoji.js';
import { isRecord, isTextObject } from '../slack-json.js';

/**
 * The options of all select menus, and their values in Slack's state.
 * @import { MultiSelect, Option, Select } from '@slack/types'
 * @import { ElementState } from '../../protocol.ts'
 * @import { Directory } from '../directory.js'
 *
 * @typedef {object} Choice
 * @property {string} key the option's value, or the id of a person or channel
 * @property {string} label
 * @property {string} [description]
 * @property {string} [group]
 * @property {Option} [option]
 */

/** @type {Record<(Select | MultiSelect)['type'], string>} */
const STATE_FIELDS = {
  static_select: 'selected_option',
  external_select: 'selected_option',
  users_select: 'selected_user',
  conversations_select: 'selected_conversation',
  channels_select: 'selected_channel',
  multi_static_select: 'selected_options',
  multi_external_select: 'selected_options',
  multi_users_select: 'selected_users',
  multi_conversations_select: 'selected_conversations',
  multi_channels_select: 'selected_channels',
};

/** @param {Select | MultiSelect} element */
export const isMultiple = (element) => element.type.startsWith('multi_');

/**
 * @param {Select | MultiSelect} element
 * @param {readonly Choice[]} chosen
 * @returns {ElementState}
 */
export function createState(element, chosen) {
  const values = chosen.map((choice) => choice.option ?? choice.key);
  return {
    type: element.type,
    [STATE_FIELDS[element.type]]: isMultiple(element) ? values : (values[0] ?? null),
  };
}

/**
 * @param {Select | MultiSelect} element
 * @param {ElementState | undefined} state
 * @param {Directory} directory
 * @returns {Choice[]}
 */
export function readChosen(element, state, directory) {
  const values = state?.[STATE_FIELDS[element.type]] ?? [];
  return (Array.isArray(values) ? values : [values]).map((value) =>
    isOption(value) ? createChoice(value) : createIdChoice(String(value), directory),
  );
}

/**
 * The options that the page knows without asking the app.
 * @param {Select | MultiSelect} element
 * @param {Directory} directory
 * @returns {Choice[]}
 */
export function listOwnChoices(element, directory) {
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return readChoices(element);
    case 'users_select':
    case 'multi_users_select':
      return [...directory.people.keys()].map((id) => createIdChoice(id, directory));
    case 'channels_select':
    case 'multi_channels_select':
      return listChannelIds(directory, ['public']).map((id) => createIdChoice(id, directory));
    case 'conversations_select':
    case 'multi_conversations_select':
      return listChannelIds(directory, element.filter?.include).map((id) => createIdChoice(id, directory));
    default:
      return [];
  }
}

/**
 * @param {Directory} directory
 * @param {readonly string[] | undefined} kinds Defaults to all.
 */
function listChannelIds(directory, kinds) {
  return [...directory.channels.values()]
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .map(({ id }) => id);
}

/**
 * @param {string} id
 * @param {Directory} directory
 * @returns {Choice}
 */
function createIdChoice(id, directory) {
  const person = directory.people.get(id);
  if (person !== undefined) return { key: id, label: person.realName, description: `@${person.name}` };
  const channel = directory.channels.get(id);
  if (channel === undefined) return { key: id, label: id };
  return { key: id, label: getChannelTitle(channel, directory) };
}

/**
 * Reads `options` or `option_groups` of an element or a response.
 * @param {unknown} source
 * @returns {Choice[]}
 */
export function readChoices(source) {
  if (!isRecord(source)) return [];
  const groups = Array.isArray(source.option_groups) ? source.option_groups.filter(isRecord) : [];
  if (groups.length === 0) return readOptions(source).map((option) => createChoice(option));
  return groups.flatMap((group) => {
    const label = isTextObject(group.label) ? replaceEmojiCodes(group.label.text) : '';
    return readOptions(group).map((option) => createChoice(option, label));
  });
}

/** @param {Record<string, unknown>} source */
const readOptions = (source) => (Array.isArray(source.options) ? source.options.filter(isOption) : []);

/**
 * @param {unknown} value
 * @returns {value is Option}
 */
const isOption = (value) => isRecord(value) && isTextObject(value.text);

/**
 * @param {Option} option
 * @param {string} [group]
 * @returns {Choice}
 */
function createChoice(option, group) {
  return {
    key: option.value ?? option.text.text,
    label: replaceEmojiCodes(option.text.text),
    option,
    ...(option.description === undefined ? {} : { description: replaceEmojiCodes(option.description.text) }),
    ...(group === undefined ? {} : { group }),
  };
}
