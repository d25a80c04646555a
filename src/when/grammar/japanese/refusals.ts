import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { NUMBER } from './japanese-numbers.ts';

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `昨日|きのう|一昨日|おととい|昨夜|昨晩|先週|先々週|先月|先日|昨年|去年|前回|前の|以前|(?<![時\\d〇一二三四五六七八九十])${NUMBER}(?:秒|分|時間|日|週間|[かヶカケ箇]月|年)前`,
      'u',
    ),
    'That is over: name a moment to come.',
  ],
  [
    /毎(?:日|週|月|年|朝|晩|回)|ごと|おき|隔週|隔日|平日|いつも/u,
    'That repeats: name one moment, such as its first.',
  ],
  [
    /まで|から.*(?:時|日|分)(?!.*後)|[~〜～]|\d時?-\d+時|の間/u,
    'That is a range: name the moment at which to post.',
  ],
  [
    new RegExp(
      `^(?:今週|来週|再来週|今月|来月|再来月|今年|来年|週末|今週末|来週末|${NUMBER}月)(?:中|に)?$`,
      'u',
    ),
    'That is a whole stretch of time: name the day.',
  ],
  [/または|又は|もしくは|あるいは|か、/u, 'That is a choice: name one moment.'],
];

/** What is no single moment to come, told by its words before any rule reads them. */
export function japaneseRefusal(text: string): NotUnderstood | undefined {
  for (const [pattern, reason] of REFUSALS) {
    const found = pattern.exec(text);
    if (found !== null) return notUnderstood(found[0], reason);
  }
  return undefined;
}
