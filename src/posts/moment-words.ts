import { isZone, sayMoment } from '../when/when.ts';

/** A moment in the zone that it was meant in; UTC where that zone is unknown. */
export function momentWords(instant: Date, zone: string | undefined, now: Date): string {
  return sayMoment({ instant, zone: zone !== undefined && isZone(zone) ? zone : 'UTC' }, { now });
}

/**
 * For mrkdwn: Slack writes the moment in each reader's own zone.
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function readersMoment(instant: Date, fallback: string): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<!date^${seconds}^{date_short}, {time}|${fallback}>`;
}

/** The moment in the reader's own zone, where its clock shows something else there; undefined where not. */
export function elsewhere(
  instant: Date,
  zone: string,
  readerZone: string | undefined,
  now: Date,
): string | undefined {
  if (readerZone === undefined || !isZone(readerZone)) return undefined;
  const [there, here] = [momentWords(instant, zone, now), momentWords(instant, readerZone, now)];
  const withoutPlace = (words: string) => words.replace(/ \([^)]*\)$/, '');
  return withoutPlace(there) === withoutPlace(here) ? undefined : here;
}
