import { readPlatforms } from '../../../posts/platforms.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { MomentReading } from '../../../when/moment.ts';
import { understandMoment } from '../../../when/understand-moment.ts';
import { isZone } from '../../../when/zones.ts';
import type { Field } from './fields.ts';
import type { Loaded, PostContent, Typed } from './form-facts.ts';
import { whenProblem } from './when-words.ts';

type Checked =
  | { kind: 'good'; content: PostContent }
  | { kind: 'faulty'; errors: Partial<Record<Field, string>> };

/** Addresses that run or read something where they are opened. Every other is passed on as it is. */
const DANGEROUS = ['javascript', 'data', 'file', 'vbscript', 'blob', 'filesystem', 'about', 'view-source'];

/** All that can be found without asking anybody, of all fields at once. Plain text. */
export function checkForm(typed: Typed, loaded: Loaded, now: Date): Checked {
  const reading = readWhen(typed, loaded, now);
  const project = projectOf(typed, loaded);
  const errors: Record<Field, string | undefined> = {
    project: project ? undefined : 'Choose a project.',
    text: textProblem(typed),
    platforms: platformsProblem(typed),
    status: undefined,
    when: whenFault(typed, reading, now),
    zone: zoneProblem(typed),
    media: mediaProblem(typed.media),
    template: undefined,
    prompt: oddCharacter(typed.prompt),
  };
  const faults = Object.entries(errors).filter(([, text]) => text !== undefined);
  if (faults.length > 0 || !project) return { kind: 'faulty', errors: Object.fromEntries(faults) };
  const moment = reading?.kind === 'understood' ? reading.moment : undefined;
  return {
    kind: 'good',
    content: {
      typed,
      project,
      ...(loaded.readerZone !== undefined && { readerZone: loaded.readerZone }),
      ...(moment && { moment: { instant: moment.instant.toISOString(), zone: moment.zone } }),
    },
  };
}

/** How the words are understood in the form's zone and the reader's language; undefined without words or zone. */
export function readWhen(
  { when, zone }: Pick<Typed, 'when' | 'zone'>,
  { readerLocale: locale }: Pick<Loaded, 'readerLocale'>,
  now: Date,
): MomentReading | undefined {
  const text = when.trim();
  if (text === '' || !isZone(zone)) return undefined;
  return understandMoment({ text, now, zone, ...(locale !== undefined && { locale }) });
}

function projectOf(typed: Typed, loaded: Loaded): Loaded['projects'][number] | undefined {
  const { projects, chosen, more } = loaded;
  if (projects.length === 1 && !more) return chosen ?? projects[0];
  const known = projects.find((project) => project.id === typed.project?.id);
  // Beyond the first hundred the service itself knows best; what it does not know it refuses.
  return known ?? (more ? typed.project : undefined);
}

function textProblem({ text, template, prompt }: Typed): string | undefined {
  const isBlank = text.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
  if (isBlank && !template && prompt.trim() === '') return 'Write the text, or choose a template or prompt.';
  if (text.length > LIMITS.inputText) {
    return `The text is ${text.length - LIMITS.inputText} characters too long: ${LIMITS.inputText} fit here.`;
  }
  return oddCharacter(text);
}

/** Characters that no text has and that do not survive the way: NUL and its kind, and halves of a pair. */
function oddCharacter(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const isOdd = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text) || !text.isWellFormed();
  return isOdd
    ? 'There is an invisible character in here that cannot be sent. Write it anew, or paste it as plain text.'
    : undefined;
}

function platformsProblem({ platforms, status }: Typed): string | undefined {
  if (!readPlatforms(platforms)) return 'One of these is no platform that I know. Choose again.';
  return status === 'SCHEDULED' && platforms.length === 0 ? 'Choose at least one platform.' : undefined;
}

function whenFault(typed: Typed, reading: MomentReading | undefined, now: Date): string | undefined {
  if (reading) return whenProblem(reading, now);
  const isMissing = typed.when.trim() === '' && typed.status === 'SCHEDULED';
  return isMissing ? 'Say when it goes out, for example "tomorrow 9am". Or save it as a draft.' : undefined;
}

function zoneProblem({ zone, when }: Typed): string | undefined {
  if (zone === '') return when.trim() === '' ? undefined : 'Choose the time zone.';
  return isZone(zone) ? undefined : 'This is no time zone that I know. Choose another.';
}

function mediaProblem(media: string): string | undefined {
  // Browsers overlook blanks and control characters inside a scheme, and so does whoever wants it overlooked.
  const [scheme, ...rest] = media
    .replace(/[\s\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(':');
  const isDangerous = rest.length > 0 && scheme !== undefined && DANGEROUS.includes(scheme);
  if (isDangerous) return `Addresses that begin with "${scheme}:" are not passed on.`;
  return oddCharacter(media);
}
