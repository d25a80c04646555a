import type { Call } from '../../app/call.ts';
import { keptShows, SHOWS } from '../../digests/composed/shows.ts';
import type { DigestSettings } from '../../digests/digest.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import { resolveProject } from '../../posts/meant-project.ts';
import { addUnreadProjects } from '../../posts/project.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { clip } from '../../slack/clip.ts';
import { sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import { serviceFailureText } from '../../slack/service-trouble.ts';
import { type Recurrence, sayRecurrence, understandRecurrence } from '../../when/when.ts';
import { authorTrouble, type Conversation, channelTrouble, readConversation } from './conversation.ts';
import { USUAL_DAYS, USUAL_TIME } from './digest-facts.ts';
import { notUnderstood, saved, severalTimes } from './digest-messages.ts';
import { permitSaving } from './may-show.ts';
import { type DigestWords, tidied, timeText } from './read-digest-words.ts';

const WORDS = 60;

type Asked = Extract<DigestWords, { kind: 'set' }>;

/** What the words came to: an answer, or a form that begins with what they said. */
type Outcome = { kind: 'said'; message: Message } | { kind: 'form'; prefill: Record<string, unknown> };

/** A digest from words alone. What they leave open, or what wants a deliberate tick, is asked in the form. */
export async function setByWords(call: Call, asked: Asked): Promise<Outcome> {
  const { context, who } = call;
  const channel = asked.isMine || !/^[CG]/.test(call.channel ?? '') ? undefined : call.channel;
  const [outcome, loaded, conversation] = await Promise.all([
    context.reads.projects(context.api),
    zonedLoader.load(call, channel === undefined ? {} : { channel }),
    channel === undefined ? undefined : readConversation(call, channel),
  ]);
  if (outcome.kind !== 'done') return said({ text: `${serviceFailureText(outcome)} Nothing was saved.` });
  if ('trouble' in loaded) return said({ text: `${loaded.trouble} Nothing was saved.` });
  const { formContext } = loaded;
  const listed = addUnreadProjects(outcome.data, conversation?.bound ?? [], call);
  const meant = resolveProject(listed, conversation?.bound ?? [], asked.words);
  const isNamed = meant.kind === 'one' && meant.rest !== asked.words.trim();
  const words = withoutLead(meant.kind === 'none' ? asked.words : meant.rest);
  const read = readRecurrence(words, asked.isWeekly, formContext.readerLocale);
  if (read.kind === 'not-understood') return said(notUnderstood(words, read.reason));
  const [rule, other] = read.rules;
  if (!rule) return said(notUnderstood(words, ''));
  if (other) return said(severalTimes(sayRecurrence(rule), sayRecurrence(other)));
  const project = meant.kind === 'one' ? meant.project : undefined;
  const zone = rule.zone ?? pickDefaultZone(formContext.zones, project?.id)?.zone;
  const projects =
    isNamed || channel === undefined ? project && [project.id] : projectsOf(conversation, project);
  const isOpen = zone === undefined || projects === undefined || conversation?.audience?.isShared === true;
  if (isOpen) return form({ asked, rule, zone, project: isNamed ? project : undefined });
  const trouble = conversation && channelTrouble(conversation);
  if (trouble !== undefined) return said({ text: `${trouble} Nothing was saved.` });
  const settings: DigestSettings = {
    workspace: who.workspace,
    channel: channel ?? who.user,
    kind: asked.isWeekly ? 'weekly' : 'daily',
    ...{ projects, days: rule.days, time: rule.time, zone },
    shows: keptShows(SHOWS),
    silentWhenEmpty: false,
    sharedWith: null,
  };
  await permitSaving(call, settings, conversation);
  const unsaved = conversation && (await authorTrouble(call, conversation));
  if (unsaved !== undefined) return said({ text: unsaved });
  const digest = await call.context.digests.save(settings, who.user);
  return digest
    ? said(saved(digest, outcome.data.items, call.now()))
    : said({ text: 'Nothing was saved. Please try again.' });
}

function said(message: Message): Outcome {
  return { kind: 'said', message };
}

/** Whatever the channel is about, where that is anything at all. */
function projectsOf(
  conversation: Conversation | undefined,
  only: object | undefined,
): DigestSettings['projects'] | undefined {
  return (conversation?.bound.length ?? 0) > 0 || only ? 'channel' : undefined;
}

/** What is left of "for Harbour Coffee" once the project is taken out. */
function withoutLead(words: string): string {
  return tidied(
    words.replace(/(?:^|\s)(?:for|of|about)(?=\s*$|\s+(?:on|at|every|each|weekdays|daily)\b)/i, ' '),
  );
}

/** `words` are those that stood in the way. Plain text. */
function whyNot({ words, reason }: { words: string; reason: string }): string {
  const said = `“${clip(sanitizeLine(words), WORDS)}”`;
  if (/^in\s/i.test(words)) return `If ${said} is a place, write its time zone, such as “in Europe/Berlin”.`;
  if (/^(?:for|of|about)\s/i.test(words))
    return `If ${said} is a project, /upnext projects lists their names.`;
  return reason;
}

type ReadRule = { kind: 'rules'; rules: readonly Recurrence[] } | { kind: 'not-understood'; reason: string };

function readRecurrence(words: string, isWeekly: boolean, locale: string | undefined): ReadRule {
  const usual = { days: isWeekly ? [1] : USUAL_DAYS, time: USUAL_TIME };
  if (words === '') return { kind: 'rules', rules: [usual] };
  const inWords = (text: string) => understandRecurrence({ text, ...(locale !== undefined && { locale }) });
  const alone = inWords(words);
  // "8:30 in Berlin" says no day.
  const days = isWeekly ? 'every monday' : 'weekdays';
  const read = alone.kind === 'not-understood' ? inWords(`${days} ${words}`) : alone;
  if (read.kind === 'not-understood')
    return { kind: 'not-understood', reason: alone.kind === read.kind ? whyNot(alone) : '' };
  const rules = read.kind === 'understood' ? [read.recurrence] : read.candidates;
  return isWeekly && rules.some((rule) => rule.days.length !== 1)
    ? { kind: 'not-understood', reason: 'A weekly one comes on one day, such as “weekly monday 9:00”.' }
    : { kind: 'rules', rules };
}

function form(at: {
  asked: Asked;
  rule: Recurrence;
  zone: string | undefined;
  project: { id: string; name: string } | undefined;
}): Outcome {
  const { asked, rule, zone, project } = at;
  const prefill = {
    ...(asked.isMine && { where: 'me' }),
    kind: asked.isWeekly ? 'weekly' : 'daily',
    days: rule.days.map(String),
    day: String(rule.days[0] ?? 1),
    time: timeText(rule.time),
    ...(zone !== undefined && { zone }),
    ...(project && { projects: [{ id: project.id, name: project.name }] }),
  };
  return { kind: 'form', prefill };
}
