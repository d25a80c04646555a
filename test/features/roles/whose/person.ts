import { workspaceId } from '../three-workspaces.ts';

/** Somebody of a workspace who gets one role after the other. */
export const personOf = (number: number) => `U0PERSON${number}`;

/** Somebody else of that workspace. */
export const otherOf = (number: number) => `U0OTHER${number}`;

export const whoOf = (number: number) => ({ workspace: workspaceId(number), user: personOf(number) });
