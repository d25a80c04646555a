import { SECTION_NAMES, SECTIONS } from '../../digests/content/sections.ts';
import { checkboxesField, radioField, selectField, zoneField } from '../../forms/inputs/choice.ts';
import { projectsField } from '../../forms/inputs/project.ts';
import { conversationField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import { QUIET_OPTION, SHARED_OPTION } from './digest-form-context.ts';
import { MAX_TIME_LENGTH } from './parse-digest-command.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekdays = WEEKDAYS.map((name, index) => ({ value: String(index + 1), name }));

// The form checks these two fields itself, because they are required only in some digests.
const unvalidatedChannel = {
  ...conversationField({ label: 'Channel', isLive: true }),
  validate: () => undefined,
};
const unvalidatedDays = {
  ...checkboxesField({ label: 'Days', choices: weekdays }),
  validate: () => undefined,
};

/** The fields of the digest form, in the order in which the form shows them. */
export const fields = {
  where: radioField({
    label: 'For',
    isLive: true,
    initial: 'channel',
    choices: [
      { value: 'channel', name: 'A channel' },
      { value: 'me', name: 'Only me, in a direct message' },
    ],
  }),
  channel: unvalidatedChannel,
  shared: checkboxesField({
    label: 'Shared channel',
    optional: true,
    choices: [{ value: SHARED_OPTION, name: 'People outside may see these posts' }],
  }),
  /** The projects of a channel's digest. */
  projects: projectsField({
    optional: true,
    hint: 'Leave empty for this channel’s projects (/upnext use).',
    placeholder: 'This channel’s projects',
    hidesInputForSingleProject: true,
  }),
  /** The projects of a personal digest. */
  personalProjects: projectsField({
    hint: 'One or several.',
    placeholder: 'Choose',
    hidesInputForSingleProject: true,
  }),
  kind: radioField({
    label: 'How often',
    isLive: true,
    initial: 'daily',
    choices: [
      { value: 'daily', name: 'Daily: today and what’s next' },
      { value: 'weekly', name: 'Weekly: the week ahead, with a picture' },
    ],
  }),
  /** The days of a daily digest. */
  days: unvalidatedDays,
  /** The day of a weekly digest. */
  day: selectField({ label: 'Day', choices: weekdays, initial: '1' }),
  time: textField({ label: 'Time', maxLength: MAX_TIME_LENGTH, placeholder: '9:00' }),
  zone: zoneField({ label: 'Time zone' }),
  sections: checkboxesField({
    label: 'Sections',
    choices: SECTIONS.map((section) => ({ value: section, name: SECTION_NAMES[section] })),
  }),
  quiet: checkboxesField({
    label: 'If nothing is scheduled',
    optional: true,
    choices: [{ value: QUIET_OPTION, name: 'Send nothing' }],
  }),
};
