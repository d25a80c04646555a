import { addPin, buildPinObject, listPinnedMessages, removePin } from '../interactions/pins.ts';
import type { Method } from './call.ts';
import { readChannel } from './channel-arguments.ts';
import { readItem } from './item-argument.ts';

export const pinsAdd: Method = (call) => {
  addPin(call.site, readItem(call), call.site.state.app.botUserId);
  return {};
};

export const pinsRemove: Method = (call) => {
  removePin(call.site, readItem(call), call.site.state.app.botUserId);
  return {};
};

/** Returns all pins, since this list has no pages. */
export const pinsList: Method = (call) => {
  const pinned = listPinnedMessages(call.site, readChannel(call).id);
  return {
    items: pinned.flatMap((message) =>
      message.pinned ? [buildPinObject(call.site, message, message.pinned)] : [],
    ),
  };
};
