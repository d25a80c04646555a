import { z } from 'zod';
import type { Field } from '../../../forms/field.ts';
import { zone } from '../../../forms/inputs/zone.ts';
import { chosenOption } from '../../../slack/view-values.ts';
import { isZone } from '../../../when/when.ts';

/**
 * The zone of a post, and how it came to be in the field: `writtenIn` where the words have moved the field to a zone
 * that they name, `usual` while nobody has chosen one. All of it stands in the option's value, so that it is never
 * newer or older than what the person sees.
 */
const postZone = z.object({
  zone: z.string(),
  writtenIn: z.string().optional(),
  usual: z.boolean().optional(),
});
export type PostZone = z.infer<typeof postZone>;

const USUAL = 'usual';
const plain = zone({ label: 'Time zone', api: 'Timezone', optional: true, live: true });
const { label, optional, live, api, search } = plain;

export const zoneField: Field<PostZone> = {
  label,
  optional,
  live,
  api,
  ...(search && { search }),
  empty: { zone: '' },
  value: postZone,
  element({ value, ...at }) {
    const element = plain.element({ ...at, value: value.zone });
    if (element.type !== 'external_select' || !element.initial_option) return element;
    // Two zones and a word: at most 71 characters of an option's 75.
    return { ...element, initial_option: { ...element.initial_option, value: encoded(value) } };
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
  from: (words) => (isZone(words) ? { zone: words } : undefined),
  fault: ({ zone: name }, loaded) => plain.fault?.(name, loaded),
};

/** Where the words are written: not the zone that they themselves have moved the field to. */
export function zoneOfWriting({ zone: name, writtenIn }: PostZone): string {
  return writtenIn ?? name;
}

function encoded({ zone: name, writtenIn, usual }: PostZone): string {
  return [name, ...(writtenIn === undefined ? [] : [writtenIn]), ...(usual ? [USUAL] : [])].join(' ');
}
