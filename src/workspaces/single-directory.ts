import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import { SlackRefused } from '../slack/slack-refused.ts';
import type { BotSchema } from '../store/schema.ts';
import { forgetWorkspace, revokeTokens } from './sql/forget-workspace.ts';
import { deleteLeftWorkspace } from './sql/left-workspaces.ts';
import type { BotAccess, WorkspaceDirectory } from './workspace-directory.ts';

/** The settings' bot. `workspace` is undefined if its token is valid for a whole organisation. */
interface BotIdentity extends BotAccess {
  workspace: string | undefined;
}

/** The directory for one bot token: only its workspace (or its organisation's) has the app. */
export function createSingleDirectory(options: {
  client: WebClient;
  token: string;
  db: Kysely<BotSchema>;
  now: () => Date;
}): WorkspaceDirectory {
  const { client, token, db, now } = options;
  let bot: BotIdentity | undefined;
  const accessTo = (workspace: string | undefined): BotAccess | undefined =>
    bot && (bot.workspace === undefined || bot.workspace === workspace) ? bot : undefined;
  return {
    async start() {
      bot = { token, ...(await identifyBot(client)) };
      if (bot.workspace !== undefined) await deleteLeftWorkspace(db, bot.workspace);
    },
    stop() {
      bot = undefined;
    },
    isReady: () => bot !== undefined,
    find: async ({ workspace }) => (bot ? accessTo(workspace) : 'unknown'),
    of: async (workspace) => (bot ? accessTo(workspace) : 'unknown'),
    isOwn: (workspace) => accessTo(workspace) !== undefined,
    // The token itself is not deleted: it belongs to the settings, where the operator can replace it.
    removal: {
      async remove(workspace) {
        await forgetWorkspace(db, workspace, now());
        return [workspace];
      },
      async revoke(workspace) {
        await revokeTokens(db, workspace, { workspaces: [workspace], at: now() });
        return [workspace];
      },
      removeFrom: async () => [],
    },
  };
}

/** Asks Slack whose the bot token is. Throws SlackRefused if Slack refuses the token. */
async function identifyBot(client: WebClient): Promise<Omit<BotIdentity, 'token'>> {
  try {
    const identity = await client.auth.test();
    const orgWide = identity.is_enterprise_install === true;
    const workspace = orgWide ? undefined : identity.team_id;
    return { botId: identity.bot_id, botUser: identity.user_id, orgWide, workspace };
  } catch (error) {
    const code = getSlackErrorCode(error);
    throw code === undefined ? error : new SlackRefused(code, 'bot');
  }
}
