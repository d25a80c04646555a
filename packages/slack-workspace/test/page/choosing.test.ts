import { describe, expect, test } from 'vitest';
import { convertToMrkdwn } from '../../src/page/blocks/markdown.ts';
import { createState, readChoices, readChosen } from '../../src/page/elements/choices.ts';
import { searchItems } from '../../src/page/search-items.ts';
import { filterChannelMessages, filterThreadMessages, mergeMessages } from '../../src/page/state.ts';
import { findCommand, suggest, suggestCommands } from '../../src/page/suggestions.ts';

describe('a filtered list', () => {
  const zones = ['Europe/Berlin', 'America/Sao Paulo', 'Europe/Lisbon', 'Asia/Tokyo', 'São Tomé'];
  const filterZones = (typed: string) => searchItems(zones, typed, (zone) => zone);

  test('matches at the beginning come first, then matches at a word, then letters in order', () => {
    expect(filterZones('sao')).toEqual(['São Tomé', 'America/Sao Paulo', 'Asia/Tokyo']);
  });
  test('letters in order match only from three letters on', () => {
    expect(filterZones('tky')).toEqual(['Asia/Tokyo']);
    expect(filterZones('tk')).toEqual([]);
  });
  test('an empty search text matches every entry', () => {
    expect(filterZones('  ')).toEqual(zones);
  });
});

describe('the list of commands', () => {
  const createCommand = (command: string) => ({ command, description: '', usageHint: '[x]' });
  const commands = ['/upnext', '/schedule-post', '/list-logs', '/update-source'].map(createCommand);
  const listMatches = (text: string) => suggestCommands(text, commands).map(({ command }) => command);

  test.each([
    ['/', ['/upnext', '/schedule-post', '/list-logs', '/update-source']],
    ['/up', ['/upnext', '/update-source']],
    ['/post', ['/schedule-post']],
    ['/schedule-post ', []],
    ['say /up', []],
    ['', []],
  ])('typing %j lists %j', (text, expected) => expect(listMatches(text)).toEqual(expected));

  test('a complete command shows its usage', () => {
    expect(findCommand('/upnext he', commands)?.usageHint).toBe('[x]');
    expect(findCommand('/upnext', commands)).toBeUndefined();
  });
});

describe('the state of a select menu', () => {
  const createOption = (value: string) => ({
    text: { type: 'plain_text' as const, text: value.toUpperCase() },
    value,
  });
  const element = { type: 'multi_static_select' as const, options: [createOption('a'), createOption('b')] };
  const directory = {
    people: new Map(),
    channels: new Map(),
    me: {
      id: '',
      name: '',
      realName: '',
      tz: '',
      locale: '',
      role: 'owner' as const,
      isBot: false,
      color: '',
    },
    reader: { zone: 'UTC', locale: 'en' },
    app: { name: '', description: '', botUserId: '', connected: true, hasHome: true },
    apps: [],
    team: '',
    now: Date.now,
  };

  test('the state contains complete options, or an empty list if none is selected', () => {
    const [first] = readChoices(element);
    expect(createState(element, first ? [first] : [])).toEqual({
      type: 'multi_static_select',
      selected_options: [createOption('a')],
    });
    expect(createState(element, [])).toEqual({ type: 'multi_static_select', selected_options: [] });
    expect(createState({ type: 'static_select', options: [] }, [])).toEqual({
      type: 'static_select',
      selected_option: null,
    });
  });
  test('the state contains the ids of people', () => {
    const state = createState({ type: 'users_select' }, [{ key: 'U1', label: 'Ana' }]);
    expect(state).toEqual({ type: 'users_select', selected_user: 'U1' });
    expect(readChosen({ type: 'users_select' }, state, directory)).toEqual([{ key: 'U1', label: 'U1' }]);
  });
  test('options in groups have the name of their group', () => {
    const groups = {
      option_groups: [{ label: { type: 'plain_text', text: 'G' }, options: [createOption('a')] }],
    };
    expect(readChoices(groups)).toMatchObject([{ key: 'a', label: 'A', group: 'G' }]);
  });
  test('a response of another shape contains no options', () => {
    expect([undefined, null, 'x', { options: [{}, 7] }, []].map(readChoices)).toEqual([[], [], [], [], []]);
  });
});

describe('threads', () => {
  const createMessage = (ts: string, threadTs?: string, subtype?: string) => ({
    ts,
    channel: 'C',
    user: 'U',
    text: ts,
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(subtype === undefined ? {} : { subtype }),
  });
  const listTs = (messages: readonly { ts: string }[]) => messages.map(({ ts }) => ts);
  const allMessages = [
    createMessage('1'),
    createMessage('2'),
    createMessage('3', '1'),
    createMessage('4', '1', 'thread_broadcast'),
  ];

  test('replies are in their thread, and in the channel only if they were also sent there', () => {
    expect(listTs(filterChannelMessages(allMessages))).toEqual(['1', '2', '4']);
    expect(listTs(filterThreadMessages(allMessages, '1'))).toEqual(['1', '3', '4']);
  });
  test('older messages precede the current ones, and no message is repeated', () => {
    expect(listTs(mergeMessages([createMessage('0.5'), createMessage('1')], allMessages))).toEqual([
      '0.5',
      '1',
      '2',
      '3',
      '4',
    ]);
  });
});

describe('the suggestions of the composer', () => {
  const createPerson = (id: string, name: string, realName: string, deactivated = false) => ({
    id,
    name,
    realName,
    deactivated,
    tz: 'UTC',
    locale: 'en',
    isBot: false,
    color: '',
    role: 'member' as const,
  });
  const people = [
    createPerson('U1', 'ana', 'Ana Ferreira'),
    createPerson('U2', 'ben', 'Ben Okafor'),
    createPerson('U3', 'lena', 'Lena', true),
  ];
  const commands = [{ command: '/upnext', description: '', usageHint: '' }];
  const listOffers = (text: string, cursor = text.length) =>
    suggest(text, cursor, { commands, people }).suggestions;

  test.each([
    ['@', ['Ana Ferreira', 'Ben Okafor']],
    ['ask @b', ['Ben Okafor']],
    ['ask @fer', ['Ana Ferreira']],
    ['(@ana', ['Ana Ferreira']],
    ['ana@b', []],
    ['@ben ', []],
    ['@zzz', []],
    ['/', ['/upnext']],
    ['/upnext invite @an', ['Ana Ferreira']],
  ])('typing %j suggests %j', (text, names) =>
    expect(listOffers(text).map(({ name }) => name)).toEqual(names),
  );

  test('a name is inserted at the cursor, and the text behind the cursor stays', () => {
    const [offer] = listOffers('ask @be about it', 7);
    expect(offer).toMatchObject({ text: 'ask @ben about it', cursor: 9 });
  });
});

test('the formatting of standard markdown is converted, and code stays unchanged', () => {
  expect(convertToMrkdwn('**bold** and *italic* [a](https://x.org) `**code**` <b>')).toBe(
    '*bold* and _italic_ <https://x.org|a> `**code**` &lt;b>',
  );
});
