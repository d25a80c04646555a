import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { features } from '../../src/app/features.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { type Running, startBot } from '../support/bot.ts';
import { type Luck, luckOf } from '../support/luck.ts';
import { data, invalid, json } from '../support/scripted-service.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';

/** What would mention, link or call people where somebody forgot to escape it; each says who it was, `EVIL7`. */
const PIECES: readonly ((id: string) => string)[] = [
  () => '<!channel>',
  (id) => `<!here|${id}>`,
  () => '<!everyone>',
  (id) => `<@U${id}>`,
  (id) => `<#C${id}|general>`,
  (id) => `<!subteam^S${id}>`,
  (id) => `<http://${id}.example|good>`,
  (id) => `<mailto:${id}@example.com>`,
  (id) => `<!date^1790000000^{date}^http://${id}.example|soon>`,
  () => '&lt;!channel&gt;',
  () => '&amp;lt;!here&amp;gt;',
  () => '<<!channel>>',
  () => '<!chan\u200bnel>',
  () => '<!channel',
  () => '!channel>',
  () => '@channel @here @everyone',
  (id) => `http://${id}.example/`,
  (id) => `[good](http://${id}.example)`,
  () => '*_~`',
  () => '```',
  () => '\n>',
  () => '&',
  () => '\u202e',
  () => '\ud800',
  () => '\u0000',
  () => ':tada:',
  () => '🧑‍🔧',
  () => 'ordinary words',
];

/** Texts that each have a number of their own. */
export function hostileTexts(luck: Luck) {
  let count = 0;
  return (pieces = 1 + luck.below(4)): string => {
    count += 1;
    const id = `EVIL${count}`;
    return [id, ...Array.from({ length: pieces }, () => luck.pick(PIECES)(id))].join(
      luck.pick([' ', '', '|', '\n']),
    );
  };
}

type Text = ReturnType<typeof hostileTexts>;

/** A service that answers with such texts wherever a record has one. */
function beHostile({ service }: Running, text: Text, luck: Luck): void {
  const many = (make: (index: number) => object) =>
    data(Array.from({ length: 40 }, (_, index) => make(index)));
  const name = () => text(1);
  service.on('GET /projects', data([{ Id: 'p1', Name: name() }]));
  const post = (index: number) => ({
    Id: `post${index}`,
    Content: text(),
    Media: text(),
    Platforms: luck.pick([['X'], [text(1)], ['X', 'LINKEDIN']]),
    Status: luck.pick(['SCHEDULED', 'DRAFT', text(1)]),
    ScheduleDate: '2026-12-01T09:00:00+01:00',
    Timezone: luck.pick(['Europe/Berlin', text(1)]),
  });
  service.on('GET /posts', many(post));
  service.on('GET /upnext-post', data(post(0)));
  service.on(
    'GET /templates',
    many((index) => ({ Id: `t${index}`, Name: name(), Content: text(), Description: text() })),
  );
  service.on(
    'GET /sources',
    many((index) => ({ Id: `s${index}`, Name: name(), Description: text(), Source: { Source: text() } })),
  );
  service.on(
    'GET /logs',
    many((index) => ({
      Id: `l${index}`,
      Type: name(),
      Message: text(),
      User: name(),
      CreatedAt: '2026-11-20T08:00:00Z',
      Extra: text(),
    })),
  );
  for (const call of ['POST /posts', 'POST /prompts', 'POST /invite', 'DELETE /webhook', 'DELETE /file']) {
    service.on(call, invalid({ loc: ['body', luck.pick(['Content', text(1)])], msg: text() }));
  }
}

const PATIENCE_MS = 10_000;
/** Between these only lists, which show more texts in less time. */
const WHOLE_EACH = 200;

/** What is typed: each command alone, and with such a text behind it. */
function linesFor(text: Text): string[] {
  const names = features.flatMap(({ commands }) => commands.map((command) => command.name));
  return [
    ...names.flatMap((name) => [`/upnext ${name}`, `/upnext ${name} ${text()}`]),
    `/upnext ${text()}`,
    `/upnext help ${text()}`,
    `/schedule-post tomorrow 9am on X: ${text()}`,
    `/schedule-post ${text()}: ${text()}`,
    `/invite-user ${text()}`,
  ];
}

function buttonsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(buttonsIn);
  if (typeof value !== 'object' || value === null) return [];
  const isButton = 'type' in value && value.type === 'button' && 'text' in value;
  const { text } = isButton ? (value as { text: { text: string } }) : { text: undefined };
  return [...(text ? [text.text] : []), ...Object.values(value).flatMap(buttonsIn)];
}

/** What shows most texts at once. */
const LISTS = ['', 'posts', 'posts drafts', 'templates', 'sources', 'logs', 'projects', 'status'];

/** Only the lists, with new texts in them. */
async function lists(running: Running, text: Text, luck: Luck, seen: () => Sent[]): Promise<void> {
  beHostile(running, text, luck);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  for (const name of LISTS) await answered(() => ana.type(`/upnext ${name}`), seen);
}

/** Until something more has been said. */
async function answered(doing: () => Promise<void>, seen: () => Sent[]): Promise<void> {
  const before = seen().length;
  await doing().catch(() => undefined);
  const until = performance.now() + PATIENCE_MS;
  while (seen().length <= before) {
    if (performance.now() > until) throw new Error(`nothing was said after ${JSON.stringify(String(doing))}`);
    await delay(2);
  }
}

/** One round: everything that can be typed, and the buttons of what comes back. */
async function round(running: Running, text: Text, luck: Luck, seen: () => Sent[]): Promise<void> {
  beHostile(running, text, luck);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  for (const line of linesFor(text)) {
    const before = seen().length;
    await answered(() => ana.type(line), seen);
    const offered = new Set(
      seen()
        .slice(before)
        .flatMap(({ payload }) => buttonsIn(payload)),
    );
    for (const button of [...offered].slice(0, 3)) {
      // Some lead to a form, which is no message, or are gone by then.
      await ana.press(button).catch(() => undefined);
    }
  }
  // Several: each is asked for its project.
  running.service.on('GET /projects', data(['p1', 'p2', 'p3'].map((Id) => ({ Id, Name: text() }))));
  for (const line of ['/upnext', '/upnext posts', '/upnext projects', '/upnext status', '/upnext use']) {
    await answered(() => ana.type(line), seen);
  }
  running.service.on('GET /posts', json(500, { detail: text() }));
  running.service.on('GET /projects', json(422, { detail: text() }));
  for (const line of ['/upnext', '/upnext posts', '/upnext projects', '/upnext status']) {
    await answered(() => ana.type(line), seen);
  }
}

/** Until so many of the texts have gone out to Slack. Answers with what would have come alive. */
export async function sendHostile(
  db: Kysely<BotSchema>,
  options: { texts: number; seed: number; most?: number },
) {
  const luck = luckOf(options.seed);
  const text = hostileTexts(luck);
  const running = await startBot({ db });
  const sent: Sent[] = [];
  const ids = new Set<string>();
  let [payloads, rounds] = [0, 0];
  const watch = watchSent({
    strangers: /EVIL/,
    onSent: (one) => {
      sent.push(one);
      payloads += 1;
      for (const [id] of JSON.stringify(one.payload).matchAll(/EVIL\d+/g)) ids.add(id);
    },
  });
  while (ids.size < options.texts && rounds < (options.most ?? Number.POSITIVE_INFINITY)) {
    await (rounds % WHOLE_EACH === 0 ? round : lists)(running, text, luck, () => sent);
    sent.length = 0;
    rounds += 1;
  }
  const failed = running.logged.filter((line) => line.startsWith('request failed '));
  await running.close();
  return { alive: watch.stop(), texts: ids.size, payloads, rounds, failed };
}
