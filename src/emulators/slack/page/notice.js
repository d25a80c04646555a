import { afterServer } from './state.js';

/** Slackbot has no account in a small workspace. */
export const SLACKBOT = 'USLACKBOT';

let notices = 0;

/**
 * Adds a notice to the open channel, as a message that only the person sees.
 * @param {import('./state.js').PageState} state
 * @param {string} text
 * @param {string} [channel] where it belongs; else where the person is
 * @returns {import('./state.js').PageState}
 */
export function withNotice(state, text, channel = state.place.channel) {
  if (state.world === undefined) return state;
  notices += 1;
  const ts = `${Math.floor((Date.now() + state.ahead) / 1000)}.${String(notices).padStart(6, '0')}`;
  const message = { ts, channel, user: SLACKBOT, text, ephemeralTo: state.world.me.id };
  return afterServer(state, { type: 'message', message });
}
