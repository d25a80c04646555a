import { AppConnection, type Delivery } from './deliver/app-connection.ts';
import type { Site, Slack } from './site.ts';
import { Audience } from './state/audience.ts';
import type { Clock } from './state/clock.ts';
import { RateLimits } from './state/rate-limits.ts';
import type { SavedState } from './state/saved-state.ts';
import { TrafficLog } from './traffic/traffic-log.ts';
import { resumeScheduled } from './web-api/scheduled-messages.ts';
import { DEFAULT_WAIT_MS, type WorkspaceOptions } from './workspace-options.ts';

/** Slack takes about this time: messages right after an upload fail, and later attempts succeed. */
const FILE_PROCESSING_MS = 250;

/** The parts that all workspaces share. The manifest, the connection, the secrets and the faults belong to one app. */
export interface SharedContext
  extends Pick<
    Site,
    | 'manifest'
    | 'sockets'
    | 'appToken'
    | 'signingSecret'
    | 'clientId'
    | 'clientSecret'
    | 'fileStore'
    | 'faults'
    | 'switches'
    | 'touch'
  > {
  options: WorkspaceOptions;
  url: () => string;
  clock: Clock;
  /** The computer's clock, for signatures. Tests can't move it. ms since the epoch. */
  systemNow: () => number;
  delivery: Delivery;
}

/** Opens a workspace. With `first`, opens the same workspace for another app. */
export function openSite(shared: SharedContext, slack: Slack, state: SavedState, first?: Site): Site {
  const apps = first?.apps ?? [];
  const { options, url, clock, systemNow: _, delivery, ...own } = shared;
  const now = () => clock.now();
  const audience = first?.audience ?? new Audience();
  const traffic = new TrafficLog(audience, now, own.manifest.name);
  const site: Site = {
    ...own,
    slack,
    now,
    runAfter: (ms, run) => clock.runAfter(ms, run),
    get url() {
      return url();
    },
    apps,
    audience,
    triggers: new Map(),
    statuses: new Map(),
    connection: new AppConnection(delivery, traffic, () => site.state.app.absent !== true),
    traffic,
    rateLimits: options.limits ? new RateLimits(now, options.limits === 'unlisted') : undefined,
    optionsState: options.optionsState ?? 'stale',
    fileProcessingMs: options.fileProcessingMs ?? FILE_PROCESSING_MS,
    pictureOrigin: options.picturesFrom === undefined ? undefined : new URL(options.picturesFrom).origin,
    waitMs: options.waitMs ?? DEFAULT_WAIT_MS,
    state,
  };
  apps.push(site);
  resumeScheduled(site);
  return site;
}
