import type { Button } from '@slack/types';
import { button } from '../slack/blocks.ts';

/** The action id of [Keep posts editable]. Its value is the project's id. The feature `policy` handles it. */
export const KEEP_EDITABLE_ACTION = 'policy.keep-editable';

/** Renders the button that managers see below "You can't edit a scheduled post". */
export function renderKeepEditableButton(project: string): Button {
  return button('Keep posts editable', KEEP_EDITABLE_ACTION, project);
}
