import { earliestMoment } from './decide.ts';
import { formatMoment } from './format-moment.ts';
import type { Moment, MomentReading } from './moment.ts';

/** A reading as lines for a terminal: what was understood, what was assumed, or what to write instead. */
export function describeReading(
  reading: MomentReading,
  shownTo: { now: Date; locale?: string | undefined },
): string {
  const say = (moment: Moment): string => formatMoment(moment, shownTo);
  switch (reading.kind) {
    case 'understood':
    case 'shifted':
      return [say(reading.moment), ...reading.notes].join('\n');
    case 'now': {
      const { zone } = reading.moment;
      const earliest = say(earliestMoment(zone, shownTo.now));
      return `Now: ${say(reading.moment)}\nThe earliest time for a post: ${earliest}`;
    }
    case 'ambiguous':
      return ['Which one?', ...reading.candidates.map((moment) => `  ${say(moment)}`), ...reading.notes].join(
        '\n',
      );
    case 'past':
      return [`${say(reading.moment)} has passed.`, ...suggested(reading.suggestion, say)].join('\n');
    case 'not-understood':
      return [
        ...suggested(reading.suggestion, say),
        refusal(reading),
        ...reading.examples.map((example) => `  ${example}`),
      ].join('\n');
  }
}

function suggested(moment: Moment | undefined, say: (moment: Moment) => string): readonly string[] {
  return moment === undefined ? [] : [`Perhaps ${say(moment)}?`];
}

function refusal({ unparsedText, reason }: { unparsedText: string; reason: string }): string {
  return `${unparsedText === '' ? '' : `Not understood: “${unparsedText}”. `}${reason} These would work:`;
}
