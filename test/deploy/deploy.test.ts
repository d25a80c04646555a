import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { REQUEST_RESULTS, SLACK_OUTCOMES } from '../../src/handlers/bolt/bolt.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { RATES } from '../../src/slack/rate-limits.ts';
import { root } from '../checks.ts';

/** The files under `deploy` name metrics, paths, settings and the start command, which exist elsewhere too. */

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const alertGroups = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ alert: z.string(), expr: z.string(), labels: z.object({ severity: z.string() }) }),
      ),
    }),
  ),
});
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const startCommand = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(read('package.json'))).scripts.start;

async function readMetrics(): Promise<string> {
  const metrics = createMetrics({ rates: RATES, requests: REQUEST_RESULTS, calls: SLACK_OUTCOMES });
  metrics.setSource(async () => ({
    submissions: {},
    behindSeconds: {},
    isSendingStopped: false,
    heldPosts: {},
    secondsUntilMissed: 0,
  }));
  return (await metrics.read()).text;
}

async function listMetrics(): Promise<string[]> {
  return [...(await readMetrics()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}

const findMetrics = (expression: string) =>
  (expression.match(/\b(upnext|process|nodejs)_\w+/g) ?? []).map((name) => name.replace(/_bucket$/, ''));

test('every metric of the alerts and of the dashboard exists', async () => {
  const alerts = alertGroups
    .parse(parse(read('deploy/prometheus/upnext.rules.yaml')))
    .groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const panels = dashboard
    .parse(JSON.parse(read('deploy/grafana/upnext.json')))
    .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const metrics = await listMetrics();
  for (const expression of [...alerts, ...panels]) {
    expect(findMetrics(expression), expression).not.toEqual([]);
    expect(metrics).toEqual(expect.arrayContaining(findMetrics(expression)));
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)(
  `the alerts fire when they should, and only then${hasPromtool ? '' : ' (not tried: promtool is missing, which Debian’s package “prometheus” has)'}`,
  () => {
    const file = 'deploy/prometheus/upnext.rules.test.yaml';
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toContain('SUCCESS');
    expect(status).toBe(0);
  },
);

/** Lists the series of a selector, which may have alternatives: `name{label=~"a|b"}`. */
function listSeries(selector: string): string[] {
  const [, name = '', label = '', values] = /^(\w+)\{(\w+)=~"(.*)"\}$/.exec(selector) ?? [];
  return values?.split('|').map((value) => `${name}{${label}="${value}"}`) ?? [selector];
}

test('an alert about an increase also sees the first one after a start, because the counter begins with 0', async () => {
  const increases = [...read('deploy/prometheus/upnext.rules.yaml').matchAll(/increase\((\w+)(\{.*?\})?\[/g)];
  const samples = (await readMetrics()).split('\n').filter((line) => line.endsWith(' 0'));
  expect(increases.length).toBeGreaterThan(3);
  for (const [, name = '', labels = ''] of increases)
    for (const series of listSeries(name + labels))
      expect(
        samples.some((line) => line.startsWith(series)),
        series,
      ).toBe(true);
});

test('OPERATING.md says of exactly the critical alerts that they wake somebody', () => {
  const critical = alertGroups
    .parse(parse(read('deploy/prometheus/upnext.rules.yaml')))
    .groups.flatMap(({ rules }) => rules.filter(({ labels }) => labels.severity === 'critical'))
    .flatMap(({ expr }) => /upnext_\w+(\{kind="[^"]*"\})?/.exec(expr)?.[0] ?? []);
  const waking = [...read('OPERATING.md').matchAll(/^\| `([^`]*)` \|[^|]*\| yes \|/gm)].map(
    ([, name]) => name,
  );
  expect(waking.length).toBeGreaterThan(3);
  expect([...new Set(critical)].toSorted()).toEqual(waking.toSorted());
});

test('the first screen of OPERATING.md says what to do at each alert that wakes somebody', () => {
  const critical = alertGroups
    .parse(parse(read('deploy/prometheus/upnext.rules.yaml')))
    .groups.flatMap(({ rules }) =>
      rules.flatMap(({ alert, labels }) => (labels.severity === 'critical' ? alert : [])),
    );
  const [, screen = ''] = /## On one screen\n([\s\S]*?)\n## /.exec(read('OPERATING.md')) ?? [];
  const named = screen.match(/`Upnext\w+`/g)?.map((name) => name.slice(1, -1)) ?? [];
  expect(named.toSorted()).toEqual(critical.toSorted());
});

test('OPERATING.md explains every error that can be logged, and no line that is never logged', () => {
  const [, table = ''] = /### Log lines\n([\s\S]*?)\n## /.exec(read('OPERATING.md')) ?? [];
  const lines = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, line]) => line),
  );
  const sources = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');
  expect(lines.filter((line) => line !== 'msg' && !sources.includes(`'${line}'`))).toEqual([]);
  const errors = [...sources.matchAll(/\blog\.error\([^'`;]*'([^']+)'/g)].map(([, line]) => line);
  expect(errors.length).toBeGreaterThan(30);
  expect(errors.filter((line) => !lines.includes(line))).toEqual([]);
});

test('OPERATING.md states the rate limits', () => {
  const renderRates = (rates: readonly { burst: number; perSecond: number }[]) =>
    rates
      .map(({ burst, perSecond }, index) => {
        const size = `${burst.toLocaleString('en')}${index === 0 ? ' at once' : ''}`;
        const isSlow = perSecond < 1;
        return `${size}, then ${isSlow ? `one every ${1 / perSecond} s` : `${perSecond.toLocaleString('en')} a second`}`;
      })
      .join('; over longer times ');
  const [, table = ''] = /\n## Limits\n[\s\S]*?\n\|---.*\n([\s\S]*)/.exec(read('OPERATING.md')) ?? [];
  const kinds = Object.values(RATES);
  expect(table.split('\n').slice(0, kinds.length)).toEqual(
    kinds.map(({ member, tenant }) =>
      expect.stringMatching(new RegExp(`\\| ${renderRates(member)} \\| ${renderRates(tenant)} \\|$`)),
    ),
  );
});

test('every metric that OPERATING.md tells people to watch has an alert', () => {
  const alerts = read('deploy/prometheus/upnext.rules.yaml');
  const [, table = ''] = /## Metrics and alerts\n([\s\S]*?)\n## /.exec(read('OPERATING.md')) ?? [];
  const watched = new Set(table.match(/upnext_\w+/g));
  expect(watched.size).toBeGreaterThan(10);
  // It rises while people have open questions, which is no fault of Upnext.
  watched.delete('upnext_held_posts');
  for (const name of watched) expect(alerts).toMatch(new RegExp(`${name}(_bucket)?\\b`));
});

test.each(CAPABILITIES.map(({ name }) => name))(
  'OPERATING.md and the alerts say when %s are late, with the same limit',
  (kind) => {
    const metric = `upnext_deliveries_behind_seconds{kind="${kind}"}`;
    const row = read('OPERATING.md')
      .split('\n')
      .find((line) => line.startsWith(`| \`${metric}\``));
    const [, seconds, minutes] = /\| over (\d+) for (\d+) minutes \|/.exec(row ?? '') ?? [];
    expect(seconds).toBeDefined();
    expect(read('deploy/prometheus/upnext.rules.yaml')).toContain(
      `${metric} > ${seconds}\n        for: ${minutes}m\n`,
    );
  },
);

test('the alert about missed posts counts on as long as OPERATING.md says, without replaced instances', () => {
  const metric = 'upnext_held_posts_seconds_until_missed';
  const row = read('OPERATING.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${metric}\``));
  const [, seconds] = /\| under (\d+), counted on from its last value/.exec(row ?? '') ?? [];
  const [, days] = /counts on for (\d+) days/.exec(row ?? '') ?? [];
  // The minimum is inside: an instance that was replaced must not count with what it knew last.
  expect(read('deploy/prometheus/upnext.rules.yaml')).toContain(
    `last_over_time(min(${metric} + timestamp(${metric}))[${days}d:1m]) - time() < ${seconds}\n`,
  );
});

test('the container and the unit start Upnext as `npm start` does', () => {
  const words = startCommand.split(' ');
  const dockerfile = read('deploy/Dockerfile').replaceAll('\\\n', '');
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  expect(JSON.parse(command)).toEqual(words);
  const [, unitCommand = ''] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(read('deploy/upnext.service')) ?? [];
  expect(unitCommand.split(' ')).toEqual(words);
});

test('the image has no practice system: the packages aren’t copied, and npm leaves them out', () => {
  const dockerfile = read('deploy/Dockerfile');
  expect(dockerfile).toContain('npm ci --omit=dev');
  expect(dockerfile.match(/^COPY (?!--from).*$/gm)?.join() ?? 'packages').not.toMatch(/packages|\s\.\s/);
  const parts = z.object({ devDependencies: z.record(z.string(), z.string()) });
  const { devDependencies } = parts.parse(JSON.parse(read('package.json')));
  expect(Object.keys(devDependencies).filter((name) => name.endsWith('-emulator'))).toHaveLength(2);
});

test('every way of running Upnext serves metrics, also if Slack’s requests come over HTTP', () => {
  for (const name of ['compose.yaml', 'kubernetes.yaml', 'upnext.service'])
    expect(read(`deploy/${name}`)).toMatch(/HEALTH_PORT\b/);
});

test('no file lets a crash write the memory of the process to disk', () => {
  expect(read('deploy/upnext.service')).toMatch(/^LimitCORE=0$/m);
  const { services } = z
    .object({ services: z.object({ upnext: z.object({ ulimits: z.object({ core: z.number() }) }) }) })
    .parse(parse(read('deploy/compose.yaml')));
  expect(services.upnext.ulimits.core).toBe(0);
  // Kubernetes has no such setting, so the image has it.
  const [, entrypoint = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(read('deploy/Dockerfile')) ?? [];
  expect(JSON.parse(entrypoint)).toEqual(['/bin/sh', '-c', 'ulimit -c 0 && exec "$@"', 'sh']);
  expect(read('deploy/kubernetes.yaml')).not.toMatch(/^ +command:/m);
});

test('containers have a limit of memory above that of the heap, and of every folder that can be written', () => {
  const [, heapMb] = /--max-old-space-size=(\d+)/.exec(startCommand) ?? [];
  const { services } = z
    .object({
      services: z.record(
        z.string(),
        z.object({ mem_limit: z.string(), tmpfs: z.array(z.string()).optional() }),
      ),
    })
    .parse(parse(read('deploy/compose.yaml')));
  for (const { mem_limit: limit } of Object.values(services)) expect(limit).toBe('1g');
  expect(services.upnext?.tmpfs?.filter((mount) => !/[:,]size=\d+m$/.test(mount))).toEqual([]);
  const kubernetes = read('deploy/kubernetes.yaml');
  expect(kubernetes).toContain('limits: { memory: 1Gi }');
  expect(1_024 - Number(heapMb)).toBeGreaterThanOrEqual(256);
  const folders = kubernetes.match(/emptyDir: .*/g) ?? [];
  expect(folders).toHaveLength(2);
  expect(folders.filter((folder) => !/sizeLimit: \d+Mi/.test(folder))).toEqual([]);
});

test('in Kubernetes, only a proxy and monitoring reach Upnext, and Upnext reaches no private address but the database', () => {
  const policy = parseAllDocuments(read('deploy/kubernetes.yaml'))
    .map((document): unknown => document.toJS())
    .find((document) => z.object({ kind: z.literal('NetworkPolicy') }).safeParse(document).success);
  const rules = z.array(z.object({ ports: z.array(z.object({ port: z.union([z.string(), z.number()]) })) }));
  const { spec } = z
    .object({ spec: z.object({ policyTypes: z.array(z.string()), ingress: rules, egress: rules }) })
    .parse(policy);
  const listPorts = (of: z.infer<typeof rules>) =>
    of.map(({ ports }) => [...new Set(ports.map(({ port }) => port))]);
  expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(listPorts(spec.ingress)).toEqual([['slack'], ['health']]);
  expect(listPorts(spec.egress)).toEqual([[53], [5432], [443, 80]]);
  expect(read('deploy/kubernetes.yaml')).toContain('169.254.0.0/16');
});

test('every image is pinned by its digest, the same in all stages', () => {
  const lines = ['Dockerfile', 'compose.yaml'].flatMap((name) => read(`deploy/${name}`).split('\n'));
  const images = lines.flatMap((line) => /^(?:FROM| +image:) +(\S+)/.exec(line)?.[1] ?? []);
  expect(images.filter((image) => !/:[\d.]+-bookworm\S*@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  expect(new Set(images).size).toBe(2);
});

test('the probes use paths, and the files set settings, that exist', () => {
  const files = ['Dockerfile', 'compose.yaml', 'kubernetes.yaml', 'upnext.service'].map((name) =>
    read(`deploy/${name}`),
  );
  const paths = new Set(files.join('\n').match(/\/health\/\w+/g));
  expect([...paths].toSorted()).toEqual(['/health/live', '/health/ready']);
  for (const path of paths) expect(read('OPERATING.md')).toContain(`GET ${path}`);
  for (const document of parseAllDocuments(files[2] ?? '')) expect(document.errors).toEqual([]);
  const settings = new Set([...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name));
  const [dockerfile = '', compose = '', kubernetes = '', unit = ''] = files;
  const used = [
    ...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' '),
    ...(compose.match(/^ {6}(HOST|PORT|[A-Z]+_URL)/gm) ?? []),
    ...(kubernetes.match(/name: ([A-Z]+_[A-Z]+)/g) ?? []).map((name) => name.replace('name: ', '')),
    ...(/^Environment=(.*)$/m.exec(unit)?.[1] ?? '').split(' '),
  ].map((assignment) => assignment.trim().replace(/=.*/, ''));
  expect(used.length).toBeGreaterThan(6);
  expect([...settings]).toEqual(expect.arrayContaining(used));
});
