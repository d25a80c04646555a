import type { KnownBlock } from '@slack/types';
import { normalizeText, POST_FIELDS, type PostTexts } from '../../../api/post-fields.ts';
import type { Template } from '../../../api/templates.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import { getWorkspaceEmoji } from '../../../forms/workspace-emoji.ts';
import type { Call } from '../../../handlers/call.ts';
import { listPlaceholders, PLACEHOLDER } from '../../../posts/text-findings.ts';
import { within } from '../../../promises.ts';
import { context } from '../../../slack/blocks.ts';
import { POSSIBLE_CODE, replaceEmojiCodes } from '../../../slack/text/text.ts';
import { FILL_FIELD_NAMES, type FillFieldName, type PostInputs, toPostTexts } from './fields.ts';
import { getLastMedia } from './media-field.ts';
import type { PostFormContext } from './post-form-context.ts';
import {
  getOwnTextName,
  joinTexts,
  listShownOwnTexts,
  listTypedOwnTexts,
  splitText,
  toTextValues,
} from './text-fields.ts';

interface SentText {
  text: string;
  /** The codes, without colons, of emoji that exist only in the workspace. */
  customEmoji: readonly string[];
  hasCodes: boolean;
}

/** Builds the text to send: joins all text fields, fills in placeholders, and replaces `:codes:` with emoji. */
export function buildPostText(state: PostInputs): SentText {
  return replaceCodes(joinFilledTexts(state), state.formContext);
}

/** Builds the texts of platforms that get another text than the main one, by platform. See `buildPostText`. */
export function buildOwnTexts(state: PostInputs): Map<string, SentText> {
  const mainText = normalizeText(buildPostText(state).text);
  return new Map(
    listTypedOwnTexts(state.values)
      .map(([platform, typedText]) => {
        const filledText = fillPlaceholders(typedText, state);
        return [platform, replaceCodes(filledText, state.formContext)] as const;
      })
      .filter(([, { text }]) => normalizeText(text) !== mainText),
  );
}

function replaceCodes(typedText: string, { customEmoji: known }: PostFormContext): SentText {
  if (!POSSIBLE_CODE.test(typedText)) return { text: typedText, customEmoji: [], hasCodes: false };
  const options = known ? { workspaceEmoji: new Set(known) } : {};
  const { text, customEmoji } = replaceEmojiCodes(typedText, options);
  return { text, customEmoji, hasCodes: text !== typedText };
}

/** Joins the typed texts, and fills in placeholders. */
export function joinFilledTexts(state: PostInputs): string {
  return fillPlaceholders(joinTexts(state.values), state);
}

function fillPlaceholders(text: string, { values, formContext }: PostInputs): string {
  const { placeholders = [] } = formContext;
  const fills = new Map(
    placeholders.flatMap((placeholder, index) => {
      const value = values[FILL_FIELD_NAMES[index] ?? 'fill1']?.trim() ?? '';
      return value === '' ? [] : [[placeholder, value]];
    }),
  );
  return fills.size === 0 ? text : text.replace(PLACEHOLDER, (found) => fills.get(found) ?? found);
}

function fillOwnTexts(state: PostInputs): Record<string, string> {
  return Object.fromEntries(
    listShownOwnTexts(state.values).map(([platform, text]) => [
      getOwnTextName(platform),
      fillPlaceholders(text, state),
    ]),
  );
}

/** Lists the fill fields to hide: those without a placeholder in a shown text, unless they have a value. */
export function listHiddenFills({ values, formContext }: PostInputs): FillFieldName[] {
  const { placeholders = [] } = formContext;
  const texts = [joinTexts(values), ...listShownOwnTexts(values).map(([, text]) => text)];
  return FILL_FIELD_NAMES.filter((name, index) => {
    const placeholder = placeholders[index];
    return (
      placeholder === undefined ||
      (!texts.some((text) => text.includes(placeholder)) && isBlank(values[name] ?? ''))
    );
  });
}

export function listRequiredPlaceholders({ values, formContext }: PostInputs): FillFieldName[] {
  const { placeholders = [] } = formContext;
  const texts = [joinTexts(values), ...listTypedOwnTexts(values).map(([, text]) => text)];
  return FILL_FIELD_NAMES.filter((_name, index) => {
    const placeholder = placeholders[index];
    return placeholder !== undefined && texts.some((text) => text.includes(placeholder));
  });
}

/** How long a form waits for a template. After that, the form shows the template's id, and no text. */
const TEMPLATE_TIMEOUT_MS = 1_500;

/** Finds a template by id. Undefined if the service doesn't return the template in time. */
export async function findTemplate(
  call: Call,
  projectId: string,
  id: string,
  timeoutMs = TEMPLATE_TIMEOUT_MS,
): Promise<Template | undefined> {
  const { reads, api } = call.context;
  const outcome = await within(timeoutMs, reads.listTemplates(api, projectId));
  return outcome?.kind === 'done' ? outcome.data.items.find((template) => template.id === id) : undefined;
}

/** Finds the text of the chosen template, if another one was chosen. */
export async function updateTemplate(state: PostInputs, call: Call): Promise<PostFormContext['template']> {
  const { project, template } = state.values;
  const { template: known } = state.formContext;
  if (known?.id === template?.id) return known;
  const { formReadMs } = call.context.pace;
  const found = project && template && (await findTemplate(call, project.id, template.id, formReadMs));
  const replacesText = known !== undefined && joinFilledTexts(state) === known.content;
  return found && { id: found.id, content: found.content ?? '', isInserted: false, replacesText };
}

/**
 * Puts the text of the chosen template into the text fields, and shows fields for its placeholders. A text that
 * somebody has written stays, and gets the values of the fields that disappear.
 */
export function insertTemplate(state: PostInputs): {
  values?: Record<string, string>;
  formContext?: PostFormContext;
} {
  const { values, formContext } = state;
  const { template } = formContext;
  const shouldInsert =
    template !== undefined &&
    isInsertionPending(state) &&
    (isBlank(joinTexts(values)) || template.replacesText === true);
  const placeholders = listPlaceholders(template?.content ?? '').slice(0, FILL_FIELD_NAMES.length);
  const previousPlaceholders = formContext.placeholders ?? [];
  const hasSamePlaceholders = previousPlaceholders.join() === placeholders.join();
  if (!shouldInsert && hasSamePlaceholders) return {};
  const newText = shouldInsert ? template.content : joinFilledTexts(state);
  const { parts, excessText } = splitText(newText);
  const wholeExcess = shouldInsert ? excessText : excessText + (formContext.excessText ?? '');
  return {
    values: {
      ...(newText !== joinTexts(values) && toTextValues(parts)),
      ...(!hasSamePlaceholders && {
        ...Object.fromEntries(FILL_FIELD_NAMES.map((name) => [name, ''])),
        ...fillOwnTexts(state),
      }),
    },
    formContext: {
      ...formContext,
      placeholders,
      excessText: wholeExcess === '' ? undefined : wholeExcess,
      ...(shouldInsert && { template: { ...template, isInserted: true } }),
    },
  };
}

/** Whether the form hasn't yet put the text of the chosen template into the text fields. */
function isInsertionPending({ values, formContext: { template } }: PostInputs): boolean {
  return template !== undefined && !template.isInserted && template.id === values.template?.id;
}

/** Renders a note below the template if the text that somebody has written stays. */
export function renderTemplateNote(state: PostInputs): KnownBlock[] {
  return isInsertionPending(state) && state.formContext.template?.content !== ''
    ? [context('Your text stays. Clear it to use the template’s text.')]
    : [];
}

/**
 * Finds the workspace's custom emoji in the texts, without colons. Undefined if Slack doesn't list them in time:
 * `buildPostText` then guesses which codes are custom emoji.
 */
export async function findCustomEmoji(state: PostInputs, call: Call): Promise<string[] | undefined> {
  const ownTexts = listTypedOwnTexts(state.values).map(([, text]) => text);
  const typedText = [joinFilledTexts(state), ...ownTexts].join('\n');
  const workspaceEmoji = POSSIBLE_CODE.test(typedText) ? await getWorkspaceEmoji(call) : undefined;
  return workspaceEmoji && replaceEmojiCodes(typedText, { workspaceEmoji }).customEmoji;
}

/** Summarizes an unfinished post: its first text, or the other typed values. '' if nothing was typed. */
export function summarizeUnfinishedPost(state: PostInputs): string {
  const ownTexts = Object.values(fillOwnTexts(state));
  const text = [joinFilledTexts(state), ...ownTexts].find((one) => !isBlank(one));
  if (text !== undefined) return text;
  const { when } = state.values;
  const texts: PostTexts = toPostTexts({ ...state.values, media: getLastMedia(state) }, 'name');
  const parts = [
    ...POST_FIELDS.flatMap(({ name, label, isId }) =>
      isId || !texts[name] ? [] : [`${label}: ${texts[name]}`],
    ),
    ...(isBlank(when) ? [] : [`When: ${when}`]),
  ];
  return parts.length === 0 ? '' : ['No text yet', ...parts].join(' · ');
}

/** Creates the prefill with which an unfinished post continues. The texts have the values of the fill fields. */
export function toUnfinishedPrefill(state: PostInputs): Readonly<Record<string, unknown>> {
  const { values, formContext } = state;
  const { shownMoments, draft, heldPost, series, isDraftForced, excessText = '' } = formContext;
  return {
    ...values,
    ...Object.fromEntries(FILL_FIELD_NAMES.map((name) => [name, ''])),
    ...toTextValues([joinFilledTexts(state) + excessText]),
    ...fillOwnTexts(state),
    // An upload can't be prefilled, but its address can.
    media: getLastMedia(state),
    file: [],
    // The form chooses "Draft" again, unless the person has got access in the meantime.
    ...(isDraftForced && { status: 'SCHEDULED' }),
    ...(shownMoments && { shownMoments }),
    ...(draft !== undefined && { draft }),
    ...(heldPost && { heldPost }),
    ...(series && { series }),
  };
}
