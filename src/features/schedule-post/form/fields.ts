import { z } from 'zod';
import type { FormContext } from '../../../forms/form-context.ts';
import { multiSelectField, radioField } from '../../../forms/inputs/choice.ts';
import { projectField } from '../../../forms/inputs/project.ts';
import { searchableField } from '../../../forms/inputs/searched.ts';
import { textField } from '../../../forms/inputs/text.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';
import { postZoneField } from '../when/read-when.ts';
import { fillFields } from './template-text.ts';
import { createTextField, furtherTextFields } from './text-parts.ts';

/** The form's callback_id, and the prefix of this feature's action ids. */
export const FORM_NAME = 'schedule-post';

/** Maximum length of the typed moment, in UTF-16 units. */
const MAX_WHEN_LENGTH = 200;

/** Minimal submission kind for listing prompts: the stored name, and the title from the content. */
const promptKind = { name: 'prompt', content: z.object({ title: z.string() }) };

function isDraftOnly(formContext: FormContext): boolean {
  return 'isDraftOnly' in formContext && formContext.isDraftOnly === true;
}

const fieldsAfterText = {
  platforms: multiSelectField({
    label: 'Platforms',
    apiFields: 'Platforms',
    optional: true,
    isLive: true,
    placeholder: 'Where it goes',
    choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
  }),
  when: textField({
    label: 'When',
    apiFields: 'ScheduleDate',
    optional: true,
    isLive: true,
    maxLength: MAX_WHEN_LENGTH,
    placeholder: 'tomorrow 9am',
  }),
  zone: postZoneField,
  status: radioField({
    label: 'Save as',
    apiFields: 'Status',
    isLive: true,
    initial: 'SCHEDULED',
    choices: [
      { value: 'SCHEDULED', name: 'Scheduled' },
      { value: 'DRAFT', name: 'Draft' },
    ],
    isOffered: (status, formContext) => status === 'DRAFT' || !isDraftOnly(formContext),
  }),
  media: textField({
    label: 'Media',
    apiFields: 'Media',
    optional: true,
    isLive: true,
    hint: 'Link to an image or video, such as https://example.com/photo.jpg',
  }),
  template: searchableField({
    label: 'Template',
    apiFields: 'TemplateId',
    optional: true,
    isLive: true,
    needsProject: true,
    none: 'No templates found. Type an ID',
    renderQueryLabel: (query) => `Use the ID “${query}”`,
    find: ({ call: { context }, project: id = '' }) => context.reads.listTemplates(context.api, id),
  }),
  prompt: searchableField({
    label: 'Prompt',
    apiFields: 'PromptId',
    optional: true,
    isLive: true,
    needsProject: true,
    none: 'No prompts found. Type an ID',
    renderQueryLabel: (query) => `Use the ID “${query}”`,
    hint: 'A prompt from /upnext prompt, or an ID',
    async find({ call: { context, actor }, project: id = '' }) {
      const prompts = await context.submissions.listConfirmed(promptKind, {
        workspace: actor.workspace,
        project: id,
      });
      return prompts.map(({ serviceId, content }) => ({ id: serviceId, name: content.title }));
    },
  }),
};

/** The fields of the form, in the order of the view. */
export const fields = Object.assign(
  { project: projectField({ isLive: true }), text: createTextField('Text') },
  furtherTextFields,
  fillFields,
  fieldsAfterText,
);
