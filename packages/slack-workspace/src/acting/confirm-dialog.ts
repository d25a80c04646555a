import type { InteractiveElement } from '../blocks/list-elements.ts';
import { getRecord, getText } from '../json.ts';
import { ActingError } from './acting-error.ts';
import type { Place } from './place.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';

/** How a person answers the confirmation dialog of a button or menu. */
export interface DialogChoice {
  /** Required if the element has such a dialog (`confirm` in Block Kit), and an error if it has none. */
  dialog?: 'confirm' | 'deny';
}

/** A dialog as the person reads it, with its buttons in brackets. */
function readDialog({ site, person }: Place, { element }: InteractiveElement): string | undefined {
  const dialog = getRecord(element, 'confirm');
  if (!dialog) return undefined;
  const [title, text, confirm, deny] = ['title', 'text', 'confirm', 'deny'].map(
    (part) => getText(dialog, part) ?? '',
  );
  return [title, renderMrkdwn(site, person, text ?? ''), `[${confirm}] [${deny}]`].join('\n');
}

/** Whether the person continues, because there is no dialog or they confirm it. Throws if the choice doesn't fit. */
export function isConfirmed(
  place: Place,
  placed: InteractiveElement,
  name: string,
  { dialog }: DialogChoice,
): boolean {
  const visible = readDialog(place, placed);
  if (visible === undefined) {
    if (dialog === undefined) return true;
    throw new ActingError('no_dialog', `“${name}” in ${place.name} has no confirmation dialog`);
  }
  if (dialog !== undefined) return dialog === 'confirm';
  const advice = 'Answer it with dialog: “confirm” or “deny”.';
  throw new ActingError('unanswered_dialog', `“${name}” opens a confirmation dialog. ${advice}`, visible);
}
