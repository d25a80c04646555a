import { z } from 'zod';
import { radio, several } from '../../../forms/inputs/choice.ts';
import { project } from '../../../forms/inputs/project.ts';
import { searchField } from '../../../forms/inputs/searched.ts';
import { text } from '../../../forms/inputs/text.ts';
import { platformChoices } from '../../../posts/platforms.ts';
import { zoneField } from '../when/zone-field.ts';
import { createTextField, furtherTextFields } from './text-parts.ts';

/** The form's callback_id, and the prefix of all action ids of this feature. */
export const FORM = 'schedule-post';

/** Maximum length of the text for a moment, in UTF-16 units. Our own limit. */
const MAX_WHEN_LENGTH = 200;

/** The submission kind of prompts that were created with Upnext. */
const promptKind = { name: 'prompt', content: z.object({ title: z.string() }) };

const otherFields = {
  platforms: several({
    label: 'Platforms',
    api: 'Platforms',
    optional: true,
    live: true,
    placeholder: 'Where it goes',
    choices: platformChoices().map(({ platform, name }) => ({ value: platform, name })),
  }),
  when: text({
    label: 'When',
    api: 'ScheduleDate',
    optional: true,
    live: true,
    maxLength: MAX_WHEN_LENGTH,
    placeholder: 'tomorrow 9am',
  }),
  zone: zoneField,
  status: radio({
    label: 'Save as',
    api: 'Status',
    live: true,
    initial: 'SCHEDULED',
    choices: [
      { value: 'SCHEDULED', name: 'Scheduled' },
      { value: 'DRAFT', name: 'Draft' },
    ],
  }),
  media: text({
    label: 'Media',
    api: 'Media',
    optional: true,
    live: true,
    hint: 'One reference, for example the address of a picture. It is passed on as it is.',
  }),
  template: searchField({
    label: 'Template',
    api: 'TemplateId',
    optional: true,
    live: true,
    needsProject: true,
    none: 'No templates in this project: type the id of one',
    typing: (query) => `Use the id “${query}”`,
    find: ({ call: { context }, project: id = '' }) => context.reads.listTemplates(context.api, id),
  }),
  prompt: searchField({
    label: 'Prompt',
    api: 'PromptId',
    optional: true,
    live: true,
    needsProject: true,
    none: 'None made from here yet: type the id of one',
    typing: (query) => `Use the id “${query}”`,
    hint: 'One that was made with /upnext prompt, or the id of another.',
    async find({ call: { context, actor }, project: id = '' }) {
      const prompts = await context.submissions.listConfirmed(promptKind, {
        workspace: actor.workspace,
        project: id,
      });
      return prompts.map(({ result, content }) => ({ id: result, name: content.title }));
    },
  }),
};

/** The inputs of the form, in the order of the view. */
export const fields = Object.assign(
  { project: project({ live: true }), text: createTextField('Text') },
  furtherTextFields,
  otherFields,
);
