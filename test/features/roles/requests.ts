import { randomUUID } from 'node:crypto';
import { workspaceId } from './three-workspaces.ts';

/** Minimal payloads as Slack sends them for what a person does. */

/** Owners and managers use different channels. In a shared one, they would see each other's changes. */
const channelOf = (user: string) => (user.startsWith('U0OWNER') ? 'C1' : 'C2');

export function command(number: number, user_id: string, text: string): object {
  const at = { team_id: workspaceId(number), channel_id: channelOf(user_id), trigger_id: 't' };
  return { ...at, response_url: 'https://example.com', command: '/upnext', text, user_id };
}

export function mention(number: number, user: string, words: string): object {
  const event = { type: 'app_mention', user, channel: channelOf(user), ts: '1.1', text: `<@U0BOT> ${words}` };
  return { type: 'event_callback', event_id: randomUUID(), team_id: workspaceId(number), event };
}

const by = (number: number, id: string) => ({
  ...{ team: { id: workspaceId(number) }, user: { id }, trigger_id: 't', channel: { id: channelOf(id) } },
});

/** A press of a button, or a choice in a menu. `value` is used for both. */
export function press(number: number, user: string, action_id: string, value = '', view?: object): object {
  const action = { action_id, type: 'button', value, selected_option: { value } };
  const at = view ? { view } : { container: { message_ts: '1.1' } };
  return { type: 'block_actions', ...by(number, user), ...at, actions: [action] };
}

/** A form with these values. */
export function viewOf(form: { callback: string; metadata: string }, values: object): object {
  const blocks = Object.keys(values).map((block_id) => ({ block_id }));
  const { callback: callback_id, metadata: private_metadata } = form;
  return { id: 'V1', hash: 'h', callback_id, private_metadata, blocks, state: { values } };
}

export function submission(number: number, user: string, view: object): object {
  return { type: 'view_submission', ...by(number, user), view };
}

/** An empty search in a select. */
export function search(number: number, user: string, action_id: string, view: object): object {
  return { type: 'block_suggestion', ...by(number, user), action_id, value: '', view };
}
