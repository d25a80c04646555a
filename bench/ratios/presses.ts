import { setTimeout as delay } from 'node:timers/promises';
import type { FakeSlack, Payload, Receiver, SlackView } from './fake-slack.ts';
import { TEAM } from './fake-slack.ts';

/** What people do in a measured app. Each kind prepares what isn't measured, and returns the presses that are. */
export type PressKind = 'warm help' | 'first help' | 'open' | 'submit';

/** Number of people who have been seen before. */
const PERSON_COUNT = 500;
const MAX_WAIT_MS = 30_000;
/** Counts on in all loads, because each press has a trigger and a text of its own. */
let pressCount = 0;

export interface MeasuredApp {
  slack: FakeSlack;
  receiver: Receiver;
}

/** Prepares `count` presses. A submission needs an open form. */
export async function preparePresses(
  app: MeasuredApp,
  kind: PressKind,
  count: number,
): Promise<(() => Promise<void>)[]> {
  const numbers = Array.from({ length: count }, (_, index) => pressCount + index + 1);
  pressCount += count;
  switch (kind) {
    case 'warm help':
      return numbers.map(
        (number) => () => sendCommand(app, '/upnext', number, `U000BENCH${number % PERSON_COUNT}`),
      );
    case 'first help':
      return numbers.map((number) => () => sendCommand(app, '/upnext', number, `U000NEW${number}`));
    case 'open':
      return numbers.map((number) => () => openForm(app, number).then(() => undefined));
    case 'submit': {
      const presses: (() => Promise<void>)[] = [];
      for (const number of numbers) {
        const view = await openForm(app, number);
        presses.push(() => submitForm(app, number, view));
      }
      return presses;
    }
  }
}

async function sendCommand({ slack, receiver }: MeasuredApp, command: string, number: number, user: string) {
  await slack.send(receiver, {
    token: 'unused',
    team_id: TEAM,
    team_domain: 'bench',
    channel_id: 'C000BENCH',
    channel_name: 'general',
    user_id: user,
    user_name: 'ana',
    command,
    text: command === '/upnext' ? 'help' : '',
    api_app_id: 'A000BENCH',
    is_enterprise_install: 'false',
    response_url: `${slack.apiUrl}response`,
    trigger_id: `${number}.bench`,
  });
}

async function openForm(app: MeasuredApp, number: number): Promise<SlackView> {
  const form = app.slack.waitForForm(`${number}.bench`);
  await sendCommand(app, '/schedule-post', number, getPerson(number));
  return waitFor(form, 'opened no form');
}

const getPerson = (number: number) => `U000BENCH${number % PERSON_COUNT}`;

async function submitForm({ slack, receiver }: MeasuredApp, number: number, view: SlackView): Promise<void> {
  const user = { id: getPerson(number), username: 'ana', name: 'ana', team_id: TEAM };
  const payload: Payload = {
    type: 'view_submission',
    team: { id: TEAM, domain: 'bench' },
    user,
    api_app_id: 'A000BENCH',
    token: 'unused',
    trigger_id: `${number}.submit`,
    view: { ...view, hash: '1.a', type: 'modal', team_id: TEAM, state: { values: fillIn(view, number) } },
    response_urls: [],
    is_enterprise_install: false,
  };
  const receiptCount = slack.countCalls('chat.postEphemeral');
  const answer = await slack.send(receiver, payload);
  if (JSON.stringify(answer ?? '').includes('errors'))
    throw new Error(`the form was refused: ${JSON.stringify(answer)}`);
  const startedAt = performance.now();
  while (slack.countCalls('chat.postEphemeral') === receiptCount) {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error(`no receipt: ${JSON.stringify(answer)}`);
    await delay(2);
  }
}

/** The state of a form whose text, platforms and time are filled in. The others keep their initial values. */
function fillIn({ blocks }: SlackView, number: number): object {
  const values = blocks.flatMap(({ type, block_id, label, element }) => {
    if (type !== 'input' || !element) return [];
    const state = { type: element.type, ...fillElement(label?.text, element, number) };
    return [[block_id, { [element.action_id]: state }]];
  });
  return Object.fromEntries(values);
}

function fillElement(
  label: string | undefined,
  element: Readonly<Record<string, unknown>>,
  number: number,
): object {
  const texts: Record<string, string> = {
    Text: `Post ${number}: ${'a text of the usual length. '.repeat(6)}`,
    When: `tomorrow ${9 + (number % 10)}:${10 + (number % 45)}`,
    Platforms: 'X',
  };
  const value = texts[label ?? ''];
  if (element.type === 'plain_text_input') return { value: value ?? element.initial_value ?? null };
  const { options = [], initial_option, initial_options = [] } = element;
  if (label === 'Platforms' && Array.isArray(options))
    return { selected_options: options.filter((option) => option.text.text === value) };
  return element.type === 'checkboxes' || String(element.type).startsWith('multi_')
    ? { selected_options: initial_options }
    : element.type === 'file_input'
      ? { files: [] }
      : { selected_option: initial_option ?? null };
}

async function waitFor<Result>(result: Promise<Result>, problem: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the app ${problem}`)), MAX_WAIT_MS);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
