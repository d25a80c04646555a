import { createServer } from 'node:http';
import type { Json } from '../../src/json.ts';
import { startWorkspace, type Workspace } from '../../src/slack.ts';
import { ASSISTANT_MANIFEST } from '../support/assistant.ts';
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

/** A workspace full of things to name in a call. Its app acknowledges everything, and remembers the last trigger. */
export interface World {
  workspace: Workspace;
  call: Call;
  /** The `ts` of a new message of the app. */
  message(channel?: string): Promise<string>;
  /** The `ts` of a message of a person in this channel. */
  personsMessage(channel?: string): Promise<string>;
  channel(about?: { isOpen?: boolean }): Promise<string>;
  directMessage(): Promise<string>;
  /** The id of an uploaded file. */
  file(): Promise<string>;
  /** The id of a file that a person uploaded in a form. */
  personsFile(): Promise<string>;
  /** The id of a file whose bytes have arrived, and that isn't completed. */
  upload(): Promise<string>;
  /** The trigger of a new command of this person. */
  trigger(person?: string): Promise<string>;
  /** The trigger of the last command or button. */
  lastTrigger(): string;
  /** A channel in which only owners and admins write. */
  restricted: string;
  /** A user group. */
  group: string;
  close(): Promise<void>;
}

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

export type Call = ReturnType<typeof createCaller>;

export async function startWorld(manifest: object = ASSISTANT_MANIFEST): Promise<World> {
  let lastTrigger = '';
  let lastFile = '';
  const app = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = new URLSearchParams(Buffer.concat(chunks).toString());
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
  async function trigger(person = 'Ana'): Promise<string> {
    await workspace.as(person).in('#general').type('/form');
    return lastTrigger;
  }
  async function upload(): Promise<string> {
    const { file_id, upload_url } = await call('files.getUploadURLExternal', {
      filename: 'a.txt',
      length: 1,
    });
    await fetch(String(upload_url), { method: 'POST', body: 'x' });
    return String(file_id);
  }
  const restricted = workspace.admin.addChannel('restricted', { members: ['Ana', 'tester'] });
  workspace.admin.restrict('restricted');
  const idOf = (answer: Json, key: string) => (answer[key] as { id: string }).id;
  return {
    workspace,
    call,
    message: async (channel = CHANNEL) => String((await call('chat.postMessage', { channel, text: 'x' })).ts),
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
    async file() {
      const id = await upload();
      await call('files.completeUploadExternal', { files: [{ id }] });
      return id;
    },
    async personsFile() {
      const element = { type: 'file_input', action_id: 'files' };
      const block = {
        type: 'input',
        block_id: 'files',
        label: { type: 'plain_text', text: 'Files' },
        element,
      };
      const titles = Object.fromEntries(
        Object.entries({ title: 'Upload', submit: 'Send' }).map(([key, text]) => [
          key,
          { type: 'plain_text', text },
        ]),
      );
      const view = { type: 'modal', ...titles, blocks: [block] };
      await call('views.open', { trigger_id: await trigger(), view });
      const upload = await workspace.as('Ana').in('#general').modal('Upload');
      await upload.attach('Files', [{ name: 'a.png', bytes: SMALL_PNG }]);
      await upload.submit();
      return lastFile;
    },
    trigger,
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
