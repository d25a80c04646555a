import type { Kysely } from 'kysely';
import { claimOnce, releaseOnce } from '../delivery/done-once.ts';
import { escapeText, sanitizeLine } from '../slack/escape.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Credential } from './credentials.ts';

/** The token of a project or, without `project`, of the workspace. */
export interface ServiceToken {
  workspace: string;
  project?: Credential['project'];
}

/** Owners are notified about a token once in this time, however many calls fail, ms. */
const REPEAT_MS = 24 * 60 * 60 * 1000;

// Names in `done_once`.
const MISSING_RIGHTS = 'refused-rights';
const pausedName = (project = '') => `refused-and-paused.${project}`;
const refusedName = (project: Credential['project']) => `refused.${project?.id ?? ''}`;

/** Notifies the owners, who can replace a refused token, once for each token. */
export function createRefusedTokenNotices(options: {
  db: Kysely<BotSchema>;
  log: Log;
  now: () => Date;
  notifyOwners(workspace: string, message: Message): Promise<void>;
}) {
  const { db, log, now, notifyOwners } = options;
  const once = (workspace: string, name: string) =>
    claimOnce(db, { workspace, name, now: now(), retentionMs: REPEAT_MS });
  return {
    /** Notifies the owners that the service refuses a token, for any call. Never rejects. */
    async notifyRefused({ workspace, project }: ServiceToken): Promise<void> {
      const tokenText = project
        ? `the token of ${escapeText(sanitizeLine(project.name))}`
        : 'the access token of this workspace';
      try {
        if (!(await once(workspace, refusedName(project)))) return;
        await once(workspace, pausedName(project?.id));
        await notifyOwners(workspace, {
          text: `The scheduling service refuses ${tokenText}. What people here submit is kept and waits. Put in a new one with \`/upnext connect\`.`,
        });
      } catch (error) {
        for (const name of [refusedName(project), pausedName(project?.id)]) {
          await releaseOnce(db, { workspace, name }).catch(() => undefined);
        }
        log.error({ workspace, err: error }, 'could not notify owners about a refused token');
      }
    },
    /**
     * Notifies the owners that submissions are paused. `token`: the refused token, as a project's id, or '' for the
     * workspace's. Nothing is sent if they were notified about that token just now, because that message says it too.
     * Without `token`, the token lacks rights. One such message is enough: whoever adds a right finds the others.
     */
    async notifyPaused(workspace: string, message: Message, token?: string): Promise<void> {
      const name = token === undefined ? MISSING_RIGHTS : pausedName(token);
      if (!(await once(workspace, name))) return;
      try {
        await notifyOwners(workspace, message);
      } catch (error) {
        await releaseOnce(db, { workspace, name });
        throw error;
      }
    },
    /** The token was replaced: if the new one is refused too, the owners are notified again. */
    async reset({ workspace, project }: ServiceToken): Promise<void> {
      for (const name of [refusedName(project), pausedName(project?.id), MISSING_RIGHTS]) {
        await releaseOnce(db, { workspace, name });
      }
    },
  };
}
