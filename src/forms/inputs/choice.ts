import { z } from 'zod';
import { option, plain } from '../../slack/blocks.ts';
import { getChosenOption, getChosenValues } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { isZone, searchZones } from '../../when/when.ts';
import { type Field, type Labelled, labels } from '../field.ts';

/** An option: the value, and the name that people see. */
interface Choice<Value extends string> {
  value: Value;
  name: string;
}

interface OneOptions<Value extends string> extends Labelled {
  choices: readonly Choice<Value>[];
  /** Preselected option. Defaults to none. */
  initial?: NoInfer<Value>;
  placeholder?: string;
}

/** One of up to ten options, as radio buttons. '' until one is chosen. */
export function radio<Value extends string>(options: OneOptions<Value>): Field<Value | ''> {
  return {
    ...one(options),
    element: ({ actionId, value }) => {
      const all = options.choices.map((choice) => option(choice.name, choice.value));
      const initial = all.find((each) => each.value === value);
      return {
        type: 'radio_buttons',
        action_id: actionId,
        options: all,
        ...(initial && { initial_option: initial }),
      };
    },
  };
}

/** One of up to a hundred options, in a menu. '' until one is chosen. */
export function select<Value extends string>(options: OneOptions<Value>): Field<Value | ''> {
  const { placeholder = 'Choose' } = options;
  return {
    ...one(options),
    element: ({ actionId, value }) => {
      const all = options.choices.map((choice) => option(choice.name, choice.value));
      const initial = all.find((each) => each.value === value);
      return {
        type: 'static_select',
        action_id: actionId,
        placeholder: plain(placeholder, LIMITS.placeholder),
        options: all,
        ...(initial && { initial_option: initial }),
      };
    },
  };
}

function one<Value extends string>(options: OneOptions<Value>): Omit<Field<Value | ''>, 'element'> {
  const { choices, initial = '' } = options;
  const field = labels(options);
  const findValue = (words: string | undefined): Value | '' =>
    choices.find(({ value }) => value === words)?.value ?? '';
  return {
    ...field,
    empty: initial,
    value: z.custom<Value | ''>((value) => value === '' || choices.some((choice) => choice.value === value)),
    read: (values, blockId) => findValue(getChosenOption(values, blockId)?.value),
    from: (words) => findValue(words) || undefined,
    validate: (value) => (value === '' && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}

interface SeveralOptions extends Labelled {
  choices: readonly Choice<string>[];
  placeholder?: string;
}

/** Any of up to a hundred options, in a menu. Values aren't compared with the options: the form's check does that. */
export function several(options: SeveralOptions): Field<string[]> {
  const { choices, placeholder = 'Choose' } = options;
  return {
    ...many(options),
    element: ({ actionId, value }) => ({
      type: 'multi_static_select',
      action_id: actionId,
      placeholder: plain(placeholder, LIMITS.placeholder),
      ...chosenAmong(choices, value),
    }),
  };
}

/** Any of up to ten options, as checkboxes. */
export function checkboxes(options: SeveralOptions): Field<string[]> {
  return {
    ...many(options),
    element: ({ actionId, value }) => ({
      type: 'checkboxes',
      action_id: actionId,
      ...chosenAmong(options.choices, value),
    }),
  };
}

function many(options: SeveralOptions): Omit<Field<string[]>, 'element'> {
  const field = labels(options);
  return {
    ...field,
    empty: [],
    value: z.array(z.string()),
    read: getChosenValues,
    from: (words) => words.split(',').filter((word) => word !== ''),
    validate: (value) => (value.length === 0 && !field.optional ? `Choose “${field.label}”.` : undefined),
  };
}

function chosenAmong(choices: readonly Choice<string>[], chosen: readonly string[]) {
  const options = choices.map(({ name, value }) => option(name, value));
  const initial = options.filter(({ value }) => value !== undefined && chosen.includes(value));
  return { options, ...(initial.length > 0 && { initial_options: initial }) };
}

/** An IANA time zone, searched by city, zone or offset; '' until one is chosen. */
export function zone(options: Labelled): Field<string> {
  const field = labels(options);
  return {
    ...field,
    empty: '',
    value: z.string(),
    element: ({ actionId, value, now }) => ({
      type: 'external_select',
      action_id: actionId,
      min_query_length: 0,
      placeholder: plain('Search for a city or zone', LIMITS.placeholder),
      ...(value !== '' && { initial_option: option(zoneLabel(value, now), value) }),
    }),
    read: (values, blockId) => getChosenOption(values, blockId)?.value ?? '',
    from: (words) => (isZone(words) ? words : undefined),
    validate: (value) => {
      if (value === '') return field.optional ? undefined : 'Choose the time zone.';
      return isZone(value) ? undefined : 'This is no time zone that I know. Choose another.';
    },
    search: async ({ query, call }) =>
      searchZones(query, call.now())
        .slice(0, LIMITS.options)
        .map((choice) => option(choice.label, choice.zone)),
  };
}

/** Offsets change only at quarters of an hour, so a label is valid until the next. */
const LABEL_LIFETIME_MS = 15 * 60 * 1000;
const cachedLabels = new Map<string, { since: number; label: string }>();

/** Cached, because each view that shows a zone would search all zones for its label. */
function zoneLabel(zone: string, now: Date): string {
  const since = Math.floor(now.getTime() / LABEL_LIFETIME_MS);
  const cached = cachedLabels.get(zone);
  if (cached?.since === since) return cached.label;
  const label = searchZones(zone, now).find((choice) => choice.zone === zone)?.label;
  if (label !== undefined) cachedLabels.set(zone, { since, label });
  return label ?? zone;
}
