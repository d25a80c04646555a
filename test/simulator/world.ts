import { createRequire } from 'node:module';
import { createEncryption, type Role } from '../../src/access/access.ts';
import { changeGrants } from '../../src/access/sql/grants.ts';
import { prepareRestored } from '../../src/app/capabilities.ts';
import { features } from '../../src/app/features.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { listBotScopes } from '../../src/slack/scopes.ts';
import { createCredentials } from '../../src/workspaces/credentials.ts';
import { BLACKOUT_DAYS, toRecurrence, WORKSPACES } from './cast.ts';
import { openSimulatedDatabase } from './database.ts';
import { replaceDownloads } from './downloads.ts';
import type { Entry, Trouble } from './history.ts';
import { createInstance, ENCRYPTION_KEY, type HttpAnswer, type Instance, type LogLine } from './instance.ts';
import { createNetwork, type Network } from './network.ts';
import { installRandomness } from './randomness.ts';
import { readSetUp, writeSetUp } from './saved-set-up.ts';
import { createService, type FileAnswer, SERVICE_URL, type ServiceWays } from './service.ts';
import { createSlack, type SlackReply, type SlackRequest } from './slack/slack.ts';
import { installVirtualTime, type Process, runIn, runWhileAlive } from './virtual-time.ts';

/** Pictures are drawn in a thread of their own, and when that ends isn't known. Here they are empty. */
async function replaceRasterizer(): Promise<void> {
  const rasterizer: Record<string, unknown> = createRequire(import.meta.url)('@resvg/resvg-js');
  rasterizer.renderAsync = async () => ({ width: 1, height: 1, asPng: () => Buffer.from('PNG') });
  await import('@resvg/resvg-js');
}

/** The ids that stay from the installation on: bot users, bots and tokens. */
const INSTALLED_IDS = ['U', 'B', 'xoxb-'];
/** The app is installed before any simulation begins. */
const INSTALLED_AT = Date.UTC(2026, 9, 20, 10);
/** What an instance had taken is left to others after this time, and with that they may wait for their next scan. */
const LEASE_MS = 20 * 60_000;
/** After so long without an answer, requests go to other instances. */
const UNHEALTHY_MS = 10_000;
/** Slack waits this long for an answer. */
const ANSWER_MS = 3_000;
/** The service waits this long for a file. */
const FILE_MS = 30_000;
/** Slack sends an event again after these waits, if it isn't acknowledged. */
const EVENT_RETRIES_MS = [0, 60_000, 5 * 60_000];

/**
 * Replaces time, randomness and the network of this process, and opens the one database. A process runs many simulations,
 * one after the other.
 */
export async function openWorld() {
  await replaceRasterizer();
  const time = installVirtualTime();
  const randomness = installRandomness();
  time.set(INSTALLED_AT);
  randomness.begin('set-up');
  const saved = await readSetUp();
  const database = await openSimulatedDatabase(() => network, saved);
  let history: Entry[] = [];
  let onEntry: (entry: Entry) => void = () => undefined;
  const record = (
    entry: Entry extends infer Kind ? (Kind extends Entry ? Omit<Kind, 'at'> : never) : never,
  ) => {
    const timed = { at: time.now(), ...entry } as Entry;
    history.push(timed);
    onEntry(timed);
  };
  const note = (text: string, trouble?: Trouble) =>
    record({ kind: 'note', text, ...(trouble && { trouble }) });
  const network: Network = createNetwork(time, randomness, {
    onDeath: (process) => kill(process),
    onFreeze(process, forMs) {
      freeze(process);
      time.after(forMs, () => thaw(process));
    },
  });
  let seedId = '';
  let slack = beginSlack();
  replaceDownloads({ network, download: (address, token) => slack.download(address, token) });
  const service = createService({
    ...{ time, randomness, network, accounts: WORKSPACES.map(({ account }) => account) },
    onCreate: (post) => record({ kind: 'created', ...post }),
    onPublish: (post) => record({ kind: 'published', ...post }),
    fetchFile: (address, onAnswer) => fetchFile(address, onAnswer),
  });
  let instances: Instance[] = [];
  let logLines: LogLine[] = [];
  let generation = 0;
  const frozenAt = new Map<Process, number>();
  let scanIntervalMs = 60_000;
  let failures: string[] = [];

  function beginSlack() {
    const counts = new Map<string, number>();
    const created = createSlack({
      now: time.now,
      createId: (prefix) => {
        const count = (counts.get(prefix) ?? 0) + 1;
        counts.set(prefix, count);
        // Ids are unique in all of Slack, and a map of the app's by view ids is one for all simulations of a process.
        const seedPart = INSTALLED_IDS.includes(prefix) ? '' : seedId;
        return `${prefix}${seedPart}${String(count).padStart(8, '0')}`;
      },
      onShown: (shown) => record({ kind: 'shown', ...shown }),
    });
    for (const { id, name, people, channels } of WORKSPACES) {
      const members = people.map((person) => person.id);
      created.addWorkspace({
        ...{ id, name, people: [...people] },
        channels: channels.map((channel) => ({ ...channel, members, botIsMember: true })),
        usergroups: [{ id: `S${id}`, handle: 'reviewers', users: members.slice(0, 2) }],
      });
    }
    return created;
  }

  /** Slack's Web API and response_urls, for the current instance. */
  globalThis.fetch = async (input, init) => {
    const fate = network.drawFate(
      'slack',
      !/\/chat\.\w+$/u.test(String(input instanceof Request ? input.url : input)),
    );
    const lose = () => Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
    const headers = new Headers(init?.headers);
    const request = {
      url: String(input instanceof Request ? input.url : input),
      authorization: headers.get('authorization') ?? undefined,
      contentType: headers.get('content-type') ?? '',
      body: String(init?.body ?? ''),
    };
    const aborted = new Promise<never>((_, reject) => {
      const { signal } = init ?? {};
      signal?.addEventListener('abort', () =>
        reject(signal.reason ?? new DOMException('aborted', 'AbortError')),
      );
    });
    const answer = network.call('slack', fate, {
      effect: async () => {
        const reply = fate.isOdd ? answerOddly(request) : slack.handle(request);
        for (const event of slack.takeEvents()) deliver(event);
        return reply;
      },
      lose,
    });
    const isSilent = network.getCondition('slack') === 'silent';
    const reply = await Promise.race([
      isSilent ? answer.catch(() => new Promise<never>(() => undefined)) : answer,
      aborted,
    ]);
    return new Response(reply.status === 204 ? null : reply.body, {
      status: reply.status,
      headers: reply.headers,
    });
  };
  function answerOddly(request: Parameters<typeof slack.handle>[0]): SlackReply {
    const random = randomness.get('odd answers of Slack');
    const json = { 'content-type': 'application/json' };
    const fail = (error: string) => ({
      status: 200,
      headers: json,
      body: JSON.stringify({ ok: false, error }),
    });
    switch (random.pick(['limited', 'error', 'internal', 'done'] as const)) {
      case 'limited':
        return {
          status: 429,
          headers: { ...json, 'retry-after': random.pick(['1', '30', '120']) },
          body: JSON.stringify({ ok: false, error: 'ratelimited' }),
        };
      case 'error':
        if (random.drawBoolean(0.5)) slack.handle(request);
        return { status: random.pick([500, 502, 503]), headers: {}, body: 'upstream connect error' };
      case 'internal':
        return fail(random.pick(['internal_error', 'fatal_error', 'service_unavailable']));
      case 'done':
        slack.handle(request);
        return fail('internal_error');
    }
  }

  /** Starts an instance, whose clock is so far ahead. It measures that at once, and later only when it scans. */
  function start(name: string, clockOffsetMs = 0): Instance {
    generation += 1;
    const process: Process = {
      ...{ name: `${name}.${generation}`, state: 'running', clockOffsetMs, deferred: [] },
    };
    const instance = createInstance(process, {
      db: database.connect,
      scanIntervalMs,
      onLog: (line) => logLines.push(line),
    });
    instances.push(instance);
    runIn(process, () => instance.bot.start()).catch((error: unknown) => {
      note(`${process.name} could not start: ${String(error)}`);
      kill(process);
    });
    return instance;
  }
  function kill(process: Process): void {
    if (process.state === 'dead') return;
    process.state = 'dead';
    process.deferred = [];
    instances = instances.filter((instance) => instance.process !== process);
    note(`${process.name} is killed`, { forMs: scanIntervalMs + LEASE_MS, leavesLists: true });
    void runIn(undefined, () => database.breakConnections(process));
  }
  function freeze(process: Process): void {
    if (process.state !== 'running') return;
    process.state = 'frozen';
    frozenAt.set(process, time.now());
    note(`${process.name} freezes`, { forMs: scanIntervalMs + LEASE_MS, leavesLists: true });
    // As Postgres ends the transaction of a client that is idle.
    void runIn(undefined, () => database.breakConnections(process));
  }
  function thaw(process: Process): void {
    if (process.state !== 'frozen') return;
    process.state = 'running';
    note(`${process.name} goes on`, { forMs: LEASE_MS, leavesLists: true });
    for (const run of process.deferred.splice(0)) runWhileAlive(process, run);
  }
  const isHealthy = ({ process }: Instance) =>
    process.state === 'running' || time.now() - (frozenAt.get(process) ?? 0) < UNHEALTHY_MS;
  /** Delivers a request to one of the instances, and events again until one of them acknowledges. */
  function deliver(request: SlackRequest, attempt = 0): void {
    const random = randomness.get('deliveries');
    const isEvent = request.kind === 'event';
    let isEnded = false;
    const end = (answer: HttpAnswer | undefined) => {
      if (isEnded) return;
      isEnded = true;
      const isTaken = answer !== undefined && answer.status >= 200 && answer.status < 300;
      const retryMs = EVENT_RETRIES_MS[attempt];
      if (isEvent && !isTaken && retryMs !== undefined)
        return time.after(retryMs, () => deliver(request, attempt + 1));
      request.onResponse(answer?.status === 0 ? undefined : answer);
    };
    const delayMs = 5 + random.drawInteger(80);
    time.after(delayMs, () => {
      const healthy = instances.filter(isHealthy);
      const instance = healthy.length > 0 ? random.pick(healthy) : undefined;
      if (!instance) return end(undefined);
      const { contentType, body } = request;
      instance.post({ contentType, body, now: time.now() }, (answer) =>
        time.after(5 + random.drawInteger(80), () => end(answer)),
      );
    });
    time.after(delayMs + ANSWER_MS, () => end(undefined));
    // Slack also delivers events again that the app has acknowledged, up to six minutes later.
    if (isEvent && attempt === 0 && random.drawBoolean(0.1))
      time.after(random.drawInteger(random.pick([2_000, 6 * 60_000])), () =>
        deliver(request, EVENT_RETRIES_MS.length),
      );
  }
  /** Fetches a file from one of the instances, as the service does. */
  function fetchFile(address: string, onAnswer: (answer: FileAnswer | undefined) => void): void {
    let isEnded = false;
    const end = (answer: FileAnswer | undefined) => {
      if (!isEnded) onAnswer(answer);
      isEnded = true;
    };
    time.after(FILE_MS, () => end(undefined));
    const instance = instances.find(isHealthy) ?? instances[0];
    instance?.getFile(new URL(address).pathname, end);
  }
  /** Installs the app in a workspace, as a person does in the browser. Resolves with whether it worked. */
  async function install(workspace: string, installer: string): Promise<boolean> {
    const get = (path: string, headers: Record<string, string>) =>
      new Promise<HttpAnswer | undefined>((resolve) => {
        const [instance] = instances;
        if (!instance) return resolve(undefined);
        time.after(20_000, () => resolve(undefined));
        instance.get(path, headers, resolve);
      });
    const begun = await get('/slack/install', {});
    if (begun?.status !== 302) return false;
    const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';');
    const code = slack.issueCode(workspace, installer, listBotScopes(features));
    const ended = await get(`/slack/oauth_redirect?${new URLSearchParams({ code, state })}`, { cookie });
    return ended?.status === 200;
  }
  /** Waits for statements of the simulation itself. They may have to wait for a transaction of an instance. */
  async function waitFor<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    ended.catch(() => undefined);
    while (!isDone) await time.runUntil(time.now() + 100, () => isDone);
    return ended;
  }
  /** Connects a workspace to the service. */
  async function connect(workspace: string): Promise<void> {
    const { account, people } = WORKSPACES.find(({ id }) => id === workspace) ?? {};
    const credentials = createCredentials({
      ...{ db: database.admin, encryption: createEncryption([ENCRYPTION_KEY]), onUnusable: () => undefined },
    });
    await credentials.save(workspace, {
      ...{ url: SERVICE_URL, token: account?.token ?? '', connectedBy: people?.[0]?.id ?? '' },
      connectedAt: new Date(time.now()),
    });
  }
  /** Gives a person a role in all projects, instead of an earlier one. */
  async function setRole(workspace: string, subject: string, role: Role | 'none'): Promise<void> {
    const grant = { workspace, subjectKind: 'person', subject, project: '' } as const;
    await changeGrants(database.admin, workspace, async (grants) => {
      if (role === 'none') await grants.remove(grant);
      else
        await grants.save({
          ...grant,
          role,
          reason: 'given',
          grantedBy: subject,
          grantedAt: new Date(time.now()),
        });
    });
  }
  /** What the rows of a workspace look like before anybody does anything. */
  async function setUp(): Promise<void> {
    start('set-up');
    await time.runUntil(INSTALLED_AT + 10_000);
    const db = database.admin;
    for (const { id: workspace, people, policies } of WORKSPACES) {
      const [{ id: owner } = { id: '' }] = people;
      const installing = install(workspace, owner);
      await time.runUntil(time.now() + 30_000);
      if (!(await installing)) throw new Error(`the app could not be installed in ${workspace}`);
      await connect(workspace);
      for (const { id: person, role } of people) if (role) await setRole(workspace, person, role);
      for (const { project, leadMinutes, review, slots } of policies)
        await savePolicy(
          db,
          { workspace, project },
          {
            ...DEFAULT_POLICY,
            leadMinutes,
            review,
            reviewSteps:
              review === 'off' ? [] : [{ approvers: [{ kind: 'role', role: 'manager' }], needs: 'any' }],
            postingTimes: [{ platforms: [], recurrence: toRecurrence(slots) }],
            blackouts: BLACKOUT_DAYS.map((day) => ({ from: day, to: day, name: '' })),
          },
        );
    }
    for (const { process } of instances) kill(process);
    await database.copy('beginning');
    await writeSetUp(await database.save());
  }
  if (!saved) await setUp();

  return {
    time,
    randomness,
    network,
    database,
    service,
    record,
    note,
    start,
    kill,
    freeze,
    thaw,
    deliver,
    install,
    waitFor,
    connect,
    setRole,
    /** Records something that must not happen in the process itself. */
    fail: (violation: string) => void failures.push(violation),
    get failures(): readonly string[] {
      return failures;
    },
    get slack() {
      return slack;
    },
    get instances(): readonly Instance[] {
      return instances;
    },
    get history(): readonly Entry[] {
      return history;
    },
    get logLines(): readonly LogLine[] {
      return logLines;
    },
    /** Prepares everything for the simulation of a seed. Nothing of an earlier one is left. */
    async begin(
      seed: string,
      {
        startsAt,
        scanIntervalMs: intervalMs,
        service: ways,
        onEntry: listen,
      }: { startsAt: number; scanIntervalMs: number; service: ServiceWays; onEntry(entry: Entry): void },
    ) {
      for (const { process } of instances) kill(process);
      time.clear();
      time.set(startsAt);
      network.reset();
      service.reset(ways);
      database.forgetStatements();
      await database.restore('beginning');
      randomness.begin(seed);
      history = [];
      logLines = [];
      generation = 0;
      frozenAt.clear();
      failures = [];
      seedId = `${seed}X`;
      onEntry = listen;
      slack = beginSlack();
      for (const { id, people } of WORKSPACES)
        slack.install(id, people[0]?.id ?? '', listBotScopes(features));
      scanIntervalMs = intervalMs;
    },
    /** Restores a copy of the database, as an operator does with a backup. No instance may run. */
    async restoreBackup(): Promise<void> {
      await waitFor(database.restore('backup'));
      await prepareRestored(database.admin, new Date(time.now()));
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
