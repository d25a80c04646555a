import { getWorkspaceId } from '../three-workspaces.ts';

/** Returns the id of the person in a workspace whose role the tests change. */
export const getPersonId = (workspaceNumber: number) => `U0PERSON${workspaceNumber}`;

/** Returns the id of another person in the same workspace. */
export const getOtherPersonId = (workspaceNumber: number) => `U0OTHER${workspaceNumber}`;

export const getActor = (workspaceNumber: number) => ({
  workspace: getWorkspaceId(workspaceNumber),
  user: getPersonId(workspaceNumber),
});
