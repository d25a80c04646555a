import type { Change, State } from '../../../forms/form.ts';
import { isZone, type Moment, sayMoment } from '../../../when/when.ts';
import type { fields } from './fields.ts';
import type { PostFacts } from './post-facts.ts';
import { readWhen } from './read-when.ts';
import { movedTo } from './settle-when.ts';
import { notesOf } from './when-words.ts';
import { zoneOfWriting } from './zone-field.ts';

/** Moments as a button carries them: 20 of them, which are the most, take less than half of its 2,000 characters. */
export function choiceValue(moments: readonly Moment[]): string {
  return moments.map(({ instant, zone }) => `${instant.getTime()} ${zone}`).join(',');
}

/** A press on what the words can mean: the words become that moment's, or stand for the chosen list. */
export function chooseMoment(
  value: string | undefined,
  state: State<typeof fields, PostFacts>,
): Change<typeof fields, PostFacts> {
  const { typed, facts, now } = state;
  const moments = readChoice(value);
  const [first, ...others] = moments;
  if (!first) return {};
  // A list in words would be longer than the field: its own words stay, and stand for what was chosen.
  const words = others.length === 0 ? sayMoment(first, { now }) : typed.when.trim();
  const base = zoneOfWriting(typed.zone);
  const zone = moments.every((moment) => moment.zone === first.zone) ? first.zone : base;
  // What was assumed about the words holds for what was chosen of them.
  const notes = [...notesOf(readWhen(state))];
  const ofOne = others.length === 0 ? notes : [];
  const shown = moments.map((moment) => ({
    ...moment,
    instant: moment.instant.toISOString(),
    notes: ofOne,
  }));
  return {
    typed: { when: words, zone: movedTo(zone, base, typed.zone.usual) },
    facts: {
      ...facts,
      shown: { words, zone: base, moments: shown, notes: others.length === 0 ? [] : notes },
    },
  };
}

function readChoice(value = ''): Moment[] {
  return value.split(',').flatMap((each) => {
    const [at = '', zone = ''] = each.split(' ');
    const instant = new Date(at === '' ? Number.NaN : Number(at));
    return Number.isNaN(instant.getTime()) || !isZone(zone) ? [] : [{ instant, zone }];
  });
}
