import { type Running, startBot, WITHOUT_LIMITS } from '../test/support/bot.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';
import { data, type ScriptedService, startScriptedService } from '../test/support/scripted-service.ts';
import { createScriptedLookup, startTlsFront } from '../test/support/tls-front.ts';
import { printVerdict } from './print-verdict.ts';

/**
 * Counts the calls to the service with which Upnext keeps Home up to date. Ten people work for twelve minutes in a
 * workspace with eight projects, and every ten seconds one of them does something: every fourth action schedules a post.
 * Home's calls are those of a run in which everybody has opened Home, minus those of a run in which nobody has.
 */
const PERSON_COUNT = 10;
const PROJECT_COUNT = 8;
const MINUTE_COUNT = 12;
const ACTION_INTERVAL_MS = 10_000;
/** The limit for Home's calls. */
const MAX_CALLS_PER_PERSON_AND_MINUTE = 2;
const START = new Date('2026-11-20T08:00:00Z');
/** An action has ended when there was no request for this long. */
const QUIET_MS = 600;

type Person = ReturnType<Running['workspace']['as']>;

/** The actions in turn. Those on Home are left out if nobody has opened it. */
const ACTIONS = [
  'post',
  'home',
  '/upnext zone',
  'home',
  'post',
  '/upnext outbox',
  'refresh',
  'home',
  'post',
  'home',
  '/upnext notifications',
  '/upnext zone',
] as const;

export async function measureHomeCalls(): Promise<void> {
  const closed = await countCalls({ isHomeOpen: false });
  const open = await countCalls({ isHomeOpen: true });
  const homeCalls = open.calls - closed.calls;
  const rate = homeCalls / PERSON_COUNT / MINUTE_COUNT;
  const actionCount = (MINUTE_COUNT * 60_000) / ACTION_INTERVAL_MS;
  console.log(
    '  the same actions twice: in the second run all people have Home open, and the difference is Home’s',
  );
  console.log(
    `  ${actionCount} actions in ${MINUTE_COUNT} min: ${closed.calls} calls to the service while nobody has Home open, ${open.calls} while ${PERSON_COUNT} people have`,
  );
  console.log(
    `  Home: ${homeCalls} calls, ${(homeCalls / actionCount).toFixed(1)} for each action, ${rate.toFixed(2)} for each person and minute`,
  );
  console.log(`  a first Home: ${open.firstCalls} calls over ${open.firstConnections} TLS connections`);
  printVerdict(
    `${MAX_CALLS_PER_PERSON_AND_MINUTE} calls for each person and minute`,
    rate <= MAX_CALLS_PER_PERSON_AND_MINUTE ? [] : [`${rate.toFixed(2)}`],
  );
  if (rate > MAX_CALLS_PER_PERSON_AND_MINUTE) process.exitCode = 1;
}

async function countCalls({ isHomeOpen }: { isHomeOpen: boolean }) {
  const service = await startPosts();
  const front = await startTlsFront(service.url);
  const { lookup } = createScriptedLookup(['127.0.0.1']);
  const database = await openBotDatabase();
  const running = await startBot({
    db: database.db,
    service: { url: front.url, token: 'service-token', guard: { allowPrivate: true, lookup, ca: front.ca } },
    membersDefaultRole: 'publisher',
    followsClock: true,
    startTime: START,
    limits: false,
    rates: WITHOUT_LIMITS,
  });
  const people = Array.from({ length: PERSON_COUNT }, (_, index) => {
    const name = `Person ${index}`;
    running.workspace.admin.addPerson({ name });
    return running.workspace.as(name).in('#general');
  });
  const waitUntilQuiet = createQuietWait(running, service);
  const [firstPerson] = people;
  if (isHomeOpen) await firstPerson?.home('Commands');
  await waitUntilQuiet();
  const firstCalls = service.calls.length;
  const firstConnections = front.countConnections();
  if (isHomeOpen) for (const person of people) await person.home('Commands');
  await waitUntilQuiet();
  const callsBefore = service.calls.length;
  const actionCount = (MINUTE_COUNT * 60_000) / ACTION_INTERVAL_MS;
  for (let index = 0; index < actionCount; index += 1) {
    running.workspace.clock.advance(ACTION_INTERVAL_MS);
    const action = ACTIONS[index % ACTIONS.length];
    const person = people[index % people.length];
    if (!person || !action) continue;
    await act(person, action, { index, isHomeOpen, waitUntilQuiet });
    await waitUntilQuiet();
  }
  const calls = service.calls.length - callsBefore;
  await running.close();
  await database.close();
  await front.close();
  await service.stop();
  return { calls, firstCalls, firstConnections };
}

async function act(
  person: Person,
  action: (typeof ACTIONS)[number],
  {
    index,
    isHomeOpen,
    waitUntilQuiet,
  }: { index: number; isHomeOpen: boolean; waitUntilQuiet: () => Promise<void> },
): Promise<void> {
  if (action === 'post') return schedulePost(person, index, waitUntilQuiet);
  if (action !== 'home' && action !== 'refresh') return void (await person.type(action));
  if (!isHomeOpen) return;
  const home = await person.home('Commands');
  if (action === 'refresh') await home.press('Refresh');
}

async function schedulePost(
  person: Person,
  index: number,
  waitUntilQuiet: () => Promise<void>,
): Promise<void> {
  await person.type('/schedule-post');
  const form = await person.modal('Schedule a post');
  await form.choose('Project', `Project ${index % PROJECT_COUNT}`);
  // The form then shows the project's platforms, which replaces an earlier choice of platforms.
  await waitUntilQuiet();
  await form.fill('Text', `Post number ${index}`);
  await form.choose('Platforms', ['X']);
  await form.fill('When', '24 Nov 9am');
  await form.submit();
  await person.modal('Scheduled');
}

/** Waits until neither the service nor Slack had a request for a while. */
function createQuietWait({ workspace }: Running, service: ScriptedService) {
  const countRequests = () =>
    Object.values(workspace.faults.counts().calls).reduce(
      (sum, count) => sum + (count ?? 0),
      service.calls.length,
    );
  return async () => {
    for (let lastCount = -1; lastCount !== countRequests(); ) {
      lastCount = countRequests();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  };
}

/** Starts a service that stores posts. Half of its projects have no post in the next week. */
async function startPosts(): Promise<ScriptedService> {
  const service = await startScriptedService();
  const projects = Array.from({ length: PROJECT_COUNT }, (_, index) => ({
    Id: `p${index}`,
    Name: `Project ${index}`,
  }));
  const posts = projects.map(({ Id }, index) => ({
    Id: `first-${Id}`,
    project: Id,
    Content: 'A post',
    ScheduleDate: index % 2 === 0 ? '2026-11-24T09:00:00+00:00' : '2027-02-01T09:00:00+00:00',
    Timezone: 'Europe/London',
    Platforms: ['X'],
    Status: 'SCHEDULED',
  }));
  const listOf = (path: string) => posts.filter(({ project }) => path.includes(`/${project}/`));
  service.on('GET /projects', data(projects));
  service.on('GET /posts', (call, response) => {
    const [from, to] = ['schedule_date_from', 'schedule_date_to'].map((name) =>
      Date.parse(call.query.get(name) ?? ''),
    );
    const found = listOf(call.path).filter(
      ({ ScheduleDate, Status }) =>
        (call.query.getAll('status').length === 0 || call.query.getAll('status').includes(Status)) &&
        !(Date.parse(ScheduleDate) < (from ?? Number.NaN)) &&
        !(Date.parse(ScheduleDate) > (to ?? Number.NaN)),
    );
    return data(found)(call, response);
  });
  service.on('GET /upnext-post', (call, response) => data(listOf(call.path)[0] ?? null)(call, response));
  service.on('POST /posts', (call, response) => {
    const post = {
      ...(call.body as (typeof posts)[number]),
      Id: `post-${posts.length}`,
      project: call.path.split('/')[4] ?? '',
    };
    posts.push(post);
    return data(post)(call, response);
  });
  return service;
}
