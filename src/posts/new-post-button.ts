import type { Button } from '@slack/types';
import { button } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';
import { toSlotPrefill } from './slot-phrase.ts';

/** The action id of buttons that open the form for a new post. A value is that of `newPostButton`, or a free slot. */
export const NEW_POST_ACTION = 'schedule-post.begin';

/** Builds a button that opens the form for a new post. `when`: a time as somebody would type it. */
export function newPostButton(
  label: string,
  {
    project = '',
    when = '',
    template = '',
  }: { project?: string | undefined; when?: string; template?: string },
  style?: Button['style'],
): Button {
  // If the id is too long for a button, the form asks for the project. A template is found only with its project.
  const id = project.length <= LIMITS.optionValue || template !== '' ? project : '';
  return button(label, NEW_POST_ACTION, [when, id, template].join('\n'), style);
}

/** The values of the form that such a button opens. */
export function toNewPostPrefill(value: string, now: Date) {
  const [when, project, template] = value.split('\n').map((text) => text || undefined);
  return toSlotPrefill(value, now) ?? { when, project, template };
}
