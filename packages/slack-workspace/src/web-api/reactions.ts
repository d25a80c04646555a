import { buildMessageObject } from '../interactions/message-object.ts';
import { addReaction, removeReaction } from '../interactions/pins-and-reactions.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findPerson, findVisibleChannel } from '../state/directory.ts';
import { buildFileObject, findFile } from '../state/files.ts';
import { buildPermalink } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { bot, type Call, type Methods, readItem, readUnarchivedItem } from './call.ts';
import { paginate } from './method-rules.ts';

/** A missing name is refused like an invalid one. */
const readName = (call: Call): string => call.readText('name') ?? '';

function buildItemObject(site: Site, message: StoredMessage): Json {
  return {
    type: 'message',
    channel: message.channel,
    message: { ...buildMessageObject(site, message), permalink: buildPermalink(site, message) },
  };
}

export const REACTION_METHODS: Methods = {
  'reactions.add': bot(3, ['reactions:write'], (call) => {
    addReaction(call.site, readUnarchivedItem(call), call.botUser, readName(call));
  }),
  'reactions.remove': bot(2, ['reactions:write'], (call) => {
    if (call.readText('file') !== undefined) throw new Refusal('no_reaction');
    removeReaction(call.site, readUnarchivedItem(call), call.botUser, readName(call));
  }),
  'reactions.get': bot(3, ['reactions:read'], (call) => {
    const file = findFile(call.site, call.readText('file') ?? '');
    return file
      ? { type: 'file', file: buildFileObject(call.site, file) }
      : buildItemObject(call.site, readItem(call));
  }),
  /** Lists messages with a reaction by `user`, newest first, in conversations that the app sees. */
  'reactions.list': bot(2, ['reactions:read'], (call) => {
    const { site } = call;
    const user = call.readText('user') ?? site.state.app.botUserId;
    if (!findPerson(site, user)) throw new Refusal('user_not_found');
    const items = Object.values(site.state.messages)
      .flat()
      .filter(
        ({ reactions, channel }) =>
          reactions?.some(({ users }) => users.includes(user)) &&
          findVisibleChannel(site, channel, call.botUser),
      )
      .toSorted((one, other) => Number(other.ts) - Number(one.ts));
    const { page, next } = paginate(call, items);
    return { items: page.map((message) => buildItemObject(site, message)), ...next };
  }),
};
