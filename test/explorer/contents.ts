import { createRandom, type Random } from '../support/random.ts';
import type { json, ScriptedService } from '../support/scripted-service.ts';
import { createHostileTexts } from './hostile-texts.ts';

/** What the service stores and answers, what people have written before, and what they type. */
export interface Content {
  /** The text of posts and names of earlier days. */
  written: string;
  /** Returns what a person types next. */
  type(): string;
  script(service: ScriptedService, project: string): void;
  /**
   * Whether what people see depends on what they have written before. Then every handler is visited. In the other
   * contents, a second press of the same button was measured to call no other function.
   */
  isAboutTexts: boolean;
}

const LISTS = ['projects', 'posts', 'templates', 'sources', 'logs'] as const;
const WRITES = ['POST /posts', 'POST /invite', 'POST /prompts', 'DELETE /webhook', 'DELETE /file'];
const IDS = ['id0', 'id1', 'id2'];

/** Creates a record with every field that any kind of record has. */
const createRecord = (id: string, writeText: () => string, fields: object = {}) => ({
  ...{ Id: id, Name: writeText(), Description: writeText(), Content: writeText(), Message: writeText() },
  ...{ Source: { Source: writeText() }, User: writeText(), CreatedAt: '2026-11-19T09:00:00Z' },
  ...{ ScheduleDate: '2026-11-21T09:00:00+01:00', Timezone: 'Europe/Berlin', Platforms: ['X'] },
  ...{ Status: 'SCHEDULED', ...fields },
});

const createRecords = (count: number, writeText: () => string) =>
  Array.from({ length: count }, (_, index) =>
    createRecord(`id${index}`, writeText, index % 3 === 0 ? { Status: 'DRAFT' } : {}),
  );

/** Answers with a response that is serialized once, because the longest lists have megabytes. */
function answer(status: number, body: unknown): ReturnType<typeof json> {
  const text = JSON.stringify(body);
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };
}

function script(
  service: ScriptedService,
  {
    projects,
    records,
    written,
  }: { projects: unknown; records: readonly unknown[]; written?: ReturnType<typeof json> },
): void {
  const all = (data: unknown) => answer(200, { data, success: true });
  for (const list of LISTS) service.on(`GET /${list}`, all(list === 'projects' ? projects : records));
  for (const id of ['upnext-post', ...IDS]) service.on(`GET /${id}`, all(records.at(-1) ?? null));
  for (const write of [...WRITES, ...IDS.map((id) => `PUT /${id}`)])
    service.on(write, written ?? all({ Id: 'made' }));
}

/** Text of 3,000 characters, and the same as long as a post on X may be. */
const LONG_TEXT = 'Wordy 🥐'.repeat(375);
const LONG_POST = LONG_TEXT.slice(0, 264);
const STRANGE_TEXT =
  '<!channel> &amp; *_`~ \u202eright to left\u202c עברית 🧑‍🔧 \ud800 \u0000 <@UEVIL> <http://evil|good> :x:';

/** A response that isn't what the service's description says. */
function createStrangeRecords(nextText: () => string, random: Random): unknown[] {
  const draw = () => ({
    Media: nextText(),
    Extra: nextText(),
    Platforms: random.pick([['X'], [nextText()], ['X', 'LINKEDIN']]),
    Status: random.pick(['SCHEDULED', 'DRAFT', nextText()]),
    Timezone: random.pick(['Europe/Berlin', nextText()]),
    Type: nextText(),
  });
  const broken = [7, null, 'text', [], { Id: {} }, {}, { Content: ['x'] }];
  return [
    ...broken,
    ...Array.from({ length: 20 }, (_, index) => createRecord(`id${index}`, nextText, draw())),
  ];
}

/** More projects than a menu has options. Some have names that are longer than an option. */
const createProjects = (project: string) =>
  [project, ...Array.from({ length: 120 }, (_, index) => `long${index}`)].map((Id, index) => ({
    Id,
    Name: 'P'.repeat(index < 5 ? 3_000 : 100),
  }));

const short = (text: string) => () => text;

/** The contents by what is special about them. `seed`: for the texts that are drawn. */
export const createContents = (seed: number): Readonly<Record<string, Content>> => {
  const random = createRandom(seed);
  const nextText = createHostileTexts(random);
  return {
    'short texts': {
      isAboutTexts: true,
      written: 'x',
      type: short('y'),
      script: (service, project) =>
        script(service, {
          projects: [createRecord(project, short('x'))],
          records: [createRecord('id0', short('x'))],
        }),
    },
    'no data': {
      isAboutTexts: false,
      written: 'x',
      type: short(' '),
      script: (service) => script(service, { projects: [], records: [] }),
    },
    'long texts and lists': {
      isAboutTexts: true,
      written: LONG_POST,
      type: short(LONG_TEXT),
      script: (service, project) =>
        script(service, {
          projects: createProjects(project),
          // A draft and a scheduled post, longer than any text in Slack.
          records: [...createRecords(2, short('W'.repeat(40_000))), ...createRecords(40, short(LONG_POST))],
        }),
    },
    'strange texts and records': {
      isAboutTexts: true,
      written: STRANGE_TEXT,
      type: () => nextText(),
      script: (service, project) =>
        script(service, {
          projects: [createRecord(project, nextText), createRecord('p9', nextText), { Id: {} }, 7],
          records: createStrangeRecords(nextText, random),
        }),
    },
    'refusals with 5,000 strange errors': {
      isAboutTexts: false,
      written: 'x',
      type: short('x'),
      script: (service, project) =>
        script(service, {
          projects: [createRecord(project, short('One'))],
          records: createRecords(3, short('x')),
          written: answer(422, {
            detail: Array.from({ length: 5_000 }, (_, index) => ({
              loc: ['body', ['Content', 'Email', 'Role', 'Title', nextText()][index % 5]],
              msg: nextText(),
              type: 'value_error',
            })),
          }),
        }),
    },
    'failures of every call': {
      isAboutTexts: false,
      written: 'x',
      type: short('x'),
      script(service) {
        script(service, { projects: [], records: [], written: answer(500, STRANGE_TEXT) });
        for (const list of [...LISTS, 'upnext-post', ...IDS])
          service.on(`GET /${list}`, answer(500, { detail: STRANGE_TEXT }));
      },
    },
  };
};
