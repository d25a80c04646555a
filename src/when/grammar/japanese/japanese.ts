import { Chrono } from 'chrono-node/en';
import { REASONS } from '../../moment.ts';
import { dropTimesOffTheClock, dropWhatLeadsNowhere } from '../chrono-corrections.ts';
import { overlapRemoval, yearFirstDates } from '../chrono-parts.ts';
import { type Corrected, isOneLetterOff } from '../correct-words.ts';
import { type Language, withDifferences } from '../language.ts';
import { mergePieces } from '../merge-pieces.ts';
import type { Meaning } from '../piece.ts';
import { findRefusal, type Refusals, ruleWithoutSpaces } from '../rule.ts';
import { japaneseDates } from './dates.ts';
import { japaneseDays } from './days.ts';
import { japaneseTimes, NUMBER } from './times.ts';

/** Particles, and words that carry no date or time. */
const FILLER =
  /^(?:[\s,;.:、。，・()（）!?]|の|に|は|で|を|へ|頃|ごろ|ころ|くらい|ぐらい|あたり|ちょうど|きっかり|ぴったり|ジャスト|だいたい|およそ|約|投稿|送信|配信|予約|公開|アップ|して|ください|下さい|お願い(?:し|いたし|致し)?(?:ます)?)*$/u;

const NOW =
  /^(?:今|いま|今すぐ|いますぐ|すぐ|すぐに|ただいま|ただちに|直ちに|即|至急|できるだけ早く|なるべく早く|なるはや|すぐに?投稿)[。!！にで]*$/u;

const WEEKDAYS = '日月火水木金土';

export function japanese(): Language {
  const isFiller = (text: string): boolean => FILLER.test(text);
  const grammar = (dayEnd: Meaning): Chrono =>
    new Chrono({
      parsers: [
        ...yearFirstDates,
        ...japaneseDays,
        ...japaneseDates,
        ...japaneseTimes,
        ruleWithoutSpaces('の?終わり', () => dayEnd),
      ],
      refiners: [...overlapRemoval, dropTimesOffTheClock, mergePieces(isFiller), dropWhatLeadsNowhere],
    });
  // The end of a day is the end of work or midnight.
  const atWork = grammar({ part: 'late-afternoon' });
  const atMidnight = grammar({ hour: 23, minute: 59 });
  return {
    ...withDifferences([atWork, atMidnight]),
    prepare: (text) => text,
    isFiller,
    isNow: (text) => NOW.test(text.trim()),
    refusalOf: (text) => findRefusal(REFUSALS, text),
    correctTypos,
    examples: ['明日の午前9時', '金曜日 14:30', '12月1日 10時15分'],
    weekdays: {
      pattern: '[日月火水木金土]曜日?',
      meaningOf: (word = '') => WEEKDAYS.indexOf(word.charAt(0)),
    },
    hasTimeWord: (text) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(text),
  };
}

/** Past, repeated and longer times, which are refused before any rule reads them. */
const REFUSALS: Refusals = [
  [
    new RegExp(
      `昨日|きのう|一昨日|おととい|昨夜|昨晩|先週|先々週|先月|先日|昨年|去年|前回|前の|以前|(?<!時の?|[\\d〇一二三四五六七八九十])${NUMBER}(?:秒|分|時間|日|週間|[かヶカケ箇]月|年)前`,
      'u',
    ),
    REASONS.past,
  ],
  [/毎(?:日|週|月|年|朝|晩|回)|ごと|おき|隔週|隔日|平日|いつも/u, REASONS.repeats],
  [/まで|(?<!今|現在|いま)から.*(?:時|日|分)(?!.*後)|[~〜～]|\d時?-\d+時|の間/u, REASONS.range],
  [
    new RegExp(`^(?:今週|来週|再来週|今月|来月|再来月|今年|来年|${NUMBER}月)(?:中|に)?$`, 'u'),
    REASONS.period,
  ],
  [/または|又は|もしくは|あるいは|か、/u, REASONS.choice],
];

/** Look-alike characters and wrong homophones, in words where only one character is right. */
const CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[日月火水木金土])[耀躍濯](?=日|目|曰)/gu, '曜'],
  [/(?<=曜|明|今)[目曰](?!標)/gu, '日'],
  [/(?<=来|今|再来)[遇過周]/gu, '週'],
];

/** Weekdays in kana. Shorter words are only one character apart, so their typos can't be told. */
const KANA = ['にちようび', 'げつようび', 'すいようび', 'もくようび', 'きんようび'];
const RUN = /[\u3041-\u3096ー]{4,}/gu;
const LENGTHS = [5, 6, 4] as const;

/** Corrects the characters in 月耀日, 明目 and げつよび. */
function correctTypos(text: string): Corrected {
  const corrections: { written: string; meant: string }[] = [];
  const withKana = text.replaceAll(RUN, (run) => {
    if (KANA.some((known) => run.includes(known))) return run;
    const found = typoIn(run);
    if (found === undefined) return run;
    corrections.push(found);
    return run.replace(found.written, found.meant);
  });
  const corrected = CHARACTERS.reduce(
    (before, [wrong, right]) =>
      before.replaceAll(wrong, (written) => {
        corrections.push({ written, meant: right });
        return right;
      }),
    withKana,
  );
  return { text: corrected, corrections };
}

function typoIn(run: string): { written: string; meant: string } | undefined {
  for (const length of LENGTHS) {
    const written = run.slice(0, length);
    const near = KANA.filter((known) => written.length === length && isOneLetterOff(written, known));
    const [meant] = near;
    if (meant !== undefined && near.length === 1) return { written, meant };
  }
  return undefined;
}
