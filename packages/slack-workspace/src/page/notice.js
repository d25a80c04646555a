import { applyServerMessage } from './state.js';

/** User id of Slackbot, which has no account in the workspace. */
export const SLACKBOT = 'USLACKBOT';

let noticeCount = 0;

/**
 * Adds a message from Slackbot that only this person sees.
 * @param {import('./state.js').PageState} state
 * @param {string} text
 * @param {string} [channel] Defaults to the open channel.
 * @returns {import('./state.js').PageState}
 */
export function addNotice(state, text, channel = state.route.channel) {
  if (state.workspace === undefined) return state;
  noticeCount += 1;
  const ts = `${Math.floor((Date.now() + state.clockOffsetMs) / 1000)}.${String(noticeCount).padStart(6, '0')}`;
  const message = { ts, channel, user: SLACKBOT, text, ephemeralTo: state.workspace.me.id };
  return applyServerMessage(state, { type: 'message', message });
}
