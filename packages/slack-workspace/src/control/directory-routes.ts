import { z } from 'zod';
import { requireChannel, requireGroup, requirePerson } from '../acting/require-by-name.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findConnectedTeams } from '../state/channel-object.ts';
import { findPerson } from '../state/directory.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { defineRoute, type Route } from './route.ts';
import {
  channelShape,
  groupShape,
  newChannelShape,
  newPersonShape,
  organisationId,
  personName,
  personShape,
  teamShape,
} from './schemas.ts';

function describePerson(person: Person): z.infer<typeof personShape> {
  const { id, name: handle, realName: name, role, tz, locale, isBot, deactivated = false } = person;
  return { id, name, handle, role, time_zone: tz, locale, is_bot: isBot, deactivated };
}

/** Converts a person in a request to the options of the acting module. */
function readNewPerson<About extends { time_zone?: string }>({ time_zone: tz, ...about }: About) {
  return { ...about, ...(tz !== undefined && { tz }) };
}

function describeChannel(site: Site, channel: Channel): z.infer<typeof channelShape> {
  const { id, name, kind, topic, members, archived = false } = channel;
  const names = members.map((member) => findPerson(site, member)?.realName ?? member);
  return {
    ...{ id, name, kind, topic, archived },
    members: names,
    has_app: members.includes(site.state.app.botUserId),
    shared_with: findConnectedTeams(site, channel),
  };
}

function describeGroup(
  site: Site,
  { id, handle, name, users, disabled }: UserGroup,
): z.infer<typeof groupShape> {
  const members = users.map((user) => findPerson(site, user)?.realName ?? user);
  return { id, handle, name, members, disabled };
}

const newTeamShape = z.strictObject({
  name: z.string().min(1),
  people: z
    .array(
      z.strictObject({
        ...newPersonShape.shape,
        id: z.string().exactOptional().describe('The same id in several workspaces means the same person.'),
      }),
    )
    .min(1)
    .describe('The first person is the owner unless roles are given.'),
  channels: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Names of channels with all people and no apps. Defaults to #general.'),
  installed: z.boolean().exactOptional().describe('Whether the first app is installed. Defaults to false.'),
});

/** Changes by the owners of a workspace to its people and channels. Apps get the events of each change. */
export const DIRECTORY_ROUTES: readonly Route[] = [
  defineRoute('Directory', 'get /people', 'listPeople', {
    summary: 'List all people, with bots and deactivated accounts',
    answer: z.strictObject({ people: z.array(personShape) }),
    run: ({ site }) => ({ people: site.state.people.map(describePerson) }),
  }),
  defineRoute('Directory', 'post /people', 'addPerson', {
    answer: personShape,
    summary: 'Add a person, without channels',
    body: newPersonShape,
    run({ site, team, body }) {
      const id = team.admin.addPerson(readNewPerson(body));
      return describePerson(requirePerson(site, id));
    },
  }),
  defineRoute('Directory', 'patch /people/{person}', 'changePerson', {
    answer: personShape,
    summary: 'Change a person',
    body: z.strictObject({ ...newPersonShape.shape, name: newPersonShape.shape.name.exactOptional() }),
    run({ site, team, params: { person = '' }, body: { name: realName, time_zone: tz, ...about } }) {
      const { id } = requirePerson(site, person);
      const renamed = { ...(realName !== undefined && { realName }), ...(tz !== undefined && { tz }) };
      team.admin.changePerson(id, { ...about, ...renamed });
      return describePerson(requirePerson(site, id));
    },
  }),
  defineRoute('Directory', 'delete /people/{person}', 'deactivatePerson', {
    answer: personShape,
    summary: 'Deactivate a person, and remove them from all channels',
    run({ site, team, params: { person = '' } }) {
      const { id } = requirePerson(site, person);
      team.admin.deactivate(id);
      return describePerson(requirePerson(site, id));
    },
  }),
  defineRoute('Directory', 'get /channels', 'listChannels', {
    summary: 'List all channels and direct messages',
    answer: z.strictObject({ channels: z.array(channelShape) }),
    run: ({ site }) => ({ channels: site.state.channels.map((channel) => describeChannel(site, channel)) }),
  }),
  defineRoute('Directory', 'post /channels', 'addChannel', {
    answer: channelShape,
    summary: 'Add a channel',
    body: newChannelShape,
    run({ site, team, body: { name, members, has_app: hasApp = true, ...about } }) {
      const all = hasApp ? [...members, site.state.app.botUserId] : members;
      const id = team.admin.addChannel(name, { ...about, members: all });
      return describeChannel(site, requireChannel(site, id));
    },
  }),
  defineRoute('Directory', 'patch /channels/{channel}', 'changeChannel', {
    answer: channelShape,
    summary: 'Rename, archive or unarchive a channel',
    body: z.strictObject({
      name: z.string().min(1).exactOptional(),
      archived: z.boolean().exactOptional(),
      restricted: z.literal(true).exactOptional().describe('Only owners and admins can send messages.'),
    }),
    run({ site, team: { admin }, params, body: { name, archived, restricted } }) {
      const { id } = requireChannel(site, params.channel ?? '');
      if (name !== undefined) admin.renameChannel(id, name.replace(/^#/, ''));
      if (archived !== undefined) archived ? admin.archive(id) : admin.unarchive(id);
      if (restricted) admin.restrict(id);
      return describeChannel(site, requireChannel(site, id));
    },
  }),
  defineRoute('Directory', 'delete /channels/{channel}', 'deleteChannel', {
    summary: 'Delete a channel',
    run: ({ team, params: { channel = '' } }) => team.admin.deleteChannel(channel),
  }),
  defineRoute('Directory', 'post /channels/{channel}/members', 'addMember', {
    answer: channelShape,
    summary: 'Add a person, or the app by its handle, to a channel',
    body: z.strictObject({ person: personName }),
    run({ site, team, params: { channel = '' }, body }) {
      team.admin.invite(channel, body.person);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
  defineRoute('Directory', 'delete /channels/{channel}/members/{person}', 'removeMember', {
    answer: channelShape,
    summary: 'Remove a person, or the app by its handle, from a channel',
    run({ site, team, params: { channel = '', person = '' } }) {
      team.admin.remove(channel, person);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
  defineRoute('Directory', 'post /channels/{channel}/organisations', 'shareChannel', {
    answer: channelShape,
    summary: 'Share a channel with another workspace or organisation (Slack Connect)',
    body: z.strictObject({ id: organisationId }),
    run({ site, team, params: { channel = '' }, body }) {
      team.admin.share(channel, body.id);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
  defineRoute('Directory', 'delete /channels/{channel}/organisations/{organisation}', 'unshareChannel', {
    answer: channelShape,
    summary: 'Stop sharing a channel with a workspace or organisation, whose people leave it',
    run({ site, team, params: { channel = '', organisation = '' } }) {
      team.admin.unshare(channel, organisation);
      return describeChannel(site, requireChannel(site, channel));
    },
  }),
  defineRoute('Directory', 'get /teams', 'listTeams', {
    summary: 'List all workspaces',
    answer: z.strictObject({ teams: z.array(teamShape) }),
    run: ({ site: { slack } }) => ({
      teams: slack.sites.map(({ state: { team } }) => ({ id: team.id, name: team.name })),
    }),
  }),
  defineRoute('Directory', 'post /teams', 'addTeam', {
    summary: 'Add a workspace. Other calls act in it with its id as `team`',
    body: newTeamShape,
    answer: teamShape,
    run({ workspace, body: { people, ...about } }) {
      const { id, name } = workspace.admin.addTeam({ ...about, people: people.map(readNewPerson) });
      return { id, name };
    },
  }),
  defineRoute('Directory', 'post /groups', 'addGroup', {
    summary: 'Add a user group',
    body: z.strictObject({
      handle: z.string().min(1),
      name: z.string().exactOptional().describe('Defaults to the handle.'),
      members: z.array(personName),
      disabled: z.boolean().exactOptional(),
    }),
    answer: groupShape,
    run({ site, team, body: { handle, members, ...about } }) {
      const id = team.admin.addGroup(handle, members, about);
      return describeGroup(site, requireGroup(site, id));
    },
  }),
  defineRoute('Directory', 'patch /groups/{group}', 'changeGroup', {
    summary: 'Change the members of a user group, disable it or enable it again',
    body: z.strictObject({
      members: z.array(personName).exactOptional(),
      disabled: z.boolean().exactOptional(),
    }),
    answer: groupShape,
    run({ site, team, params: { group = '' }, body }) {
      team.admin.changeGroup(group, body);
      return describeGroup(site, requireGroup(site, group));
    },
  }),
  defineRoute('Directory', 'put /emoji/{emoji}', 'addEmoji', {
    summary: 'Add a custom emoji',
    body: z.strictObject({
      picture: z
        .string()
        .min(1)
        .describe('The address of its picture, or `alias:` and another emoji’s name.'),
    }),
    run: ({ team, params: { emoji = '' }, body }) => team.admin.addEmoji(emoji, body.picture),
  }),
];
