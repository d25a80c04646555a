import { z } from 'zod';
import { option, plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { chosenOption } from '../../slack/view-values.ts';
import { isZone, searchZones } from '../../when/when.ts';
import { type Field, type Labelled, labels } from '../field.ts';

/** A time zone, searched by city, zone or offset: its IANA name, '' until one is chosen. */
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
    read: (values, blockId) => chosenOption(values, blockId)?.value ?? '',
    from: (words) => (isZone(words) ? words : undefined),
    fault: (value) => {
      if (value === '') return field.optional ? undefined : 'Choose the time zone.';
      return isZone(value) ? undefined : 'This is no time zone that I know. Choose another.';
    },
    search: async ({ query, call }) =>
      searchZones(query, call.now())
        .slice(0, LIMITS.options)
        .map((choice) => option(choice.label, choice.zone)),
  };
}

/** Clocks change on a quarter of an hour. */
const SAME_MS = 15 * 60 * 1000;
const known = new Map<string, { since: number; label: string }>();

/** Of each zone kept for as long as it cannot differ: it is searched among all of them, for every view that shows it. */
function zoneLabel(zone: string, now: Date): string {
  const since = Math.floor(now.getTime() / SAME_MS);
  const kept = known.get(zone);
  if (kept?.since === since) return kept.label;
  const label = searchZones(zone, now).find((choice) => choice.zone === zone)?.label;
  if (label !== undefined) known.set(zone, { since, label });
  return label ?? zone;
}
