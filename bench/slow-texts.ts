import { parsePostFilter } from '../src/features/list-posts/post-filter.ts';
import { postForm } from '../src/features/schedule-post/post-form.ts';
import { parseZoneRequest } from '../src/features/zone/zone.ts';
import { applyChange, checkForm } from '../src/forms/current-form.ts';
import { renderFormView } from '../src/forms/form-view.ts';
import { MAX_LINE_LENGTH, MAX_MOMENTS, MAX_STEPS, stepsOf } from '../src/when/limits.ts';
import { understandRecurrence } from '../src/when/recurrence.ts';
import { MAX_ZONE_LENGTH } from '../src/when/zones.ts';
import { createPostValues } from '../test/support/post-values.ts';
import { createRandom } from '../test/support/random.ts';
import { ORDINARY_PHRASES } from './phrases/ordinary-phrases.ts';
import { printVerdict } from './print-verdict.ts';
import { findSlowText, type SearchedInput } from './slow-texts/find-slow-text.ts';

/** Time for each input and language. A longer search finds slower texts: `npm run bench -- slow-texts --seconds 60`. */
const DEFAULT_SECONDS = 5;

const MAX_MS = 10;

const NOW = new Date('2026-11-20T10:15:00Z');

/** Words with many meanings: ambiguous dates and zones, ends of ranges, and typing errors. */
const WORDS =
  'tomorrow next last friday at in 9 9am 17:30 16.12 half past to noon the 15th dec 3/4 12.11. - , every from until and a days week month monday before after christmas hanukkah easter of PT CST IST Berlin UTC+2 between since q1 weekend 1 03/04 & / firday jaunary a/b Europe/Berlin ½ (PT) P.S.T. daily weekdays 2099 31/12/9999 99999999 minute years'.split(
    ' ',
  );

/**
 * Searches for the text whose parsing takes the most CPU time, for each kind of input with dates and times. Also tries
 * texts that are too long for Slack's fields, because a modified client can send them. Measures after a warm-up.
 */
export async function findSlowTexts(args: readonly string[] = []): Promise<void> {
  const seconds = Number(args[args.indexOf('--seconds') + 1] ?? DEFAULT_SECONDS) || DEFAULT_SECONDS;
  const seed = Date.now() % 100_000;
  console.log(`  limit: ${MAX_STEPS} steps; ${seconds} s each, seed ${seed}`);
  const slow: string[] = [];
  for (const [locale, phrases] of Object.entries(ORDINARY_PHRASES)) {
    const words = [...WORDS, ...phrases.join(' ').split(' ')];
    for (const [name, { maxLines, maxLineLength, parse }] of Object.entries(createInputs(locale))) {
      const input = {
        words,
        maxLines,
        maxLineLength,
        countSteps: (text: string) => stepsOf(() => parse(text)),
      };
      const { ms, steps, text } = findSlowText(input, seconds * 1000, createRandom(seed));
      console.log(`  ${locale}, ${name}: ${ms.toFixed(1)} ms, ${steps} steps: ${JSON.stringify(text)}`);
      if (ms > MAX_MS) slow.push(`${locale}, ${name} (${ms.toFixed(1)} ms)`);
    }
  }
  printVerdict(`${MAX_MS} ms for a text`, slow);
}

type Input = Pick<SearchedInput, 'maxLines' | 'maxLineLength'> & { parse: (text: string) => unknown };

function createInputs(locale: string): Record<string, Input> {
  const actor = { now: NOW, zone: 'Europe/Berlin', locale };
  const oneLine = { maxLines: 1, maxLineLength: MAX_LINE_LENGTH };
  const changeForm = (text: string) => {
    const { state } = applyChange(postForm, createFilledForm(text, locale));
    renderFormView(postForm, { formId: 'f', blockVersions: {}, state });
  };
  return {
    'changed form': { ...oneLine, parse: changeForm },
    'changed form, 20 lines': { maxLines: MAX_MOMENTS, maxLineLength: MAX_LINE_LENGTH, parse: changeForm },
    'submitted form': { ...oneLine, parse: (text) => checkForm(postForm, createFilledForm(text, locale)) },
    'post filter': { ...oneLine, parse: (text) => parsePostFilter(text, actor) },
    'digest recurrence': { ...oneLine, parse: (text) => understandRecurrence({ ...actor, text }) },
    'time zone': {
      maxLines: 1,
      maxLineLength: MAX_ZONE_LENGTH,
      parse: (text) => parseZoneRequest(text, NOW),
    },
  };
}

function createFilledForm(when: string, actorLocale: string): Parameters<typeof postForm.check>[0] {
  return {
    values: createPostValues({ text: 'We open at nine', when, zone: { zone: 'Europe/Lisbon' } }),
    formContext: {
      projects: [],
      hasMore: false,
      actorLocale,
      actorZone: 'Europe/Lisbon',
      zones: { byProject: {} },
    },
    now: NOW,
  };
}
