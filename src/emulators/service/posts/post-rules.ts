import { type Fields, isBlank, own, text, texts } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import {
  CREATABLE_STATUSES,
  DEFAULT_POST_STATUS,
  EARLIEST_SCHEDULE_DATE,
  LATEST_SCHEDULE_DATE,
} from '../decisions.ts';
import { requireFields, requireOneOf } from '../operations/field-rules.ts';
import { instantOf, isZone, readScheduleDate } from './schedule-date.ts';

/** The emulator's own rules for a new post. */
export function postRules(body: Fields, now: Date): Problem[] {
  const scheduled = postStatus(body) === 'SCHEDULED';
  return [
    ...somethingToSay(body),
    ...statusRules(body),
    ...zoneRules(body),
    ...dateRules(body, scheduled, now),
    ...(scheduled ? scheduledRules(body) : []),
  ];
}

export function postStatus(body: Fields): string {
  return text(body, 'Status') ?? DEFAULT_POST_STATUS;
}

/** The instant of the ScheduleDate; undefined if it is missing, or it or its Timezone is invalid. */
export function scheduledInstant(body: Fields): Date | undefined {
  const moment = readScheduleDate(text(body, 'ScheduleDate') ?? '');
  const zone = text(body, 'Timezone') ?? 'UTC';
  return moment && isZone(zone) ? new Date(instantOf(moment, zone)) : undefined;
}

function somethingToSay(body: Fields): Problem[] {
  const carriers = ['Content', 'Media', 'TemplateId', 'PromptId'];
  if (carriers.some((name) => !isBlank(text(body, name)))) return [];
  const msg = 'A post needs Content, Media, a TemplateId or a PromptId';
  return [{ loc: ['body', 'Content'], msg, type: 'missing' }];
}

function statusRules(body: Fields): Problem[] {
  if (text(body, 'Status') !== 'PUBLISHED') return requireOneOf(body, 'Status', CREATABLE_STATUSES);
  const msg = 'A post becomes PUBLISHED at its ScheduleDate; create it as SCHEDULED';
  return [{ loc: ['body', 'Status'], msg, type: 'value_error' }];
}

function zoneRules(body: Fields): Problem[] {
  const zone = text(body, 'Timezone');
  if (zone === undefined || isZone(zone)) return [];
  const msg = 'Input should be the name of a time zone that exists, like Europe/Berlin';
  return [{ loc: ['body', 'Timezone'], msg, type: 'value_error' }];
}

function dateRules(body: Fields, scheduled: boolean, now: Date): Problem[] {
  const instant = scheduledInstant(body);
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

function scheduledRules(body: Fields): Problem[] {
  const noPlatform = texts(body, 'Platforms').length === 0;
  const msg = 'A SCHEDULED post needs at least one platform';
  return [
    ...requireFields(body, ['ScheduleDate', 'Timezone']),
    ...(noPlatform
      ? [{ loc: ['body', 'Platforms'], msg, type: own(body, 'Platforms') ? 'too_short' : 'missing' }]
      : []),
  ];
}
