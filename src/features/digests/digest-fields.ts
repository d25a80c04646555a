import { SECTION_NAMES, SECTIONS } from '../../digests/content/sections.ts';
import { checkboxesField, radioField, selectField, zoneField } from '../../forms/inputs/choice.ts';
import { projectsField } from '../../forms/inputs/project.ts';
import { conversationField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import { QUIET, SHARED } from './digest-form-context.ts';
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
      { value: 'me', name: 'Me alone, as a direct message' },
    ],
  }),
  channel: unvalidatedChannel,
  shared: checkboxesField({
    label: 'Shared channel',
    optional: true,
    choices: [{ value: SHARED, name: 'The other organisation may see the plans of these projects' }],
  }),
  /** The projects of a channel's digest. */
  projects: projectsField({
    optional: true,
    hint: 'One or several. Leave it empty for whatever the channel is about (/upnext use).',
    placeholder: 'What the channel is about',
    hidesInputForSingleProject: true,
  }),
  /** The projects of a personal digest. */
  mine: projectsField({ hint: 'One or several.', placeholder: 'Choose', hidesInputForSingleProject: true }),
  kind: radioField({
    label: 'What',
    isLive: true,
    initial: 'daily',
    choices: [
      { value: 'daily', name: 'The day: today and what comes next' },
      { value: 'weekly', name: 'The week ahead, with a picture' },
    ],
  }),
  /** The days of a daily digest. */
  days: unvalidatedDays,
  /** The day of a weekly digest. */
  day: selectField({ label: 'Day', choices: weekdays, initial: '1' }),
  time: textField({ label: 'Time', maxLength: MAX_TIME_LENGTH, placeholder: '9:00' }),
  zone: zoneField({ label: 'Time zone' }),
  sections: checkboxesField({
    label: 'What it shows',
    choices: SECTIONS.map((section) => ({ value: section, name: SECTION_NAMES[section] })),
  }),
  quiet: checkboxesField({
    label: 'When nothing is planned',
    optional: true,
    choices: [{ value: QUIET, name: 'Stay silent' }],
  }),
};
