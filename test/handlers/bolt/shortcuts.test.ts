import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { type BoltFixture, startWithBolt } from 'slack-workspace-emulator/test-support/workspace-bolt';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRouter } from '../../../src/handlers/bolt/bolt.ts';
import type { AppContext, ChosenMessage } from '../../../src/handlers/call.ts';
import type { Feature } from '../../../src/handlers/feature.ts';
import { PACE } from '../../../src/submissions/pace.ts';

let fixture: BoltFixture;
let shortcutRuns: { attempt: string; message: ChosenMessage | undefined; trigger: string | undefined }[] = [];
let permissionChecks: unknown[] = [];

const feature: Feature = {
  name: 'sample',
  commands: [],
  role: 'contributor',
  shortcuts: {
    new_thing: {
      name: 'New thing',
      description: 'Makes a thing',
      type: 'global',
      deed: 'make a thing',
      run: async ({ message, trigger, reply }) => {
        shortcutRuns.push({ attempt: 'new_thing', message, trigger });
        await reply({ text: 'Made a thing.' });
      },
    },
    about_this: {
      name: 'About this',
      description: 'Shows more',
      type: 'message',
      deed: 'open the details',
      run: async ({ message, trigger, reply }) => {
        shortcutRuns.push({ attempt: 'about_this', message, trigger });
        await reply({ text: `It says: ${message?.text}` });
      },
    },
  },
};

beforeAll(async () => {
  fixture = await startWithBolt();
  const router = createRouter({
    context: { pace: PACE } as AppContext,
    features: [feature],
    catalogue: [feature],
    defaultFeature: 'sample',
    log: SILENT,
    now: () => new Date(),
    apiUrl: fixture.workspace.apiUrl,
    permit: async (call, name, attempt) => {
      permissionChecks.push([name, attempt]);
      return call;
    },
    helpCommand: { feature: 'sample', command: 'say' },
    fallbackReplies: { offerSuggestion: async () => {}, offerFormButton: async () => {} },
    isFirstDelivery: async () => true,
  });
  fixture.app.use(async ({ body, client, ...rest }) => {
    const ack = 'ack' in rest ? (rest.ack as () => Promise<void>) : async () => {};
    await router({ body, client, ack });
  });
});
beforeEach(() => {
  shortcutRuns = [];
  permissionChecks = [];
});
afterAll(() => fixture.stop());

test('a global shortcut has a trigger, needs permission, and is answered in a direct message', async () => {
  const ana = fixture.workspace.as('Ana').in('#general');
  await ana.shortcut('New thing');
  await (await ana.inDirectMessage()).sees('Made a thing.');
  expect(shortcutRuns).toEqual([{ attempt: 'new_thing', message: undefined, trigger: expect.any(String) }]);
  expect(permissionChecks).toEqual([['sample', { surface: 'shortcut', id: 'new_thing' }]]);
});

test('a message shortcut gets the message with its blocks, and is answered beside it', async () => {
  const ana = fixture.workspace.as('Ana').in('#general');
  await ana.type('The market opens at *six*');
  await ana.shortcut('About this', 'The market opens');
  await ana.sees('It says: The market opens');
  expect(shortcutRuns[0]?.message).toMatchObject({
    text: 'The market opens at *six*',
    blocks: expect.any(Array),
  });
});
