import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { SlackRefused } from '../slack/slack-refused.ts';
import { slackErrorCode } from '../slack/slack-trouble.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Here, Presence } from './presence.ts';
import { forgetWorkspace, revokeTokens } from './sql/forget-workspace.ts';
import { dropLeaving } from './sql/left-workspaces.ts';

/** The bot as Slack knows it. `workspace` is undefined where its token is good for a whole organisation. */
interface Self extends Here {
  workspace: string | undefined;
}

/** The app in the workspace of a bot token, and nowhere else. */
export function onlyWorkspace(options: {
  client: WebClient;
  token: string;
  db: Kysely<BotSchema>;
  now: () => Date;
}): Presence {
  const { client, token, db, now } = options;
  let me: Self | undefined;
  const inside = (workspace: string | undefined): Here | undefined =>
    me && (me.workspace === undefined || me.workspace === workspace) ? me : undefined;
  return {
    async start() {
      me = { token, ...(await whoAmI(client)) };
      if (me.workspace !== undefined) await dropLeaving(db, me.workspace);
    },
    stop() {
      me = undefined;
    },
    isReady: () => me !== undefined,
    find: async ({ workspace }) => (me ? inside(workspace) : 'unknown'),
    of: async (workspace) => (me ? inside(workspace) : 'unknown'),
    isOwn: (workspace) => inside(workspace) !== undefined,
    // The token is the settings' own, and another may be put in.
    leaving: {
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

/** Who the bot token belongs to. Throws SlackRefused where it is bad. */
async function whoAmI(client: WebClient): Promise<Omit<Self, 'token'>> {
  try {
    const said = await client.auth.test();
    const orgWide = said.is_enterprise_install === true;
    const workspace = orgWide ? undefined : said.team_id;
    return { botId: said.bot_id, botUser: said.user_id, orgWide, workspace };
  } catch (error) {
    const code = slackErrorCode(error);
    throw code === undefined ? error : new SlackRefused(code, 'bot');
  }
}
