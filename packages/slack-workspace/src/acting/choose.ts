import { getStateField, type InteractiveElement } from '../blocks/element-values.ts';
import { act } from '../interactions/act.ts';
import { getRecords, getText, isRecord, type Json } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { ActingError } from './acting-error.ts';
import { isField, type Place, requireElement } from './place.ts';
import { requireChannel, requirePerson } from './require-by-name.ts';
import { change, type DialogChoice, isWritable } from './use-element.ts';

function readOptions(holder: Json): Json[] {
  return [
    ...getRecords(holder, 'options'),
    ...getRecords(holder, 'option_groups').flatMap((group) => getRecords(group, 'options')),
  ];
}

function isExternal(placed: InteractiveElement): boolean {
  return placed.type === 'external_select' || placed.type === 'multi_external_select';
}

async function loadOptions(place: Place, placed: InteractiveElement, words: string): Promise<Json[]> {
  const minLength = placed.element.min_query_length ?? SLACK_LIMITS.minQueryLength.value;
  if (typeof minLength === 'number' && words.length < minLength) {
    throw new ActingError(
      'query_too_short',
      `This menu in ${place.name} searches for ${minLength} letters or more, not for “${words}”`,
    );
  }
  const answer = await act(place.site, place.person.id, {
    id: 0,
    act: 'options',
    container: place.container,
    blockId: placed.blockId,
    actionId: placed.actionId,
    value: words,
  });
  return isRecord(answer) ? readOptions(answer) : [];
}

/** Types into a menu, and returns the texts of the options that the app offers for it. */
export async function search(place: Place, label: string, words: string): Promise<string[]> {
  const placed = requireElement(place, label, isExternal);
  return (await loadOptions(place, placed, words)).map((option) => getText(option, 'text') ?? '');
}

/** Returns the texts of the options of a menu, checkboxes or radio buttons. */
export function listOptions(place: Place, label: string): string[] {
  const placed = requireElement(place, label, isField);
  return readOptions(placed.element).map((option) => getText(option, 'text') ?? '');
}

async function findOption(place: Place, placed: InteractiveElement, text: string): Promise<Json> {
  const options = isExternal(placed) ? await loadOptions(place, placed, text) : readOptions(placed.element);
  const texts = options.map((option) => getText(option, 'text') ?? '');
  const exact = options[texts.indexOf(text)];
  const similar = options.filter((_, index) => isExternal(placed) && texts[index]?.includes(text));
  const found = exact ?? (similar.length === 1 ? similar[0] : undefined);
  if (found) return found;
  throw new ActingError(
    'unknown_option',
    `There is no option “${text}” in ${place.name}. Offered: ${texts.join(', ')}`,
  );
}

function findId(place: Place, field: string, text: string): string {
  return field.startsWith('selected_user')
    ? requirePerson(place.site, text).id
    : requireChannel(place.site, text).id;
}

/** Chooses options by their text. In a menu for several options, they replace the earlier choice. */
export async function choose(
  place: Place,
  label: string,
  wanted: string | readonly string[],
  choice: DialogChoice = {},
): Promise<void> {
  const placed = requireElement(place, label, isField);
  const field = placed.type === 'overflow' ? 'selected_option' : getStateField(placed.type);
  if (!field?.startsWith('selected_') || isWritable(placed))
    throw new ActingError(
      'wrong_element',
      `“${label}” in ${place.name} is a ${placed.type}: it has no options`,
    );
  const texts = typeof wanted === 'string' ? [wanted] : wanted;
  const chosen: unknown[] = [];
  for (const text of texts) {
    chosen.push(
      field.startsWith('selected_option')
        ? await findOption(place, placed, text)
        : findId(place, field, text),
    );
  }
  const state = { type: placed.type, [field]: field.endsWith('s') ? chosen : (chosen[0] ?? null) };
  await change(place, placed, label, state, choice);
}
