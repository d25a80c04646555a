/**
 * The way of one occurrence of a digest, as a table. One row in the database for each; its key is the digest and the
 * local date that is meant.
 *
 *   due → claimed → sending → posted         then its thread and direct messages follow
 *           │          ├→ due                certainly not applied: again, a little later
 *           │          ├→ looking → posted   nobody knows: looked for in the channel
 *           │          │          ├→ uncertain → posted (it is there) | due (post again): its owner says
 *           │          │          └→ paused   nobody wants it any more: its digest was removed, then or before
 *           │          ├→ paused             there is nowhere to post to
 *           │          └→ missed             Slack takes it in no form
 *           └→ silent | missed | paused | due (the service does not answer, or Slack takes no more just now)
 *
 * Whoever finds `claimed` abandoned may go on with it; whoever finds `sending` abandoned knows nothing, and looks.
 */
const STATES = [
  'due',
  'claimed',
  'sending',
  'looking',
  'posted',
  'uncertain',
  'missed',
  'paused',
  'silent',
] as const;
export type State = (typeof STATES)[number];

interface StateRule {
  to: readonly State[];
  /** It goes on by itself. */
  moves: boolean;
  /** Its owner is told when it comes here. */
  tells: boolean;
}

const RULES: Readonly<Record<State, StateRule>> = {
  due: { to: ['claimed'], moves: true, tells: false },
  claimed: { to: ['sending', 'due', 'silent', 'missed', 'paused'], moves: true, tells: false },
  sending: { to: ['posted', 'due', 'looking', 'missed', 'paused'], moves: true, tells: false },
  looking: { to: ['posted', 'uncertain', 'paused'], moves: true, tells: false },
  uncertain: { to: ['posted', 'due', 'paused'], moves: false, tells: true },
  posted: { to: [], moves: false, tells: false },
  missed: { to: [], moves: false, tells: true },
  // The pause itself is told.
  paused: { to: [], moves: false, tells: false },
  silent: { to: [], moves: false, tells: false },
};

/** Cases of states that have more than one. */
const WHYS = [
  'late',
  'refused',
  'removed',
  'asked',
  'service',
  'plain',
  'person',
  'found',
  'service-down',
  /** Slack or the database did not say what its reader may see, who reads its channel, or whether the app is there. */
  'not-checked',
  /** A backup was put back: another instance may have posted it since. */
  'restored',
] as const;
export type Why = (typeof WHYS)[number];

function isState(state: string): state is State {
  return Object.hasOwn(RULES, state);
}

export function ruleOf(state: string): StateRule {
  if (!isState(state)) throw new Error(`a digest is in the state "${state}", unknown to this version`);
  return RULES[state];
}
