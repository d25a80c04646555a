import type { Kysely } from 'kysely';
import { claimOnce, releaseOnce } from '../delivery/done-once.ts';
import { escapeText, sanitizeLine } from '../slack/escape.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Credential } from './credentials.ts';

/** A token that the service takes no longer: a project's, or the workspace's own. */
export interface Refused {
  workspace: string;
  project?: Credential['project'];
}

type Tell = (workspace: string, message: Message) => Promise<void>;

/** Those who can mend a token hear of it once in this time, however many calls fail, ms. */
const AGAIN_MS = 24 * 60 * 60 * 1000;

const RIGHTS = 'refused-rights';
const heldName = (project = '') => `refused-and-held.${project}`;
const nameOf = (project: Credential['project']) => `refused.${project?.id ?? ''}`;

/** Tells those who can mend a refused token, once. */
export function refusals(at: { db: Kysely<BotSchema>; log: Log; now: () => Date; notifyOwners: Tell }) {
  const { db, log, now, notifyOwners } = at;
  const once = (workspace: string, name: string) =>
    claimOnce(db, { workspace, name, now: now(), keepMs: AGAIN_MS });
  return {
    /** Whoever met it, and whatever for. Never rejects. */
    async tell({ workspace, project }: Refused): Promise<void> {
      const whose = project
        ? `the token of ${escapeText(sanitizeLine(project.name))}`
        : 'the access token of this workspace';
      try {
        if (!(await once(workspace, nameOf(project)))) return;
        await once(workspace, heldName(project?.id));
        await notifyOwners(workspace, {
          text: `The scheduling service refuses ${whose}. What people here submit is kept and waits. Put in a new one with \`/upnext connect\`.`,
        });
      } catch (error) {
        for (const name of [nameOf(project), heldName(project?.id)]) {
          await releaseOnce(db, { workspace, name }).catch(() => undefined);
        }
        log.error({ workspace, err: error }, 'nobody could be told that the service refuses a token');
      }
    },
    /**
     * That something waits. `token`: for a token that is refused (a project's by its id, the workspace's as ''): where
     * that was told just now, it says this too. Without, for rights that are missing: of one that was told, others are
     * found by whoever gives rights to a token.
     */
    async tellHeld(workspace: string, message: Message, token?: string): Promise<void> {
      const name = token === undefined ? RIGHTS : heldName(token);
      if (!(await once(workspace, name))) return;
      try {
        await notifyOwners(workspace, message);
      } catch (error) {
        await releaseOnce(db, { workspace, name });
        throw error;
      }
    },
    /** There is another token: if that is refused too, it is news. */
    async forget({ workspace, project }: Refused): Promise<void> {
      for (const name of [nameOf(project), heldName(project?.id), RIGHTS]) {
        await releaseOnce(db, { workspace, name });
      }
    },
  };
}
