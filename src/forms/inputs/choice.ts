import { z } from 'zod';
import { MINUTE_MS } from '../../durations.ts';
import { option, plain } from '../../slack/blocks.ts';
import { getChosenOption, getChosenValues } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { isZone, searchZones } from '../../when/zones.ts';
import { buildCommonProperties, type Field, type FieldOptions } from '../field.ts';
import type { FormContext } from '../form-context.ts';

/** An option with its value and its displayed name. Checkboxes show the description below the name. */
interface Choice<Value extends string> {
  value: Value;
  name: string;
  description?: string;
}

interface SingleChoiceOptions<Value extends string> extends FieldOptions {
  choices: readonly Choice<Value>[];
  /** Preselected option. Defaults to none. */
  initial?: NoInfer<Value>;
  placeholder?: string;
}

interface RadioOptions<Value extends string> extends SingleChoiceOptions<Value> {
  /** Whether the field shows an option. Defaults to all options. */
  isOffered?(value: NoInfer<Value>, formContext: FormContext): boolean;
  /** Another name of an option in some forms. */
  renderName?(value: NoInfer<Value>, formContext: FormContext): string | undefined;
}

/** A field for one of at most ten options, as radio buttons. The value is '' until an option is chosen. */
export function radioField<Value extends string>(options: RadioOptions<Value>): Field<Value | ''> {
  const { choices, isOffered = () => true, renderName } = options;
  return {
    ...buildSingleChoice(options),
    renderElement: ({ actionId, value, formContext }) => {
      const allOptions = choices
        .filter((choice) => isOffered(choice.value, formContext))
        .map(({ name, value: choice }) => option(renderName?.(choice, formContext) ?? name, choice));
      const initial = allOptions.find((item) => item.value === value);
      return {
        type: 'radio_buttons',
        action_id: actionId,
        options: allOptions,
        ...(initial && { initial_option: initial }),
      };
    },
  };
}

/** A field for one of at most 100 options, in a menu. The value is '' until an option is chosen. */
export function selectField<Value extends string>(options: SingleChoiceOptions<Value>): Field<Value | ''> {
  const { placeholder = 'Choose' } = options;
  return {
    ...buildSingleChoice(options),
    renderElement: ({ actionId, value }) => {
      const allOptions = options.choices.map((choice) => option(choice.name, choice.value));
      const initial = allOptions.find((item) => item.value === value);
      return {
        type: 'static_select',
        action_id: actionId,
        placeholder: plain(placeholder, LIMITS.placeholder),
        options: allOptions,
        ...(initial && { initial_option: initial }),
      };
    },
  };
}

function buildSingleChoice<Value extends string>(
  options: SingleChoiceOptions<Value>,
): Omit<Field<Value | ''>, 'renderElement'> {
  const { choices, initial = '' } = options;
  const field = buildCommonProperties(options);
  const findValue = (text: string | undefined): Value | '' =>
    choices.find(({ value }) => value === text)?.value ?? '';
  return {
    ...field,
    emptyValue: initial,
    valueSchema: z.custom<Value | ''>(
      (value) => value === '' || choices.some((choice) => choice.value === value),
    ),
    read: (values, blockId) => findValue(getChosenOption(values, blockId)?.value),
    parsePrefill: (text) => findValue(text) || undefined,
    validate: (value) => (value === '' && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}

interface MultipleChoiceOptions extends FieldOptions {
  choices: readonly Choice<string>[];
  placeholder?: string;
}

/** A field for any of at most 100 options, in a menu. It accepts unknown values; the form's check refuses them. */
export function multiSelectField(options: MultipleChoiceOptions): Field<string[]> {
  const { choices, placeholder = 'Choose' } = options;
  return {
    ...buildMultipleChoice(options),
    renderElement: ({ actionId, value }) => ({
      type: 'multi_static_select',
      action_id: actionId,
      placeholder: plain(placeholder, LIMITS.placeholder),
      ...buildOptionsWithInitial(choices, value),
    }),
  };
}

/** A field for any of at most ten options, as checkboxes. */
export function checkboxesField(options: MultipleChoiceOptions): Field<string[]> {
  return {
    ...buildMultipleChoice(options),
    renderElement: ({ actionId, value }) => ({
      type: 'checkboxes',
      action_id: actionId,
      ...buildOptionsWithInitial(options.choices, value),
    }),
  };
}

function buildMultipleChoice(options: MultipleChoiceOptions): Omit<Field<string[]>, 'renderElement'> {
  const field = buildCommonProperties(options);
  return {
    ...field,
    emptyValue: [],
    valueSchema: z.array(z.string()),
    read: getChosenValues,
    parsePrefill: (text) => text.split(',').filter((item) => item !== ''),
    validate: (value) => (value.length === 0 && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}

function buildOptionsWithInitial(choices: readonly Choice<string>[], chosenValues: readonly string[]) {
  const options = choices.map(({ name, value, description }) => option(name, value, description));
  const initial = options.filter(({ value }) => value !== undefined && chosenValues.includes(value));
  return { options, ...(initial.length > 0 && { initial_options: initial }) };
}

/** A field for an IANA time zone, searched by city, zone or offset. The value is '' until a zone is chosen. */
export function zoneField(options: FieldOptions): Field<string> {
  const field = buildCommonProperties(options);
  return {
    ...field,
    emptyValue: '',
    valueSchema: z.string(),
    renderElement: ({ actionId, value, now }) => ({
      type: 'external_select',
      action_id: actionId,
      min_query_length: 0,
      placeholder: plain('Search for a city or zone', LIMITS.placeholder),
      ...(value !== '' && { initial_option: option(getZoneLabel(value, now), value) }),
    }),
    read: (values, blockId) => getChosenOption(values, blockId)?.value ?? '',
    parsePrefill: (text) => (isZone(text) ? text : undefined),
    validate: (value) => {
      if (value === '') return field.optional ? undefined : 'Choose the time zone.';
      return isZone(value) ? undefined : 'I don’t know this time zone. Choose another.';
    },
    search: async ({ query, call }) =>
      searchZones(query, call.now())
        .slice(0, LIMITS.options)
        .map((choice) => option(choice.label, choice.zone)),
  };
}

/** Lifetime of a cached zone label. UTC offsets change only on the quarter hour. */
const LABEL_LIFETIME_MS = 15 * MINUTE_MS;
const cachedLabels = new Map<string, { quarterHour: number; label: string }>();

/** Gets a zone's label from the cache: each view with a zone would otherwise search all zones for it. */
function getZoneLabel(zone: string, now: Date): string {
  const quarterHour = Math.floor(now.getTime() / LABEL_LIFETIME_MS);
  const cached = cachedLabels.get(zone);
  if (cached?.quarterHour === quarterHour) return cached.label;
  const label = searchZones(zone, now).find((choice) => choice.zone === zone)?.label;
  if (label !== undefined) cachedLabels.set(zone, { quarterHour, label });
  return label ?? zone;
}
