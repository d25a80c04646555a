import { z } from 'zod';
import { option, plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { chosenOption } from '../../slack/view-values.ts';
import { isZone, searchZones } from '../../when/when.ts';
import { type Field, type Labelled, labels } from '../field.ts';

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
    read: (values, blockId) => chosenOption(values, blockId)?.value ?? '',
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
