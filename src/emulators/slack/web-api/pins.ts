import { addPin, pinItem, pinnedMessages, removePin } from '../interactions/pins.ts';
import type { Method } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { messageArg } from './message-arg.ts';

export const pinsAdd: Method = (call) => {
  addPin(call.site, messageArg(call), call.site.state.app.botUserId);
  return {};
};

export const pinsRemove: Method = (call) => {
  removePin(call.site, messageArg(call), call.site.state.app.botUserId);
  return {};
};

/** All of them at once: this list has no pages. */
export const pinsList: Method = (call) => {
  const pinned = pinnedMessages(call.site, visibleChannel(call).id);
  return {
    items: pinned.flatMap((message) => (message.pinned ? [pinItem(call.site, message, message.pinned)] : [])),
  };
};
