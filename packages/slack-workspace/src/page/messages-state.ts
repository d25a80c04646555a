import type { Message } from '../protocol.ts';
import type { PageState } from './state.ts';
import { filterChannelMessages, mergeMessages } from './threads.ts';

/** Adds a message. It counts as read if its channel is open. */
export function addMessage(state: PageState, message: Message): PageState {
  const next = changeMessages(state, message.channel, (messages) => [
    ...messages.filter(({ ts }) => ts !== message.ts),
    message,
  ]);
  return markRead(next);
}

/** Marks the messages of the open channel as read. Nothing is read while the Home tab is open. */
export function markRead(state: PageState): PageState {
  const { workspace, route } = state;
  if (workspace === undefined || route.tab === 'home') return state;
  const ts = findNewestTs(workspace.messages[route.channel] ?? []);
  if (ts <= getLastReadTs(state, route.channel)) return state;
  const channels = { ...state.lastReadTs[workspace.me.id], [route.channel]: ts };
  return { ...state, lastReadTs: { ...state.lastReadTs, [workspace.me.id]: channels } };
}

/**
 * Adds the ephemeral messages that the page has to those of the server, which sends each of them only once. `messages`:
 * by channel.
 */
export const keepEphemeral = (before: PageState, messages: Record<string, Message[]>) =>
  Object.fromEntries(
    Object.entries(messages).map(([channel, list]) => {
      const shown = before.workspace?.messages[channel] ?? [];
      return [
        channel,
        mergeMessages(
          shown.filter(({ ephemeralTo }) => ephemeralTo !== undefined),
          list,
        ),
      ];
    }),
  );

/**
 * Whether the current person hasn't read all messages of other people in a channel, and how many of them are for this
 * person: all of a direct message, and otherwise those that mention them.
 */
export function findUnread(state: PageState, channel: string) {
  const { workspace } = state;
  const me = workspace?.me.id ?? '';
  const lastReadTs = getLastReadTs(state, channel);
  const unread = (workspace?.messages[channel] ?? []).filter(
    ({ ts, user, ephemeralTo }) => ts > lastReadTs && user !== me && ephemeralTo === undefined,
  );
  const kind = workspace?.channels.find(({ id }) => id === channel)?.kind;
  const isDirect = kind === 'im' || kind === 'mpim';
  return {
    isUnread: filterChannelMessages(unread).length > 0,
    count: unread.filter((message) => isDirect || mentions(message, me)).length,
  };
}

function mentions({ text, blocks = [] }: Message, person: string) {
  const content = `${text}${JSON.stringify(blocks)}`;
  return (
    content.includes(`<@${person}>`) || content.includes(`"user_id":"${person}"`) || EVERYBODY.test(content)
  );
}

/** `@here`, `@channel` and `@everyone`, in mrkdwn and in rich text. */
const EVERYBODY = /<!(?:here|channel|everyone)\b|"type":"broadcast"/;

const getLastReadTs = ({ lastReadTs, workspace, openedTs }: PageState, channel: string) =>
  lastReadTs[workspace?.me.id ?? '']?.[channel] ?? openedTs;

/** The ts of the newest message, or '' without messages. All ts have the same length, so they compare as text. */
export const findNewestTs = (messages: readonly Message[]) =>
  messages.reduce((newest, { ts }) => (ts > newest ? ts : newest), '');

export function changeMessages(
  state: PageState,
  channel: string,
  change: (messages: Message[]) => Message[],
): PageState {
  const { workspace } = state;
  if (workspace === undefined) return state;
  const messages = { ...workspace.messages, [channel]: change(workspace.messages[channel] ?? []) };
  return { ...state, workspace: { ...workspace, messages } };
}
