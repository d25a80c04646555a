import type { Parser } from 'chrono-node';
import { CHURCH_FEASTS, type Feast, feastDay, nthOf, onDate, SHOPPING_DAYS } from '../feasts.ts';
import { ruleWithoutSpaces } from '../rule.ts';

const [SUNDAY, MONDAY] = [0, 1] as const;

const FEASTS: readonly (readonly [string, Feast])[] = [
  ['元日|元旦', onDate(1, 1)],
  ['バレンタイン(?:デー)?', onDate(2, 14)],
  ['ひな祭り|雛祭り', onDate(3, 3)],
  ['ホワイトデー', onDate(3, 14)],
  ['エイプリルフール', onDate(4, 1)],
  ['メーデー', onDate(5, 1)],
  ['七夕', onDate(7, 7)],
  ['ハロウィー?ン', onDate(10, 31)],
  ['七五三', onDate(11, 15)],
  ['クリスマス・?イ[ブヴ]', onDate(12, 24)],
  ['クリスマス', onDate(12, 25)],
  ['大晦日|大みそか|おおみそか', onDate(12, 31)],
  // 国民の祝日に関する法律 (Act 178 of 1948), article 2; the equinoxes are proclaimed a year ahead and not here.
  ['成人の日', nthOf(2, MONDAY, 1)],
  ['建国記念の?日', onDate(2, 11)],
  ['天皇誕生日', onDate(2, 23)],
  ['昭和の日', onDate(4, 29)],
  ['憲法記念日', onDate(5, 3)],
  ['みどりの日', onDate(5, 4)],
  ['(?:こども|子ども|子供)の日', onDate(5, 5)],
  ['海の日', nthOf(3, MONDAY, 7)],
  ['山の日', onDate(8, 11)],
  ['敬老の日', nthOf(3, MONDAY, 9)],
  ['(?:スポーツ|体育)の日', nthOf(2, MONDAY, 10)],
  ['文化の日', onDate(11, 3)],
  ['勤労感謝の日', onDate(11, 23)],
  // Customs.
  ['母の日', nthOf(2, SUNDAY, 5)],
  ['父の日', nthOf(3, SUNDAY, 6)],
  ['イースター|復活祭', CHURCH_FEASTS.easter],
  ['ブラックフライデー', SHOPPING_DAYS.blackFriday],
  ['サイバーマンデー', SHOPPING_DAYS.cyberMonday],
];

const named = FEASTS.map(([name, feast]) => ({ exact: new RegExp(`^(?:${name})$`), feast }));

/** 大晦日, クリスマスイブ, 2027年の元日. */
export const japaneseFeasts: Parser = ruleWithoutSpaces(
  `(?:(?<year>20\\d\\d)年の?)?(?<name>${FEASTS.map(([name]) => name).join('|')})`,
  ({ year, name = '' }, today) => {
    const found = named.find(({ exact }) => exact.test(name));
    return found === undefined
      ? undefined
      : feastDay(found.feast, today, year === undefined ? undefined : Number(year));
  },
);
