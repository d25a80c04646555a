import { valuesFor } from './form-values.js';
import { NO_FILTER } from './inspector/filter-records.js';
import { markRead, newestTs, withMessage, withMessages } from './messages-state.js';
import { blocksIn } from './slack-json.js';
import { afterMessage } from './world-state.js';

/**
 * @import { ElementState, OpenView, ServerMessage, TrafficRecord, ViewValues } from '../protocol.ts'
 */

/**
 * What a person's open modal does just now: `ready` (can be filled), `waiting` (the app has been asked), `failed` (it did
 * not answer; can be tried again), `expired` (the workspace does not know it any more; can only be closed).
 * @typedef {'ready' | 'waiting' | 'failed' | 'expired'} FormPhase
 *
 * @typedef {object} Form
 * @property {ViewValues} values
 * @property {FormPhase} phase
 * @property {Record<string, string>} errors block_id → words
 *
 * @typedef {object} PageState
 * @property {'connecting' | 'open' | 'lost'} connection
 * @property {Extract<ServerMessage, { type: 'snapshot' }> | undefined} world everything the server told, kept up to date
 * @property {{ channel: string, tab: 'messages' | 'home' }} place
 * @property {Record<string, Form>} forms view id → what was typed
 * @property {Record<string, ViewValues>} inMessages container key → what was chosen in a message or the Home tab
 * @property {Record<string, Record<string, string>>} read user id → channel id → ts of the newest message that they saw
 * @property {string} since ts of the newest message when the page was opened first; what is older is not unread for anybody
 * @property {TrafficRecord[]} traffic newest last
 * @property {import('./inspector/filter-records.js').TrafficFilter} trafficFilter
 * @property {boolean} isRecording this page records a session
 * @property {{ sidebar: boolean, inspector: boolean, faults: boolean, steps: boolean, hint: boolean, thread?: { channel: string, ts: string } | undefined }} shown
 * @property {number} ahead ms by which the workspace's clock is ahead of this computer's
 */

/** @type {PageState} */
export const initialState = {
  connection: 'connecting',
  world: undefined,
  place: { channel: '', tab: 'messages' },
  forms: {},
  inMessages: {},
  read: {},
  since: '',
  traffic: [],
  trafficFilter: NO_FILTER,
  isRecording: false,
  shown: { sidebar: false, inspector: false, faults: false, steps: false, hint: true },
  ahead: 0,
};

/**
 * Returns the state after a message of the server. Results of requests are handled elsewhere.
 * @param {PageState} state
 * @param {ServerMessage} said
 * @returns {PageState}
 */
export function afterServer(state, said) {
  if (said.type === 'snapshot') return afterSnapshot(state, said);
  const { world } = state;
  if (world === undefined) return state;
  switch (said.type) {
    case 'message':
      return withMessage(state, said.message);
    case 'message_changed':
      return withMessages(state, said.message.channel, (all) =>
        all.map((one) => (one.ts === said.message.ts ? said.message : one)),
      );
    case 'message_deleted':
      return withMessages(state, said.channel, (all) => all.filter((one) => one.ts !== said.ts));
    case 'views':
      return { ...state, world: { ...world, views: said.views }, forms: formsFor(said.views, state) };
    case 'traffic':
      return { ...state, traffic: withRecord(state.traffic, said.record, world.maxRecords) };
    default: {
      const changed = afterMessage(world, said);
      return changed === world ? state : { ...state, world: changed };
    }
  }
}

/**
 * @param {PageState} state
 * @param {Extract<ServerMessage, { type: 'snapshot' }>} world
 * @returns {PageState}
 */
function afterSnapshot(state, world) {
  const samePerson = state.world?.me.id === world.me.id;
  const known = world.channels.some((channel) => channel.id === state.place.channel);
  const first =
    world.channels.find((channel) => channel.kind === 'public' || channel.kind === 'private') ??
    world.channels[0];
  const before = samePerson ? state : initialState;
  const expired = expiredViews(before, world.views);
  const forms = formsFor(world.views, before);
  for (const { id } of expired) {
    const form = before.forms[id];
    if (form) forms[id] = { ...form, phase: 'expired' };
  }
  return markRead({
    ...state,
    connection: 'open',
    world: { ...world, views: [...world.views, ...expired] },
    place: known ? state.place : { channel: first?.id ?? '', tab: 'messages' },
    forms,
    inMessages: before.inMessages,
    // The records of the inspector follow.
    traffic: [],
    since: state.since || newestTs(Object.values(world.messages).flat()),
  });
}

/**
 * Modals that the workspace does not know any more after the connection was lost: they stay in sight, because what was
 * typed in them is nowhere else.
 * @param {PageState} before
 * @param {readonly OpenView[]} known
 */
function expiredViews(before, known) {
  if (before.connection !== 'lost') return [];
  return (before.world?.views ?? []).filter((view) => !known.some(({ id }) => id === view.id));
}

/**
 * Typed values are stored with their view, and deleted with it.
 * @param {readonly OpenView[]} views
 * @param {PageState} before
 * @returns {Record<string, Form>}
 */
function formsFor(views, before) {
  const knownViews = before.world?.views ?? [];
  return Object.fromEntries(
    views.map((open) => {
      const form = before.forms[open.id];
      const values = valuesFor(blocksIn(open.view.blocks), form?.values ?? open.values);
      const changed =
        form === undefined || knownViews.find((view) => view.id === open.id)?.hash !== open.hash;
      // Only the response to a submission ends its waiting. A failure is cleared when the app shows a new view.
      const phase = form !== undefined && (form.phase === 'waiting' || !changed) ? form.phase : 'ready';
      return [open.id, { values, phase, errors: open.errors }];
    }),
  );
}

/**
 * @param {readonly TrafficRecord[]} traffic
 * @param {TrafficRecord} record
 * @param {number} maxRecords
 */
function withRecord(traffic, record, maxRecords) {
  const at = traffic.findLastIndex((one) => one.id === record.id);
  return (at < 0 ? [...traffic, record] : traffic.with(at, record)).slice(-maxRecords);
}

/**
 * @param {PageState} state
 * @param {string} viewId
 * @param {Partial<Form>} change
 * @returns {PageState}
 */
export function withForm(state, viewId, change) {
  const form = state.forms[viewId];
  return form === undefined
    ? state
    : { ...state, forms: { ...state.forms, [viewId]: { ...form, ...change } } };
}

/**
 * @param {ViewValues} values
 * @param {string} blockId
 * @param {string} actionId
 * @param {ElementState} element
 * @returns {ViewValues}
 */
export function withValue(values, blockId, actionId, element) {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: element } };
}
