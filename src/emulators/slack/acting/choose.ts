import { stateField } from '../blocks/element-state.ts';
import type { PlacedElement } from '../blocks/elements-of.ts';
import { act } from '../interactions/act.ts';
import { isRecord, type Json, recordsIn, wordsIn } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { channelByName, personByName } from '../state/directory.ts';
import { elementNamed, isButton, type Place } from './place.ts';
import type { SetState } from './use-element.ts';

function optionsIn(holder: Json): Json[] {
  return [
    ...recordsIn(holder, 'options'),
    ...recordsIn(holder, 'option_groups').flatMap((group) => recordsIn(group, 'options')),
  ];
}

function isExternal(placed: PlacedElement): boolean {
  return placed.type === 'external_select' || placed.type === 'multi_external_select';
}

async function ask(place: Place, placed: PlacedElement, words: string): Promise<Json[]> {
  const least = placed.element.min_query_length ?? SLACK_LIMITS.minQueryLength.is;
  if (typeof least === 'number' && words.length < least) {
    throw new Error(`This menu in ${place.name} wants ${least} letters before it searches, not “${words}”`);
  }
  const answer = await act(place.site, place.person.id, {
    id: 0,
    act: 'options',
    container: place.container,
    blockId: placed.blockId,
    actionId: placed.actionId,
    value: words,
  });
  return isRecord(answer) ? optionsIn(answer) : [];
}

/** What a menu offers for the words typed into it, as texts. */
export async function search(place: Place, label: string, words: string): Promise<string[]> {
  const placed = elementNamed(place, label, isExternal);
  return (await ask(place, placed, words)).map((option) => wordsIn(option, 'text') ?? '');
}

/** What a menu, list of checkboxes or radio buttons offers without typing, as texts. */
export function offered(place: Place, label: string): string[] {
  const placed = elementNamed(place, label, (one) => !isButton(one));
  return optionsIn(placed.element).map((option) => wordsIn(option, 'text') ?? '');
}

async function optionCalled(place: Place, placed: PlacedElement, text: string): Promise<Json> {
  const options = isExternal(placed) ? await ask(place, placed, text) : optionsIn(placed.element);
  const texts = options.map((option) => wordsIn(option, 'text') ?? '');
  const exact = options[texts.indexOf(text)];
  const close = options.filter((_, index) => isExternal(placed) && texts[index]?.includes(text));
  const found = exact ?? (close.length === 1 ? close[0] : undefined);
  if (found) return found;
  throw new Error(`Nothing called “${text}” is offered in ${place.name}. Offered: ${texts.join(', ')}`);
}

function idCalled(place: Place, field: string, text: string): string {
  const found = field.startsWith('selected_user')
    ? personByName(place.site, text)
    : channelByName(place.site, text);
  if (!found) throw new Error(`There is no ${text} in this workspace`);
  return found.id;
}

/** Chooses by visible text. Where several can be chosen, these and no others are chosen afterwards. */
export async function choose(
  place: Place,
  set: SetState,
  label: string,
  wanted: string | readonly string[],
): Promise<void> {
  const placed = elementNamed(place, label, (one) => !isButton(one));
  const field = placed.type === 'overflow' ? 'selected_option' : stateField(placed.type);
  if (field === undefined) throw new Error(`“${label}” in ${place.name} offers no choice`);
  const texts = typeof wanted === 'string' ? [wanted] : wanted;
  const chosen: unknown[] = [];
  for (const text of texts) {
    chosen.push(
      field.startsWith('selected_option')
        ? await optionCalled(place, placed, text)
        : idCalled(place, field, text),
    );
  }
  await set(placed, { type: placed.type, [field]: field.endsWith('s') ? chosen : (chosen[0] ?? null) });
}
