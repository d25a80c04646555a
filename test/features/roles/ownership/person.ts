import { getWorkspaceId } from '../three-workspaces.ts';

/** Returns the id of the person in a workspace whose role the tests change. */
export const getPersonId = (number: number) => `U0PERSON${number}`;

/** Returns the id of another person in the same workspace. */
export const getOtherPersonId = (number: number) => `U0OTHER${number}`;

export const getActor = (number: number) => ({
  workspace: getWorkspaceId(number),
  user: getPersonId(number),
});
