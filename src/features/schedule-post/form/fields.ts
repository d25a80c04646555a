import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  POST_FIELDS,
  type PostFieldName,
  type PostIdName,
  type PostTexts,
} from '../../../api/post-fields.ts';
import {
  buildActionId,
  type Field,
  type FormValues,
  listFieldNames,
  type NamedRecord,
} from '../../../forms/field.ts';
import type { FormContext } from '../../../forms/form-context.ts';
import { multiSelectField, radioField } from '../../../forms/inputs/choice.ts';
import { projectField, searchableField } from '../../../forms/inputs/searched.ts';
import { fileField } from '../../../forms/inputs/slack-choice.ts';
import { textField } from '../../../forms/inputs/text.ts';
import { mayOmitText } from '../../../posts/platform-rules/platform-rules.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { postZoneField, TIME_EXAMPLE } from '../when/read-when.ts';
import { ALT_TEXT_HINT, FILE_OPTIONS, getMedia } from './media-field.ts';
import { fillFields, listRequiredPlaceholders } from './template-text.ts';
import { createTextField, differsField, furtherTextFields, ownTextFields } from './text-fields.ts';

/** The form's callback_id, and the prefix of this feature's action ids. */
export const FORM_NAME = 'schedule-post';

/** Maximum length of the typed moment, in UTF-16 units. */
const MAX_WHEN_LENGTH = 200;
/** Maximum length of an alt text, in UTF-16 units: X's limit, the highest of all. */
export const MAX_ALT_TEXT_LENGTH = 1_000;

/** Minimal submission kind for listing prompts: the stored name, and the title from the content. */
const promptKind = { name: 'prompt', content: z.object({ title: z.string() }) };

interface ReviewContext {
  /** Whether the author may only save drafts. */
  isDraftOnly?: boolean | undefined;
  /** The edited post, if Upnext keeps it. */
  heldPost?: { isReviewedAgain?: boolean | undefined } | undefined;
}

/** Whether a contributor edits a post in review. Saving sends it back to its reviewers. */
export function isKeptInReview({ isDraftOnly: isLimited, heldPost }: ReviewContext): boolean {
  return isLimited === true && heldPost?.isReviewedAgain === true;
}

/** Returns the status that the post will have. A contributor's edit of a post in review isn't a draft. */
export function getEffectiveStatus<Status extends string>(state: {
  values: { status: Status };
  formContext: ReviewContext;
}): Status | 'SCHEDULED' {
  const {
    values: { status },
    formContext,
  } = state;
  return isKeptInReview(formContext) ? 'SCHEDULED' : status;
}

/** An input of the form, and the property of a post that its value becomes. The content has several inputs of its own. */
type Part = (
  | (Field<string> & { becomes: Exclude<PostFieldName, PostIdName | 'content'> })
  | (Field<NamedRecord | undefined> & { becomes: PostIdName })
  // The values that aren't texts have code of their own.
  | (Field<unknown> & { becomes: 'platforms' | 'file' | 'scheduleDate' | 'project' | 'status' | 'timezone' })
) & {
  /** Whether [More options] shows the input. Without a press, the form shows it only with a value or a finding. */
  isOption?: true;
};

/**
 * The inputs below the text, in the order of the view. A part that becomes a text field of a post needs no other code: it
 * is stored, sent, shown and copied with this list. A value that a post was stored without is empty.
 */
export const parts = {
  platforms: {
    ...multiSelectField({
      label: 'Platforms',
      apiFields: 'Platforms',
      optional: true,
      isLive: true,
      placeholder: 'Choose platforms',
      choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
    }),
    becomes: 'platforms',
  },
  when: {
    ...textField({
      label: 'When',
      apiFields: 'ScheduleDate',
      optional: true,
      isLive: true,
      maxLength: MAX_WHEN_LENGTH,
      placeholder: TIME_EXAMPLE,
    }),
    becomes: 'scheduleDate',
  },
  project: { ...projectField({ isLive: true }), becomes: 'project' },
  status: {
    ...radioField<'SCHEDULED' | 'DRAFT'>({
      label: 'When you submit',
      apiFields: 'Status',
      isLive: true,
      initial: 'SCHEDULED',
      choices: [
        { value: 'SCHEDULED', name: 'Schedule' },
        { value: 'DRAFT', name: 'Save as draft' },
      ],
      isOffered: (status, formContext) => {
        // A draft can't repeat.
        if ('series' in formContext && formContext.series) return status === 'SCHEDULED';
        return status === 'DRAFT' || !('isDraftOnly' in formContext && formContext.isDraftOnly === true);
      },
      renderName: (_status, formContext: FormContext & ReviewContext) =>
        isKeptInReview(formContext) ? 'Send to its reviewers' : undefined,
    }),
    renderLabel: (formContext: FormContext) =>
      'heldPost' in formContext && formContext.heldPost ? 'When you save' : 'When you submit',
    becomes: 'status',
  },
  file: { ...fileField(FILE_OPTIONS), becomes: 'file' },
  media: {
    ...textField({
      label: 'Media',
      apiFields: 'Media',
      optional: true,
      isLive: true,
      hint: 'Link to an image or video, such as https://example.com/photo.jpg',
    }),
    becomes: 'media',
    isOption: true,
  },
  altText: {
    ...textField({ label: 'Alt text', optional: true, maxLength: MAX_ALT_TEXT_LENGTH, hint: ALT_TEXT_HINT }),
    becomes: 'altText',
    isOption: true,
  },
  template: {
    ...searchableField({
      label: 'Template',
      apiFields: 'TemplateId',
      optional: true,
      isLive: true,
      needsProject: true,
      emptyText: 'No templates found. Type an ID',
      renderQueryLabel: (query) => `Use the ID “${query}”`,
      find: ({ call: { context }, project: id = '' }) => context.reads.listTemplates(context.api, id),
    }),
    becomes: 'templateId',
    isOption: true,
  },
  prompt: {
    ...searchableField({
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
    becomes: 'promptId',
    isOption: true,
  },
  zone: { ...postZoneField, becomes: 'timezone', isOption: true },
} satisfies Record<string, Part>;

type Parts = typeof parts;
export type PartName = keyof Parts;

/** The parts that [More options] shows. */
export const OPTION_FIELDS = listFieldNames(parts).filter((name) => 'isOption' in parts[name]);

type TextPart = {
  [Name in PartName]: Parts[Name]['becomes'] extends PostFieldName ? Name : never;
}[PartName];
const TEXT_PARTS = listFieldNames(parts).filter((part): part is TextPart =>
  POST_FIELDS.some(({ name }) => name === parts[part].becomes),
);

type TextPartValues = FormValues<Pick<Parts, TextPart>>;

/** The schemas of the stored values. A post that was stored before the form had a part lacks its value. */
export const storedTextParts: {
  [Name in TextPart]: z.ZodExactOptional<z.ZodType<TextPartValues[Name]>>;
} = Object.assign({}, ...TEXT_PARTS.map((name) => ({ [name]: parts[name].valueSchema.exactOptional() })));

export function pickTextParts(values: Partial<TextPartValues>): Partial<TextPartValues> {
  return Object.fromEntries(TEXT_PARTS.map((name) => [name, values[name]]));
}

/** Converts stored values to text fields of a post. Of a record, the post gets the id, or the name for people to see. */
export function toPostTexts(
  values: Partial<TextPartValues>,
  shown: 'id' | 'name',
): Record<Parts[TextPart]['becomes'], string | undefined> {
  return Object.assign(
    {},
    ...TEXT_PARTS.map((name) => {
      const { [name]: value } = values;
      const text = typeof value === 'string' ? value : value?.[shown];
      return { [parts[name].becomes]: text?.trim() === '' ? undefined : text };
    }),
  );
}

/** Converts the text fields of a post to values of the form. The id of a record is also its name, which isn't known. */
export function fromPostTexts(post: PostTexts): Partial<TextPartValues> {
  const entries = TEXT_PARTS.map((name) => {
    const { becomes, parsePrefill } = parts[name];
    const { [becomes]: text } = post;
    return [name, text === undefined ? undefined : parsePrefill?.(text)];
  });
  return Object.fromEntries(entries);
}

/** The fields of a post that repeats. The form shows them if it has several texts. */
const seriesFields = {
  gap: textField({
    label: 'Days before a text is used again',
    optional: true,
    isLive: true,
    maxLength: 3,
    hint: 'Without a number, the texts take turns as often as needed.',
  }),
};

/** The fields of the form, in the order of the view. */
export const fields = Object.assign(
  { text: createTextField('Text') },
  furtherTextFields,
  fillFields,
  Object.assign({ platforms: parts.platforms, differs: differsField }, ownTextFields, {
    ...parts,
    ...seriesFields,
  }),
);

type PostValues = FormValues<typeof fields>;

interface ShownOptions {
  shownOptions?: readonly PartName[] | undefined;
}

export const MORE_OPTIONS_BUTTON = 'more-options';

export function listHiddenOptions({ shownOptions = [] }: ShownOptions): PartName[] {
  return OPTION_FIELDS.filter((name) => !shownOptions.includes(name));
}

/** Renders [More options]. Empty if the form shows all fields. */
export function renderMoreOptions(formContext: ShownOptions): KnownBlock[] {
  if (listHiddenOptions(formContext).length === 0) return [];
  return [actions(button('More options', buildActionId(FORM_NAME, MORE_OPTIONS_BUTTON)))];
}

/** Finds the fields that a submission with these values requires. Drafts may be unfinished. */
export function findRequiredPostFields(state: {
  values: PostValues;
  formContext: { placeholders?: readonly string[] | undefined } & ReviewContext &
    Parameters<typeof getMedia>[0]['formContext'];
}): (keyof PostValues & string)[] {
  const { values, formContext } = state;
  const { template, prompt, when, platforms } = values;
  const isScheduled = getEffectiveStatus({ values, formContext }) !== 'DRAFT';
  // Without a text, the template's text would go out with its placeholders.
  const hasPlaceholders = (formContext.placeholders ?? []).length > 0;
  const isTextGiven = template || prompt || mayOmitText(getMedia({ values, formContext }), platforms);
  return [
    ...(isTextGiven && !(isScheduled && hasPlaceholders) ? [] : ['text' as const]),
    ...(isScheduled
      ? (['platforms', 'when', ...listRequiredPlaceholders({ values, formContext })] as const)
      : []),
    ...(isScheduled || when.trim() !== '' ? ['zone' as const] : []),
  ];
}
