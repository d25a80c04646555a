import { type InteractiveElement, listElements } from '../blocks/element-values.ts';
import { getRecord, getString, getText, type Json } from '../json.ts';
import type { Container, ElementState, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { ActingError } from './acting-error.ts';

/** A modal, a message or the Home tab: blocks in front of a person. Its blocks and values are read again each time. */
export interface Place {
  site: Site;
  person: Person;
  container: Container;
  /** For errors: `the modal “Schedule a post”`. */
  name: string;
  blocks: () => readonly Json[];
  values: () => ViewValues;
  /** Sets the state of a field, and sends it to the app if Slack's client would. */
  setState: (placed: InteractiveElement, state: ElementState) => Promise<void>;
}

/**
 * The names by which a person finds an element: its label, its own text or accessibility label, its placeholder, or
 * the text beside it. Slack calls every overflow menu “More options”.
 */
function listNames({ block, element }: InteractiveElement): string[] {
  return [
    getText(block, 'label'),
    getText(element, 'text'),
    getString(element, 'accessibility_label'),
    getText(element, 'placeholder'),
    ...listFeedbackSides(element).map(({ label }) => label),
    element.type === 'overflow' ? 'More options' : undefined,
    getText(block, 'text'),
  ].filter((name) => name !== undefined);
}

/** The two buttons of a feedback_buttons element. */
function listFeedbackSides(element: Json): { label: string; value: unknown }[] {
  return ['positive_button', 'negative_button'].flatMap((name) => {
    const side = getRecord(element, name) ?? {};
    const label = getText(side, 'text');
    return label === undefined ? [] : [{ label, value: side.value }];
  });
}

/** The state that an app gets when somebody presses this button. */
export function buildPressedState({ type, element }: InteractiveElement, name: string): ElementState {
  const side = listFeedbackSides(element).find(({ label }) => label === name);
  return side ? { type, value: side.value } : { type };
}

export function getLabel(placed: InteractiveElement): string {
  return listNames(placed)[0] ?? placed.type;
}

export function findByName(
  place: Place,
  name: string,
  fits: (placed: InteractiveElement) => boolean,
): InteractiveElement | undefined {
  return listElements(place.blocks()).find((placed) => fits(placed) && listNames(placed).includes(name));
}

/** Finds an element by name. The error lists the names that exist. */
export function requireElement(
  place: Place,
  name: string,
  fits: (placed: InteractiveElement) => boolean = () => true,
): InteractiveElement {
  const found = findByName(place, name, fits);
  if (found) return found;
  const labels = listElements(place.blocks()).filter(fits).map(getLabel);
  throw new ActingError(
    'unknown_element',
    `There is no “${name}” in ${place.name}. There is: ${labels.map((label) => `“${label}”`).join(', ')}`,
  );
}

const BUTTONS = new Set(['button', 'feedback_buttons', 'icon_button', 'workflow_button']);

export function isButton(placed: InteractiveElement): boolean {
  return BUTTONS.has(placed.type);
}

export function isField(placed: InteractiveElement): boolean {
  return !isButton(placed);
}
