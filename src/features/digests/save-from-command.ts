import type { Call } from '../../app/call.ts';
import { SECTIONS, toStoredSections } from '../../digests/content/sections.ts';
import type { DigestSettings } from '../../digests/digest.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import { addMissingProjects } from '../../posts/project.ts';
import { resolveProject } from '../../posts/resolve-project.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { serviceFailureText } from '../../slack/service-failure.ts';
import { type Recurrence, sayRecurrence, understandRecurrence } from '../../when/when.ts';
import { authorFaultText, type Conversation, channelFaultText, readConversation } from './conversation.ts';
import { DEFAULT_DAYS, DEFAULT_TIME } from './digest-facts.ts';
import { notUnderstood, savedMessage, timeQuestion } from './digest-messages.ts';
import { type DigestCommand, normalizeSpaces, timeText } from './parse-digest-command.ts';
import { permitSaving } from './permit-digest.ts';

const MAX_QUOTE_LENGTH = 60;

type SetCommand = Extract<DigestCommand, { kind: 'set' }>;

/** The result of a command: a message, or a prefilled form. */
type Outcome = { kind: 'message'; message: Message } | { kind: 'form'; prefill: Record<string, unknown> };

/** Saves a digest from the words of a command. Opens the form if a decision is missing, or a channel is shared. */
export async function saveFromCommand(call: Call, command: SetCommand): Promise<Outcome> {
  const { context, actor } = call;
  const channel = command.isMine || !/^[CG]/.test(call.channel ?? '') ? undefined : call.channel;
  const [outcome, loaded, conversation] = await Promise.all([
    context.reads.projects(context.api),
    zonedLoader.load(call, channel === undefined ? {} : { channel }),
    channel === undefined ? undefined : readConversation(call, channel),
  ]);
  if (outcome.kind !== 'done')
    return messageOutcome({ text: `${serviceFailureText(outcome)} Nothing was saved.` });
  if ('trouble' in loaded) return messageOutcome({ text: `${loaded.trouble} Nothing was saved.` });
  const { formContext } = loaded;
  const allProjects = addMissingProjects(outcome.data, conversation?.bound ?? [], call);
  const resolved = resolveProject(allProjects, conversation?.bound ?? [], command.words);
  const isProjectNamed = resolved.kind === 'one' && resolved.rest !== command.words.trim();
  const words = stripLeadingFor(resolved.kind === 'none' ? command.words : resolved.rest);
  const read = readRecurrence(words, command.isWeekly, formContext.actorLocale);
  if (read.kind === 'not-understood') return messageOutcome(notUnderstood(words, read.reason));
  const [rule, other] = read.rules;
  if (!rule) return messageOutcome(notUnderstood(words, ''));
  if (other) return messageOutcome(timeQuestion(sayRecurrence(rule), sayRecurrence(other)));
  const project = resolved.kind === 'one' ? resolved.project : undefined;
  const zone = rule.zone ?? pickDefaultZone(formContext.zones, project?.id)?.zone;
  const projects =
    isProjectNamed || channel === undefined
      ? project && [project.id]
      : channelProjects(conversation, project);
  const needsForm = zone === undefined || projects === undefined || conversation?.audience?.isShared === true;
  if (needsForm) return formOutcome({ command, rule, zone, project: isProjectNamed ? project : undefined });
  const trouble = conversation && channelFaultText(conversation);
  if (trouble !== undefined) return messageOutcome({ text: `${trouble} Nothing was saved.` });
  const settings: DigestSettings = {
    workspace: actor.workspace,
    channel: channel ?? actor.user,
    kind: command.isWeekly ? 'weekly' : 'daily',
    ...{ projects, days: rule.days, time: rule.time, zone },
    sections: toStoredSections(SECTIONS),
    silentWhenEmpty: false,
    sharedWith: null,
  };
  await permitSaving(call, settings, conversation);
  const unsaved = conversation && (await authorFaultText(call, conversation));
  if (unsaved !== undefined) return messageOutcome({ text: unsaved });
  const digest = await call.context.digests.save(settings, actor.user);
  return digest
    ? messageOutcome(savedMessage(digest, outcome.data.items, call.now()))
    : messageOutcome({ text: 'Nothing was saved. Please try again.' });
}

function messageOutcome(message: Message): Outcome {
  return { kind: 'message', message };
}

/** The projects of the channel, if it is bound to any or the service has only one. */
function channelProjects(
  conversation: Conversation | undefined,
  only: object | undefined,
): DigestSettings['projects'] | undefined {
  return (conversation?.bound.length ?? 0) > 0 || only ? 'channel' : undefined;
}

/** Removes the "for" that remains of "for Harbour Coffee" after the project was removed. */
function stripLeadingFor(words: string): string {
  return normalizeSpaces(
    words.replace(/(?:^|\s)(?:for|of|about)(?=\s*$|\s+(?:on|at|every|each|weekdays|daily)\b)/i, ' '),
  );
}

/** Explains why the schedule couldn't be parsed. `words`: the words that prevented it. Plain text. */
function explainFault({ words, reason }: { words: string; reason: string }): string {
  const quote = `“${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`;
  if (/^in\s/i.test(words)) return `If ${quote} is a place, write its time zone, such as “in Europe/Berlin”.`;
  if (/^(?:for|of|about)\s/i.test(words))
    return `If ${quote} is a project, /upnext projects lists their names.`;
  return reason;
}

type ReadRule = { kind: 'rules'; rules: readonly Recurrence[] } | { kind: 'not-understood'; reason: string };

function readRecurrence(words: string, isWeekly: boolean, locale: string | undefined): ReadRule {
  const usual = { days: isWeekly ? [1] : DEFAULT_DAYS, time: DEFAULT_TIME };
  if (words === '') return { kind: 'rules', rules: [usual] };
  const inWords = (text: string) => understandRecurrence({ text, ...(locale !== undefined && { locale }) });
  const alone = inWords(words);
  // "8:30 in Berlin" needs days.
  const days = isWeekly ? 'every monday' : 'weekdays';
  const read = alone.kind === 'not-understood' ? inWords(`${days} ${words}`) : alone;
  if (read.kind === 'not-understood')
    return { kind: 'not-understood', reason: alone.kind === read.kind ? explainFault(alone) : '' };
  const rules = read.kind === 'understood' ? [read.recurrence] : read.candidates;
  return isWeekly && rules.some((rule) => rule.days.length !== 1)
    ? { kind: 'not-understood', reason: 'A weekly one comes on one day, such as “weekly monday 9:00”.' }
    : { kind: 'rules', rules };
}

function formOutcome(at: {
  command: SetCommand;
  rule: Recurrence;
  zone: string | undefined;
  project: { id: string; name: string } | undefined;
}): Outcome {
  const { command, rule, zone, project } = at;
  const prefill = {
    ...(command.isMine && { where: 'me' }),
    kind: command.isWeekly ? 'weekly' : 'daily',
    days: rule.days.map(String),
    day: String(rule.days[0] ?? 1),
    time: timeText(rule.time),
    ...(zone !== undefined && { zone }),
    ...(project && { projects: [{ id: project.id, name: project.name }] }),
  };
  return { kind: 'form', prefill };
}
