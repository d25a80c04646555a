import type { Call } from '../../app/call.ts';
import { SECTIONS, toStoredSections } from '../../digests/content/sections.ts';
import type { DigestSettings } from '../../digests/digest.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import { addMissingProjects } from '../../posts/project.ts';
import { resolveProject } from '../../posts/resolve-project.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { type Recurrence, sayRecurrence, understandRecurrence } from '../../when/when.ts';
import {
  type Conversation,
  checkAuthorMembership,
  readConversation,
  renderChannelFault,
} from './conversation.ts';
import { DEFAULT_DAYS, DEFAULT_TIME } from './digest-form-context.ts';
import { renderNotUnderstood, renderSavedMessage, renderTimeQuestion } from './digest-messages.ts';
import { type DigestCommand, formatTime, normalizeSpaces } from './parse-digest-command.ts';
import { permitSaving, recordDigestChange } from './permit-digest.ts';

const MAX_QUOTE_LENGTH = 60;

type SetCommand = Extract<DigestCommand, { kind: 'set' }>;

/** The result of a command: a message, or the prefill of the form. */
type Outcome = { kind: 'message'; message: Message } | { kind: 'form'; prefill: Record<string, unknown> };

/** Saves a digest from a command. The result is a form if a setting is missing, or if the channel is shared. */
export async function saveFromCommand(call: Call, command: SetCommand): Promise<Outcome> {
  const { context, actor } = call;
  const channel = command.isMine || !/^[CG]/.test(call.channel ?? '') ? undefined : call.channel;
  const [outcome, loaded, conversation] = await Promise.all([
    context.reads.listProjects(context.api),
    zonedLoader.load(call, channel === undefined ? {} : { channel }),
    channel === undefined ? undefined : readConversation(call, channel),
  ]);
  if (outcome.kind !== 'done')
    return createMessageOutcome({ text: `${renderServiceFailure(outcome)} Nothing was saved.` });
  if ('failureText' in loaded)
    return createMessageOutcome({ text: `${loaded.failureText} Nothing was saved.` });
  const { formContext } = loaded;
  const allProjects = addMissingProjects(outcome.data, conversation?.boundProjectIds ?? [], call);
  const resolved = resolveProject(allProjects, conversation?.boundProjectIds ?? [], command.text);
  const isProjectNamed = resolved.kind === 'one' && resolved.rest !== command.text.trim();
  const scheduleText = removeDanglingFor(resolved.kind === 'none' ? command.text : resolved.rest);
  const parsed = parseSchedule(scheduleText, command.isWeekly, formContext.actorLocale);
  if (parsed.kind === 'not-understood')
    return createMessageOutcome(renderNotUnderstood(scheduleText, parsed.reason));
  const [rule, alternative] = parsed.rules;
  if (!rule) return createMessageOutcome(renderNotUnderstood(scheduleText, ''));
  if (alternative)
    return createMessageOutcome(renderTimeQuestion(sayRecurrence(rule), sayRecurrence(alternative)));
  const project = resolved.kind === 'one' ? resolved.project : undefined;
  const zone = rule.zone ?? pickDefaultZone(formContext.zones, project?.id)?.zone;
  const projects =
    isProjectNamed || channel === undefined
      ? project && [project.id]
      : chooseChannelProjects(conversation, project);
  const needsForm = zone === undefined || projects === undefined || conversation?.audience?.isShared === true;
  if (needsForm)
    return createFormOutcome({ command, rule, zone, project: isProjectNamed ? project : undefined });
  const trouble = conversation && renderChannelFault(conversation);
  if (trouble !== undefined) return createMessageOutcome({ text: `${trouble} Nothing was saved.` });
  const settings: DigestSettings = {
    workspace: actor.workspace,
    channel: channel ?? actor.user,
    kind: command.isWeekly ? 'weekly' : 'daily',
    ...{ projects, days: rule.days, time: rule.time, zone },
    sections: toStoredSections(SECTIONS),
    isSilentWhenEmpty: false,
    sharedWith: null,
  };
  await permitSaving(call, settings, conversation);
  const fault = conversation && (await checkAuthorMembership(call, conversation));
  if (fault !== undefined) return createMessageOutcome({ text: fault });
  const digest = await call.context.digests.save(settings, actor.user);
  if (digest) recordDigestChange(call, settings, 'digests save');
  return digest
    ? createMessageOutcome(renderSavedMessage(digest, outcome.data.items, call.now()))
    : createMessageOutcome({ text: 'Nothing was saved. Please try again.' });
}

function createMessageOutcome(message: Message): Outcome {
  return { kind: 'message', message };
}

/** Chooses the channel's projects if the channel is bound to any, or if the service has only one project. */
function chooseChannelProjects(
  conversation: Conversation | undefined,
  onlyProject: object | undefined,
): DigestSettings['projects'] | undefined {
  return (conversation?.boundProjectIds.length ?? 0) > 0 || onlyProject ? 'channel' : undefined;
}

/** Removes the "for" of "for Harbour Coffee", from which the project was removed. */
function removeDanglingFor(text: string): string {
  return normalizeSpaces(
    text.replace(/(?:^|\s)(?:for|of|about)(?=\s*$|\s+(?:on|at|every|each|weekdays|daily)\b)/i, ' '),
  );
}

/** Explains why the schedule couldn't be parsed. `words` are the words that weren't understood. Plain text. */
function explainFault({ words, reason }: { words: string; reason: string }): string {
  const quote = `“${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`;
  if (/^in\s/i.test(words)) return `If ${quote} is a place, write its time zone, such as “in Europe/Berlin”.`;
  if (/^(?:for|of|about)\s/i.test(words))
    return `If ${quote} is a project, /upnext projects lists their names.`;
  return reason;
}

type ParsedSchedule =
  | { kind: 'rules'; rules: readonly Recurrence[] }
  | { kind: 'not-understood'; reason: string };

function parseSchedule(text: string, isWeekly: boolean, locale: string | undefined): ParsedSchedule {
  const defaultRule = { days: isWeekly ? [1] : DEFAULT_DAYS, time: DEFAULT_TIME };
  if (text === '') return { kind: 'rules', rules: [defaultRule] };
  const parse = (schedule: string) =>
    understandRecurrence({ text: schedule, ...(locale !== undefined && { locale }) });
  const directResult = parse(text);
  // A schedule without days, such as "8:30 in Berlin", is parsed again with the default days.
  const days = isWeekly ? 'every monday' : 'weekdays';
  const result = directResult.kind === 'not-understood' ? parse(`${days} ${text}`) : directResult;
  if (result.kind === 'not-understood')
    return {
      kind: 'not-understood',
      reason: directResult.kind === result.kind ? explainFault(directResult) : '',
    };
  const rules = result.kind === 'understood' ? [result.recurrence] : result.candidates;
  return isWeekly && rules.some((rule) => rule.days.length !== 1)
    ? { kind: 'not-understood', reason: 'A weekly one comes on one day, such as “weekly monday 9:00”.' }
    : { kind: 'rules', rules };
}

function createFormOutcome(choices: {
  command: SetCommand;
  rule: Recurrence;
  zone: string | undefined;
  project: { id: string; name: string } | undefined;
}): Outcome {
  const { command, rule, zone, project } = choices;
  const prefill = {
    ...(command.isMine && { where: 'me' }),
    kind: command.isWeekly ? 'weekly' : 'daily',
    days: rule.days.map(String),
    day: String(rule.days[0] ?? 1),
    time: formatTime(rule.time),
    ...(zone !== undefined && { zone }),
    ...(project && { projects: [{ id: project.id, name: project.name }] }),
  };
  return { kind: 'form', prefill };
}
