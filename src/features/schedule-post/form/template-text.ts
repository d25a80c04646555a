import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Template } from '../../../api/templates.ts';
import type { Field, NamedRecord } from '../../../forms/field.ts';
import { isBlank, textField } from '../../../forms/inputs/text.ts';
import type { Call } from '../../../handlers/call.ts';
import { within } from '../../../promises.ts';
import { context, sanitizeLine } from '../../../slack/blocks.ts';
import { capitalize } from '../../../words.ts';
import {
  getOwnTextName,
  joinTexts,
  listShownOwnTexts,
  listTypedOwnTexts,
  type OwnTextValues,
  splitText,
  toTextValues,
} from './text-fields.ts';

export const chosenTemplate = z.object({
  id: z.string(),
  content: z.string(),
  /** Whether the form has put the template's text into the text fields. */
  isInserted: z.boolean(),
  /** Whether the template's text replaces the text fields, because nobody has changed the previous template's text. */
  replacesText: z.boolean().optional(),
});

/** Maximum placeholders with a field. People fill in any others in the text. */
const MAX_FILL_FIELDS = 8;

type FillFieldName = `fill${number}`;
export const FILL_FIELD_NAMES: readonly FillFieldName[] = Array.from(
  { length: MAX_FILL_FIELDS },
  (_, index): FillFieldName => `fill${index + 1}`,
);

/** The fields for the placeholders of the chosen template, in the order of its text. */
export const fillFields: Readonly<Record<FillFieldName, Field<string>>> = Object.fromEntries(
  FILL_FIELD_NAMES.map((name, index) => [
    name,
    {
      ...textField({ label: 'Placeholder', optional: true, isLive: true, maxLength: 500 }),
      renderLabel: (formContext) => {
        const { placeholders = [] } = fillContext.parse(formContext);
        return renderPlaceholderLabel(placeholders[index] ?? '');
      },
    },
  ]),
);

const fillContext = z.object({ placeholders: z.array(z.string()).optional().catch(undefined) });

/** Renders "Coffee" for "{coffee}". */
function renderPlaceholderLabel(placeholder: string): string {
  const name = sanitizeLine(placeholder.replace(/[{}]/g, '')).replaceAll('_', ' ');
  return capitalize(name) || 'Placeholder';
}

interface TextState {
  values: Parameters<typeof joinTexts>[0] & Readonly<Partial<Record<FillFieldName, string>>>;
  /** `placeholders`: those that the form has fields for, in the order of the fields. */
  formContext: { placeholders?: readonly string[] | undefined };
}

interface AllTextsState extends TextState {
  values: TextState['values'] & OwnTextValues;
}

interface TemplateState extends AllTextsState {
  values: AllTextsState['values'] & {
    project?: NamedRecord | undefined;
    template?: NamedRecord | undefined;
  };
  formContext: {
    template?: z.infer<typeof chosenTemplate> | undefined;
    placeholders?: string[] | undefined;
    excessText?: string | undefined;
  };
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

export async function updateTemplate<Context extends TemplateState['formContext']>(
  { values, formContext }: { values: TemplateState['values']; formContext: Context },
  call: Call,
): Promise<Context> {
  const { project, template } = values;
  if (formContext.template?.id === template?.id) return formContext;
  const { formReadMs } = call.context.pace;
  const found = project && template && (await findTemplate(call, project.id, template.id, formReadMs));
  const replacesText =
    formContext.template !== undefined &&
    joinFilledTexts({ values, formContext }) === formContext.template.content;
  return {
    ...formContext,
    template: found && { id: found.id, content: found.content ?? '', isInserted: false, replacesText },
  };
}

/**
 * Puts the text of the chosen template into the text fields, and shows fields for its placeholders. A text that
 * somebody has written stays, and gets the values of the fields that disappear.
 */
export function insertTemplate<Context extends TemplateState['formContext']>(state: {
  values: TemplateState['values'];
  formContext: Context;
}): { values?: Record<string, string>; formContext?: Context } {
  const { values, formContext } = state;
  const { template } = formContext;
  const shouldInsert =
    template !== undefined &&
    isInsertionPending(state) &&
    (isBlank(joinTexts(values)) || template.replacesText === true);
  const placeholders = listPlaceholders(template?.content ?? '').slice(0, MAX_FILL_FIELDS);
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

export function joinFilledTexts(state: TextState): string {
  return fillPlaceholders(joinTexts(state.values), state);
}

export function fillPlaceholders(
  text: string,
  { values, formContext: { placeholders = [] } }: TextState,
): string {
  const fills = new Map(
    placeholders.flatMap((placeholder, index) => {
      const value = values[FILL_FIELD_NAMES[index] ?? 'fill1']?.trim() ?? '';
      return value === '' ? [] : [[placeholder, value]];
    }),
  );
  return fills.size === 0 ? text : text.replace(PLACEHOLDER, (found) => fills.get(found) ?? found);
}

export function fillOwnTexts(state: AllTextsState): Record<string, string> {
  return Object.fromEntries(
    listShownOwnTexts(state.values).map(([platform, text]) => [
      getOwnTextName(platform),
      fillPlaceholders(text, state),
    ]),
  );
}

/** Lists the fill fields to hide: those without a placeholder in a shown text, unless they have a value. */
export function listHiddenFills({
  values,
  formContext: { placeholders = [] },
}: AllTextsState): FillFieldName[] {
  const texts = [joinTexts(values), ...listShownOwnTexts(values).map(([, text]) => text)];
  return FILL_FIELD_NAMES.filter((name, index) => {
    const placeholder = placeholders[index];
    return (
      placeholder === undefined ||
      (!texts.some((text) => text.includes(placeholder)) && isBlank(values[name] ?? ''))
    );
  });
}

export function listRequiredPlaceholders({
  values,
  formContext: { placeholders = [] },
}: AllTextsState): FillFieldName[] {
  const texts = [joinTexts(values), ...listTypedOwnTexts(values).map(([, text]) => text)];
  return FILL_FIELD_NAMES.filter((_name, index) => {
    const placeholder = placeholders[index];
    return placeholder !== undefined && texts.some((text) => text.includes(placeholder));
  });
}

/** Whether the form hasn't yet put the text of the chosen template into the text fields. */
function isInsertionPending({ values, formContext: { template } }: TemplateState): boolean {
  return template !== undefined && !template.isInserted && template.id === values.template?.id;
}

/** Renders a note below the template if the text that somebody has written stays. */
export function renderTemplateNote(state: TemplateState): KnownBlock[] {
  return isInsertionPending(state) && state.formContext.template?.content !== ''
    ? [context('Your text stays. Clear it to use the template’s text.')]
    : [];
}

const PLACEHOLDER = /\{[^{}\n]{1,60}\}/g;

export function listPlaceholders(text: string): string[] {
  return [...new Set(text.match(PLACEHOLDER))];
}
