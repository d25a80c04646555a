import { isZone, type Moment, understandMoment, withStepBudget } from '../../../when/when.ts';
import { choicesOf, readWhen, type WhenState } from '../form/read-when.ts';
import { zoneOfWriting } from '../form/zone-field.ts';

/** What people choose most often where they have not said when. */
const USUAL = ['in 1 hour', 'tomorrow 9am', 'monday 9am'];

/** Moments to press: those that the words can mean, else a few usual ones. */
export function offeredMoments(state: WhenState): readonly (readonly Moment[])[] {
  const choices = choicesOf(readWhen(state));
  const zone = zoneOfWriting(state.typed.zone);
  if (choices.length > 0 || !isZone(zone)) return choices;
  const byInstant = new Map<number, Moment>();
  for (const text of USUAL) {
    // These are ours, whatever the person's words have cost.
    const reading = withStepBudget(() => understandMoment({ text, now: state.now, zone }));
    if (reading.kind === 'understood') byInstant.set(reading.moment.instant.getTime(), reading.moment);
  }
  return [...byInstant.values()].map((moment) => [moment]);
}
