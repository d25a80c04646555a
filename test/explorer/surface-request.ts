import { randomUUID } from 'node:crypto';
import { RESPONSE_URL } from './slack-stub.ts';
import { getWorkspaceId } from './world.ts';

/** The person who makes a request, and the channel. `workspaceNumber` is the number of the workspace. */
export interface RequestSource {
  workspaceNumber: number;
  user: string;
  channel: string;
}

/** A request on a surface. */
export interface SurfaceRequest {
  surface: string;
  id: string;
  /** The text after a command. */
  text?: string;
  /** The value of a button, or the choice in a menu. */
  value?: string;
  /** A form, as Slack describes it in a payload. */
  view?: object;
}

/** Builds the payload that Slack sends for a request. */
export function buildRequest(
  { workspaceNumber, user, channel }: RequestSource,
  request: SurfaceRequest,
): object {
  const { surface, id, text = '', value = '', view } = request;
  const actorFields = {
    team: { id: getWorkspaceId(workspaceNumber) },
    user: { id: user },
    trigger_id: randomUUID(),
    channel: { id: channel },
  };
  const source = view
    ? { view }
    : { container: { message_ts: '1.1', is_ephemeral: true }, response_url: RESPONSE_URL };
  switch (surface) {
    case 'command':
      return buildCommandBody('/upnext', `${id} ${text}`);
    case 'own command':
      return buildCommandBody(id, text);
    case 'mention':
      return buildEventBody({ type: 'app_mention', text: `<@U0BOT> ${id} ${text}` });
    case 'direct message':
      return buildEventBody({ type: 'message', channel_type: 'im', text: `${id} ${text}` });
    case 'event':
      return buildEventBody({ type: id, tab: 'home' });
    case 'open':
      return buildPressBody(`open.${id}`);
    case 'action':
      return buildPressBody(id);
    case 'view':
      return { type: 'view_submission', ...actorFields, view };
    case 'options':
      return { type: 'block_suggestion', ...actorFields, action_id: id, value: '', view };
    case 'shortcut':
      return { type: 'shortcut', ...actorFields, callback_id: id };
    case 'message shortcut':
      return {
        type: 'message_action',
        ...actorFields,
        callback_id: id,
        message: { ts: '1.1', text: 'Open at nine' },
      };
    default:
      throw new Error(`unknown surface "${surface}"`);
  }

  function buildCommandBody(command: string, text: string): object {
    const commandFields = {
      team_id: getWorkspaceId(workspaceNumber),
      user_id: user,
      channel_id: channel,
      trigger_id: randomUUID(),
    };
    return { ...commandFields, response_url: RESPONSE_URL, command, text: text.trim() };
  }
  function buildEventBody(event: object): object {
    const fullEvent = { user, channel, ts: '1.1', ...event };
    return {
      type: 'event_callback',
      event_id: randomUUID(),
      team_id: getWorkspaceId(workspaceNumber),
      event: fullEvent,
    };
  }
  function buildPressBody(action_id: string): object {
    const action = { action_id, type: 'button', value, selected_option: { value } };
    return { type: 'block_actions', ...actorFields, ...source, actions: [action] };
  }
}
