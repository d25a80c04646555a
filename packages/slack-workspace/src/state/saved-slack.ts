import { z } from 'zod';
import { savedState } from './saved-state.ts';

/** A token of the app with its rights. */
const grant = z.object({
  token: z.string(),
  /** `step` is a token of one run of a workflow step. */
  kind: z.enum(['bot', 'user', 'step']),
  /** The workspace or organisation in which the app is installed: `T…`, `E…`, or `T…/A…` for other apps. */
  holder: z.string(),
  /** Id of the user whose token it is: the bot user, or a person. */
  user: z.string(),
  /** Defaults to the scopes of the manifest. */
  scopes: z.array(z.string()).exactOptional(),
  /** The run of a step: `Fx…`. */
  run: z.string().exactOptional(),
  /** ms since the epoch. Only with token rotation, and for steps. */
  expiresAt: z.number().exactOptional(),
  /** The refresh token, which can be exchanged once. */
  refresh: z.string().exactOptional(),
  /** When the refresh token was first used, in ms since the epoch. */
  refreshedAt: z.number().exactOptional(),
  /** The error for calls with this token after its end. */
  ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
});

const organisation = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  /** The app's bot user, if it is installed for the whole organisation. */
  botId: z.string(),
  botUserId: z.string(),
});

/** Incremented when the shape of the state file changes. A state of an earlier version is moved aside. */
const VERSION = 2;

/** The content of the state file. */
export const savedSlack = z.object({
  version: z.literal(VERSION),
  /** All workspaces. The first one always exists. */
  teams: z.array(savedState).min(1),
  organisations: z.array(organisation),
  grants: z.array(grant),
  /** The lead of the workspace's clock over the computer's, in ms. */
  clockOffset: z.number(),
});

export type SavedSlack = z.infer<typeof savedSlack>;
export type Grant = z.infer<typeof grant>;
export type Organisation = z.infer<typeof organisation>;

const newerState = z.looseObject({ version: z.number().gt(VERSION) });

/** Whether a newer version of the emulator wrote a state. */
export const isNewer = (stored: unknown): boolean => newerState.safeParse(stored).success;
