import { applyServerMessage, type PageState } from './state.ts';

/** User id of Slackbot, which has no account in the workspace. */
export const SLACKBOT = 'USLACKBOT';

let noticeCount = 0;

/** Adds a message from Slackbot that only this person sees. The channel defaults to the open one. */
export function addNotice(state: PageState, text: string, channel: string = state.route.channel): PageState {
  if (state.workspace === undefined) return state;
  noticeCount += 1;
  const ts = `${Math.floor((Date.now() + state.clockOffsetMs) / 1000)}.${String(noticeCount).padStart(6, '0')}`;
  const message = { ts, channel, user: SLACKBOT, text, ephemeralTo: state.workspace.me.id };
  return applyServerMessage(state, { type: 'message', message });
}
