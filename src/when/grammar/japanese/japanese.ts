import { REASONS } from '../../moment.ts';
import { type Corrected, isOneLetterOff } from '../../tidy-text.ts';
import { inOrder, type ReadingWords } from '../european/vocabulary.ts';
import type { Meaning } from '../piece.ts';
import { leavesNothing, type OtherLanguage, withDifferences } from '../read-grammar.ts';
import { refinersFor } from '../refiners.ts';
import {
  createGrammar,
  findRefusal,
  type Grammar,
  type Refusals,
  ruleWithoutSpaces,
  yearFirstDates,
} from '../rule.ts';
import { japaneseRules, NUMBER, WEEKDAYS } from './rules.ts';

/** Particles, and words that carry no date or time. */
const FILLER =
  /^(?:[\s,;.:、。，・()（）!?〜~]|の|に|は|で|を|へ|現地時間|後で|あとで|のちほど|後ほど|頃|ごろ|ころ|くらい|ぐらい|あたり|ちょうど|きっかり|ぴったり|ジャスト|だいたい|およそ|約|投稿|送信|配信|予約|公開|アップ|[にへ](?:変更|延期|移動)|して|しましょう|できますか|でどう|じゃあ|たぶん|よろしく|ください|下さい|お願い(?:し|いたし|致し)?(?:ます)?)*$/u;

const NOW =
  /^(?:今|いま|今すぐ|いますぐ|すぐ|すぐに|ただいま|ただちに|直ちに|即|至急|できるだけ早く|なるべく早く|なるはや|すぐに?投稿)[。!！にで]*$/u;

export function japanese(): OtherLanguage {
  const isFiller = (text: string): boolean => FILLER.test(text);
  const grammar = (dayEnd: Meaning): Grammar =>
    createGrammar(
      [...yearFirstDates, ...japaneseRules, ruleWithoutSpaces('の?終わり', () => dayEnd)],
      refinersFor(isFiller),
    );
  // The end of a day is the end of work or midnight.
  const atWork = grammar({ part: 'late-afternoon' });
  const atMidnight = grammar({ hour: 23, minute: 59 });
  return {
    ...withDifferences([atWork, atMidnight]),
    prepare: (text) => text,
    isFiller,
    canLeave: leavesNothing,
    isNow: (text) => NOW.test(text.trim()),
    refusalOf: (text) => findRefusal(REFUSALS, text),
    correctTypos,
    weekdays: {
      pattern: `[${WEEKDAYS}]曜日?`,
      meaningOf: (word = '') => WEEKDAYS.indexOf(word.charAt(0)),
    },
    hasTimeWord: (text) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(text),
  };
}

/** Past, repeated and longer times, which are refused before any rule reads them. */
const REFUSALS: Refusals = [
  [
    new RegExp(
      `昨日|きのう|一昨日|おととい|昨夜|昨晩|先週|先々週|先月|先日|昨年|去年|前回|前の|以前|(?<!時の?|の|[\\d〇一二三四五六七八九十])${NUMBER}(?:秒|分|時間|日|週間|[かヶカケ箇]月|年)前`,
      'u',
    ),
    REASONS.past,
  ],
  [/毎(?:日|週|月|年|朝|晩|回)|ごと|おき|隔週|隔日|平日|いつも/u, REASONS.repeats],
  [
    /まで|(?<!今|現在|いま)から.*(?:時|日|分)(?!.*後)|(?<!時半?|分|:\d\d)[~〜～]|[~〜～]\s?\P{S}|\d時?-\d+時|の間/u,
    REASONS.range,
  ],
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

export const JAPANESE_WORDS: ReadingWords = {
  grammar: {
    weekdays: [...WEEKDAYS].map((day) => `(?:${day}曜日?|(?<!(?!週)[\\d一-鿿])${day}(?![\\d一-鿿]))`),
    months: Array.from({ length: 12 }, (_, index) => `${index + 1}月`),
    numbers: Array.from({ length: 31 }, (_, index) => [String(index + 1), index + 1] as const),
    units: [
      ['分間?', 'minutes'],
      ['時間', 'hours'],
      ['日間?', 'days'],
      ['週間', 'weeks'],
      ['[かヶケ箇]月間?', 'months'],
      ['年間?', 'years'],
    ],
    hourUnit: '時',
    workingDay: '営業日',
    ordinals: inOrder(['第[1一]', '第[2二]', '第[3三]', '第[4四]'], 1),
    last: '最終|末',
    dayNoun: '日',
    and: 'と|・|、|及び|および|&|\\+',
  },
  isGlued: true,
  fillers: '',
  fillersAfter: 'まで|の間|中|に|の|は|で',
  repeats: {
    every: '毎週の?|毎',
    weekdayEnding: '',
    everyDay: '(?:毎日|日々)',
    workdays: '(?:平日(?:毎日)?|毎平日)',
    weekends: '(?:毎?週末|土日)',
    everyPart: '毎(?=[朝晩夜])',
    except: '(?!)',
    intervals: ['#§ごとに?'],
    fixedIntervals: [
      ['週に?[1一]回の?', { unit: 'weeks', interval: 1 }],
      ['隔週の?', { unit: 'weeks', interval: 2 }],
      ['隔日に?', { unit: 'days', interval: 2 }],
      ['毎月の?', { unit: 'months', interval: 1 }],
      ['[毎各]?四半期の?', { unit: 'months', interval: 3, isQuarter: true }],
      ['毎年の?', { unit: 'years', interval: 1 }],
    ],
    onDate: '',
    ofMonth: ['(?!)', '(?!)'],
    count: ['(?<!週に?)#回'],
    lasting: ['今後#§'],
    unsupported: '(?:毎時|おき|時間ごと|分ごと)',
  },
  copulas: '(?!)',
  stretches: {
    nouns: { week: '週', weekend: '週末', month: '月', quarter: '四半期', year: '年' },
    half: '半期',
    halves: ['§の?前半', '§の?後半'],
    thirds: ['§の?[上初]旬', '§の?下旬', '§の?中旬'],
    ofCalendar: [
      ['今§', 0],
      ['来§', 1],
      ['再来§', 2],
      ['(?:先|[昨去](?=年))§', -1],
      ['先々§', -2],
    ],
    next: ['(?:今後|これから|次の)#§'],
    last: ['(?:過去|直近|この)#§'],
    ago: ['#§前'],
    pastDays: ['(?:一昨日|おととい)', '(?:昨日|きのう)', '(?:今日|きょう|本日)'],
    lastNamed: ['先週の?(?=[日月火水木金土])§'],
    quarterLetter: 'q',
    calendarWeek: '第#週',
    weekOf: '(?!)',
  },
  edges: {
    from: '(?!)',
    to: '(?:から|[~〜])',
    between: '(?!)',
    onwards: '(?:以降|から)',
    since: '(?!)',
    until: '(?!)',
    untilAfter: 'まで(?:に|の)?|以前',
    beforeAfter: '(?<![午以昼])(?:より|の)?前(?:に|の)?',
    endOf: '(?!)',
    before: '(?!)',
    after: '(?!)',
  },
  examples: {
    moment: ['明日の午前9時', '金曜日 14:30', '12月1日 10時15分'],
    moments: ['明日の9時と17時', '月曜日と水曜日の10時', '12月1日 10時'],
    ranges: ['今週', '月曜日から金曜日', '来月'],
    recurrences: ['平日 8時30分', '毎週月曜日 9時', '毎日 10:00'],
  },
};
