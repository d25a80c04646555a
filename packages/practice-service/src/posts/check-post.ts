import { type Fields, getOwn, getText, getTexts, isBlank } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import {
  CREATABLE_STATUSES,
  DEFAULT_POST_STATUS,
  EARLIEST_SCHEDULE_DATE,
  LATEST_SCHEDULE_DATE,
} from '../decisions.ts';
import { requireFields, requireOneOf } from '../operations/field-rules.ts';
import { isZone, readScheduleDate, toInstant } from './schedule-date.ts';

/** The emulator's own rules for a new post. */
export function checkPost(body: Fields, now: Date): Problem[] {
  const scheduled = getPostStatus(body) === 'SCHEDULED';
  return [
    ...checkContent(body),
    ...checkStatus(body),
    ...checkZone(body),
    ...checkDate(body, scheduled, now),
    ...(scheduled ? checkScheduled(body) : []),
  ];
}

export function getPostStatus(body: Fields): string {
  return getText(body, 'Status') ?? DEFAULT_POST_STATUS;
}

/** The instant of the ScheduleDate; undefined if it is missing, or it or its Timezone is invalid. */
export function parseScheduledInstant(body: Fields): Date | undefined {
  const moment = readScheduleDate(getText(body, 'ScheduleDate') ?? '');
  const zone = getText(body, 'Timezone') ?? 'UTC';
  return moment && isZone(zone) ? new Date(toInstant(moment, zone)) : undefined;
}

function checkContent(body: Fields): Problem[] {
  const carriers = ['Content', 'Media', 'TemplateId', 'PromptId'];
  if (carriers.some((name) => !isBlank(getText(body, name)))) return [];
  const msg = 'A post needs Content, Media, a TemplateId or a PromptId';
  return [{ loc: ['body', 'Content'], msg, type: 'missing' }];
}

function checkStatus(body: Fields): Problem[] {
  if (getText(body, 'Status') !== 'PUBLISHED') return requireOneOf(body, 'Status', CREATABLE_STATUSES);
  const msg = 'A post becomes PUBLISHED at its ScheduleDate; create it as SCHEDULED';
  return [{ loc: ['body', 'Status'], msg, type: 'value_error' }];
}

function checkZone(body: Fields): Problem[] {
  const zone = getText(body, 'Timezone');
  if (zone === undefined || isZone(zone)) return [];
  const msg = 'Input should be the name of a time zone that exists, like Europe/Berlin';
  return [{ loc: ['body', 'Timezone'], msg, type: 'value_error' }];
}

function checkDate(body: Fields, scheduled: boolean, now: Date): Problem[] {
  const instant = parseScheduledInstant(body);
  const loc = ['body', 'ScheduleDate'];
  if (instant === undefined) return [];
  if (instant < EARLIEST_SCHEDULE_DATE || instant > LATEST_SCHEDULE_DATE) {
    return [{ loc, msg: 'Input should be a date between 1970 and 9999', type: 'value_error' }];
  }
  if (scheduled && instant <= now) {
    return [{ loc, msg: 'A SCHEDULED post needs a ScheduleDate in the future', type: 'value_error' }];
  }
  return [];
}

function checkScheduled(body: Fields): Problem[] {
  const noPlatform = getTexts(body, 'Platforms').length === 0;
  const msg = 'A SCHEDULED post needs at least one platform';
  return [
    ...requireFields(body, ['ScheduleDate', 'Timezone']),
    ...(noPlatform
      ? [{ loc: ['body', 'Platforms'], msg, type: getOwn(body, 'Platforms') ? 'too_short' : 'missing' }]
      : []),
  ];
}
