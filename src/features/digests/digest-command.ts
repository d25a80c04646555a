import {
  type DigestSettings,
  formatTime,
  SECTIONS,
  toRecurrence,
  toSchedule,
  toTime,
  type WrittenSchedule,
} from '../../digests/digest.ts';
import { claimRequest } from '../../engine/once-claim.ts';
import {
  findMembershipFault,
  isChannelId,
  readConversation,
  renderChannelFault,
} from '../../forms/conversation.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { addMissingProjects, resolveProject } from '../../posts/project.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { actions, button, clipLine, sanitizeLine } from '../../slack/blocks.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { renderNote } from '../../when/format-moment.ts';
import { renderRecurrence, repeatedTimes, understandRecurrence } from '../../when/recurrence.ts';
import type { Question } from '../../when/when.ts';
import { zoneName } from '../../when/zones.ts';
import { DEFAULT_DAYS, DEFAULT_TIME, isTwin } from './digest-form-context.ts';
import { NEW_DIGEST_ACTION, renderSavedMessage } from './digest-messages.ts';
import { recordDigestChange, requireSavePermission } from './permit-digest.ts';

/** The parsed arguments of `/upnext digest`. `text` is the part with the days, time, zone and project. */
type DigestCommand =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'now' }
  | { kind: 'set'; isPersonal: boolean; isWeekly: boolean; text: string };

const LIST_PATTERN = /^(?:list|all|show|status)?$/i;
const NEW_PATTERN = /^(?:new|add|create|set ?up|form)$/i;
const NOW_PATTERN = /^(?:send )?now$/i;
const PERSONAL_PATTERN = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY_PATTERN = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Filler words, which are removed before the schedule and the project are parsed. */
const FILLER_PATTERN = /^(?:(?:here|set|post|please)\s+)+|(?<!\s)\s+here$/gi;

/** Parses "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new", "now". */
export function parseDigestCommand(args: string): DigestCommand {
  const normalizedArgs = normalizeSpaces(args);
  if (LIST_PATTERN.test(normalizedArgs)) return { kind: 'list' };
  if (NEW_PATTERN.test(normalizedArgs)) return { kind: 'new' };
  if (NOW_PATTERN.test(normalizedArgs)) return { kind: 'now' };
  const isPersonal = PERSONAL_PATTERN.test(normalizedArgs);
  const isWeekly = WEEKLY_PATTERN.test(normalizedArgs);
  const text = normalizedArgs
    .replace(PERSONAL_PATTERN, ' ')
    .replace(WEEKLY_PATTERN, ' ')
    .replace(FILLER_PATTERN, '');
  return { kind: 'set', isPersonal, isWeekly, text: normalizeSpaces(text) };
}

function normalizeSpaces(text: string): string {
  return sanitizeLine(text).replace(/\s+/g, ' ').trim();
}

/** A time of day, or the reason why a text isn't one (plain text). */
type ParsedTime = { kind: 'time'; hour: number; minute: number } | { kind: 'fault'; fault: string };

const TIME_FAULT = 'Write a time such as 8:30, 17:00 or 5pm.';
/** Maximum length of a text that is parsed as a time of day. */
export const MAX_TIME_LENGTH = 40;

/** Parses "8:30", "5pm" or "noon". An ambiguous time is a fault that names both candidates. */
export function parseTime(text: string, locale = 'en-US'): ParsedTime {
  if (text.trim() === '' || text.length > MAX_TIME_LENGTH) return { kind: 'fault', fault: TIME_FAULT };
  const result = repeatedTimes(text, locale);
  const [minutes, alternative] = result.kind === 'times' ? result.minutes : [];
  if (minutes === undefined) return { kind: 'fault', fault: TIME_FAULT };
  if (alternative !== undefined)
    return {
      kind: 'fault',
      fault: `${formatTime(toTime(minutes))} or ${formatTime(toTime(alternative))}? Write it like that.`,
    };
  return { kind: 'time', ...toTime(minutes) };
}

const EXAMPLE = '`/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee`';
const SCHEDULE_HINT = 'Use weekdays and one time a day.';
const EXISTS = 'This digest exists already. `/upnext digest list` shows it.';
const HANDLED = 'I already have this command. `/upnext digest list` shows your digests.';

type SetCommand = Extract<DigestCommand, { kind: 'set' }>;

/** The result of a command: a reply, or the prefill of the form that asks for missing settings. */
type CommandResult = Message | { prefill: Record<string, unknown> };

/** Saves a digest from a command. Resolves with the form's prefill if a setting is missing, or the channel is shared. */
export async function saveFromCommand(call: Call, command: SetCommand): Promise<CommandResult> {
  const { context, actor } = call;
  const channel = !command.isPersonal && isChannelId(call.channel) ? call.channel : undefined;
  const [outcome, loadResult, conversation] = await Promise.all([
    context.reads.listProjects(context.api),
    zonedLoader.load(call, channel === undefined ? {} : { channel }),
    channel === undefined ? undefined : readConversation(call, channel),
  ]);
  if (outcome.kind !== 'done') return { text: `${renderServiceFailure(outcome)}\nNothing was saved.` };
  if ('failureText' in loadResult) return { text: `${loadResult.failureText}\nNothing was saved.` };
  const { formContext } = loadResult;
  const allProjects = addMissingProjects(outcome.data, conversation?.boundProjectIds ?? [], call);
  const resolution = resolveProject(
    allProjects,
    conversation?.boundProjectIds ?? [],
    command.text,
    conversation?.name,
  );
  const isProjectNamed = resolution.kind === 'one' && resolution.rest !== command.text.trim();
  const isNamesake = resolution.kind === 'one' && resolution.isFromChannelName === true;
  const scheduleText = removeDanglingPreposition(resolution.kind === 'none' ? command.text : resolution.rest);
  const schedule = parseSchedule(command.isWeekly, {
    text: scheduleText,
    now: call.now(),
    zone: pickDefaultZone(formContext.zones, undefined)?.zone ?? 'Etc/UTC',
    locale: formContext.actorLocale,
  });
  if (schedule.kind === 'not-understood') return renderParseFault(scheduleText, schedule.reason);
  const [recurrence, ...alternatives] = schedule.schedules;
  if (!recurrence) return renderParseFault(scheduleText, '');
  if (alternatives.length > 0) return renderScheduleQuestion(schedule.schedules, formContext.actorLocale);
  const project = resolution.kind === 'one' ? resolution.project : undefined;
  const zone = recurrence.zone ?? pickDefaultZone(formContext.zones, project?.id)?.zone;
  // Those of the channel need no choice if it is bound to some, or if the service has only one.
  const hasOneProject = project !== undefined && (allProjects.unfilteredCount ?? 1) === 1;
  const hasChannelProjects = (conversation?.boundProjectIds.length ?? 0) > 0 || hasOneProject;
  const isAboutChannel = channel !== undefined && hasChannelProjects && !isProjectNamed && !isNamesake;
  const projects = isAboutChannel ? 'channel' : project && [project.id];
  const needsForm = zone === undefined || projects === undefined || conversation?.audience?.isShared === true;
  if (needsForm)
    return createFormResult({
      ...{ command, channel, recurrence, zone },
      project: isProjectNamed ? project : undefined,
    });
  const channelFault = conversation && renderChannelFault(conversation);
  if (channelFault !== undefined) return { text: `${channelFault}\nNothing was saved.` };
  const settings: DigestSettings = {
    workspace: actor.workspace,
    channel: channel ?? actor.user,
    kind: command.isWeekly ? 'weekly' : 'daily',
    projects,
    days: recurrence.days,
    time: recurrence.time,
    zone,
    sections: SECTIONS,
    isSilentWhenEmpty: false,
    sharedWith: null,
  };
  await requireSavePermission(call, settings, conversation);
  const membershipFault =
    conversation && (await findMembershipFault(call, conversation, 'set up a digest there'));
  if (membershipFault !== undefined) return { text: membershipFault };
  // The digest may have been changed or removed since the first delivery of this command.
  if (!(await claimRequest(call, 'digest command'))) return { text: HANDLED };
  if (await isTwin(call, settings)) return { text: EXISTS };
  const digest = await context.digests.save(settings, actor.user);
  const viewer = { projects: outcome.data.items, locale: formContext.actorLocale };
  if (digest) recordDigestChange(call, settings, 'digests save');
  return digest
    ? renderSavedMessage(digest, { ...viewer, now: call.now() })
    : { text: 'Nothing was saved. Please try again.' };
}

/** Removes the "for" that remains of "for Harbour Coffee" after the project's name was removed. */
function removeDanglingPreposition(text: string): string {
  return normalizeSpaces(
    text.replace(/(?:^|\s)(?:for|of|about)(?=\s*$|\s+(?:on|at|every|each|weekdays|daily)\b)/i, ' '),
  );
}

/** Explains why the schedule couldn't be parsed (plain text). `reason` is about the whole text, such as its length. */
function explainFault(unparsedText: string, reason: string): string {
  const quote = `“${clipLine(unparsedText)}”`;
  if (/^in\s/i.test(unparsedText))
    return `If ${quote} is a place, write its time zone, such as “in Europe/Berlin”.`;
  if (/^(?:for|of|about)\s/i.test(unparsedText))
    return `If ${quote} is a project, /upnext projects lists their names.`;
  return unparsedText === '' ? reason : SCHEDULE_HINT;
}

function renderParseFault(args: string, reason: string): Message {
  const quote = `“${clipLine(args)}”`;
  const line = `Nothing was saved: I didn’t understand ${quote}. ${reason}`.replace(/ {2,}/g, ' ');
  return addBlocks(
    buildQuotingMessage(line, `For example: ${EXAMPLE}`),
    actions(button('Fill in the form', NEW_DIGEST_ACTION)),
  );
}

/** Asks which time is meant, or which zone: "IST" is used in Kolkata, Dublin and Jerusalem. */
function renderScheduleQuestion(candidates: readonly WrittenSchedule[], locale: string | undefined): Message {
  const rendered = candidates.map((candidate) =>
    renderNote(renderRecurrence(toRecurrence(candidate)), locale),
  );
  const [zone, ...otherZones] = new Set(candidates.map((candidate) => candidate.zone));
  const line = `Is that ${rendered.join(', or ')}? Nothing was saved.`;
  const advice =
    zone !== undefined && otherZones.length > 0
      ? `Write a city in place of the zone, such as “in ${zoneName(zone)}”.`
      : 'Write the time as `9:00` or `21:00`, or with am or pm.';
  return buildQuotingMessage(line, advice);
}

type ParsedSchedule =
  | { kind: 'schedules'; schedules: readonly WrittenSchedule[] }
  | { kind: 'not-understood'; reason: string };

function parseSchedule(isWeekly: boolean, question: Question): ParsedSchedule {
  const { text } = question;
  const defaultSchedule = { days: isWeekly ? [1] : DEFAULT_DAYS, time: DEFAULT_TIME };
  if (text === '') return { kind: 'schedules', schedules: [defaultSchedule] };
  // With the default days, a text such as an emoji would say nothing more.
  if (!/[\p{L}\p{N}]/u.test(text)) return { kind: 'not-understood', reason: SCHEDULE_HINT };
  const parse = (scheduleText: string) => understandRecurrence({ ...question, text: scheduleText });
  const directResult = parse(text);
  // A schedule without days, such as "8:30 in Berlin", is parsed again with the default days.
  const defaultDaysText = isWeekly ? 'every monday' : 'weekdays';
  const result = directResult.kind === 'not-understood' ? parse(`${defaultDaysText} ${text}`) : directResult;
  if (result.kind === 'not-understood')
    return {
      kind: 'not-understood',
      reason:
        directResult.kind === result.kind ? explainFault(directResult.unparsedText, directResult.reason) : '',
    };
  const recurrences = result.kind === 'understood' ? [result.recurrence] : result.candidates;
  const schedules = recurrences.map(toSchedule).filter((schedule) => schedule !== undefined);
  if (schedules.length === 0) return { kind: 'not-understood', reason: SCHEDULE_HINT };
  return isWeekly && schedules.some((schedule) => schedule.days.length !== 1)
    ? { kind: 'not-understood', reason: 'A weekly one comes on one day, such as “weekly monday 9:00”.' }
    : { kind: 'schedules', schedules };
}

function createFormResult(choices: {
  command: SetCommand;
  channel: string | undefined;
  recurrence: WrittenSchedule;
  zone: string | undefined;
  project: { id: string; name: string } | undefined;
}): CommandResult {
  const { command, channel, recurrence, zone, project } = choices;
  const prefill = {
    // A line that isn't for the person is for the channel, whatever an empty form begins with.
    ...(command.isPersonal ? { where: 'me' } : channel !== undefined && { where: 'channel' }),
    kind: command.isWeekly ? 'weekly' : 'daily',
    days: recurrence.days.map(String),
    day: String(recurrence.days[0] ?? 1),
    time: formatTime(recurrence.time),
    ...(zone !== undefined && { zone }),
    ...(project && { projects: [{ id: project.id, name: project.name }] }),
  };
  return { prefill };
}
