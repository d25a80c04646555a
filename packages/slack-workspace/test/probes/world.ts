import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Json } from '../../src/json.ts';
import { startWorkspace, type Workspace } from '../../src/slack.ts';
import { ASSISTANT_MANIFEST } from '../support/assistant.ts';
import { createInput, createModal } from '../support/blocks.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { SMALL_PNG } from '../support/small-png.ts';

export type Args = Record<string, unknown>;

export const CHANNEL = 'C02HARBOUR';
/** Public, without the app. */
export const OUTSIDE = 'C04RANDOM0';
export const ARCHIVED = 'C06SUMMER0';
export const ANA = 'U01ANAFERR';
export const TOM = 'U04TOMSATO';
export const DEACTIVATED = 'U06LENAHOF';

function encodeForm(args: Args): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined)
      form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form.toString();
}

let count = 0;
/** A name that nothing has yet. */
export function freshName(): string {
  count += 1;
  return `probe-${count}`;
}

/** Calls a method with arguments as a form, and returns the answer. `token` defaults to the app's. */
export const createCaller =
  (workspace: Workspace) =>
  async (method: string, { token = workspace.botToken, ...args }: Args = {}): Promise<Json> => {
    const response = await fetch(`${workspace.apiUrl}${method}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${String(token)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: encodeForm(args),
    });
    return (await response.json()) as Json;
  };

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a workspace full of things to name in a call. Its app acknowledges everything, and remembers the last trigger. */
export async function startWorld(manifest: object = ASSISTANT_MANIFEST) {
  let lastTrigger = '';
  let lastFile = '';
  const app = createServer((request, response) => {
    void text(request).then((body) => {
      const fields = new URLSearchParams(body);
      const payload = JSON.parse(fields.get('payload') ?? '{}') as { trigger_id?: string };
      lastFile = /"id":"(F[A-Z0-9]+)"/.exec(fields.get('payload') ?? '')?.[1] ?? lastFile;
      lastTrigger = fields.get('trigger_id') ?? payload.trigger_id ?? lastTrigger;
      response.end();
    });
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(app)}/slack/events`;
  const workspace = await startWorkspace({
    port: 0,
    manifest,
    delivery: { kind: 'http', url },
    fileProcessingMs: 0,
  });
  const call = createCaller(workspace);
  /** The trigger of a new command of this person. */
  async function trigger(person = 'Ana'): Promise<string> {
    await workspace.as(person).in('#general').type('/form');
    return lastTrigger;
  }
  /** The id of a file whose bytes have arrived, and that isn't completed. */
  async function upload(): Promise<string> {
    const announced = { filename: 'a.txt', length: 1 };
    const { file_id, upload_url } = await call('files.getUploadURLExternal', announced);
    await fetch(String(upload_url), { method: 'POST', body: 'x' });
    return String(file_id);
  }
  /** A channel in which only owners and admins write. */
  const restricted = workspace.admin.addChannel('restricted', { members: ['Ana', 'tester'] });
  workspace.admin.restrict('restricted');
  const idOf = (answer: Json, key: string) => (answer[key] as { id: string }).id;
  return {
    workspace,
    call,
    /** The `ts` of a new message of the app. */
    message: async (channel = CHANNEL) => String((await call('chat.postMessage', { channel, text: 'x' })).ts),
    /** The `ts` of a message of a person in this channel. */
    async personsMessage(channel = CHANNEL) {
      const { messages } = await call('conversations.history', { channel });
      return (messages as { ts: string; user: string }[]).find(({ user }) => user !== 'U09UPNEXTB')?.ts ?? '';
    },
    async channel({ isOpen = true } = {}) {
      const channel = idOf(await call('conversations.create', { name: freshName() }), 'channel');
      if (!isOpen) await call('conversations.archive', { channel });
      return channel;
    },
    directMessage: async () => idOf(await call('conversations.open', { users: ANA }), 'channel'),
    upload,
    /** The id of an uploaded file. */
    async file() {
      const id = await upload();
      await call('files.completeUploadExternal', { files: [{ id }] });
      return id;
    },
    /** The id of a file that a person uploaded in a form. */
    async personsFile() {
      const view = createModal('Upload', [createInput('Files', { type: 'file_input', action_id: 'files' })]);
      await call('views.open', { trigger_id: await trigger(), view });
      const upload = await workspace.as('Ana').in('#general').modal('Upload');
      await upload.attach('Files', [{ name: 'a.png', bytes: SMALL_PNG }]);
      await upload.submit();
      return lastFile;
    },
    trigger,
    /** The trigger of the last command or button. */
    lastTrigger: () => lastTrigger,
    restricted,
    group: workspace.admin.addGroup('@editors', ['Ana']),
    async close() {
      await workspace.close();
      app.close();
      app.closeAllConnections();
    },
  };
}
