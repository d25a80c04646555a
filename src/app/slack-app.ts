import type { Logger } from '@slack/bolt';
import { z } from 'zod';
import { type Encryption, parseKeyId } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import {
  buildNotHandledMessage,
  createClientOptions,
  createForeignAppFilter,
  type createRouter,
  createTransport,
  logUnknownRequest,
  parseRequest,
  RespondingApp,
  respondWithoutToken,
  type WorkTracker,
} from '../slack/bolt/bolt.ts';
import { isButtonState } from '../slack/interaction-values.ts';
import { isEvent } from '../slack/is-event.ts';
import {
  type BotAccess,
  createRequestBotLookup,
  renderNotInstalledText,
  type SlackClients,
  type Uninstallations,
  type WorkspaceDirectory,
} from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';

const UNKNOWN_INSTALLATION = 'I couldn’t check whether I’m installed in this workspace';

/** Creates the Bolt app, which passes requests to `router` and responds to workspaces that don't have the app. */
export function createSlackApp(
  options: BotOptions,
  dependencies: {
    logger: Logger;
    directory: WorkspaceDirectory;
    slackClients: SlackClients;
    uninstallations: Uninstallations;
    router: ReturnType<typeof createRouter>;
    /** Tracks the work that requests cause. */
    work: WorkTracker;
  },
) {
  const { slack, log } = options;
  const { logger, directory, slackClients, uninstallations, router, work } = dependencies;
  const clientOptions = createClientOptions(slack.apiUrl, logger);
  const foreignFilter = createForeignAppFilter(log);
  const { receiver, connection, requestListener } = createTransport(options, logger, clientOptions);
  const findRequestBot = createRequestBotLookup(directory, log);
  new RespondingApp(receiver, logger, {
    log,
    apiUrl: slack.apiUrl,
    async beforeProcessing(body) {
      if (!foreignFilter.isForeign(body)) await uninstallations.save(body);
    },
    async handle({ body, ack: acknowledge, arrivedAt, sentAt }) {
      if (await foreignFilter.acknowledgeForeignRequest(body, acknowledge)) return;
      if (uninstallations.isUninstallation(body)) return;
      const found = await findRequestBot(body);
      // Nobody waits for a response to an event, so it is acknowledged before the work. Others have a single response.
      const isForEvent = isEvent(body);
      if (isForEvent && found.kind === 'unknown') throw new Error('the installation of an event is unknown');
      if (isForEvent) await acknowledge();
      const ack = isForEvent ? async () => {} : acknowledge;
      if (found.kind === 'installed') {
        const { workspace = '', bot } = found;
        if (isForEvent && isOwnEvent(body, bot)) return;
        const client = slackClients.get(workspace, bot);
        foreignFilter.lookUpOwnAppId(client, bot.botId);
        return work.add(router({ body, client, ack, bot: bot.botUser, arrivedAt, sentAt }));
      }
      if (found.kind === 'not-installed' && !parseRequest(body)) logUnknownRequest(log, body);
      const message =
        found.kind === 'not-installed'
          ? { text: renderNotInstalledText(directory.installUrl) }
          : buildNotHandledMessage(UNKNOWN_INSTALLATION, body, found.reference);
      await work.add(respondWithoutToken(body, ack, { message, apiUrl: slack.apiUrl }));
    },
  });
  return { connection, requestListener };
}

/** The events of the bot itself that have a meaning for the app. */
const KEPT_OWN_EVENTS = ['member_joined_channel', 'member_left_channel'];

const ownEvent = z.object({
  event: z.object({
    type: z.string(),
    subtype: z.string().optional().catch(undefined),
    bot_id: z.string().optional().catch(undefined),
    user: z.string().optional().catch(undefined),
  }),
});

/** Whether the bot itself caused the event, as Bolt's `ignoreSelf` decides. */
export function isOwnEvent(body: unknown, { botUser, botId }: BotAccess): boolean {
  const { event } = ownEvent.safeParse(body).data ?? {};
  if (!event) return false;
  if (event.type === 'message' && event.subtype === 'bot_message' && event.bot_id === botId) return true;
  return botUser !== undefined && event.user === botUser && !KEPT_OWN_EVENTS.includes(event.type);
}

/** How long the state of a button is valid. After that its list starts again from the first page. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Short names, because a button's value has at most 2,000 characters and sealing takes a third of them. */
const sealed = z.object({ u: z.string(), t: z.number(), v: z.string() });

/** The state of a list in its buttons. It is sealed for one person in one workspace, and valid for a week. */
interface SealedState {
  /** Returns ids of rows unchanged, because the row itself says who may use it. */
  seal(value: string, actor: Actor, now: Date): string;
  /** Undefined if it was sealed for somebody else, has expired, or is forged. */
  open(value: string, actor: Actor, now: Date): string | undefined;
}

export function createSealedState(encryption: Encryption): SealedState {
  return {
    seal(value, { workspace, user }, now) {
      if (!isButtonState(value)) return value;
      return encryption.encrypt(JSON.stringify({ u: user, t: now.getTime(), v: value }), workspace);
    },
    open(value, { workspace, user }, now) {
      if (isButtonState(value)) return undefined;
      if (parseKeyId(value) === undefined) return value;
      try {
        const { data } = sealed.safeParse(JSON.parse(encryption.decrypt(value, workspace)));
        const isExpired = data && now.getTime() - data.t > VALID_MS;
        return data?.u === user && !isExpired ? data.v : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
