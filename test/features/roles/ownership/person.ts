import { workspaceId } from '../three-workspaces.ts';

/** The person of a workspace whose role the tests change. */
export const getPersonId = (number: number) => `U0PERSON${number}`;

/** Another person of that workspace. */
export const getOtherPersonId = (number: number) => `U0OTHER${number}`;

export const getActor = (number: number) => ({ workspace: workspaceId(number), user: getPersonId(number) });
