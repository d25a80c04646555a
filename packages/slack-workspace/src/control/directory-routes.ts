import { z } from 'zod';
import { requireChannel, requirePerson } from '../acting/require-by-name.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { defineRoute, NO_BODY, NO_QUERY, type Route } from './route.ts';
import { channelShape, newChannelShape, newPersonShape, personName, personShape } from './schemas.ts';

/** Changes by the owners of a workspace to its people and channels. Apps get the events of each change. */

function describePerson(person: Person): z.infer<typeof personShape> {
  const { id, name: handle, realName: name, role, tz, locale, isBot, deactivated = false } = person;
  return { id, name, handle, role, time_zone: tz, locale, is_bot: isBot, deactivated };
}

/** Converts a person in a request to the options of the acting module. */
export function readNewPerson<About extends { time_zone?: string }>({ time_zone: tz, ...about }: About) {
  return { ...about, ...(tz !== undefined && { tz }) };
}

function describeChannel(site: Site, channel: Channel): z.infer<typeof channelShape> {
  const { id, name, kind, topic, members, archived = false } = channel;
  const names = members.map((member) => findPerson(site, member)?.realName ?? member);
  return {
    ...{ id, name, kind, topic, archived },
    members: names,
    has_app: members.includes(site.state.app.botUserId),
  };
}

const PERSON = { tag: 'Directory', query: NO_QUERY, answer: personShape } as const;
const CHANNEL = { tag: 'Directory', query: NO_QUERY, answer: channelShape } as const;

const PEOPLE_ROUTES = [
  defineRoute({
    ...PERSON,
    method: 'get',
    path: '/people',
    operationId: 'listPeople',
    summary: 'List all people, with bots and deactivated accounts',
    body: NO_BODY,
    answer: z.strictObject({ people: z.array(personShape) }),
    run: ({ site }) => ({ people: site.state.people.map(describePerson) }),
  }),
  defineRoute({
    ...PERSON,
    method: 'post',
    path: '/people',
    operationId: 'addPerson',
    summary: 'Add a person, without channels',
    body: newPersonShape,
    run({ site, team, body }) {
      const id = team.admin.addPerson(readNewPerson(body));
      return describePerson(requirePerson(site, id));
    },
  }),
  defineRoute({
    ...PERSON,
    method: 'patch',
    path: '/people/{person}',
    operationId: 'changePerson',
    summary: 'Change a person',
    body: z.strictObject({ ...newPersonShape.shape, name: newPersonShape.shape.name.exactOptional() }),
    errors: ['unknown_person'],
    run({ site, team, params: { person = '' }, body: { name: realName, time_zone: tz, ...about } }) {
      const { id } = requirePerson(site, person);
      const renamed = { ...(realName !== undefined && { realName }), ...(tz !== undefined && { tz }) };
      team.admin.changePerson(id, { ...about, ...renamed });
      return describePerson(requirePerson(site, id));
    },
  }),
  defineRoute({
    ...PERSON,
    method: 'delete',
    path: '/people/{person}',
    operationId: 'deactivatePerson',
    summary: 'Deactivate a person, and remove them from all channels',
    body: NO_BODY,
    errors: ['unknown_person'],
    run({ site, team, params: { person = '' } }) {
      const { id } = requirePerson(site, person);
      team.admin.deactivate(id);
      return describePerson(requirePerson(site, id));
    },
  }),
];

const CHANNEL_ROUTES = [
  defineRoute({
    ...CHANNEL,
    method: 'get',
    path: '/channels',
    operationId: 'listChannels',
    summary: 'List all channels and direct messages',
    body: NO_BODY,
    answer: z.strictObject({ channels: z.array(channelShape) }),
    run: ({ site }) => ({ channels: site.state.channels.map((channel) => describeChannel(site, channel)) }),
  }),
  defineRoute({
    ...CHANNEL,
    method: 'post',
    path: '/channels',
    operationId: 'addChannel',
    summary: 'Add a channel',
    body: newChannelShape,
    errors: ['unknown_person'],
    run({ site, team, body: { name, members, has_app: hasApp = true, ...about } }) {
      const all = hasApp ? [...members, site.state.app.botUserId] : members;
      const id = team.admin.addChannel(name, { ...about, members: all });
      return describeChannel(site, requireChannel(site, id));
    },
  }),
  defineRoute({
    ...CHANNEL,
    method: 'patch',
    path: '/channels/{channel}',
    operationId: 'changeChannel',
    summary: 'Rename, archive or unarchive a channel',
    body: z.strictObject({
      name: z.string().min(1).exactOptional(),
      archived: z.boolean().exactOptional(),
      restricted: z.literal(true).exactOptional().describe('Only owners and admins can send messages.'),
    }),
    errors: ['unknown_channel'],
    run({ site, team: { admin }, params, body: { name, archived, restricted } }) {
      const { id } = requireChannel(site, params.channel ?? '');
      if (name !== undefined) admin.renameChannel(id, name.replace(/^#/, ''));
      if (archived !== undefined) archived ? admin.archive(id) : admin.unarchive(id);
      if (restricted) admin.restrict(id);
      return describeChannel(site, requireChannel(site, id));
    },
  }),
  defineRoute({
    ...CHANNEL,
    method: 'delete',
    path: '/channels/{channel}',
    operationId: 'deleteChannel',
    summary: 'Delete a channel',
    body: NO_BODY,
    answer: z.strictObject({}),
    errors: ['unknown_channel'],
    run({ team, params }) {
      team.admin.deleteChannel(params.channel ?? '');
      return {};
    },
  }),
  defineRoute({
    ...CHANNEL,
    method: 'post',
    path: '/channels/{channel}/members',
    operationId: 'addMember',
    summary: 'Add a person, or the app by its handle, to a channel',
    body: z.strictObject({ person: personName }),
    errors: ['unknown_channel', 'unknown_person'],
    run({ site, team, params: { channel = '' }, body }) {
      team.admin.invite(channel, body.person);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
  defineRoute({
    ...CHANNEL,
    method: 'delete',
    path: '/channels/{channel}/members/{person}',
    operationId: 'removeMember',
    summary: 'Remove a person, or the app by its handle, from a channel',
    body: NO_BODY,
    errors: ['unknown_channel', 'unknown_person'],
    run({ site, team, params: { channel = '', person = '' } }) {
      team.admin.remove(channel, person);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
];

export const DIRECTORY_ROUTES: readonly Route[] = [...PEOPLE_ROUTES, ...CHANNEL_ROUTES];
