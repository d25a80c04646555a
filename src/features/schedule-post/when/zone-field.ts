import { z } from 'zod';
import type { Field } from '../../../forms/field.ts';
import { zoneField } from '../../../forms/inputs/choice.ts';
import { getChosenOption } from '../../../slack/interaction-values.ts';
import { isZone } from '../../../when/when.ts';

/**
 * `zone` is the zone in the field. If that zone came from the text, `parsedIn` is the zone in which the text was
 * parsed. `isDefault` is true while nobody has chosen a zone. The value of the select's option contains all three, so
 * that they always match the zone that the person sees.
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
const { label, optional, isLive, apiFields: api, search } = baseField;

export const postZoneField: Field<PostZone> = {
  label,
  optional,
  isLive,
  apiFields: api,
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
    const [name = '', ...parts] = (getChosenOption(values, blockId)?.value ?? '').split(' ');
    const parsedIn = parts.find((part) => part !== DEFAULT_MARK);
    return {
      zone: name,
      ...(parsedIn !== undefined && { parsedIn }),
      ...(parts.includes(DEFAULT_MARK) && { isDefault: true }),
    };
  },
  parsePrefill: (text) => (isZone(text) ? { zone: text } : undefined),
  validate: ({ zone: name }, formContext) => baseField.validate?.(name, formContext),
};

/** Returns the zone in which the text is parsed, even if the text names another zone. */
export function getParsingZone({ zone: name, parsedIn }: PostZone): string {
  return parsedIn ?? name;
}

function encodeZone({ zone: name, parsedIn, isDefault }: PostZone): string {
  return [name, ...(parsedIn === undefined ? [] : [parsedIn]), ...(isDefault ? [DEFAULT_MARK] : [])].join(
    ' ',
  );
}
