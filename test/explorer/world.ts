import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { inspect } from 'node:util';
import type { Kysely } from 'kysely';
import { createEncryption, type Role, saveGrant } from '../../src/access/access.ts';
import { createSealedState, createSlackApp } from '../../src/app/app.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { createContext } from '../../src/app/create-context.ts';
import { features } from '../../src/app/features.ts';
import { createPermissionCheck } from '../../src/app/permission.ts';
import { fallbackReplies } from '../../src/features/help/help.ts';
import {
  createBoltLogger,
  createRouter,
  createWorkTracker,
  RespondingApp,
} from '../../src/handlers/bolt/bolt.ts';
import type { ActionCall } from '../../src/handlers/call.ts';
import type { Feature } from '../../src/handlers/feature.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { createInstallations } from '../../src/workspaces/installations.ts';
import { NOW } from '../support/bot.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { createTestClock } from '../support/test-clock.ts';
import {
  createScriptedLookup,
  createSelfSignedCertificate,
  HOST,
  startTlsFront,
} from '../support/tls-front.ts';
import { replaceSlack, type SentPayload } from './slack-stub.ts';

export const getWorkspaceId = (workspaceNumber: number) => `T0TEAM${workspaceNumber}`;
export const getProjectId = (workspaceNumber: number, projectNumber: number) =>
  `p${workspaceNumber}${projectNumber}`;
/** The person who installed the app in a workspace, and owns it. */
export const getOwnerId = (workspaceNumber: number) => `U0OWNER${workspaceNumber}`;
/** The person in a workspace whose role the tests change. */
export const getPersonId = (workspaceNumber: number) => `U0PERSON${workspaceNumber}`;
/** Another person in the same workspace. */
export const getOtherPersonId = (workspaceNumber: number) => `U0OTHER${workspaceNumber}`;
/** A person without a role in the same workspace, who asks for one. */
export const getAskingPersonId = (workspaceNumber: number) => `U0ASKER${workspaceNumber}`;
export const getActor = (workspaceNumber: number) => ({
  workspace: getWorkspaceId(workspaceNumber),
  user: getPersonId(workspaceNumber),
});

/** How long Slack and people wait in the world. */
const PATIENCE_MS = 60_000;

/** The parts of a press that say whose button it was. */
interface PressPayload {
  actions?: { value?: unknown }[];
  team?: { id?: unknown } | null;
  user?: { id?: unknown } | null;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** What the app did for one request. */
export interface Result {
  /** Everything that it sent to Slack. */
  sent: readonly SentPayload[];
  /** The lines that it logged at error level. */
  failures: readonly string[];
  isAcknowledged: boolean;
  /** Time of the processor, including that of the service and the database. */
  cpuMs: number;
  /** The error with which Slack would be asked to repeat the request. */
  rejection?: unknown;
}

/**
 * Creates the app in some workspaces with one service each, and with a stub of Slack. Nothing is sent in the background,
 * because the engine isn't started. `onLine`: called for each line of the log, at every level.
 */
export async function createWorld(
  db: Kysely<BotSchema>,
  workspaceCount: number,
  onLine: (line: [fields: object, message: string]) => void = () => undefined,
) {
  const workspaceNumbers = Array.from({ length: workspaceCount }, (_, index) => index + 1);
  const slack = replaceSlack();
  const failures: string[] = [];
  const writeLine = (...line: [object, string]) => onLine(line);
  const log = {
    debug: writeLine,
    info: writeLine,
    warn: writeLine,
    error(...line: [object, string]) {
      writeLine(...line);
      failures.push(`${line[1]} ${inspect(line[0])}`);
    },
  };
  const logger = createBoltLogger(log);
  const work = createWorkTracker();
  const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  const clock = createTestClock(
    () => new Date(),
    () => NOW,
  );
  const services = new Map<string, ScriptedService>();
  const certificate = createSelfSignedCertificate([HOST]);
  const tlsFronts = new Map<string, Awaited<ReturnType<typeof startTlsFront>>>();
  for (const workspaceNumber of workspaceNumbers) {
    const service = await startScriptedService();
    services.set(getWorkspaceId(workspaceNumber), service);
    tlsFronts.set(getWorkspaceId(workspaceNumber), await startTlsFront(service.url, [HOST], certificate));
  }
  const options = {
    ...{ db, log, clock, encryption, isEmulated: false, allowFileDeletion: true },
    slack: {
      kind: 'oauth' as const,
      ...{ signingSecret: 'signing-secret', clientId: '1.2', clientSecret: 'client-secret' },
      ...{ publicUrl: 'https://upnext.example.com', apiUrl: 'https://slack.com/api/' },
    },
    serviceAddressRules: {
      allowPrivate: true,
      lookup: createScriptedLookup(['127.0.0.1']).lookup,
      ca: certificate.cert,
    },
    // As if nobody waited, because an answer that comes late on a busy machine would be a different one.
    pace: {
      ...PACE,
      ...{ acknowledgementTimeoutMs: PATIENCE_MS, saveMs: PATIENCE_MS, resolveMs: PATIENCE_MS },
      ...{ acknowledgementDeadlineMs: PATIENCE_MS, formReadMs: PATIENCE_MS },
      ...{ slowNoticeDelayMs: PATIENCE_MS, afterAcknowledgementMs: 0, homeRefreshDelayMs: 0 },
    },
  };
  const { context, loadWorkspaceContext, closeReads, ...parts } = createContext(options, { logger, work });
  // The engine, which would hand posts over, isn't started.
  const { heldPosts } = context;
  context.heldPosts = { ...heldPosts, pace: { ...heldPosts.pace, handOverWaitMs: 0 } };
  const buttonStates = createSealedState(encryption);
  const allFeatures = [...features, createOpener(features)];
  const router = createRouter({
    ...{ context, loadWorkspaceContext, features: allFeatures, catalogue: features, log },
    ...{ defaultFeature: 'up-next', helpCommand: { feature: 'help', command: 'help' }, fallbackReplies },
    now: clock.now,
    buttonStates,
    apiUrl: options.slack.apiUrl,
    permit: createPermissionCheck(allFeatures).permit,
    isFirstDelivery: async () => true,
  });
  const { requestListener } = createSlackApp(options, { ...parts, logger, router, work });
  if (!requestListener) throw new Error('the app serves no requests');
  const app = await captureApp(requestListener, options.slack.signingSecret);
  const installations = createInstallations({
    ...{ db, encryption, endDeliveries, now: clock.now, onUnusable() {} },
    refresh: () => Promise.reject(new Error('tokens do not expire')),
  });
  /** Seals the state of a list in a pressed button, which the app accepts only from the person to whom it was shown. */
  const sealStates = (body: object): object => {
    const { actions, team, user } = body as PressPayload;
    const [workspace, person] = [team?.id, user?.id];
    if (!Array.isArray(actions) || typeof workspace !== 'string' || typeof person !== 'string') return body;
    const seal = (action: { value?: unknown }) =>
      typeof action?.value === 'string'
        ? { ...action, value: buttonStates.seal(action.value, { workspace, user: person }, NOW) }
        : action;
    return { ...body, actions: actions.map(seal) };
  };
  const serviceUrl = (workspace: string) => tlsFronts.get(workspace)?.url ?? '';
  for (const workspaceNumber of workspaceNumbers) {
    const workspace = getWorkspaceId(workspaceNumber);
    const owner = getOwnerId(workspaceNumber);
    await installations.save(
      { id: workspace, name: 'Team', botUser: 'U0BOT', installedBy: owner, installedAt: NOW },
      { bot: `xoxb-token-of-${workspace}` },
    );
    await context.services.save(workspace, {
      ...{
        url: serviceUrl(workspace),
        token: `service-token-of-${workspace}`,
        connectedBy: owner,
        connectedAt: NOW,
      },
    });
    await grantRole(db, { workspace, subject: owner, project: '', role: 'owner' });
  }
  return {
    ...{ db, services, serviceUrl, context },
    /** Delivers a request, as if the app had shown its button to this person. Resolves with everything that the app did for it. */
    async deliver(body: object): Promise<Result> {
      slack.takeSent();
      failures.length = 0;
      let rejection: unknown;
      let isAcknowledged = false;
      const earlierUsage = process.threadCpuUsage();
      await app
        .processEvent({
          body: sealStates(body) as never,
          async ack(response) {
            isAcknowledged = true;
            slack.record('acknowledgement', response);
          },
        })
        .catch((error: unknown) => {
          rejection = error;
        });
      const { user, system } = process.threadCpuUsage(earlierUsage);
      return {
        isAcknowledged,
        cpuMs: (user + system) / 1_000,
        sent: slack.takeSent(),
        failures: failures.splice(0),
        ...(rejection !== undefined && { rejection }),
      };
    },
    /** Makes the app read grants and connections again, if these tables were changed in the database. */
    forgetCached(workspace: string, tables: readonly string[] = ['access_grant', 'credential']): void {
      if (tables.includes('access_grant')) context.access.onGrantsChanged(workspace);
      if (tables.includes('credential')) context.services.forget(workspace);
    },
    async close() {
      await context.record.flush();
      context.record.stop();
      closeReads();
      await context.services.close();
      for (const part of tlsFronts.values()) await part.close();
      for (const service of services.values()) await service.stop();
      slack.restore();
    },
  };
}

/** Finds the app that serves these requests, so that tests can call it without HTTP. */
async function captureApp(listener: RequestListener, signingSecret: string): Promise<RespondingApp> {
  const server = createServer(listener);
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/slack/events`;
  const { promise, resolve } = Promise.withResolvers<RespondingApp>();
  const { processEvent } = RespondingApp.prototype;
  RespondingApp.prototype.processEvent = async function (event) {
    resolve(this);
    await event.ack();
  };
  try {
    await sendSigned({ url, signingSecret }, { type: 'block_actions' }, 0);
    return await promise;
  } finally {
    RespondingApp.prototype.processEvent = processEvent;
    server.close();
    server.closeAllConnections();
  }
}

export async function grantRole(
  db: Kysely<BotSchema>,
  grant: { workspace: string; subject: string; project: string; role: Role },
): Promise<void> {
  const granted = {
    subjectKind: 'person',
    reason: 'given',
    grantedBy: grant.subject,
    grantedAt: NOW,
  } as const;
  await saveGrant(db, { ...grant, ...granted });
}

/** Creates a feature whose buttons open the forms of other features. A button's value is the prefill of the form. */
function createOpener(openableFeatures: readonly Pick<Feature, 'name' | 'open'>[]): Feature {
  const actions = openableFeatures.map(
    ({ name }) =>
      [
        `open.${name}`,
        {
          deed: 'open a feature' as const,
          run: (call: ActionCall) => call.openFeature(name, JSON.parse(call.action.value ?? '{}')),
        },
      ] as const,
  );
  return { name: 'opening', commands: [], role: 'member', actions: Object.fromEntries(actions) };
}
