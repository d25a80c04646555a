import { z } from 'zod';
import { requireGroup } from '../acting/require-by-name.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { readNewPerson } from './directory-routes.ts';
import { defineRoute, type Route } from './route.ts';
import { groupShape, newPersonShape, personName, teamShape } from './schemas.ts';

/** Further workspaces, user groups and custom emoji. */

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

export const TEAM_ROUTES: readonly Route[] = [
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
    errors: ['unknown_person'],
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
    errors: ['unknown_group', 'unknown_person'],
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
    answer: z.strictObject({}),
    run({ team, params: { emoji = '' }, body: { picture } }) {
      team.admin.addEmoji(emoji, picture);
      return {};
    },
  }),
];
