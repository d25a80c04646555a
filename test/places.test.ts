import { expect, test } from 'vitest';
import { createPlaces } from '../src/places.ts';

function setUpPlaces(maxSize: number) {
  const places = createPlaces(maxSize);
  const evicted: string[] = [];
  const enter = (name: string, keys: string[], { size = 1, isIdle = true } = {}) =>
    places.enter({ keys, isIdle: () => isIdle, evict: () => void evicted.push(name) }, size);
  return { enter, evicted };
}

test('while there is room, one key may use all of it', () => {
  const { enter, evicted } = setUpPlaces(3);
  for (const name of ['a1', 'a2', 'a3']) enter(name, ['a']);
  expect(evicted).toEqual([]);
});

test('when there is none, whoever uses the most loses the oldest, and a newcomer gets in', () => {
  const { enter, evicted } = setUpPlaces(3);
  enter('b1', ['b']);
  for (const name of ['a1', 'a2']) enter(name, ['a']);
  enter('c1', ['c']);
  expect(evicted).toEqual(['a1']);
  enter('b2', ['b']);
  expect(evicted).toEqual(['a1', 'b1']);
});

test('a place that was left has room for the next', () => {
  const { enter, evicted } = setUpPlaces(1);
  enter('a1', ['a']).leave();
  const second = enter('a2', ['a']);
  second.leave();
  second.leave();
  enter('b1', ['b']);
  expect(evicted).toEqual([]);
});

test('those at work give way only to whoever uses less than they', () => {
  const { enter, evicted } = setUpPlaces(2);
  enter('a1', ['a'], { isIdle: false });
  enter('a2', ['a'], { isIdle: false });
  enter('a3', ['a'], { isIdle: false });
  expect(evicted).toEqual(['a3']);
  enter('b1', ['b'], { isIdle: false });
  expect(evicted).toEqual(['a3', 'a2']);
  enter('b2', ['b'], { isIdle: false });
  expect(evicted).toEqual(['a3', 'a2', 'b2']);
});

test('among those with the same key, an idle one gives way before one at work that is older', () => {
  const { enter, evicted } = setUpPlaces(3);
  enter('at work', ['a'], { isIdle: false });
  enter('idle', ['a']);
  enter('later', ['a'], { isIdle: false });
  enter('newcomer', ['a'], { isIdle: false });
  expect(evicted).toEqual(['idle']);
});

test('a place that grows counts with its size', () => {
  const { enter, evicted } = setUpPlaces(10);
  const small = enter('small', ['b'], { size: 3 });
  const large = enter('large', ['a'], { size: 0 });
  large.grow(6);
  expect(evicted).toEqual([]);
  small.grow(2);
  expect(evicted).toEqual(['large']);
  large.grow(100);
  large.leave();
  small.grow(5);
  expect(evicted).toEqual(['large']);
});

test('a file with many readers from many addresses takes no place from another workspace, and neither does one address with many files', () => {
  const { enter, evicted } = setUpPlaces(40);
  for (let index = 0; index < 40; index += 1)
    enter(`reader ${index}`, [`address ${index}`, 'workspace a'], { isIdle: false });
  enter('other', ['address x', 'workspace b'], { isIdle: false });
  expect(evicted).toEqual(['reader 39']);
  const { enter: enterElsewhere, evicted: evictedElsewhere } = setUpPlaces(40);
  for (let index = 0; index < 40; index += 1)
    enterElsewhere(`file ${index}`, ['address a', `workspace ${index}`], { isIdle: false });
  enterElsewhere('other', ['address x', 'workspace b'], { isIdle: false });
  expect(evictedElsewhere).toEqual(['file 39']);
});
