/** What an author reads about a post of theirs, by what it promises. */
export type Told =
  /** It stands in the service. */
  | 'confirmed'
  /** It is stored and on its way. */
  | 'saved'
  /** Nobody knows whether it was stored. */
  | 'unsure'
  /** For certain, nothing was stored or sent. */
  | 'not-saved'
  /** It waits for its author, with buttons. */
  | 'in-hand'
  /** The service did not take it. */
  | 'refused'
  /** Slack's own words: the app did not answer. */
  | 'trouble'
  /** Words that this bench does not know. */
  | 'unclear';

/** `form` numbers the forms in which the author wrote the same words: each may send them once. */
export type PostEvent = { at: number; form: number } & (
  | { kind: 'submitted' }
  | { kind: 'told'; told: Told; text: string }
  | { kind: 'pressed'; button: string }
  /** How many posts with these words the service has from now on. */
  | { kind: 'held'; count: number }
  | { kind: 'note'; text: string }
);

export interface PostHistory {
  /** The words that no other post has: they begin its content. */
  token: string;
  content: string;
  author: string;
  events: PostEvent[];
}

/** What happened outside, for everybody. */
export interface Incident {
  at: number;
  text: string;
}

/** The last that the author was told of each form since they last submitted it. */
export function lastTold({ events }: PostHistory): Map<number, Told | 'nothing'> {
  const told = new Map<number, Told | 'nothing'>();
  for (const event of events) {
    if (event.kind === 'submitted') told.set(event.form, 'nothing');
    if (event.kind === 'told' && told.has(event.form)) told.set(event.form, event.told);
  }
  return told;
}

/** Still on its way, as far as its author was told. */
export function isOnItsWay({ events }: PostHistory): boolean {
  return events.findLast((event) => event.kind === 'told')?.told === 'saved';
}

const BEFORE_MS = 3_000;
const AFTER_MS = 1_000;

/** Everything that happened to a post, with what happened around it, a line each. */
export function timeline(post: PostHistory, incidents: readonly Incident[], began: number): string[] {
  const [first, last] = [post.events[0]?.at ?? 0, post.events.at(-1)?.at ?? 0];
  const around = incidents
    .filter(({ at }) => at >= first - BEFORE_MS && at <= last + AFTER_MS)
    .map(({ at, text }) => ({ at, text: `· ${text}` }));
  const own = post.events.map((event) => ({ at: event.at, text: `  ${lineOf(event)}` }));
  return [...around, ...own]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => `${((at - began) / 1000).toFixed(2).padStart(8)} ${text}`);
}

function lineOf(event: PostEvent): string {
  const form = `form ${event.form}`;
  switch (event.kind) {
    case 'submitted':
      return `${form}: submitted`;
    case 'told':
      return `${form}: told ${event.told}: ${event.text.replace(/\s+/g, ' ').slice(0, 160)}`;
    case 'pressed':
      return `${form}: pressed [${event.button}]`;
    case 'held':
      return `the service has ${event.count}`;
    case 'note':
      return `${form}: ${event.text}`;
  }
}
