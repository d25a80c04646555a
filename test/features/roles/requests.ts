import { randomUUID } from 'node:crypto';
import { getWorkspaceId } from './three-workspaces.ts';

/** Minimal payloads in Slack's format. */

/** Owners and managers use different channels, because in one channel they would see each other's changes. */
const getChannel = (user: string) => (user.startsWith('U0OWNER') ? 'C1' : 'C2');

export function buildCommand(workspaceNumber: number, user_id: string, text: string): object {
  const commandFields = {
    team_id: getWorkspaceId(workspaceNumber),
    channel_id: getChannel(user_id),
    trigger_id: randomUUID(),
  };
  return { ...commandFields, response_url: 'https://example.com', command: '/upnext', text, user_id };
}

export function buildMention(workspaceNumber: number, user: string, text: string): object {
  const event = { type: 'app_mention', user, channel: getChannel(user), ts: '1.1', text: `<@U0BOT> ${text}` };
  return { type: 'event_callback', event_id: randomUUID(), team_id: getWorkspaceId(workspaceNumber), event };
}

const buildActorFields = (workspaceNumber: number, id: string) => ({
  ...{
    team: { id: getWorkspaceId(workspaceNumber) },
    user: { id },
    trigger_id: randomUUID(),
    channel: { id: getChannel(id) },
  },
});

/** Builds a press of a button or a choice in a menu, with the same value. */
export function buildPress(
  workspaceNumber: number,
  user: string,
  action_id: string,
  value = '',
  view?: object,
): object {
  const action = { action_id, type: 'button', value, selected_option: { value } };
  const source = view ? { view } : { container: { message_ts: '1.1' } };
  return { type: 'block_actions', ...buildActorFields(workspaceNumber, user), ...source, actions: [action] };
}

/** Builds a form's view with these values. */
export function buildView(form: { callback: string; metadata: string }, values: object): object {
  const blocks = Object.keys(values).map((block_id) => ({ block_id }));
  const { callback: callback_id, metadata: private_metadata } = form;
  return { id: 'V1', hash: 'h', callback_id, private_metadata, blocks, state: { values } };
}

export function buildSubmission(workspaceNumber: number, user: string, view: object): object {
  return { type: 'view_submission', ...buildActorFields(workspaceNumber, user), view };
}

/** Builds an empty search in a menu. */
export function buildSearch(workspaceNumber: number, user: string, action_id: string, view: object): object {
  return { type: 'block_suggestion', ...buildActorFields(workspaceNumber, user), action_id, value: '', view };
}
