import type { CheckResult, FormState } from '../../../forms/form.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { clip } from '../../../slack/escape.ts';
import { isZone, sayMoment } from '../../../when/when.ts';
import type { PostContent } from '../sent/post-content.ts';
import { momentsOf, readWhen, type WhenReading } from '../when/read-when.ts';
import { whenProblem } from '../when/when-words.ts';
import type { fields } from './fields.ts';
import { isTooLong, type Judgement, judgePost } from './judge-post.ts';
import type { PostFormContext } from './post-form-context.ts';
import { postText } from './post-text.ts';
import { furtherTexts, joinedText, lastText, MAX_TEXT_LENGTH, textCount } from './text-parts.ts';

type PostState = FormState<typeof fields, PostFormContext>;
type Typed = PostState['values'];

/** Schemes of addresses that run code or read local files when opened. All other addresses are passed on unchanged. */
const DANGEROUS = ['javascript', 'data', 'file', 'vbscript', 'blob', 'filesystem', 'about', 'view-source'];

/** Characters of error text under one field. Our own limit. */
const MAX_ERROR_LENGTH = 1_000;

/** Checks all fields of a post without network access. Errors are plain text. */
export function checkPost(state: PostState): CheckResult<typeof fields, PostContent> {
  const { values, formContext } = state;
  const { project, status } = values;
  const reading = readWhen(state);
  const judged = judgePost(state);
  const errors = {
    [lastText(textCount(values, formContext.texts))]: textProblem(state) ?? stopsOf(judged, 'text'),
    platforms: platformsProblem(values) ?? stopsOf(judged, 'platforms'),
    when: reading ? whenProblem(reading, state.now) : whenMissing(values),
    zone: values.when.trim() !== '' && !isZone(values.zone.zone) ? 'Choose the time zone.' : undefined,
    media: mediaProblem(values.media) ?? stopsOf(judged, 'media'),
  };
  const faults = Object.entries(errors).filter(([, text]) => text !== undefined);
  if (faults.length > 0 || !project || status === '')
    return { kind: 'invalid', errors: Object.fromEntries(faults) };
  return { kind: 'valid', contents: contentsOf(state, { project, status }, reading) };
}

/** One content for each moment. Each can be edited by itself later, so each has its own text for the moment. */
function contentsOf(
  state: PostState,
  { project, status }: { project: PostContent['project']; status: 'SCHEDULED' | 'DRAFT' },
  reading: WhenReading | undefined,
): PostContent[] {
  const { values, formContext, now } = state;
  const { text } = postText(state);
  const more = furtherTexts(values);
  const { when, media, platforms, template, prompt } = values;
  const same = {
    values: {
      project,
      text: values.text,
      platforms: [...platforms],
      status,
      when,
      zone: values.zone.zone,
      media,
      template,
      prompt,
      ...(more.length > 0 && { more }),
    },
    project,
    ...(text !== values.text && { text }),
    ...(formContext.actorZone !== undefined && { actorZone: formContext.actorZone }),
    ...(formContext.draft !== undefined && { draft: formContext.draft }),
  };
  const moments = momentsOf(reading);
  if (moments.length === 0) return [same];
  return moments.map(({ moment, notes }) => ({
    ...same,
    values: {
      ...same.values,
      ...(moments.length > 1 && { when: sayMoment(moment, { now }), zone: moment.zone }),
    },
    moment: { instant: moment.instant.toISOString(), zone: moment.zone, notes: [...notes] },
  }));
}

function stopsOf({ stops }: Judgement, field: keyof Judgement['stops']): string | undefined {
  return stops[field].length === 0 ? undefined : clip(stops[field].join(' '), MAX_ERROR_LENGTH);
}

function textProblem(state: PostState): string | undefined {
  const { values } = state;
  if (isTooLong(state)) {
    const over = joinedText(values).length - MAX_TEXT_LENGTH;
    return `The text is ${over} characters too long: ${MAX_TEXT_LENGTH} fit in all.`;
  }
  return isBlank(joinedText(values)) && !values.template && !values.prompt
    ? 'Write the text, or choose a template or prompt.'
    : undefined;
}

function platformsProblem({ platforms, status }: Typed): string | undefined {
  if (!parsePlatforms(platforms)) return 'One of these is no platform that I know. Choose again.';
  return status === 'SCHEDULED' && platforms.length === 0 ? 'Choose at least one platform.' : undefined;
}

function whenMissing({ when, status }: Typed): string | undefined {
  const isMissing = when.trim() === '' && status === 'SCHEDULED';
  return isMissing ? 'Say when it goes out, for example "tomorrow 9am". Or save it as a draft.' : undefined;
}

function mediaProblem(media: string): string | undefined {
  // Browsers ignore whitespace and control characters in a scheme, so they can't be used to hide one here.
  const [scheme, ...rest] = media
    .replace(/[\s\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(':');
  const isDangerous = rest.length > 0 && scheme !== undefined && DANGEROUS.includes(scheme);
  return isDangerous ? `Addresses that begin with "${scheme}:" are not passed on.` : undefined;
}
