import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { features } from '../../src/app/features.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { listenOnFreePort } from '../../test/support/listening-port.ts';
import { type Server, startServer } from '../server.ts';

export interface Target {
  workspace: Workspace;
  url: string;
  port: number;
  /** Lists the payloads of this type that Slack has sent to the app. */
  listSentPayloads(type: string): Record<string, unknown>[];
  /** Reads the peak memory of the app's process. Undefined if the system doesn't report it. */
  readPeakMemoryMb(): number | undefined;
  stop(): Promise<void>;
}

/** Starts the app in its own process, over HTTP. The Slack emulator runs in this process. */
export async function startTarget(env: Record<string, string>): Promise<Target> {
  const bodies: string[] = [];
  let port = 0;
  const forwardToApp = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    bodies.push(body);
    const { 'content-length': _, host: _host, connection: _connection, ...headers } = request.headers;
    const appResponse = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    const type = appResponse.headers.get('content-type');
    response.writeHead(appResponse.status, type === null ? {} : { 'content-type': type });
    response.end(await appResponse.text());
  };
  const recordingProxy = createServer((request, response) => {
    forwardToApp(request, response).catch(() => response.destroy());
  });
  const requestUrl = `http://127.0.0.1:${await listenOnFreePort(recordingProxy)}/slack/events`;
  const manifest = buildManifest(features, { requestUrl });
  const workspace = await startWorkspace({ port: 0, manifest, delivery: { kind: 'http', url: requestUrl } });
  const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
  const app: Server = startServer('src/main.ts', {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    PORT: '0',
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SLACK_API_URL: workspace.apiUrl,
    SCHEDULING_API_TOKEN: 'bench-token',
    ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
    ...env,
  });
  const [, printedPort] = await app.waitForOutput(/port (\d+)/);
  port = Number(printedPort);
  return {
    workspace,
    url: `http://127.0.0.1:${port}/slack/events`,
    port,
    listSentPayloads: (type) => bodies.flatMap(parsePayload).filter((payload) => payload.type === type),
    readPeakMemoryMb: () => readVmHwmMb(app.pid),
    async stop() {
      app.stop();
      await app.exit;
      await workspace.close();
      recordingProxy.close();
      recordingProxy.closeAllConnections();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

function parsePayload(body: string): Record<string, unknown>[] {
  const payload = body.startsWith('{') ? null : new URLSearchParams(body).get('payload');
  return payload === null ? [] : [JSON.parse(payload) as Record<string, unknown>];
}

/** Reads the peak memory of a process, which only Linux reports, as VmHWM (proc_pid_status(5)). */
function readVmHwmMb(pid: number | undefined): number | undefined {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}
