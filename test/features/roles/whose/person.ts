import { workspaceId } from '../three-workspaces.ts';

/** The person of a workspace whose role the tests change. */
export const personOf = (number: number) => `U0PERSON${number}`;

/** Another person of that workspace. */
export const otherOf = (number: number) => `U0OTHER${number}`;

export const actorOf = (number: number) => ({ workspace: workspaceId(number), user: personOf(number) });
