import { describe, expect, test } from 'vitest';
import { section } from '../../src/slack/blocks.ts';
import { disableParsing } from '../../src/slack/message.ts';
import type { Outcome } from './expected.ts';
import {
  findBadWording,
  findDifference,
  findFailures,
  findLeaks,
  findMarkup,
  findRefusedPayloads,
  findSecrets,
  findSlowness,
  findWrongOffer,
  findWrongOutcome,
  type Visit,
} from './oracles.ts';

// Each oracle finds a planted fault, and none where nothing is wrong.

const say = (text: string) => ({
  to: 'chat.postMessage',
  payload: disableParsing({ text, blocks: [section(text)] }) as unknown as Record<string, unknown>,
});

const createVisit = (text: string, changes: Partial<Visit> = {}): Visit => ({
  ...{ body: {}, sent: [say(text)], failures: [], isAcknowledged: true, cpuMs: 5, calls: [], rows: [] },
  ...changes,
});

const REFUSED = 'You need the Manager role for this.';
const SECRET = 'Secret-1-2';
const changedRow = { name: 'digest 4711', text: '{"id": "4711", "projects": "[\\"p12\\"]"}' };

describe('the oracle of failures', () => {
  test.each([
    ['a line of the log', createVisit('Hi', { failures: ['request failed'] })],
    ['a rejected request', createVisit('Hi', { rejection: new Error('broken') })],
    ['a request without an acknowledgement', createVisit('Hi', { isAcknowledged: false })],
    ['a text without an explanation', createVisit('Something went wrong on my side.')],
  ])('finds %s', (_what, visit) => expect(findFailures(visit)).toHaveLength(1));

  test('accepts a refusal', () => expect(findFailures(createVisit(REFUSED))).toEqual([]));
});

describe('the oracle of Slack’s limits', () => {
  const modal = {
    ...{ type: 'modal', callback_id: 'x', title: { type: 'plain_text', text: 'Post' } },
    blocks: [section('Hi')],
  };

  test.each([
    [
      'a list over 50 blocks',
      { to: 'chat.postMessage', payload: { text: 'Hi', blocks: Array(51).fill(section('Hi')) } },
    ],
    ['a message without text', { to: 'chat.postMessage', payload: { text: '' } }],
    [
      'errors without an error',
      { to: 'acknowledgement', payload: { response_action: 'errors', errors: {} } },
    ],
    [
      'a title over 24 characters',
      {
        to: 'views.open',
        payload: { view: { ...modal, title: { type: 'plain_text', text: 'x'.repeat(25) } } },
      },
    ],
    ['a modal as Home', { to: 'views.publish', payload: { view: modal } }],
    [
      'an option without a value',
      { to: 'acknowledgement', payload: { options: [{ text: { type: 'plain_text', text: 'x' } }] } },
    ],
  ])('finds %s', (_what, sent) => expect(findRefusedPayloads([sent])).not.toEqual([]));

  test('accepts what Slack accepts', () => {
    const sent = [
      say('Hi'),
      { to: 'views.open', payload: { view: modal } },
      { to: 'acknowledgement', payload: { options: [] } },
      { to: 'acknowledgement', payload: { response_action: 'errors', errors: { when: 'Write a time.' } } },
    ];
    expect(findRefusedPayloads(sent)).toEqual([]);
  });
});

describe('the oracle of markup', () => {
  // `live-markup.test.ts` shows which markup it finds.
  test.each([
    ['a broadcast', say('<!channel>')],
    ['a mention of somebody in a text', say('<@UEVIL7>')],
    ['a message in which Slack looks for links', { to: 'response_url', payload: { text: 'Hi' } }],
  ])('finds %s', (_what, sent) => expect(findMarkup([sent])).not.toEqual([]));

  test('accepts escaped text', () => expect(findMarkup([say('&lt;!channel&gt; <@U0ANA>')])).toEqual([]));
});

test('the oracle of wording finds an id, and accepts a sentence', () => {
  expect(findBadWording([say('Saved project_id.')])).not.toEqual([]);
  expect(findBadWording([say('Saved as a draft.')])).toEqual([]);
});

test('the oracle of secrets finds a token in the log, and accepts an id', () => {
  expect(findSecrets('{ authorization: "Bearer service-token-of-T0TEAM1" }')).toHaveLength(1);
  expect(findSecrets('{ workspace: "T0TEAM1" }')).toEqual([]);
});

test('the oracle of slowness finds a request that keeps others waiting', () => {
  expect(findSlowness(createVisit('Hi', { cpuMs: 1_500 }))).toHaveLength(1);
  expect(findSlowness(createVisit('Hi'))).toEqual([]);
});

describe('the oracle of roles and projects', () => {
  const judge = (visit: Visit, expected: Outcome) =>
    findWrongOutcome(visit, expected, { secret: SECRET, ownRows: ['submission 1'] });

  test.each<[what: string, visit: Visit, expected: Outcome]>([
    ['an answer to somebody without the role', createVisit('Done.'), 'refused'],
    ['a refusal that shows the project', createVisit(`${REFUSED} ${SECRET}`), 'refused'],
    ['a refusal that changes the project', createVisit(REFUSED, { rows: [changedRow] }), 'refused'],
    ['a refusal that calls the service', createVisit(REFUSED, { calls: ['GET /p12/posts'] }), 'refused'],
    ['a refusal of somebody with the role', createVisit(REFUSED), 'done'],
    ['a refusal of somebody who is allowed', createVisit(REFUSED), 'allowed'],
    ['data where none is expected', createVisit(SECRET), 'done'],
    ['no data of the own project', createVisit('Nothing here.'), 'reached'],
    ['data of a foreign project', createVisit(SECRET), 'nothing'],
    ['no answer about a foreign project', createVisit('', { sent: [] }), 'nothing'],
    ['a change of somebody else’s data', createVisit('Done.', { rows: [changedRow] }), 'own data'],
    ['a call for the own data', createVisit('Done.', { calls: ['GET /p12/posts'] }), 'own data'],
  ])('finds %s', (_what, visit, expected) => expect(judge(visit, expected)).toHaveLength(1));

  test.each<[expected: Outcome, visit: Visit]>([
    ['refused', createVisit(REFUSED)],
    ['refused', createVisit('', { sent: [{ to: 'acknowledgement', payload: { options: [] } }] })],
    ['done', createVisit('Done.')],
    ['allowed', createVisit(SECRET)],
    ['reached', createVisit(SECRET)],
    ['reached', createVisit('Done.', { rows: [changedRow] })],
    ['nothing', createVisit('I couldn’t find that post.')],
    ['nothing', createVisit(SECRET, { body: { type: 'view_submission', value: SECRET } })],
    ['own data', createVisit('Done.', { rows: [{ name: 'submission 1', text: '{}' }] })],
  ])('accepts the outcome %s', (expected, visit) => expect(judge(visit, expected)).toEqual([]));

  test('finds a missing button that asks for a role, and one for people who can’t have one', () => {
    const offer = createVisit(REFUSED, {
      sent: [{ to: 'acknowledgement', payload: { action_id: 'roles.ask' } }],
    });
    expect(findWrongOffer(createVisit(REFUSED), true)).toHaveLength(1);
    expect(findWrongOffer(offer, false)).toHaveLength(1);
    expect([...findWrongOffer(offer, true), ...findWrongOffer(createVisit(REFUSED), false)]).toEqual([]);
  });
});

describe('the oracle of leaks', () => {
  const judge = (visit: Visit, isTyped = false) =>
    findLeaks(visit, { secret: SECRET, ids: ['p12', '4711'], isTyped });

  test.each([
    ['shown text', createVisit(SECRET)],
    ['a call to the service', createVisit('Hi', { calls: ['GET /p12/posts'] })],
    ['a changed row', createVisit('Hi', { rows: [changedRow] })],
  ])('finds %s', (_what, visit) => expect(judge(visit)).toHaveLength(1));

  test('accepts a text that the person typed, and a row of their own', () => {
    const row = { name: 'digest 1', text: '{"id": "1", "token": "xp12w=="}' };
    expect([...judge(createVisit(SECRET), true), ...judge(createVisit('Hi', { rows: [row] }))]).toEqual([]);
  });

  test('finds an answer that differs if something foreign exists, but ignores ids and references', () => {
    const [first, second] = ['12345678', '87654321'].map((reference) =>
      createVisit(`Reference: ${reference}`),
    );
    expect(findDifference(createVisit('You can’t see it.'), createVisit('It doesn’t exist.'))).toHaveLength(
      1,
    );
    expect(first && second && findDifference(first, second)).toEqual([]);
  });

  test('ignores that a form took long to open', () => {
    const view = { type: 'modal', title: { type: 'plain_text', text: 'Post' } };
    const loading = { ...view, title: { type: 'plain_text', text: 'Loading…' } };
    const sent = {
      fast: [{ to: 'views.open', payload: { trigger_id: 'T1', view } }],
      slow: [
        { to: 'views.open', payload: { trigger_id: 'T1', view: loading } },
        { to: 'views.update', payload: { view_id: 'V1', view, hash: 'h' } },
      ],
    };
    const [fast, slow] = [createVisit('', { sent: sent.fast }), createVisit('', { sent: sent.slow })];
    expect(findDifference(fast, slow)).toEqual([]);
  });
});
