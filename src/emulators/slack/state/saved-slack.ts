import { z } from 'zod';
import { savedState } from './saved-state.ts';

const grant = z.object({
  token: z.string(),
  /** `step`: of one run of a step. */
  kind: z.enum(['bot', 'user', 'step']),
  /** The workspace or organisation in which the app is installed: `T…`, `E…`. */
  holder: z.string(),
  /** Whose it is: the app's own user, or a person. */
  user: z.string(),
  /** Absent: those of the manifest, whatever it asks for. */
  scopes: z.array(z.string()).exactOptional(),
  /** The run of a step: `Fx…`. */
  run: z.string().exactOptional(),
  /** ms since the epoch, where tokens rotate, and for steps. */
  expiresAt: z.number().exactOptional(),
  /** Brings the next one, once. */
  refresh: z.string().exactOptional(),
  /** When the refresh token was used first. */
  refreshedAt: z.number().exactOptional(),
  /** How it is refused since it ended. */
  ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
});

const organisation = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  /** The app's own user, where the whole organisation has it. */
  botId: z.string(),
  botUserId: z.string(),
});

/** Raised whenever the file's shape changes: a file of an earlier version is moved aside. */
const VERSION = 2;

/** All that a practice Slack remembers, as it stands in its file. */
export const savedSlack = z.object({
  version: z.literal(VERSION),
  /** The workspaces; the first is the one that is there from the start. */
  teams: z.array(savedState).min(1),
  organisations: z.array(organisation),
  grants: z.array(grant),
  /** ms by which the practice clock is ahead of the computer's. */
  clockOffset: z.number(),
});

export type SavedSlack = z.infer<typeof savedSlack>;
export type Grant = z.infer<typeof grant>;
export type Organisation = z.infer<typeof organisation>;

const ofNewer = z.looseObject({ version: z.number().gt(VERSION) });

/** Whether a newer version wrote it. */
export const isNewer = (saved: unknown): boolean => ofNewer.safeParse(saved).success;
