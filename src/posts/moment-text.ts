import { isZone, sayMoment } from '../when/when.ts';

/** An instant in the zone that it was meant in, or in UTC if that zone is missing or unknown. */
export function momentText(instant: Date, zone: string | undefined, now: Date): string {
  return sayMoment({ instant, zone: zone !== undefined && isZone(zone) ? zone : 'UTC' }, { now });
}

/**
 * mrkdwn that Slack renders in each reader's own zone:
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function readerMomentText(instant: Date, fallback: string): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<!date^${seconds}^{date_short}, {time}|${fallback}>`;
}

/** The moment in the reader's own zone. Undefined if that is the same wall time, or the zone is unknown. */
export function momentInReaderZone(
  instant: Date,
  zone: string,
  readerZone: string | undefined,
  now: Date,
): string | undefined {
  if (readerZone === undefined || !isZone(readerZone)) return undefined;
  const [there, here] = [momentText(instant, zone, now), momentText(instant, readerZone, now)];
  const withoutPlace = (words: string) => words.replace(/ \([^)]*\)$/, '');
  return withoutPlace(there) === withoutPlace(here) ? undefined : here;
}
