import { randomBytes } from 'node:crypto';
import { startWithBolt } from 'slack-workspace-emulator/test-support/workspace-bolt';
import { createEncryption } from '../../src/access/access.ts';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import { createApiClient } from '../../src/api/client.ts';
import { createForm } from '../../src/forms/create-form.ts';
import type { Form } from '../../src/forms/form.ts';
import { createRouter } from '../../src/handlers/bolt/bolt.ts';
import type { AppContext } from '../../src/handlers/call.ts';
import type { Feature } from '../../src/handlers/feature.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { PACE, type Pace } from '../../src/submissions/pace.ts';
import { NOW } from '../support/bot.ts';
import type { BotDatabase } from '../support/bot-database.ts';
import { startScriptedService } from '../support/scripted-service.ts';

/** Starts a workspace and a bot with one form, which `/upnext try` opens. */
export async function startFormApp({ db }: Pick<BotDatabase, 'db'>, form: Form, pace: Partial<Pace> = {}) {
  const handlers = createForm(form);
  const feature: Feature = {
    name: 'sample',
    commands: [
      {
        name: 'try',
        aliases: [],
        summary: 'Opens the form',
        usage: '',
        examples: {},
        deed: 'open the form',
        run: (call) => handlers.openForm(call),
      },
    ],
    role: 'viewer',
    ...handlers,
  };
  const service = await startScriptedService();
  const api = createApiClient({ baseUrl: service.url, token: 'service-token' });
  const logged: string[] = [];
  const addLine = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const context = {
    api,
    reads: createCachedReads(),
    db,
    encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]),
    isEmulated: false,
    pace: { ...PACE, ...pace },
  } as unknown as AppContext;
  const router = createRouter({
    context,
    features: [feature],
    catalogue: [feature],
    defaultFeature: 'sample',
    log: { debug: addLine, info: addLine, warn: addLine, error: addLine },
    now: () => NOW,
    permit: async (call) => ({
      ...call,
      may: () => true,
      lacks: () => false,
      permit: async () => {},
      requireFormPermission: async () => {},
    }),
    helpCommand: { feature: 'sample', command: 'sample' },
    fallbackReplies: { offerSuggestion: async () => undefined, offerFormButton: async () => undefined },
    isFirstDelivery: async () => true,
  });
  const { workspace, app, stop } = await startWithBolt({ manifest: buildManifest([feature]) });
  const inFlight = new Set<Promise<void>>();
  app.use(async ({ body, client, ...rest }) => {
    const ack: unknown = 'ack' in rest ? rest.ack : undefined;
    if (typeof ack !== 'function') return;
    const handling = router({ body, client, ack: async (payload) => void (await ack(payload)) });
    inFlight.add(handling);
    await handling;
    inFlight.delete(handling);
  });
  return {
    workspace,
    service,
    logged,
    /** Resolves when the bot has handled its requests. */
    async waitUntilIdle() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    async close() {
      await stop();
      await service.stop();
      await api.close();
    },
  };
}
