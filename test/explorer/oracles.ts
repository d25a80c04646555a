import { findBlockProblems, findOptionsProblems, validateView } from 'slack-workspace-emulator';
import { findLiveMarkup, findUnsafeOptions } from '../support/live-markup.ts';
import { findWordingFaults, listTexts } from '../support/wording.ts';
import type { Outcome } from './expected.ts';
import type { SentPayload } from './slack-stub.ts';
import type { ChangedRow } from './watched-database.ts';
import type { Result } from './world.ts';

/**
 * The oracles of the explorer. Each judges what came of one request, and returns the faults. `oracles.test.ts` shows of
 * each that it finds a planted fault.
 */

/** One request of one person, and how it reached the project that it is about. */
export interface Visit extends Result {
  /** The payload from Slack. */
  body: object;
  /** Calls to the project's service, and changed rows of the project's workspace. */
  calls: readonly string[];
  rows: readonly ChangedRow[];
}

const MESSAGE_METHODS = ['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url'];

/** What people read about an unexpected failure, but not about a refusal. */
const GENERAL_FAULT = /Something went wrong|took too long|took longer|didn’t answer, so I’m not sure/;

const REFUSAL =
  /You need (?:the \w+|a) role|can’t use Upnext|can use Upnext here|couldn’t check your permissions/;

const toText = (sent: readonly SentPayload[]): string => JSON.stringify(sent.map(({ payload }) => payload));

/** A request that failed: in the log, or for the person, who reads only that something went wrong. */
export function findFailures({ sent, failures, rejection, isAcknowledged }: Result): string[] {
  const fault = GENERAL_FAULT.exec(toText(sent));
  return [
    ...failures,
    ...(rejection === undefined ? [] : [`rejected: ${rejection}`]),
    ...(isAcknowledged ? [] : ['not acknowledged']),
    ...(fault ? [`the person reads “${fault[0]}”`] : []),
  ];
}

/** What says that a request had no effect, or asks for it again without a look at what it did. */
const DENIAL =
  /can’t reach my database|Not saved|[Nn]othing (?:was|has been|is|new)|so nothing|Not done|Something went wrong\. Try again|Please try again/;

/** Texts that say of a request that it had no effect, and requests after which the person reads nothing. */
export function findDenials({ sent }: Pick<Result, 'sent'>): string[] {
  const text = toText(sent);
  if (text.replace(/[\s{}[\]"',]|undefined|null/g, '') === '') return ['no answer'];
  const denial = DENIAL.exec(text);
  return denial ? [`the person reads “${denial[0]}” in ${text.slice(0, 600)}`] : [];
}

/** Payloads that Slack would refuse. */
export function findRefusedPayloads(sent: readonly SentPayload[]): string[] {
  return sent.flatMap(({ to, payload }) =>
    findPayloadProblems(to, payload).map((problem) => `${to}: ${problem}`),
  );
}

function findPayloadProblems(to: string, payload: SentPayload['payload']): string[] {
  const { view, blocks, text, options, option_groups, response_action, errors } = payload;
  if (view !== undefined) return findViewProblems(view, to === 'views.publish' ? 'home' : 'modal');
  if (options !== undefined || option_groups !== undefined)
    return findOptionsProblems(payload).map(({ message, pointer }) => `${message} at ${pointer}`);
  if (response_action === 'errors')
    return Object.values(errors ?? {}).length > 0
      ? []
      : ['errors without an error, so the form stays silent'];
  if (!isMessage(to, payload)) return [];
  const blockProblems = Array.isArray(blocks)
    ? findBlockProblems(blocks).map(({ message, pointer }) => `${message} at ${pointer}`)
    : [];
  const isEmpty = (text === undefined || text === '') && blocks === undefined;
  return isEmpty && payload.delete_original !== true ? ['a message without text'] : blockProblems;
}

function findViewProblems(view: unknown, type: 'modal' | 'home'): string[] {
  try {
    validateView(view, type);
    return [];
  } catch (error) {
    return [JSON.stringify(error)];
  }
}

function isMessage(to: string, payload: SentPayload['payload']): boolean {
  return MESSAGE_METHODS.includes(to) || (to === 'acknowledgement' && payload.response_type !== undefined);
}

/** Text from people that Slack would show as a mention, link or broadcast. Their ids match `EVIL`. */
export function findMarkup(sent: readonly SentPayload[]): string[] {
  return sent.flatMap(({ to, payload }) => [
    ...findLiveMarkup(payload, { testOnlyIds: /EVIL/, links: ['https://upnext.example.com/slack/install'] }),
    ...(isMessage(to, payload) ? findUnsafeOptions(payload) : []),
  ]);
}

/** Ids, words of the code, terms of earlier versions, and more than two sentences. */
export function findBadWording(sent: readonly SentPayload[]): string[] {
  return sent.flatMap(({ payload }) => listTexts(payload).flatMap(findWordingFaults));
}

/** Whether the project's data is shown. A secret that the person typed may be repeated to them. */
function isShown({ body, sent }: Visit, secret: string): boolean {
  const isTyped = 'type' in body && body.type === 'view_submission';
  const mayBeRepeated = isTyped && JSON.stringify(body).includes(`"value":"${secret}"`);
  return toText(sent).includes(secret) && !mayBeRepeated;
}

const NO_OPTIONS = JSON.stringify([{ options: [] }]);

const ID = /"id": ?"([^"]+)"/u;

/** Whether all changed rows are the person's. A post follows its submission, and its events belong to it. */
function areOwn(rows: readonly ChangedRow[], ownRows: readonly string[]): boolean {
  const own = rows.filter(({ name }) => ownRows.includes(name));
  const others = rows.filter((row) => !own.includes(row));
  const ids = own.flatMap(({ text }) => ID.exec(text)?.[1] ?? []);
  const isAboutOwn = (row: ChangedRow) => ids.some((id) => row.text.includes(id));
  for (const post of others.filter(({ name }) => name.startsWith('post ')))
    if (isAboutOwn(post)) ids.push(...(ID.exec(post.text)?.slice(1) ?? []));
  return others.every((row) => /^(?:post|held_post_event) /u.test(row.name) && isAboutOwn(row));
}

/**
 * What a person with too low a role, or of another project or workspace, gets instead of the expected outcome.
 * `ownRows` are the rows that may change if the outcome is `own data`.
 */
export function findWrongOutcome(
  visit: Visit,
  expected: Outcome,
  {
    secret,
    ownRows = [],
    isSilent = false,
  }: { secret: string; ownRows?: readonly string[]; isSilent?: boolean },
): string[] {
  const { sent, calls, rows } = visit;
  const text = toText(sent);
  const reached = [
    ...(isShown(visit, secret) ? ['its text'] : []),
    ...calls,
    ...rows.map(({ name }) => name),
  ];
  const isRefused = REFUSAL.test(text) || text === NO_OPTIONS;
  const isAnswered = isSilent || sent.length > 0;
  const isAsExpected = {
    refused: isRefused && reached.length === 0,
    allowed: !REFUSAL.test(text),
    done: !REFUSAL.test(text) && reached.length === 0,
    reached: !REFUSAL.test(text) && reached.length > 0,
    'own data': isAnswered && calls.length === 0 && areOwn(rows, ownRows),
    nothing: isAnswered && reached.length === 0,
  }[expected];
  return isAsExpected ? [] : [`not ${expected}: ${reached.join()} ${text.slice(0, 300)}`];
}

/** A refusal without [Request access], or one for somebody who can't get a role. */
export function findWrongOffer({ sent }: Result, canAsk: boolean): string[] {
  const text = toText(sent);
  if (text === NO_OPTIONS) return [];
  return text.includes('"roles.ask"') === canAsk ? [] : [`offers to ask for a role: ${!canAsk}`];
}

/** Data of a foreign project that a request shows, requests from the service or changes. */
export function findLeaks(
  { sent, calls, rows }: Visit,
  foreign: { secret: string; ids: readonly string[]; isTyped?: boolean },
): string[] {
  // Not inside of a longer word, because encrypted values contain short ids by chance.
  const foreignIds = new RegExp(`(?<![\\w+/])(?:${foreign.ids.join('|')})(?![\\w+/])`);
  const foreignRows = rows.filter(({ text }) => foreignIds.test(text));
  return [
    ...(!foreign.isTyped && toText(sent).includes(foreign.secret) ? [`shows ${foreign.secret}`] : []),
    ...calls.map((call) => `calls ${call}`),
    ...foreignRows.map(({ name }) => `changes ${name}`),
  ];
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const SLOW_NOTICE = /What you asked for follows|"text":"Loading…"/;

/** Removes details that differ between any two answers, also if one of them came later. */
const normalizeText = (sent: readonly SentPayload[]) =>
  toText(sent.filter(({ payload }) => !SLOW_NOTICE.test(JSON.stringify(payload))))
    .replaceAll(',"replace_original":false', '')
    // A form that took long updates the view that was opened meanwhile.
    .replaceAll(/"(?:trigger_id|view_id)":"[^"]*",|,"hash":"[^"]*"/g, '')
    .replaceAll(UUID, 'ID')
    .replaceAll(/v1:test:[\w+/=-]+/g, 'State')
    // The times of retries move with the machine's clock.
    .replaceAll(/(Last tried |try until )<!date[^>]*>/g, '$1Time')
    .replaceAll(/reference: \w{8}/gi, 'Reference')
    .replaceAll(/\b(p|templates-|sources-)2[19]\b/g, '$1')
    .replaceAll(/Secret-2-[19]/g, 'Secret');

/** An answer from which a person learns that something foreign exists, because it differs from that to unknown ids. */
export function findDifference({ sent }: Result, toUnknownIds: Result): string[] {
  const [text, otherText] = [normalizeText(sent), normalizeText(toUnknownIds.sent)];
  return text === otherText
    ? []
    : [`differs from unknown ids: ${text.slice(0, 300)} ≠ ${otherText.slice(0, 300)}`];
}

/** Tokens, addresses and texts of people that stay secret. */
const SECRETS =
  /xoxb-token-of-\w+|token-of-\w+|signing-secret|client-secret|response-url-of-a-request|EVIL\d+/g;

/** Secrets in the app's log or database. */
export function findSecrets(text: string): string[] {
  return [...new Set(text.match(SECRETS))];
}

/** Slack waits 3 s, on machines that are busy with other requests. */
const MAX_CPU_MS = 1_000;

/** A request that took so much of the processor that others would wait for it. */
export function findSlowness({ cpuMs }: Result): string[] {
  return cpuMs <= MAX_CPU_MS ? [] : [`${cpuMs.toFixed(0)} ms of the processor`];
}
