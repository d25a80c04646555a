import { features } from '../../src/app/features.ts';
import { filterLog, formatLogCsv, renderLogLine } from '../../src/features/logs/logs.ts';
import { createMomentReader } from '../../src/features/schedule-post/prefill/moment-reader.ts';
import { findRecordOptions } from '../../src/forms/inputs/searched.ts';
import { parseRequest } from '../../src/handlers/bolt/payloads.ts';
import { searchRecords } from '../../src/lists/record-list.ts';
import {
  findProjectByChannelName,
  findProjectsByName,
  nameProjects,
  renderProjectSelect,
  resolveProject,
} from '../../src/posts/project.ts';
import { toOptions } from '../../src/slack/blocks.ts';
import { readSlackText } from '../../src/slack/text/text.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const PROJECTS = [
  { id: 'p1', name: 'Harbour Coffee' },
  { id: 'p2', name: 'Night Market Books' },
];
const READER = { now: NOW, zone: 'Europe/Berlin', locale: 'en-US' };
const PROJECT_LIST = { items: PROJECTS, isTruncated: false };

/** Arguments for the further parameters of a function, by their types. A text is the same as the first. */
export const ARGUMENTS_BY_TYPE: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  number: () => 60,
  boolean: () => true,
  unknown: (text) => text,
  Date: () => NOW,
  'readonly string[]': (text) => [text],
  'DateOrder | undefined': () => 'day-first',
  'string | undefined': () => undefined,
  'Message | undefined': () => undefined,
  Reader: () => READER,
  "Pick<Question, 'now' | 'zone' | 'locale' | 'dateOrder'>": () => READER,
  '{ now: Date; zone: string }': () => READER,
  TimeSettings: () => READER,
  ProjectList: () => PROJECT_LIST,
  Project: (text) => ({ id: 'p1', name: text }),
  'readonly Project[]': () => PROJECTS,
  URLSearchParams: (text) =>
    new URLSearchParams({ project: text, platform: text, state: text, author: text }),
  MomentReader: () => createMomentReader(NOW, 'en-US'),
  "Pick<MomentReader, 'findLeadingMoments'>": () => createMomentReader(NOW, 'en-US'),
  Catalogue: () => features,
  AddressRules: () => ({ allowPrivate: true }),
  JsonLimits: () => ({ maxBytes: 2 ** 22, maxValues: 50_000, maxRecords: 2_000 }),
  TextStyle: () => ({ size: 20 }),
  TextCount: () => ({ platform: 'X', used: 1, limit: 280, unit: 'characters' }),
  "'NFC' | 'NFD' | 'NFKC' | 'NFKD'": () => 'NFKC',
  LimitedField: () => 'logText',
  'ReadRecord<T>': () => (value: unknown) => value,
  BotAccess: () => ({ botUser: 'U1', botId: 'B1' }),
  'readonly Button[]': () => [],
  'KnownBlock[]': () => [],
  object: () => ({}),
};

const STATIC = 'Its texts are the app’s own.';
const IDS = 'Its texts are ids of Slack or of the app, which sealed values contain.';
const STARTS = 'It is called once, when the process starts.';

/** Why a function isn't called. */
const TABLE = 'test/imports/worst-tables.test.ts feeds it with the worst tables.';

export const UNTESTED: Readonly<Record<string, string>> = {
  'api/http/exchange.ts#fillPath': STATIC,
  'api/posts.ts#computePostFingerprint': 'FURTHER_CALLS has it with the texts of a post.',
  'digests/content/changes.ts#compareWithSnapshot': 'The snapshot is what the app has stored.',
  'digests/content/text/lines.ts#buildDetail': STATIC,
  'digests/send-message.ts#buildPictureBlock': IDS,
  'features/audit/audit-sentence.ts#renderSearchableText': STATIC,
  'features/projects/projects-messages.ts#renderBinding': IDS,
  'features/schedule-post/form/post-form-context.ts#renderSentTo': STATIC,
  'features/schedule-post/hold/held-text.ts#renderConflictBanner': IDS,
  'features/schedule-post/prefill/line-names.ts#findNames':
    'Its text has at most 400 UTF-16 units (split-line.ts).',
  'posts/new-post-button.ts#newPostButton': STATIC,
  'workspaces/known-projects.ts#createProjectIds': IDS,
  'slack/audience.ts#renderEveryone': STATIC,
  'features/schedule-post/prefill/sentence-start.ts#findTimeCell': 'splitAfterHead calls it.',
  'features/schedule-post/prefill/split-after-head.ts#splitAfterRefused':
    'splitAfterHead and parseLine call it.',
  'features/schedule-post/prefill/split-line.ts#joinCells': 'parseLine calls it.',
  'features/schedule-post/prefill/weigh-line.ts#findOfferAtEnd': 'parseLine calls it.',
  'features/schedule-post/prefill/weigh-line.ts#offerNames': 'parseLine calls it.',
  'features/schedule-post/prefill/weigh-line.ts#offerTimeAtStart': 'parseLine calls it.',
  'features/schedule-post/prefill/weigh-line.ts#offerUnread': 'parseLine calls it.',
  'features/schedule-post/prefill/weigh-line.ts#weighLine': 'parseLine calls it.',
  'features/schedule-post/when/when-field.ts#chooseMoment': IDS,
  'features/schedule-post/when/when-field.ts#findChosenOrder': IDS,
  'forms/field.ts#buildBlockId': STATIC,
  'handlers/bolt/bolt-app.ts#respondWithoutToken': 'It calls Slack.',
  'handlers/bolt/transport.ts#createClientOptions': STARTS,
  'handlers/bolt/view-replies.ts#respond': 'It calls Slack.',
  'held-posts/notices/notice-text.ts#renderAskedPeople': IDS,
  'held-posts/text/bulk-text.ts#renderBulkButtons': IDS,
  'imports/cells.ts#readMediaNames': TABLE,
  'imports/columns.ts#recognizeColumns': TABLE,
  'imports/read-table.ts#readTable': TABLE,
  'lists/list.ts#renderDaysQuestion': 'Its phrase is at most as long as a date phrase.',
  'observability/redact.ts#createLog': STARTS,
  'observability/redact.ts#registerSecrets': 'It stores what it is given.',
  'posts/post-card.ts#renderPerson': STATIC,
  'posts/project.ts#renderChannelNameNote': 'It only adds the name to a sentence.',
  'slack/list-pages.ts#buildPageButtons': STATIC,
  'slack/message-view.ts#buildMessageResponse': 'It finds two fields of the body.',
  'slack/message-view.ts#buildTextInput': STATIC,
  'slack/service-failure.ts#buildLoadFailureMessage': STATIC,
  'clients.ts#parseProxies': STARTS,
  'workspaces/slack-oauth.ts#buildPublicUrl': STARTS,
};

const split = (text: string) => text.match(/.{1,40}/gs) ?? [];
const toProjects = (text: string) => split(text).map((name, index) => ({ id: `p${index}`, name }));
const toLines = (text: string) =>
  split(text).map((message, index) => ({ id: `l${index}`, message, at: NOW }));

/** Calls of functions that take texts in records. */
export const FURTHER_CALLS: Readonly<Record<string, (text: string) => unknown>> = {
  'a message is read': (text) => readSlackText({ text, findName: () => 'Ana' }),
  'a message of blocks is read': (text) => {
    const elements = split(text).map((part) => ({ type: 'text', text: part, style: { bold: true } }));
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
    return readSlackText({ text: '', blocks, attachments: [{ text }], findName: () => 'Ana' });
  },
  'a command is read': (text) =>
    parseRequest({
      command: '/upnext',
      text,
      team_id: 'T1',
      user_id: 'U1',
      channel_id: 'C1',
      trigger_id: '1',
      response_url: '',
    }),
  'a project is named in a text': (text) =>
    resolveProject({ items: toProjects(text), isTruncated: false }, ['p1'], text),
  'a text is a project’s name': (text) =>
    findProjectsByName({ items: toProjects(text), isTruncated: false }, text),
  'a channel is named after a project': (text) =>
    findProjectByChannelName({ items: toProjects(text), isTruncated: false }, 'harbour'),
  'projects are named': (text) => nameProjects(toProjects(text)),
  'a project is chosen': (text) => renderProjectSelect(toProjects(text)),
  'options are built': (text) => toOptions(toProjects(text)),
  'options are searched': (text) =>
    findRecordOptions({ items: toProjects(text), isTruncated: false }, { query: text, emptyText: '' }),
  'records are searched': (text) => searchRecords(toProjects(text), text, ({ name }) => name),
  'a log is searched': (text) => filterLog(toLines(text), { words: text }),
  'a log is exported': (text) => formatLogCsv(toLines(text), 'UTC'),
  'a line of a log is rendered': (text) =>
    renderLogLine({ message: text, kind: text, actor: text }, 'UTC', NOW),
};
