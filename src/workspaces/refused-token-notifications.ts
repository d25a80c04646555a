import type { Kysely } from 'kysely';
import { DAY_MS } from '../durations.ts';
import { claimOnce, releaseClaim } from '../engine/once-claim.ts';
import { escapeText, sanitizeLine } from '../slack/blocks.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { Credential } from './credentials.ts';
import type { WorkspaceTables } from './tables.ts';

/** The token of a project or, without `project`, of the workspace. */
export interface ServiceToken {
  workspace: string;
  project?: Credential['project'];
}

/** Minimum interval between two notifications about the same token, however many calls fail. */
const MIN_INTERVAL_MS = DAY_MS;

// Names in `once_claim`.
const MISSING_PERMISSIONS = 'refused-rights';
const buildPausedName = (project = '') => `refused-and-paused.${project}`;
const buildRefusedName = (project: Credential['project']) => `refused.${project?.id ?? ''}`;

/** Notifies the owners about refused tokens, because owners can replace a token. */
export function createRefusedTokenNotifications(options: {
  db: Kysely<WorkspaceTables>;
  log: Log;
  notifyOwners(workspace: string, message: Message): Promise<void>;
}) {
  const { db, log, notifyOwners } = options;
  const claimNotification = (workspace: string, name: string) =>
    claimOnce(db, { workspace, name, retentionMs: MIN_INTERVAL_MS });
  return {
    /** Notifies the owners that the service refuses a token. Never rejects. */
    async notifyRefused({ workspace, project }: ServiceToken): Promise<void> {
      const tokenText = project
        ? `the token of ${escapeText(sanitizeLine(project.name))}`
        : 'the access token of this workspace';
      try {
        if (!(await claimNotification(workspace, buildRefusedName(project)))) return;
        // This message also announces the pause, so notifyPaused sends nothing about the same token.
        await claimNotification(workspace, buildPausedName(project?.id));
        await notifyOwners(workspace, {
          text: `The scheduling service refuses ${tokenText}. Posts stay saved. Replace it with \`/upnext connect\`.`,
        });
      } catch (error) {
        for (const name of [buildRefusedName(project), buildPausedName(project?.id)]) {
          await releaseClaim(db, { workspace, name }).catch(() => undefined);
        }
        log.error({ workspace, err: error }, 'could not notify owners about a refused token');
      }
    },
    /**
     * Notifies the owners that submissions are paused. `refusedTokenProject` is the id of the project whose token was
     * refused, or '' for the workspace's token. It is undefined if a token was accepted but lacks a permission. All
     * tokens without a permission share one notification, so that owners don't get one for each.
     */
    async notifyPaused(workspace: string, message: Message, refusedTokenProject?: string): Promise<void> {
      const name =
        refusedTokenProject === undefined ? MISSING_PERMISSIONS : buildPausedName(refusedTokenProject);
      if (!(await claimNotification(workspace, name))) return;
      try {
        await notifyOwners(workspace, message);
      } catch (error) {
        await releaseClaim(db, { workspace, name });
        throw error;
      }
    },
    /** Called after a token was replaced. If the service refuses the new token too, the owners are notified again. */
    async reset({ workspace, project }: ServiceToken): Promise<void> {
      for (const name of [buildRefusedName(project), buildPausedName(project?.id), MISSING_PERMISSIONS]) {
        await releaseClaim(db, { workspace, name });
      }
    },
  };
}
