import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { buildActionId, type FormValues } from '../../../forms/field.ts';
import type { FormContext } from '../../../forms/form-context.ts';
import { multiSelectField, radioField } from '../../../forms/inputs/choice.ts';
import { projectField } from '../../../forms/inputs/project.ts';
import { searchableField } from '../../../forms/inputs/searched.ts';
import { textField } from '../../../forms/inputs/text.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';
import { type Editability, isKeepEditableOffered } from '../../../posts/post-text.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { postZoneField, TIME_EXAMPLE } from '../when/read-when.ts';
import { OPTION_FIELDS, type OptionField, type PostFormContext } from './post-form-context.ts';
import { fillFields, listRequiredPlaceholders } from './template-text.ts';
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
    placeholder: 'Choose platforms',
    choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
  }),
  when: textField({
    label: 'When',
    apiFields: 'ScheduleDate',
    optional: true,
    isLive: true,
    maxLength: MAX_WHEN_LENGTH,
    placeholder: TIME_EXAMPLE,
  }),
  project: projectField({ isLive: true }),
  status: {
    ...radioField({
      label: 'When you submit',
      apiFields: 'Status',
      isLive: true,
      initial: 'SCHEDULED',
      choices: [
        { value: 'SCHEDULED', name: 'Schedule' },
        { value: 'DRAFT', name: 'Save as draft' },
      ],
      isOffered: (status, formContext) => status === 'DRAFT' || !isDraftOnly(formContext),
    }),
    renderLabel: (formContext: FormContext) =>
      'heldPost' in formContext && formContext.heldPost ? 'When you save' : 'When you submit',
  },
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
    emptyText: 'No templates found. Type an ID',
    renderQueryLabel: (query) => `Use the ID “${query}”`,
    find: ({ call: { context }, project: id = '' }) => context.reads.listTemplates(context.api, id),
  }),
  prompt: searchableField({
    label: 'Prompt',
    apiFields: 'PromptId',
    optional: true,
    isLive: true,
    needsProject: true,
    emptyText: 'No prompts found. Type an ID',
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
  zone: postZoneField,
};

/** The fields of the form, in the order of the view. */
export const fields = Object.assign(
  { text: createTextField('Text') },
  furtherTextFields,
  fillFields,
  fieldsAfterText,
);

type PostValues = FormValues<typeof fields>;

type ShownOptions = Pick<PostFormContext, 'shownOptions'>;

/** The name of [More options]. */
export const MORE_OPTIONS_BUTTON = 'more-options';

/** Lists the option fields with a value. A default time zone isn't a value, but a missing one has to be chosen. */
export function listFilledOptions({ media, template, prompt, zone }: PostValues): OptionField[] {
  return [
    ...(media === '' ? [] : ['media' as const]),
    ...(template ? ['template' as const] : []),
    ...(prompt ? ['prompt' as const] : []),
    ...(zone.isDefault ? [] : ['zone' as const]),
  ];
}

/** Lists the option fields that the form doesn't show. */
export function listHiddenOptions({ shownOptions = [] }: ShownOptions): OptionField[] {
  return OPTION_FIELDS.filter((name) => !shownOptions.includes(name));
}

/** Renders [More options]. Empty if the form shows all fields. */
export function renderMoreOptions(formContext: ShownOptions): KnownBlock[] {
  if (listHiddenOptions(formContext).length === 0) return [];
  return [actions(button('More options', buildActionId(FORM_NAME, MORE_OPTIONS_BUTTON)))];
}

/** Finds the fields that a submission with these values requires. Drafts may be unfinished. */
export function findRequiredPostFields({
  values,
  formContext,
}: {
  values: PostValues;
  formContext: PostFormContext;
}): (keyof PostValues & string)[] {
  const { status, template, prompt, when } = values;
  const isScheduled = status !== 'DRAFT';
  // Without a text, the template's text would go out with its placeholders.
  const hasPlaceholders = (formContext.placeholders ?? []).length > 0;
  const mayOmitText = (template || prompt) && !(isScheduled && hasPlaceholders);
  return [
    ...(mayOmitText ? [] : ['text' as const]),
    ...(isScheduled
      ? (['platforms', 'when', ...listRequiredPlaceholders({ values, formContext })] as const)
      : []),
    ...(isScheduled || when.trim() !== '' ? ['zone' as const] : []),
  ];
}

/** Whether posts of the chosen project can be edited after they are scheduled. */
export function findEditability({
  values: { project },
  formContext: { holding = {}, mayChangePolicy },
}: {
  values: Pick<Editability, 'project'>;
  formContext: PostFormContext;
}): Editability {
  return { project, leadMinutes: project && holding[project.id]?.leadMinutes, mayChangePolicy };
}

/** Whether the result of the form offers the actor that posts of the chosen project stay editable. */
export function mayKeepEditable(state: Parameters<typeof findEditability>[0]): boolean {
  return isKeepEditableOffered(findEditability(state));
}
