import type { MultiSelect, Option, Select } from '@slack/types';
import { getRecords, getText, isRecord, type Json } from '../../json.ts';
import { type Directory, getChannelTitle } from '../directory.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import type { ListboxItem } from '../listbox.ts';
import { isTextObject } from '../slack-json.ts';

/** An option of a select menu. `key`: its value, or the id of a person or channel. */
export interface Choice extends ListboxItem {
  option?: Option;
}

export const isMultiple = (element: Select | MultiSelect) => element.type.startsWith('multi_');

export function createValue(element: Select | MultiSelect, chosen: readonly Choice[]) {
  const values = chosen.map((choice) => choice.option ?? choice.key);
  return isMultiple(element) ? values : (values[0] ?? null);
}

export function readChosen(value: unknown, directory: Directory): Choice[] {
  return [value ?? []]
    .flat()
    .map((entry) => (isOption(entry) ? createChoice(entry) : createIdChoice(String(entry), directory)));
}

/** The options that the page knows without asking the app. */
export function listOwnChoices(element: Select | MultiSelect, directory: Directory): Choice[] {
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return readChoices(element);
    case 'users_select':
    case 'multi_users_select':
      return [...directory.people.values()]
        .filter(({ deactivated }) => !deactivated)
        .map(({ id }) => createIdChoice(id, directory));
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

/** Lists channels of these kinds. Defaults to all. */
function listChannelIds(directory: Directory, kinds: readonly string[] | undefined) {
  return [...directory.channels.values()]
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .map(({ id }) => id);
}

/** The person or channel with this id. Other values are their own label. */
export function createIdChoice(id: string, directory: Directory): Choice {
  const person = directory.people.get(id);
  if (person !== undefined) return { key: id, label: person.realName, description: `@${person.name}` };
  const channel = directory.channels.get(id);
  if (channel === undefined) return { key: id, label: id };
  return { key: id, label: getChannelTitle(channel, directory) };
}

/** Reads `options` or `option_groups` of an element or a response. */
export function readChoices(source: unknown): Choice[] {
  if (!isRecord(source)) return [];
  const groups = getRecords(source, 'option_groups');
  if (groups.length === 0) return readOptions(source).map((option) => createChoice(option));
  return groups.flatMap((group) => {
    const label = replaceEmojiCodes(getText(group, 'label') ?? '');
    return readOptions(group).map((option) => createChoice(option, label));
  });
}

const readOptions = (source: Json) =>
  getRecords(source, 'options').flatMap((option) => (isOption(option) ? [option] : []));

export const isOption = (value: unknown): value is Option => isRecord(value) && isTextObject(value.text);

function createChoice(option: Option, group?: string): Choice {
  return {
    key: option.value ?? option.text.text,
    label: replaceEmojiCodes(option.text.text),
    option,
    ...(option.description === undefined ? {} : { description: replaceEmojiCodes(option.description.text) }),
    ...(group === undefined ? {} : { group }),
  };
}
