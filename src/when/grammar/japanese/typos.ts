import type { Corrected } from '../typos/correct-words.ts';
import { isOneLetterOff } from '../typos/is-one-letter-off.ts';

/** Characters that look alike, or that a keyboard offers for the same sound, in the words where only one is right. */
const CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[日月火水木金土])[耀躍濯](?=日|目|曰)/gu, '曜'],
  [/(?<=曜|明|今)[目曰](?!標)/gu, '日'],
  [/(?<=来|今|再来)[遇過周]/gu, '週'],
];

/** Weekdays in kana are long enough for a slip to be told; shorter words lie one character off each other. */
const KANA = ['にちようび', 'げつようび', 'すいようび', 'もくようび', 'きんようび'];
const RUN = /[\u3041-\u3096ー]{4,}/gu;
const LENGTHS = [5, 6, 4] as const;

/** Puts characters right in 月耀日, 明目 and げつよび. */
export function japaneseTypos(text: string): Corrected {
  const corrections: { written: string; meant: string }[] = [];
  const withKana = text.replaceAll(RUN, (run) => {
    if (KANA.some((known) => run.includes(known))) return run;
    const found = slipIn(run);
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

function slipIn(run: string): { written: string; meant: string } | undefined {
  for (const length of LENGTHS) {
    const written = run.slice(0, length);
    const near = KANA.filter((known) => written.length === length && isOneLetterOff(written, known));
    const [meant] = near;
    if (meant !== undefined && near.length === 1) return { written, meant };
  }
  return undefined;
}
