import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { getSlackErrorCode, SlackRefused } from '../slack/slack-errors.ts';
import { deleteRevokedTokens, type EndDeliveries, forgetWorkspace } from './sql/forget-workspace.ts';
import { clearUninstallation } from './sql/uninstalled-workspaces.ts';
import type { WorkspaceTables } from './tables.ts';
import type { BotAccess, WorkspaceDirectory } from './workspace-directory.ts';

/** The bot of the token in the settings. `workspace` is undefined if the token is valid for a whole organisation. */
interface BotIdentity extends BotAccess {
  workspace: string | undefined;
}

/** The directory for one bot token. Only the token's workspace, or its organisation's workspaces, have the app. */
export function createSingleTokenDirectory(options: {
  client: WebClient;
  token: string;
  db: Kysely<WorkspaceTables>;
  now: () => Date;
  endDeliveries: EndDeliveries;
}): WorkspaceDirectory {
  const { client, token, db, now, endDeliveries } = options;
  let bot: BotIdentity | undefined;
  const findBotAccess = (workspace: string | undefined): BotAccess | undefined =>
    bot && (bot.workspace === undefined || bot.workspace === workspace) ? bot : undefined;
  return {
    async start() {
      bot = { token, ...(await identifyBot(client)) };
      if (bot.workspace !== undefined) await clearUninstallation(db, bot.workspace);
    },
    stop() {
      bot = undefined;
    },
    isReady: () => bot !== undefined,
    find: async ({ workspace }) => (bot ? findBotAccess(workspace) : 'unknown'),
    findForWorkspace: async (workspace) => (bot ? findBotAccess(workspace) : 'unknown'),
    isConfiguredWorkspace: (workspace) => findBotAccess(workspace) !== undefined,
    // The token in the settings is not deleted. The operator can replace it there.
    removal: {
      async remove(workspace) {
        await forgetWorkspace(db, workspace, now(), endDeliveries);
        return [workspace];
      },
      async deleteTokens(workspace) {
        await deleteRevokedTokens(db, workspace, { workspaces: [workspace], now: now() });
        return [workspace];
      },
      removeWorkspaces: async () => [],
      restoreAccess: async () => [],
    },
  };
}

/** Finds out from Slack which bot the token belongs to. Throws SlackRefused if Slack refuses the token. */
async function identifyBot(client: WebClient): Promise<Omit<BotIdentity, 'token'>> {
  try {
    const identity = await client.auth.test();
    const isOrgWide = identity.is_enterprise_install === true;
    const workspace = isOrgWide ? undefined : identity.team_id;
    return { botId: identity.bot_id, botUser: identity.user_id, isOrgWide, workspace };
  } catch (error) {
    const code = getSlackErrorCode(error);
    throw code === undefined ? error : new SlackRefused(code, 'bot');
  }
}
