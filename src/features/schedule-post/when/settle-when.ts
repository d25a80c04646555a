import type { Change, State } from '../../../forms/form.ts';
import { usualZone } from '../../../preferences/zones.ts';
import type { fields } from '../form/fields.ts';
import type { PostFacts } from '../form/post-facts.ts';
import { momentsOf, readWhen, zoneMeant } from './read-when.ts';
import { type PostZone, zoneOfWriting } from './zone-field.ts';

type PostState = State<typeof fields, PostFacts>;

/** What follows from the words, the zone and the project: the zone field, and which moments were shown. */
export function settleWhen(before: PostState): Change<typeof fields, PostFacts> {
  const zone = withUsual(before);
  const state = { ...before, typed: { ...before.typed, zone } };
  const reading = readWhen(state);
  const base = zoneOfWriting(zone);
  // While words are half written nothing is known of their zone: what was moved stays.
  const meant = zoneMeant(reading) ?? (reading === undefined ? base : zone.zone);
  const typed = { zone: movedTo(meant, base, zone.usual) };
  const moments = momentsOf(reading);
  if (moments.length === 0) return { typed };
  const shown = {
    words: before.typed.when.trim(),
    zone: base,
    moments: moments.map(({ moment, notes }) => ({
      instant: moment.instant.toISOString(),
      zone: moment.zone,
      notes: [...notes],
    })),
    notes: reading?.kind === 'several' ? [...reading.of.notes] : [],
  };
  return { typed, facts: { ...before.facts, shown } };
}

/** The moment that was shown is over, and another can be pressed instead. */
export function whenOvertaken(state: PostState): 'when' | undefined {
  const { typed, facts } = state;
  if (facts.shown?.words !== typed.when.trim()) return undefined;
  const reading = readWhen(state);
  return reading?.kind === 'past' && reading.suggestion ? 'when' : undefined;
}

/** At first the zone that is usual there; another project brings its own, unless somebody has chosen a zone. */
function withUsual({ typed: { zone, project }, facts }: PostState): PostZone {
  const usual = usualZone(facts.zones, project?.id)?.zone ?? '';
  if (zone.zone !== '' && (!zone.usual || zoneOfWriting(zone) === usual)) return zone;
  return { zone: usual, ...(usual !== '' && { usual: true }) };
}

/** The field at this zone, which the words name where it is not the one that they are written in. */
export function movedTo(zone: string, base: string, usual: boolean | undefined): PostZone {
  return { zone, ...(zone !== base && { writtenIn: base }), ...(usual && { usual }) };
}
