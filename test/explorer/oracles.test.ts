import { expect, test } from 'vitest';
import { button, context, section } from '../../src/slack/blocks.ts';
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

// Each oracle finds a planted fault. That it accepts what is right, the tests show that use it.

const say = (text: string) => ({
  to: 'chat.postMessage',
  payload: disableParsing({ text, blocks: [section(text)] }) as unknown as Record<string, unknown>,
});
const send = (block: object) => ({ to: 'chat.postMessage', payload: { blocks: [block] } });
const acknowledge = (payload: Record<string, unknown>) => ({ to: 'acknowledgement', payload });

const createVisit = (text: string, changes: Partial<Visit> = {}): Visit => ({
  ...{ body: {}, sent: [say(text)], failures: [], isAcknowledged: true, cpuMs: 5, calls: [], rows: [] },
  ...changes,
});

const REFUSED = 'You need the Manager role for this.';
const SECRET = 'Secret-1-2';
const changedRow = { name: 'digest 4711', text: '{"id": "4711", "projects": "[\\"p12\\"]"}' };
const modal = { type: 'modal', callback_id: 'x', title: { type: 'plain_text', text: 'Post' }, blocks: [] };
const offer = createVisit(REFUSED, { sent: [acknowledge({ action_id: 'roles.ask' })] });
const leaksOf = (visit: Visit) => findLeaks(visit, { secret: SECRET, ids: ['p12', '4711'] });

test.each<[what: string, faults: readonly string[]]>([
  ['a line of the log', findFailures(createVisit('Hi', { failures: ['request failed'] }))],
  ['a rejected request', findFailures(createVisit('Hi', { rejection: new Error('broken') }))],
  ['a request without an acknowledgement', findFailures(createVisit('Hi', { isAcknowledged: false }))],
  ['a text without an explanation', findFailures(createVisit('Something went wrong on my side.'))],
  ['an id in a text', findBadWording([say('Saved project_id.')])],
  ['a token in the log', findSecrets('{ authorization: "Bearer service-token-of-T0TEAM1" }')],
  ['a request that keeps others waiting', findSlowness(createVisit('Hi', { cpuMs: 1_500 }))],
  ['a missing button that asks for a role', findWrongOffer(createVisit(REFUSED), true)],
  ['a button for people who can’t have a role', findWrongOffer(offer, false)],
  ['a shown text of another project', leaksOf(createVisit(SECRET))],
  ['a call about another project', leaksOf(createVisit('Hi', { calls: ['GET /p12/posts'] }))],
  ['a changed row of another project', leaksOf(createVisit('Hi', { rows: [changedRow] }))],
  [
    'an answer that differs if something foreign exists',
    findDifference(createVisit('You can’t see it.'), createVisit('It doesn’t exist.')),
  ],
])('an oracle finds %s', (_what, faults) => expect(faults).not.toEqual([]));

test.each<[what: string, sent: ReturnType<typeof acknowledge>]>([
  ['a list over 50 blocks', { ...say('Hi'), payload: { text: 'Hi', blocks: Array(51).fill(section('Hi')) } }],
  ['a message without text', { ...say('Hi'), payload: { text: '' } }],
  ['errors without an error', acknowledge({ response_action: 'errors', errors: {} })],
  ['a modal as Home', { to: 'views.publish', payload: { view: { ...modal, blocks: [section('Hi')] } } }],
  ['an option without a value', acknowledge({ options: [{ text: { type: 'plain_text', text: 'x' } }] })],
])('the oracle of what Slack refuses finds %s', (_what, sent) => {
  expect(findRefusedPayloads([sent])).not.toEqual([]);
});

test.each([
  ['a broadcast', say('<!channel>')],
  ['a mention of somebody in a text', say('<@UEVIL7>')],
  ['a message in which Slack looks for links', { to: 'response_url', payload: { text: 'Hi' } }],
  ['a link', say('<http://evil|good>')],
  ['an unescaped bracket', say('a < b')],
  ['text that is escaped twice', say('&lt;!channel&gt; & more')],
  ['a context block', send(context('<!channel>'))],
  ['text in which Slack looks for names', send({ type: 'section', text: { type: 'mrkdwn', text: 'hi' } })],
  ['a rich text broadcast', send({ type: 'rich_text', elements: [{ type: 'broadcast', range: 'here' }] })],
  ['a block of markdown', send({ type: 'markdown', text: 'hi' })],
  ['an attachment', { to: 'chat.postMessage', payload: { attachments: [{ pretext: '<!channel>' }] } }],
  [
    'a field of a section',
    send({ type: 'section', fields: [{ type: 'mrkdwn', verbatim: true, text: '<!here>' }] }),
  ],
  ['a picture that Slack fetches', send({ type: 'image', image_url: 'http://169.254.169.254/' })],
  ['a button with a foreign address', send({ ...button('Go', 'go'), url: 'https://evil.example/' })],
])('the oracle of markup finds %s', (_what, sent) => expect(findMarkup([sent])).not.toEqual([]));

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
])('the oracle of roles and projects finds %s', (_what, visit, expected) => {
  expect(findWrongOutcome(visit, expected, { secret: SECRET, ownRows: ['submission 1'] })).toHaveLength(1);
});
