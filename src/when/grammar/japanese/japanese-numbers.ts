/** Figures, or kanji to 99: "12", "二十二". */
export const NUMBER = '(?:\\d+|[〇一二三四五六七八九十]+)';

const DIGITS = '〇一二三四五六七八九';

/** The value of a number in figures or kanji; undefined for neither, and for kanji past 99. */
export function japaneseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const parts = /^(?:(?<tens>[二三四五六七八九])?(?<ten>十))?(?<unit>[〇一二三四五六七八九])?$/u.exec(
    text,
  )?.groups;
  if (parts === undefined) return undefined;
  const tens = parts.ten === undefined ? 0 : Math.max(1, DIGITS.indexOf(parts.tens ?? '〇')) * 10;
  return tens + Math.max(0, DIGITS.indexOf(parts.unit ?? '〇'));
}
