import { expect, test } from 'vitest';
import { findProjectByChannelName } from '../../src/posts/project.ts';

const PROJECTS = ['Harbour Coffee', 'Harbour', 'Night Market', 'Café du Port', 'Tea & Co.'].map(
  (name, index) => ({
    id: `p${index}`,
    name,
  }),
);

const find = (channelName: string, isTruncated = false) =>
  findProjectByChannelName({ items: PROJECTS, isTruncated }, channelName)?.name;

test.each([
  ['harbour-coffee', 'Harbour Coffee'],
  ['harbourcoffee', 'Harbour Coffee'],
  ['team-harbour-coffee', 'Harbour Coffee'],
  ['harbour-coffee-social', 'Harbour Coffee'],
  ['harbour', 'Harbour'],
  ['cafe-du-port', 'Café du Port'],
  ['tea-co-2026', 'Tea & Co.'],
])('#%s is about the project %s', (channelName, expected) => {
  expect(find(channelName)).toBe(expected);
});

test.each([
  ['general', 'no project has its name'],
  ['harbours', 'it has only a part of a word'],
  ['harbour-night-market', 'it names two projects'],
  ['', 'Slack didn’t send its name'],
])('#%s is about no project, because %s', (channelName) => {
  expect(find(channelName)).toBeUndefined();
});

test('a channel named like two projects is about neither of them', () => {
  const items = [
    { id: 'p1', name: 'Harbour Coffee' },
    { id: 'p2', name: 'Harbour coffee' },
  ];
  expect(findProjectByChannelName({ items, isTruncated: false }, 'harbour-coffee')).toBeUndefined();
});

test('a channel is about no project while the list of projects is truncated', () => {
  expect(find('harbour-coffee', true)).toBeUndefined();
});
