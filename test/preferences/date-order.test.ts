import { expect, test } from 'vitest';
import {
  chooseDateOrder,
  decideDateOrder,
  findStoredOrder,
  noteUsedOrder,
} from '../../src/preferences/date-order.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

test.each([
  ['America/New_York', 'en-US', 'month-first'],
  ['America/Chicago', 'en', 'month-first'],
  ['Asia/Tokyo', 'ja-JP', 'month-first'],
  ['Asia/Tokyo', 'en-US', 'month-first'],
  ['Asia/Seoul', 'ko-KR', 'month-first'],
  ['Asia/Shanghai', 'zh-CN', 'month-first'],
  ['Asia/Taipei', 'zh-TW', 'month-first'],
  ['Asia/Manila', 'en-US', 'month-first'],
  ['Europe/London', 'en-GB', 'day-first'],
  ['Europe/Berlin', 'de-DE', 'day-first'],
  ['Asia/Calcutta', 'en-GB', 'day-first'],
  ['America/Sao_Paulo', 'pt_BR', 'day-first'],
  ['America/Mexico_City', 'es-LA', 'day-first'],
  ['Etc/UTC', 'en-GB', 'day-first'],
  ['Europe/Berlin', 'en-US', 'unsure'],
  ['Asia/Kolkata', 'en-US', 'unsure'],
  ['Australia/Sydney', 'en-US', 'unsure'],
  ['America/New_York', 'en-GB', 'unsure'],
  ['America/Los_Angeles', 'es-LA', 'unsure'],
  ['Europe/Berlin', 'ja-JP', 'unsure'],
  ['America/Toronto', 'en-US', 'unsure'],
] as const)('3/4 in the zone %s with Slack in %s is read %s', (zone, locale, order) =>
  expect(decideDateOrder({ zone, locale })).toBe(order),
);

test.each([
  [{ zone: 'Europe/Berlin' }, 'day-first'],
  [{ locale: 'en-US' }, 'month-first'],
  [{}, 'unsure'],
  [{ zone: 'no zone', locale: 'no locale' }, 'unsure'],
  [{ zone: 'America/New_York', locale: 'en-US', used: 'day-first' }, 'unsure'],
  [{ zone: 'America/New_York', locale: 'en-US', used: 'month-first' }, 'month-first'],
  [{ zone: 'Europe/Berlin', locale: 'en-US', used: 'day-first' }, 'unsure'],
  [{ zone: 'Europe/Berlin', locale: 'en-US', chosen: 'day-first' }, 'day-first'],
  [{ zone: 'America/New_York', locale: 'en-US', used: 'month-first', chosen: 'day-first' }, 'day-first'],
] as const)('of a person with %j, dates are read %s', (person, order) =>
  expect(decideDateOrder(person)).toBe(order),
);

const ANA = { workspace: 'T1', user: 'UANA' };

onEveryDatabase((create) => {
  test('a date with a day above 12 shows the order that a person uses, and leaves a chosen one', async () => {
    const db = await openTestDatabase(create);
    await noteUsedOrder(db, ANA, '3/4 9am');
    expect(await findStoredOrder(db, ANA)).toEqual({});
    await noteUsedOrder(db, ANA, '25/12 9am');
    expect(await findStoredOrder(db, ANA)).toEqual({ used: 'day-first' });
    await chooseDateOrder(db, ANA, 'month-first');
    await noteUsedOrder(db, ANA, '26/12 9am');
    expect(await findStoredOrder(db, ANA)).toEqual({ chosen: 'month-first', used: 'day-first' });
    expect(await findStoredOrder(db, { ...ANA, user: 'UBEN' })).toEqual({});
  });
});
