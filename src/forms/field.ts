import { createHash } from 'node:crypto';
import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { OptionsCall } from '../handlers/call.ts';
import { getChosenOption, type ViewValues } from '../slack/interaction-values.ts';
import type { FormContext } from './form-context.ts';

/** A record of the service: its id, and the name that people see. */
export const namedRecord = z.object({ id: z.string(), name: z.string() });
export type NamedRecord = z.infer<typeof namedRecord>;

interface ElementArguments<Value> {
  actionId: string;
  value: Value;
  formContext: FormContext;
  now: Date;
}

/** A search in a select whose options the app supplies (`external_select`). */
export interface SearchRequest {
  call: OptionsCall;
  query: string;
  /** The id of the chosen project; undefined if none is chosen, or if the field isn't marked `usesProject`. */
  project: string | undefined;
  formContext: FormContext;
}

export interface Field<Value> {
  readonly label: string;
  /** Renders the label if it depends on the context. Defaults to `label`. */
  renderLabel?(formContext: FormContext): string;
  readonly hint?: string;
  readonly optional: boolean;
  /** API field names. An error of a 422 is shown under this field if the error's `loc` contains one of these names. */
  readonly apiFields: readonly string[];
  /** Whether the app never shows what was typed. Slack keeps it as long as the block stays the same. */
  readonly isSecret?: boolean;
  /** Whether Slack reports each change at once. After such a change the form is rendered again. */
  readonly isLive: boolean;
  readonly emptyValue: Value;
  /** Validates a value that was stored as JSON. */
  readonly valueSchema: z.ZodType<Value>;
  renderElement(args: ElementArguments<Value>): InputBlock['element'];
  read(values: ViewValues, blockId: string): Value;
  /** Parses text from another feature that prefills the field. Undefined if the text isn't valid. */
  parsePrefill?(text: string): Value | undefined;
  /** Computes the initial value from the prefilled or empty value. */
  computeInitialValue?(value: Value, formContext: FormContext): Value;
  /** Renders the text that replaces the input if there is only one choice. Undefined if the input is shown. */
  renderFixedText?(formContext: FormContext): string | undefined;
  /** Checks the field alone. Returns an error in plain text, or undefined. */
  validate?(value: Value, formContext: FormContext): string | undefined;
  /** Whether the value is a project of the service, or a list of projects. */
  readonly containsProjects?: boolean;
  /** Whether the options depend on the project chosen in the form. */
  readonly usesProject?: boolean;
  /** Finds at most 100 options for a search in the field's select. */
  search?(request: SearchRequest): Promise<PlainTextOption[]>;
}

/** Whether the input of a field may stay empty. `isRequired`: whether the form's state requires the field. */
export function isOptional({ optional }: Pick<Field<unknown>, 'optional'>, isRequired: boolean): boolean {
  return optional && !isRequired;
}

/** Whether a field is shown as an input, and not as a text because there is only one choice. */
export function isInput(
  field: Pick<Field<unknown>, 'renderFixedText'> | undefined,
  formContext: FormContext,
): boolean {
  return field?.renderFixedText?.(formContext) === undefined;
}

/** The fields of a form by name, in the order of the view. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldName<F extends Fields> = keyof F & string;

/** Lists the names of fields, in the order of the view. */
export function listFieldNames<F extends Fields>(fields: F): FieldName<F>[] {
  const names: FieldName<F>[] = [];
  for (const name in fields) names.push(name);
  return names;
}

export type FormValues<F extends Fields> = { [Name in keyof F]: F[Name]['emptyValue'] };

export interface FieldOptions {
  label: string;
  hint?: string;
  optional?: boolean;
  apiFields?: string | readonly string[];
  isLive?: boolean;
}

export function buildCommonProperties(options: FieldOptions) {
  const { label, hint, optional = false, apiFields = [], isLive = false } = options;
  return {
    label,
    optional,
    isLive,
    apiFields: typeof apiFields === 'string' ? [apiFields] : apiFields,
    ...(hint !== undefined && { hint }),
  };
}

const valuesByName = z.record(z.string(), z.unknown());

export function hasValidTypes<F extends Fields>(fields: F, values: unknown): values is FormValues<F> {
  const parsed = valuesByName.safeParse(values);
  if (!parsed.success) return false;
  return Object.entries(fields).every(
    ([name, field]) => field.valueSchema.safeParse(parsed.data[name]).success,
  );
}

/** Computes the initial values of a form. A field without a valid prefilled value starts empty. */
export function computeInitialValues<F extends Fields>(
  fields: F,
  prefill: Readonly<Record<string, unknown>>,
  formContext: FormContext,
): FormValues<F> {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const parsed = field.valueSchema.safeParse(prefill[name]);
      const value = parsed.success && prefill[name] !== undefined ? parsed.data : field.emptyValue;
      return [name, field.computeInitialValue ? field.computeInitialValue(value, formContext) : value];
    }),
  );
  if (!hasValidTypes(fields, values)) throw new Error('the initial value of a field has the wrong type');
  return values;
}

/** Finds the project chosen in a form. Null if none is chosen. */
export function findChosenProject(values: Readonly<Record<string, unknown>>): NamedRecord | null {
  return namedRecord.safeParse(values.project).data ?? null;
}

/** Number of times that the app has set the value of each field. 0 for a field that is missing here. */
export type BlockVersions = Readonly<Record<string, number>>;

/** Builds the action_id of a field's element, or of a button of the form. */
export function buildActionId(form: string, name: string): string {
  return `${form}.${name}`;
}

/**
 * Builds the block_id of a field. While the block_id stays the same, Slack preserves the typed value and ignores a new
 * initial value. So a field gets the next block version when the app sets its value.
 */
export function buildBlockId(field: string, blockVersions: BlockVersions): string {
  return `${field}.${blockVersions[field] ?? 0}`;
}

/** The error under a field if a block below the field shows the whole error. */
const NOTE_BELOW = 'See the note below.';

/** Marks a block below a field that shows an error of the field in the same words, so that people read it once. */
export function attachError<Block extends KnownBlock>(block: Block, error: string | undefined): Block {
  return error === undefined ? block : { ...block, block_id: hashError(error) };
}

/** Whether one of the blocks below a field shows an error. */
export function showsError(blocks: readonly KnownBlock[], error: string): boolean {
  return blocks.some((block) => block.block_id === hashError(error));
}

/** Builds the block_id of a block below a field. `errorHash`: the mark of `attachError`. */
export function buildLowerBlockId(field: string, index: number, version: number, errorHash = ''): string {
  return `${field}-under-${index}.${version}${errorHash === '' ? '' : `.${errorHash}`}`;
}

/** Shortens the errors, by block_id, of fields below which the open view already shows them. */
export function shortenShownErrors(
  errors: Readonly<Record<string, string>>,
  { blockIds }: { blockIds: readonly string[] },
): Record<string, string> {
  const isShown = (blockId: string, error: string) => {
    const [field = ''] = blockId.split('.');
    return blockIds.some((id) => id.startsWith(`${field}-under-`) && id.endsWith(`.${hashError(error)}`));
  };
  return Object.fromEntries(
    Object.entries(errors).map(([blockId, error]) => [blockId, isShown(blockId, error) ? NOTE_BELOW : error]),
  );
}

function hashError(error: string): string {
  return createHash('sha256').update(error).digest('base64url').slice(0, 16);
}

/** Parses the block versions of an open form from the ids of its blocks. */
export function parseBlockVersions(fields: readonly string[], blockIds: readonly string[]): BlockVersions {
  const entries = blockIds.flatMap((id) => {
    const [, field = '', digits] = /^([\w-]+)\.(\d{1,5})$/.exec(id) ?? [];
    return fields.includes(field) ? [[field, Number(digits)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Finds the value of a field's chosen option in a submitted view. */
export function findChosenValue(values: ViewValues, field: string): string | undefined {
  const blockId = buildBlockId(field, parseBlockVersions([field], Object.keys(values)));
  return getChosenOption(values, blockId)?.value;
}

/** Increments the block versions of the fields whose values the app is about to set. */
export function incrementBlockVersions(
  blockVersions: BlockVersions,
  fields: readonly string[],
): BlockVersions {
  const next = fields.map((field) => [field, (blockVersions[field] ?? 0) + 1] as const);
  return { ...blockVersions, ...Object.fromEntries(next) };
}
