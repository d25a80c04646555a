import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCredentials } from '../../src/workspaces/credentials.ts';
import { submitFilledForm } from '../support/filled-form.ts';
import { listProjects, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask } from '../support/steps.ts';
import {
  createScriptedLookup,
  createSelfSignedCertificate,
  HOST,
  startTlsFront,
} from '../support/tls-front.ts';

/** Another instance replaces, adds or removes the connection of a workspace, whose connections this one has in memory. */

const { database, running, ana, startBot } = setUpBot();
const WORKSPACE = 'T01HARBOUR';
const certificate = createSelfSignedCertificate([HOST]);
let first: ScriptedService;
let second: ScriptedService;
let fronts: Awaited<ReturnType<typeof startTlsFront>>[];

beforeEach(async () => {
  [first, second] = await Promise.all([startScriptedService(), startScriptedService()]);
  for (const service of [first, second]) service.on('GET /projects', listProjects('Harbour Coffee'));
  fronts = await Promise.all([first, second].map(({ url }) => startTlsFront(url, [HOST], certificate)));
  const { lookup } = createScriptedLookup(['127.0.0.1']);
  await startBot({ serviceAddressRules: { allowPrivate: true, lookup, ca: certificate.cert } });
});
afterEach(async () => {
  for (const front of fronts) await front.close();
  for (const service of [first, second]) await service.stop();
});

/** Stores a connection as another instance does. */
async function connectElsewhere(service: ScriptedService, token: string): Promise<void> {
  const { encryption } = running.settings;
  const url = fronts[service === first ? 0 : 1]?.url ?? '';
  await createCredentials({ db: database.db, encryption, onUnusable: () => undefined }).save(WORKSPACE, {
    ...{ url, token, connectedBy: 'U01ANAFERR', connectedAt: new Date() },
  });
}

/** The tokens with which posts were created. */
const listPostTokens = ({ calls }: ScriptedService) =>
  calls.flatMap(({ method, authorization }) => (method === 'POST' ? [authorization] : []));

test('a post goes out with the token that another instance has just stored', async () => {
  await connectElsewhere(first, 'token-of-before');
  await ask(ana, '/upnext projects', 'One project');
  await connectElsewhere(first, 'token-of-now');
  await submitFilledForm(running);
  await expect.poll(() => listPostTokens(first)).toEqual(['Bearer token-of-now']);
});

test('a post never goes to the service that another instance has just replaced', async () => {
  await connectElsewhere(first, 'token-of-before');
  await ask(ana, '/upnext projects', 'One project');
  await connectElsewhere(second, 'token-of-now');
  const { view } = await submitFilledForm(running);
  expect(view?.text()).toContain('isn’t at the scheduling service that’s connected now');
  expect(listPostTokens(first)).toEqual([]);
});
