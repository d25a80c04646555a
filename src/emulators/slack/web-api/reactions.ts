import { messagePart } from '../interactions/message-part.ts';
import { addReaction, removeReaction } from '../interactions/reactions.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel, findPerson } from '../state/directory.ts';
import { fileObject } from '../state/file-object.ts';
import { findFile } from '../state/files.ts';
import { buildPermalink } from '../state/permalink.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, textArg } from './call.ts';
import { messageArg, openMessageArg } from './message-arg.ts';
import { paged } from './paged.ts';

/** An empty or missing name is an invalid one. */
const nameArg = (call: Call): string => textArg(call, 'name') ?? '';

export const reactionsAdd: Method = (call) => {
  addReaction(call.site, openMessageArg(call), call.site.state.app.botUserId, nameArg(call));
  return {};
};

export const reactionsRemove: Method = (call) => {
  if (textArg(call, 'file') !== undefined) throw new Refusal('no_reaction');
  removeReaction(call.site, openMessageArg(call), call.site.state.app.botUserId, nameArg(call));
  return {};
};

function itemObject(site: Site, message: StoredMessage): Json {
  return {
    type: 'message',
    channel: message.channel,
    message: { ...messagePart(site, message), permalink: buildPermalink(site, message) },
  };
}

export const reactionsGet: Method = (call) => {
  const file = findFile(call.site, textArg(call, 'file') ?? '');
  return file ? { type: 'file', file: fileObject(call.site, file) } : itemObject(call.site, messageArg(call));
};

/** Messages with a reaction of this person, newest first, in conversations that the app sees. */
export const reactionsList: Method = (call) => {
  const { site } = call;
  const user = textArg(call, 'user') ?? site.state.app.botUserId;
  if (!findPerson(site, user)) throw new Refusal('user_not_found');
  const isVisible = (id: string) => {
    const channel = findChannel(site, id);
    return channel !== undefined && canSee(site, channel, site.state.app.botUserId);
  };
  const items = Object.values(site.state.messages)
    .flat()
    .filter(
      ({ reactions, channel }) => reactions?.some(({ users }) => users.includes(user)) && isVisible(channel),
    )
    .toSorted((one, other) => Number(other.ts) - Number(one.ts));
  const { page, next } = paged(call, items);
  return { items: page.map((message) => itemObject(site, message)), ...next };
};
