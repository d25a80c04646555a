import { type AckFn, App, type ViewResponseAction } from '@slack/bolt';
import { startWorkspace, type WorkspaceOptions } from '../../src/slack.ts';
import { findFreePort } from './listening-port.ts';
import { SILENT, TEST_MANIFEST, WAIT_MS } from './workspace.ts';

interface BoltOptions extends Partial<WorkspaceOptions> {
  mode?: 'socket' | 'http';
  ignoreSelf?: boolean;
}

export type BoltFixture = Awaited<ReturnType<typeof startWithBolt>>;

/** Starts a workspace and an unmodified Bolt app in it, over one of the two transports. */
export async function startWithBolt({ mode = 'socket', ignoreSelf = true, ...options }: BoltOptions = {}) {
  const port = mode === 'http' ? await findFreePort() : 0;
  const workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: TEST_MANIFEST,
    delivery:
      mode === 'socket' ? { kind: 'socket' } : { kind: 'http', url: `http://127.0.0.1:${port}/slack/events` },
    ...options,
  });
  const app = new App({
    token: workspace.botToken,
    logger: SILENT,
    ignoreSelf,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
    ...(mode === 'socket'
      ? { appToken: workspace.appToken, socketMode: true }
      : { signingSecret: workspace.signingSecret, port }),
  });
  await app.start(...(mode === 'http' ? [port] : []));
  return {
    workspace,
    app,
    async stop() {
      // Over HTTP the app waits for the connections that the workspace closes.
      await Promise.all([app.stop(), workspace.close()]);
    },
  };
}

/** Acknowledges a submission with any payload, including invalid ones. */
export async function acknowledgeWithPayload(
  ack: AckFn<void> | AckFn<ViewResponseAction>,
  payload: object | undefined,
): Promise<void> {
  await (ack as AckFn<object | undefined>)(payload);
}
