import { randomUUID } from 'node:crypto';
import { workspaceId } from '../three-workspaces.ts';

/** The person who makes a request, and the channel. `number` is the workspace's. */
export interface From {
  number: number;
  user: string;
  channel: string;
}

/** A request on a surface: text after a command, or a button's value with the form that has the button. */
export interface SurfaceRequest {
  surface: string;
  id: string;
  /** The text after a command. */
  words?: string;
  /** The value of a button, or the choice in a menu. */
  value?: string;
  /** A form, as Slack describes it in a payload. */
  view?: object;
}

/** The payload that Slack sends for a request. */
export function requestOf({ number, user, channel }: From, request: SurfaceRequest): object {
  const { surface, id, words = '', value = '', view } = request;
  const by = {
    team: { id: workspaceId(number) },
    user: { id: user },
    trigger_id: 't',
    channel: { id: channel },
  };
  const origin = view ? { view } : { container: { message_ts: '1.1' } };
  switch (surface) {
    case 'command':
      return commandBody('/upnext', `${id} ${words}`);
    case 'own command':
      return commandBody(id, words);
    case 'mention':
      return eventBody({ type: 'app_mention', text: `<@U0BOT> ${id} ${words}` });
    case 'direct message':
      return eventBody({ type: 'message', channel_type: 'im', text: `${id} ${words}` });
    case 'event':
      return eventBody({ type: id, tab: 'home' });
    case 'open':
      return pressBody(`open.${id}`);
    case 'action':
      return pressBody(id);
    case 'view':
      return { type: 'view_submission', ...by, view };
    case 'options':
      return { type: 'block_suggestion', ...by, action_id: id, value: '', view };
    case 'shortcut':
      return { type: 'shortcut', ...by, callback_id: id };
    case 'message shortcut':
      return { type: 'message_action', ...by, callback_id: id, message: { ts: '1.1', text: 'Open at nine' } };
    default:
      throw new Error(`unknown surface "${surface}"`);
  }

  function commandBody(command: string, text: string): object {
    const at = { team_id: workspaceId(number), user_id: user, channel_id: channel, trigger_id: 't' };
    return { ...at, response_url: 'https://example.com', command, text: text.trim() };
  }
  function eventBody(event: object): object {
    const fullEvent = { user, channel, ts: '1.1', ...event };
    return { type: 'event_callback', event_id: randomUUID(), team_id: workspaceId(number), event: fullEvent };
  }
  function pressBody(action_id: string): object {
    const action = { action_id, type: 'button', value, selected_option: { value } };
    return { type: 'block_actions', ...by, ...origin, actions: [action] };
  }
}
