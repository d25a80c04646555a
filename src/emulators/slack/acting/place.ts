import { elementsOf, type PlacedElement } from '../blocks/elements-of.ts';
import { type Json, stringIn, wordsIn } from '../json.ts';
import type { Container, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';

/** Something with blocks in front of a person: a modal, a message, Home. Read anew each time. */
export interface Place {
  site: Site;
  person: Person;
  container: Container;
  /** For failures: `the modal “Schedule a post”`. */
  name: string;
  blocks: () => readonly Json[];
  values: () => ViewValues;
}

/**
 * Names by which a person finds an element: its label, its own text or spoken name, its placeholder, the text beside
 * it. Slack names every overflow menu the same.
 */
function namesOf({ block, element }: PlacedElement): string[] {
  return [
    wordsIn(block, 'label'),
    wordsIn(element, 'text'),
    stringIn(element, 'accessibility_label'),
    wordsIn(element, 'placeholder'),
    element.type === 'overflow' ? 'More options' : undefined,
    wordsIn(block, 'text'),
  ].filter((name) => name !== undefined);
}

export function labelOf(placed: PlacedElement): string {
  return namesOf(placed)[0] ?? placed.type;
}

export function findByName(
  place: Place,
  name: string,
  fits: (placed: PlacedElement) => boolean,
): PlacedElement | undefined {
  return elementsOf(place.blocks()).find((placed) => fits(placed) && namesOf(placed).includes(name));
}

/** The element called so; fails with the names that there are. */
export function elementNamed(
  place: Place,
  name: string,
  fits: (placed: PlacedElement) => boolean = () => true,
): PlacedElement {
  const found = findByName(place, name, fits);
  if (found) return found;
  const there = elementsOf(place.blocks()).filter(fits).map(labelOf);
  throw new Error(
    `There is no “${name}” in ${place.name}. There is: ${there.map((one) => `“${one}”`).join(', ')}`,
  );
}

export function isButton(placed: PlacedElement): boolean {
  return placed.type === 'button' || placed.type === 'workflow_button';
}
