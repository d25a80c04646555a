import { randomUUID } from 'node:crypto';
import { workspaceId } from '../three-workspaces.ts';

/** Who asks, and from where. */
export interface From {
  number: number;
  user: string;
  channel: string;
}

/** What is asked for on a surface: words, or a button's value with the form around it. */
export interface Asked {
  surface: string;
  id: string;
  /** What follows a command. */
  words?: string;
  /** A button's, and what was chosen in a menu. */
  value?: string;
  /** As Slack describes it in a payload. */
  view?: object;
}

/** What Slack sends for it. */
export function requestOf({ number, user, channel }: From, asked: Asked): object {
  const { surface, id, words = '', value = '', view } = asked;
  const by = {
    team: { id: workspaceId(number) },
    user: { id: user },
    trigger_id: 't',
    channel: { id: channel },
  };
  const around = view ? { view } : { container: { message_ts: '1.1' } };
  switch (surface) {
    case 'command':
      return typed('/upnext', `${id} ${words}`);
    case 'own command':
      return typed(id, words);
    case 'mention':
      return happened({ type: 'app_mention', text: `<@U0BOT> ${id} ${words}` });
    case 'direct message':
      return happened({ type: 'message', channel_type: 'im', text: `${id} ${words}` });
    case 'event':
      return happened({ type: id, tab: 'home' });
    case 'open':
      return pressed(`open.${id}`);
    case 'action':
      return pressed(id);
    case 'view':
      return { type: 'view_submission', ...by, view };
    case 'options':
      return { type: 'block_suggestion', ...by, action_id: id, value: '', view };
    case 'shortcut':
      return { type: 'shortcut', ...by, callback_id: id };
    case 'message shortcut':
      return { type: 'message_action', ...by, callback_id: id, message: { ts: '1.1', text: 'Open at nine' } };
    default:
      throw new Error(`there is no surface "${surface}"`);
  }

  function typed(command: string, text: string): object {
    const at = { team_id: workspaceId(number), user_id: user, channel_id: channel, trigger_id: 't' };
    return { ...at, response_url: 'https://example.com', command, text: text.trim() };
  }
  function happened(event: object): object {
    const whole = { user, channel, ts: '1.1', ...event };
    return { type: 'event_callback', event_id: randomUUID(), team_id: workspaceId(number), event: whole };
  }
  function pressed(action_id: string): object {
    const action = { action_id, type: 'button', value, selected_option: { value } };
    return { type: 'block_actions', ...by, ...around, actions: [action] };
  }
}
