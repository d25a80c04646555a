import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { features } from '../../src/app/features.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { type Running, startBot, WITHOUT_LIMITS } from '../support/bot.ts';
import { createRandom, type Random } from '../support/random.ts';
import { data, invalid, json } from '../support/scripted-service.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';

/**
 * Texts that would become mentions, links or broadcasts if they weren't escaped. Each contains its id, such as
 * `EVIL7`.
 */
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

/** Creates a generator of hostile texts, each with a unique id. */
export function createHostileTexts(random: Random) {
  let count = 0;
  return (pieces = 1 + random.drawInteger(4)): string => {
    count += 1;
    const id = `EVIL${count}`;
    return [id, ...Array.from({ length: pieces }, () => random.pick(PIECES)(id))].join(
      random.pick([' ', '', '|', '\n']),
    );
  };
}

type NextText = ReturnType<typeof createHostileTexts>;

/** Makes the service respond with hostile texts in all text fields. */
function scriptHostileService({ service }: Running, nextText: NextText, random: Random): void {
  const buildList = (createRecord: (index: number) => object) =>
    data(Array.from({ length: 40 }, (_, index) => createRecord(index)));
  const nextName = () => nextText(1);
  service.on('GET /projects', data([{ Id: 'p1', Name: nextName() }]));
  const createPost = (index: number) => ({
    Id: `post${index}`,
    Content: nextText(),
    Media: nextText(),
    Platforms: random.pick([['X'], [nextText(1)], ['X', 'LINKEDIN']]),
    Status: random.pick(['SCHEDULED', 'DRAFT', nextText(1)]),
    ScheduleDate: '2026-12-01T09:00:00+01:00',
    Timezone: random.pick(['Europe/Berlin', nextText(1)]),
  });
  service.on('GET /posts', buildList(createPost));
  service.on('GET /upnext-post', data(createPost(0)));
  service.on(
    'GET /templates',
    buildList((index) => ({
      Id: `t${index}`,
      Name: nextName(),
      Content: nextText(),
      Description: nextText(),
    })),
  );
  service.on(
    'GET /sources',
    buildList((index) => ({
      Id: `s${index}`,
      Name: nextName(),
      Description: nextText(),
      Source: { Source: nextText() },
    })),
  );
  service.on(
    'GET /logs',
    buildList((index) => ({
      Id: `l${index}`,
      Type: nextName(),
      Message: nextText(),
      User: nextName(),
      CreatedAt: '2026-11-20T08:00:00Z',
      Extra: nextText(),
    })),
  );
  for (const call of ['POST /posts', 'POST /prompts', 'POST /invite', 'DELETE /webhook', 'DELETE /file']) {
    service.on(call, invalid({ loc: ['body', random.pick(['Content', nextText(1)])], msg: nextText() }));
  }
}

const TIMEOUT_MS = 10_000;
/** How long to wait for a button, which may be gone. Its message was sent already. */
const MAX_PRESS_WAIT_MS = 2_000;
/** Every 200th round types every command. The others only show lists, which contain more texts in less time. */
const FULL_ROUND_INTERVAL = 200;

/** Lists the command lines to type: each command alone and with a hostile text. */
function listLines(nextText: NextText): string[] {
  const names = features.flatMap(({ commands }) => commands.map((command) => command.name));
  return [
    ...names.flatMap((name) => [`/upnext ${name}`, `/upnext ${name} ${nextText()}`]),
    `/upnext ${nextText()}`,
    `/upnext help ${nextText()}`,
    `/schedule-post tomorrow 9am on X: ${nextText()}`,
    `/schedule-post ${nextText()}: ${nextText()}`,
    `/invite-user ${nextText()}`,
  ];
}

function findButtons(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(findButtons);
  if (typeof value !== 'object' || value === null) return [];
  const isButton = 'type' in value && value.type === 'button' && 'text' in value;
  const { text } = isButton ? (value as { text: { text: string } }) : { text: undefined };
  return [...(text ? [text.text] : []), ...Object.values(value).flatMap(findButtons)];
}

const hasView = (payload: unknown) => typeof payload === 'object' && payload !== null && 'view' in payload;

/** Commands that show many texts at once. */
const LIST_COMMANDS = ['', 'posts', 'posts drafts', 'templates', 'sources', 'logs', 'projects', 'status'];

/** Shows all lists, with new texts in them. */
async function showLists(
  startedBot: Running,
  nextText: NextText,
  random: Random,
  getSentPayloads: () => Sent[],
): Promise<void> {
  scriptHostileService(startedBot, nextText, random);
  const ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
  for (const name of LIST_COMMANDS) await typeAndWait(ana, `/upnext ${name}`, getSentPayloads);
}

type Ana = ReturnType<ReturnType<Running['workspace']['as']>['in']>;

/** Types `line` and waits until the bot has sent another payload. */
async function typeAndWait(ana: Ana, line: string, getSent: () => Sent[]): Promise<void> {
  const countBefore = getSent().length;
  // A refused line is a failure only if no answer follows: it is named there.
  let refusal: unknown;
  await ana.type(line).catch((error: unknown) => {
    refusal = error;
  });
  const deadline = performance.now() + TIMEOUT_MS;
  while (getSent().length <= countBefore) {
    if (performance.now() > deadline)
      throw new Error(`the bot sent nothing after ${JSON.stringify(line)}`, { cause: refusal });
    await delay(2);
  }
}

/** Types every command, and presses buttons in the answers. */
async function typeAllCommands(
  startedBot: Running,
  nextText: NextText,
  random: Random,
  getSent: () => Sent[],
): Promise<void> {
  scriptHostileService(startedBot, nextText, random);
  const ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
  for (const line of listLines(nextText)) {
    const countBefore = getSent().length;
    await typeAndWait(ana, line, getSent);
    // A person's press finds only the buttons of messages.
    const labels = new Set(
      getSent()
        .slice(countBefore)
        .filter(({ payload }) => !hasView(payload))
        .flatMap(({ payload }) => findButtons(payload)),
    );
    for (const button of [...labels].slice(0, 3)) {
      // Some buttons open a form, and some are gone by then.
      await ana.press(button, { timeoutMs: MAX_PRESS_WAIT_MS }).catch(() => undefined);
    }
  }
  // With several projects, each command asks for one.
  startedBot.service.on('GET /projects', data(['p1', 'p2', 'p3'].map((Id) => ({ Id, Name: nextText() }))));
  for (const line of ['/upnext', '/upnext posts', '/upnext projects', '/upnext status', '/upnext use']) {
    await typeAndWait(ana, line, getSent);
  }
  startedBot.service.on('GET /posts', json(500, { detail: nextText() }));
  startedBot.service.on('GET /projects', json(422, { detail: nextText() }));
  for (const line of ['/upnext', '/upnext posts', '/upnext projects', '/upnext status']) {
    await typeAndWait(ana, line, getSent);
  }
}

/** Runs rounds until this many texts were sent to Slack. Returns the texts that would have become markup (`markup`). */
export async function sendHostile(
  db: Kysely<BotSchema>,
  options: { texts: number; seed: number; maxRounds?: number },
) {
  const random = createRandom(options.seed);
  const nextText = createHostileTexts(random);
  const startedBot = await startBot({ db, rates: WITHOUT_LIMITS, limits: false });
  const sentPayloads: Sent[] = [];
  const ids = new Set<string>();
  let [payloads, rounds] = [0, 0];
  const payloadCheck = watchSent({
    strangers: /EVIL/,
    onSent: (sentPayload) => {
      sentPayloads.push(sentPayload);
      payloads += 1;
      for (const [id] of JSON.stringify(sentPayload.payload).matchAll(/EVIL\d+/g)) ids.add(id);
    },
  });
  while (ids.size < options.texts && rounds < (options.maxRounds ?? Number.POSITIVE_INFINITY)) {
    await (rounds % FULL_ROUND_INTERVAL === 0 ? typeAllCommands : showLists)(
      startedBot,
      nextText,
      random,
      () => sentPayloads,
    );
    sentPayloads.length = 0;
    rounds += 1;
  }
  const failedRequests = startedBot.logged.filter((line) => line.startsWith('request failed '));
  await startedBot.close();
  return { markup: payloadCheck.stop(), texts: ids.size, payloads, rounds, failed: failedRequests };
}
