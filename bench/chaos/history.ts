/** The state of a post as the app reported it to the author. */
export type ReportedState =
  /** The post is in the service. */
  | 'confirmed'
  /** The post is saved, and the app will send it. */
  | 'saved'
  /** The app doesn't know whether the post was saved. */
  | 'unsure'
  /** The post was certainly neither saved nor sent. */
  | 'not-saved'
  /** The post waits for a decision of its author, who sees buttons. */
  | 'needs-author'
  /** The service refused the post. */
  | 'refused'
  /** Slack showed its own error, because the app did not answer. */
  | 'no-answer'
  /** A text that this benchmark doesn't recognize. */
  | 'unrecognized';

/**
 * `form` is the form's number, or 0 for an event without a form. An author may write the same text in several forms,
 * each of which may send it once. `at` is the time in ms.
 */
export type PostEvent = { at: number; form: number } & (
  | { kind: 'submitted' }
  | { kind: 'reported'; state: ReportedState; text: string }
  | { kind: 'pressed'; button: string }
  /** The number of posts with this text in the service changed. */
  | { kind: 'count-changed'; count: number }
  | { kind: 'note'; text: string }
);

export interface PostHistory {
  /** A unique text at the start of the content. */
  token: string;
  content: string;
  author: string;
  events: PostEvent[];
}

/** An event that isn't about one post, such as a fault. */
export interface Incident {
  at: number;
  text: string;
}

/** Returns the last report about each form, or 'nothing' if there is none since the form was last submitted. */
export function getLastReports({ events }: PostHistory): Map<number, ReportedState | 'nothing'> {
  const reports = new Map<number, ReportedState | 'nothing'>();
  for (const event of events) {
    if (event.kind === 'submitted') reports.set(event.form, 'nothing');
    if (event.kind === 'reported' && reports.has(event.form)) reports.set(event.form, event.state);
  }
  return reports;
}

/** Whether the app last reported that it will send the post. */
export function isInFlight({ events }: PostHistory): boolean {
  return events.findLast((event) => event.kind === 'reported')?.state === 'saved';
}

/** A timeline includes incidents within these times before the first and after the last event of a post. */
const BEFORE_MS = 3_000;
const AFTER_MS = 1_000;

/** Formats the events of a post and the incidents around them, one per line. */
export function formatTimeline(
  post: PostHistory,
  incidents: readonly Incident[],
  startedAt: number,
): string[] {
  const [first, last] = [post.events[0]?.at ?? 0, post.events.at(-1)?.at ?? 0];
  const nearbyIncidents = incidents
    .filter(({ at }) => at >= first - BEFORE_MS && at <= last + AFTER_MS)
    .map(({ at, text }) => ({ at, text: `· ${text}` }));
  const postEvents = post.events.map((event) => ({ at: event.at, text: `  ${formatEvent(event)}` }));
  return [...nearbyIncidents, ...postEvents]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => `${((at - startedAt) / 1000).toFixed(2).padStart(8)} ${text}`);
}

function formatEvent(event: PostEvent): string {
  const form = `form ${event.form}`;
  switch (event.kind) {
    case 'submitted':
      return `${form}: submitted`;
    case 'reported':
      return `${form}: reported ${event.state}: ${event.text.replace(/\s+/g, ' ').slice(0, 160)}`;
    case 'pressed':
      return `${form}: pressed [${event.button}]`;
    case 'count-changed':
      return `the service has ${event.count}`;
    case 'note':
      return `${form}: ${event.text}`;
  }
}
