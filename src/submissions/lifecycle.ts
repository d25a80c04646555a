/**
 * The way of what a person submits, as a table. One row in the database for each; its key is (workspace, origin, item,
 * revision), and of one origin and item at most one row is active.
 *
 *   saved → sending → confirmed
 *                   ├→ refused    the person edits: next revision
 *                   ├→ retryable  certainly not applied → sending
 *                   └→ unknown → reconciling → confirmed | needs-person
 *   needs-person → confirmed | saved (sent again, asked for) | discarded (asked for)
 *   retryable for 24 h → gave-up;  its moment has passed, unsent → needs-person
 */
export const STATES = [
  'saved',
  'sending',
  'retryable',
  'unknown',
  'reconciling',
  'needs-person',
  'confirmed',
  'refused',
  'gave-up',
  'discarded',
] as const;
export type State = (typeof STATES)[number];

/** What its person can do with it; each is checked against the row as it is when it is pressed. */
const BUTTONS = ['check', 'again', 'edit', 'discard', 'new-time', 'draft'] as const;
export type Button = (typeof BUTTONS)[number];

export interface StateRule {
  to: readonly State[];
  /** Who it waits for. */
  waitsFor: 'us' | 'person' | 'nobody';
  /** Whether the service certainly does not have it, so that it may be changed. */
  notThere: boolean;
  /** Whether its person is told when it comes here. */
  tells: boolean;
  title: string;
  /** What its person reads; NOUN is "post", "invitation" …, DONE the kind's own words. */
  says: string;
  buttons: readonly Button[];
}

export const RULES: Readonly<Record<State, StateRule>> = {
  // Committed, and nothing sent: whoever finds it may send it.
  saved: {
    to: ['sending', 'retryable', 'refused', 'needs-person', 'gave-up', 'confirmed', 'discarded'],
    waitsFor: 'us',
    notThere: true,
    tells: false,
    title: 'Sending…',
    says: 'Saved. Sending… the service has not answered yet.',
    buttons: ['edit', 'discard'],
  },
  // Committed before the socket opens: whoever finds it abandoned knows nothing of the service.
  sending: {
    to: ['confirmed', 'refused', 'retryable', 'unknown'],
    waitsFor: 'us',
    notThere: false,
    tells: false,
    title: 'Sending…',
    says: 'Saved. Sending… the service has not answered yet.',
    buttons: [],
  },
  // The service certainly does not have it, and its content is not to blame.
  retryable: {
    to: ['sending', 'refused', 'gave-up', 'needs-person', 'confirmed', 'discarded'],
    waitsFor: 'us',
    notThere: true,
    tells: false,
    title: 'Waiting',
    says: 'Saved, not sent yet. The service cannot take it just now; I try again by myself, for 24 hours.',
    buttons: ['edit', 'discard'],
  },
  unknown: {
    to: ['reconciling', 'sending', 'confirmed', 'needs-person'],
    waitsFor: 'us',
    notThere: false,
    tells: false,
    title: 'Checking…',
    says: 'Saved. The service did not answer; I am checking, and will not send it twice.',
    buttons: [],
  },
  // It is looked for in what the service lists.
  reconciling: {
    to: ['confirmed', 'needs-person'],
    waitsFor: 'us',
    notThere: false,
    tells: false,
    title: 'Checking…',
    says: 'Saved. The service did not answer; I am checking, and will not send it twice.',
    buttons: [],
  },
  'needs-person': {
    to: ['confirmed', 'saved', 'discarded', 'needs-person'],
    waitsFor: 'person',
    notThere: false,
    tells: true,
    title: 'Not sure',
    says: 'I do not know whether your NOUN was sent.',
    buttons: ['check', 'again', 'discard'],
  },
  confirmed: {
    to: [],
    waitsFor: 'nobody',
    notThere: false,
    tells: true,
    title: 'Done',
    says: 'DONE',
    buttons: [],
  },
  // The service certainly does not have it, and said why.
  refused: {
    to: ['discarded'],
    waitsFor: 'person',
    notThere: true,
    tells: true,
    title: 'Not sent',
    says: 'Not sent. REASON',
    buttons: ['edit', 'discard'],
  },
  'gave-up': {
    to: ['saved', 'discarded'],
    waitsFor: 'person',
    notThere: true,
    tells: true,
    title: 'Not sent',
    says: 'Not sent: the service could not be reached for 24 hours. Your text is below.',
    buttons: ['again', 'edit', 'discard'],
  },
  // Asked for, or another took its place.
  discarded: {
    to: [],
    waitsFor: 'nobody',
    notThere: false,
    tells: false,
    title: 'Discarded',
    says: 'Discarded. I will not send it.',
    buttons: [],
  },
};
