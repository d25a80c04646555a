import { escapeText } from '../slack/blocks.ts';
import { formatMoment, isZone, zoneName } from '../when/when.ts';

/** The zone and locale of the one person who reads a text. Each is absent if it is unknown. */
export interface Viewer {
  zone?: string | undefined;
  /** E.g. `en-US`. */
  locale?: string | undefined;
}

/** The person who reads a text, or everyone in a channel. */
export type Viewers = Viewer | 'everyone';

/** A post's time as its viewers read it. */
interface PostTime {
  /** Plain text: "Tue 1 Dec, 08:00 (Lisbon)". */
  plain: string;
  /** The same as mrkdwn. For everyone, Slack shows it in the zone and with the clock of each reader. */
  mrkdwn: string;
  /** "Tue 1 Dec". */
  day: string;
  /** "08:00". */
  clock: string;
  /** The time in the post's own zone, in plain text. Absent if the viewer reads that time already. */
  original?: string;
}

/**
 * Renders a post's time: the viewer's time first, with the viewer's clock, and the time in the post's zone if it
 * differs. Everyone reads only their own time, because Slack doesn't tell us whether it differs.
 */
export function renderPostTime(
  post: { instant: Date; zone: string | undefined },
  viewers: Viewers,
  now: Date,
): PostTime {
  const { instant, zone } = post;
  const viewer = viewers === 'everyone' ? {} : viewers;
  const hasTwelveHours = usesTwelveHours(viewer.locale);
  const render = (shownZone: string) => formatMoment({ instant, zone: shownZone }, { now, hasTwelveHours });
  const postZone = zone !== undefined && isZone(zone) ? zone : undefined;
  const viewerZone = viewer.zone !== undefined && isZone(viewer.zone) ? viewer.zone : undefined;
  const postText = postZone === undefined ? undefined : render(postZone);
  const viewerText = viewerZone === undefined ? undefined : render(viewerZone);
  const isSameTime =
    postText !== undefined && viewerText !== undefined && removePlace(postText) === removePlace(viewerText);
  const plain = (isSameTime ? postText : (viewerText ?? postText)) ?? render('UTC');
  const place = ` (${zoneName((isSameTime ? postZone : (viewerZone ?? postZone)) ?? 'UTC')})`;
  const [day = ''] = plain.split(', ');
  const clock = plain.slice(day.length + 2);
  return {
    plain,
    mrkdwn: viewers === 'everyone' ? renderMomentForReaders(instant, escapeText(plain)) : escapeText(plain),
    day,
    clock: clock.endsWith(place) ? clock.slice(0, -place.length) : clock,
    ...(postText !== undefined && viewerText !== undefined && !isSameTime && { original: postText }),
  };
}

/** Removes the day from a rendered moment if it equals `day`. */
export function stripDay(day: string, moment: string): string {
  return moment.startsWith(`${day}, `) ? moment.slice(day.length + 2) : moment;
}

/** Whether people with this locale read a 12-hour clock. Slack doesn't tell apps about its own setting for this. */
function usesTwelveHours(locale: string | undefined): boolean {
  if (locale === undefined) return false;
  try {
    return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  } catch {
    // Not a locale.
    return false;
  }
}

/** Renders an instant in a zone, or in UTC if the zone is missing or unknown. */
export function renderMoment(instant: Date, zone: string | undefined, now: Date): string {
  return formatMoment({ instant, zone: zone !== undefined && isZone(zone) ? zone : 'UTC' }, { now });
}

/**
 * Renders an instant as mrkdwn that Slack shows in the zone of each reader. `fallback` is mrkdwn too:
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function renderMomentForReaders(instant: Date, fallback: string): string {
  const seconds = Math.floor(instant.getTime() / 1000);
  return `<!date^${seconds}^{date_short}, {time}|${fallback}>`;
}

/**
 * Renders an instant in the actor's zone. Undefined if the wall time is the same in both zones, or the zone is unknown.
 */
export function renderMomentInActorZone(
  instant: Date,
  zone: string,
  actorZone: string | undefined,
  now: Date,
): string | undefined {
  if (actorZone === undefined || !isZone(actorZone)) return undefined;
  const [postText, actorText] = [renderMoment(instant, zone, now), renderMoment(instant, actorZone, now)];
  return removePlace(postText) === removePlace(actorText) ? undefined : actorText;
}

function removePlace(moment: string): string {
  return moment.replace(/ \([^)]*\)$/, '');
}
