import { z } from 'zod';
import type { Field } from '../../../forms/field.ts';
import { zoneField } from '../../../forms/inputs/choice.ts';
import { chosenOption } from '../../../slack/view-values.ts';
import { isZone } from '../../../when/when.ts';

/**
 * The zone of a post and its origin. `writtenIn` is the zone in which the text is read, if the text names another zone
 * and that zone is now in the field. `usual` is true while nobody has chosen a zone. The select's option stores all of
 * this in its value, so that it always matches what the person sees.
 */
const postZone = z.object({
  zone: z.string(),
  writtenIn: z.string().optional(),
  usual: z.boolean().optional(),
});
export type PostZone = z.infer<typeof postZone>;

const USUAL = 'usual';
const plain = zoneField({ label: 'Time zone', api: 'Timezone', optional: true, isLive: true });
const { label, optional, isLive, api, search } = plain;

export const postZoneField: Field<PostZone> = {
  label,
  optional,
  isLive,
  api,
  ...(search && { search }),
  emptyValue: { zone: '' },
  valueSchema: postZone,
  renderElement({ value, ...at }) {
    const element = plain.renderElement({ ...at, value: value.zone });
    if (element.type !== 'external_select' || !element.initial_option) return element;
    // Two zones and a word take at most 71 of the 75 characters of an option's value.
    return { ...element, initial_option: { ...element.initial_option, value: encodeZone(value) } };
  },
  read(values, blockId) {
    const [name = '', ...how] = (chosenOption(values, blockId)?.value ?? '').split(' ');
    const writtenIn = how.find((word) => word !== USUAL);
    return {
      zone: name,
      ...(writtenIn !== undefined && { writtenIn }),
      ...(how.includes(USUAL) && { usual: true }),
    };
  },
  parsePrefill: (words) => (isZone(words) ? { zone: words } : undefined),
  validate: ({ zone: name }, formContext) => plain.validate?.(name, formContext),
};

/** The zone in which the text is read, even if the text names another zone. */
export function zoneOfWriting({ zone: name, writtenIn }: PostZone): string {
  return writtenIn ?? name;
}

function encodeZone({ zone: name, writtenIn, usual }: PostZone): string {
  return [name, ...(writtenIn === undefined ? [] : [writtenIn]), ...(usual ? [USUAL] : [])].join(' ');
}
