import { z } from 'zod';
import {
  EXTRA_FIELDS,
  type ExtraField,
  POST_FIELDS,
  type PostFieldName,
  type PostIdName,
  type PostTexts,
} from '../../../api/post-fields.ts';
import { type Field, type FormValues, listFieldNames, type NamedRecord } from '../../../forms/field.ts';
import type { FormState } from '../../../forms/form.ts';
import { multiSelectField, radioField, zoneField } from '../../../forms/inputs/choice.ts';
import { projectField, searchableField } from '../../../forms/inputs/searched.ts';
import { fileField } from '../../../forms/inputs/slack-choice.ts';
import { textField } from '../../../forms/inputs/text.ts';
import { MAX_MEDIA, MEDIA_EXTENSIONS } from '../../../posts/media-reference.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';
import { sanitizeLine } from '../../../slack/blocks.ts';
import { getChosenOption } from '../../../slack/interaction-values.ts';
import { isZone } from '../../../when/zones.ts';
import { capitalize } from '../../../words.ts';
import type { PostFormContext } from './post-form-context.ts';
import { createTextField, differsField, furtherTextFields, ownTextFields } from './text-fields.ts';

/** The form's callback_id, and the prefix of this feature's action ids. */
export const FORM_NAME = 'schedule-post';

/** Maximum placeholders with a field. People fill in any others in the text. */
const MAX_FILL_FIELDS = 8;

export type FillFieldName = `fill${number}`;
export const FILL_FIELD_NAMES: readonly FillFieldName[] = Array.from(
  { length: MAX_FILL_FIELDS },
  (_, index): FillFieldName => `fill${index + 1}`,
);

/** The fields for the placeholders of the chosen template, in the order of its text. */
const fillFields: Readonly<Record<FillFieldName, Field<string>>> = Object.fromEntries(
  FILL_FIELD_NAMES.map((name, index) => [
    name,
    {
      ...textField({ label: 'Placeholder', optional: true, isLive: true, maxLength: 500 }),
      renderLabel: ({ placeholders = [] }: PostFormContext) =>
        renderPlaceholderLabel(placeholders[index] ?? ''),
    },
  ]),
);

/** Renders "Coffee" for "{coffee}". */
function renderPlaceholderLabel(placeholder: string): string {
  const name = sanitizeLine(placeholder.replace(/[{}]/g, '')).replaceAll('_', ' ');
  return capitalize(name) || 'Placeholder';
}

/**
 * The value of the zone field. `zone`: the zone that the field shows. `parsedIn`: the zone in which the text was
 * parsed, if the text names another zone, which the field then shows. `isDefault`: whether nobody has chosen a zone.
 * The selected option contains all three, so that they always match the zone that the field shows.
 */
const postZone = z.object({
  zone: z.string(),
  parsedIn: z.string().optional(),
  isDefault: z.boolean().optional(),
});
export type PostZone = z.infer<typeof postZone>;

/** Marks a zone that nobody has chosen. */
const DEFAULT_MARK = 'default';
const baseField = zoneField({ label: 'Time zone', apiFields: 'Timezone', optional: true, isLive: true });
const { label, optional, isLive, apiFields, search } = baseField;

export const postZoneField: Field<PostZone> = {
  label,
  optional,
  isLive,
  apiFields,
  ...(search && { search }),
  emptyValue: { zone: '' },
  valueSchema: postZone,
  renderElement({ value, ...input }) {
    const element = baseField.renderElement({ ...input, value: value.zone });
    if (element.type !== 'external_select' || !element.initial_option) return element;
    // Two zones and the mark take at most 73 of the 75 characters of an option's value.
    return { ...element, initial_option: { ...element.initial_option, value: encodeZone(value) } };
  },
  read(values, blockId) {
    const [zone = '', ...otherParts] = (getChosenOption(values, blockId)?.value ?? '').split(' ');
    const parsedIn = otherParts.find((part) => part !== DEFAULT_MARK);
    return {
      zone,
      ...(parsedIn !== undefined && { parsedIn }),
      ...(otherParts.includes(DEFAULT_MARK) && { isDefault: true }),
    };
  },
  parsePrefill: (text) => (isZone(text) ? { zone: text } : undefined),
  validate: ({ zone }, formContext) => baseField.validate?.(zone, formContext),
};

/** Returns the zone in which the text is parsed. The text may name another zone, which the field then shows. */
export function getParsingZone({ zone, parsedIn }: PostZone): string {
  return parsedIn ?? zone;
}

function encodeZone({ zone, parsedIn, isDefault }: PostZone): string {
  return [zone, parsedIn, isDefault && DEFAULT_MARK].filter((part) => typeof part === 'string').join(' ');
}

/** The time that errors of the form give as an example. */
export const TIME_EXAMPLE = 'tomorrow 9am';
/** Shows that one time, several times and a repetition can be typed. */
const TIME_PLACEHOLDER = `${TIME_EXAMPLE}, mon and fri 9am, every day 9am`;

/** Maximum length of the typed moment, in UTF-16 units. */
const MAX_WHEN_LENGTH = 200;
/** Maximum length of an alt text, in UTF-16 units: X's limit, the highest of all. */
const MAX_ALT_TEXT_LENGTH = 1_000;

/** Minimal submission kind for listing prompts: the stored name, and the title from the content. */
const promptKind = { name: 'prompt', content: z.object({ title: z.string() }) };

/** An input of the form, and the property of a post that its value becomes. The content has several inputs of its own. */
type Part = (
  | (Field<string> & { becomes: Exclude<PostFieldName, PostIdName | 'content'> })
  | (Field<NamedRecord | undefined> & { becomes: PostIdName })
  // The values that aren't texts have code of their own.
  | (Field<unknown> & { becomes: 'platforms' | 'file' | 'scheduleDate' | 'project' | 'status' | 'timezone' })
) & {
  /** Whether [More options] shows the input. Without a press, the form shows it only with a value or a finding. */
  isOption?: true;
  /** Whether [Add media] shows the input. Without a press, the form shows it only with a value or a finding. */
  isMedia?: true;
};

/**
 * The inputs below the text. A part that becomes a text field of a post needs no other code: it
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
      placeholder: TIME_PLACEHOLDER,
    }),
    becomes: 'scheduleDate',
  },
  project: { ...projectField({ isLive: true }), becomes: 'project', isOption: true },
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
      // A draft can't repeat.
      isOffered: (status, { series, isDraftOnly, asksForReview }: PostFormContext) =>
        series ? status === 'SCHEDULED' : status === 'DRAFT' || !isDraftOnly || asksForReview === true,
      renderName: (status, formContext: PostFormContext) => {
        if (status === 'DRAFT' && !isKeptInReview(formContext)) return undefined;
        const { isForOtherService, isForReview } = formContext.heldPost ?? {};
        if (isForOtherService) return 'Save changes';
        if (formContext.asksForReview) return 'Send for review';
        return isForReview ? 'Schedule after review' : undefined;
      },
    }),
    renderLabel: ({ heldPost }: PostFormContext) => (heldPost ? 'When you save' : 'When you submit'),
    becomes: 'status',
    isOption: true,
  },
  file: {
    ...fileField({
      label: MAX_MEDIA === 1 ? 'Picture or video' : 'Pictures and videos',
      maxFiles: MAX_MEDIA,
      extensions: MEDIA_EXTENSIONS,
      optional: true,
    }),
    becomes: 'file',
    isMedia: true,
  },
  media: {
    ...textField({
      label: 'Media',
      apiFields: 'Media',
      optional: true,
      isLive: true,
      hint: 'Link to an image or video, such as https://example.com/photo.jpg',
    }),
    becomes: 'media',
    isMedia: true,
  },
  altText: {
    ...textField({
      label: 'Alt text',
      optional: true,
      maxLength: MAX_ALT_TEXT_LENGTH,
      // The service has no field for it.
      hint: 'Describe the picture for people who can’t see it. The scheduling service has no field for this: it stays in Upnext, and your reviewers see it.',
    }),
    becomes: 'altText',
    isMedia: true,
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
type PartName = keyof Parts;

/** The names of the parts that are marked as options. */
type MarkedName<Mark extends string> = {
  [Name in PartName]: Parts[Name] extends Record<Mark, true> ? Name : never;
}[PartName];

/** The fields that [More options] shows. */
export const OPTION_FIELDS: readonly (MarkedName<'isOption'> | 'differs')[] = [
  'differs',
  ...listFieldNames(parts).filter((name): name is MarkedName<'isOption'> => 'isOption' in parts[name]),
];
/** The fields that [Add media] shows. */
export const MEDIA_FIELDS: readonly MarkedName<'isMedia'>[] = listFieldNames(parts).filter(
  (name): name is MarkedName<'isMedia'> => 'isMedia' in parts[name],
);
export type OptionName = (typeof OPTION_FIELDS)[number] | (typeof MEDIA_FIELDS)[number];

type TextPart = {
  [Name in PartName]: Parts[Name]['becomes'] extends PostFieldName ? Name : never;
}[PartName];
const TEXT_PARTS = listFieldNames(parts).filter((part): part is TextPart =>
  POST_FIELDS.some(({ name }) => name === parts[part].becomes),
);

type ExtraPart = {
  [Name in PartName]: Parts[Name]['becomes'] extends ExtraField ? Name : never;
}[PartName];
const EXTRA_PARTS = listFieldNames(parts).filter((part): part is ExtraPart =>
  EXTRA_FIELDS.some(({ name }) => name === parts[part].becomes),
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
  const entries = TEXT_PARTS.flatMap((name) => {
    const { becomes, parsePrefill } = parts[name];
    const { [becomes]: text } = post;
    return text === undefined ? [] : [[name, parsePrefill?.(text)]];
  });
  return Object.fromEntries(entries);
}

/** Finds what the form refuses in the extra fields of a post (plain text). */
export function findExtraFieldErrors(
  post: Pick<PostTexts, ExtraField>,
): { part: ExtraField; problem: string }[] {
  return EXTRA_PARTS.flatMap((name) => {
    const { becomes, validate } = parts[name];
    const problem = validate(post[becomes] ?? '');
    return problem === undefined ? [] : [{ part: becomes, problem }];
  });
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

const { platforms, when, file, media, altText } = parts;

/** The fields of the form, in the order of the view: those of every post, its media, and then the options. */
export const fields = Object.assign(
  { text: createTextField('Text') },
  furtherTextFields,
  fillFields,
  Object.assign({ platforms, when, file, media, altText, differs: differsField }, ownTextFields, {
    ...parts,
    ...seriesFields,
  }),
);

/** The form for a post, as its parts read it. */
export type PostState = FormState<typeof fields, PostFormContext>;
/** A form's values, and what it knows of them. */
export type PostInputs = Pick<PostState, 'values' | 'formContext'>;

/** Whether a contributor edits a post in review. Saving sends it back to its reviewers. */
export function isKeptInReview({ isDraftOnly, heldPost }: PostFormContext): boolean {
  return isDraftOnly === true && heldPost?.isReviewedAgain === true;
}

/** Returns the status that the post will have. A contributor's edit of a post in review isn't a draft. */
export function getEffectiveStatus({ values, formContext }: PostInputs): PostState['values']['status'] {
  return isKeptInReview(formContext) ? 'SCHEDULED' : values.status;
}

/** Lists the chosen platforms without those that have their part of the post already. */
export function listPlatformsToSend({ values, formContext }: PostInputs): string[] {
  const { sentTo = [] } = formContext.heldPost ?? {};
  return values.platforms.filter((platform) => !sentTo.includes(platform));
}
