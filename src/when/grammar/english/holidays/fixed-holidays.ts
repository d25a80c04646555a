/** Holidays with a date of their own, as [month, day]. Where no source is named, the date is the holiday's meaning. */
export const FIXED_HOLIDAYS: Readonly<Record<string, readonly [number, number]>> = {
  "new year's day": [1, 1],
  'new year': [1, 1],
  "new year's eve": [12, 31],
  nye: [12, 31],
  // The Western churches' calendar.
  epiphany: [1, 6],
  candlemas: [2, 2],
  'feast of the assumption': [8, 15],
  'assumption day': [8, 15],
  "all saints' day": [11, 1],
  "all souls' day": [11, 2],
  "st nicholas' day": [12, 6],
  'christmas eve': [12, 24],
  'xmas eve': [12, 24],
  christmas: [12, 25],
  'christmas day': [12, 25],
  xmas: [12, 25],
  'xmas day': [12, 25],
  "st stephen's day": [12, 26],
  // Customs of the United States and of Britain.
  'burns night': [1, 25],
  'groundhog day': [2, 2],
  "valentine's day": [2, 14],
  "valentine's": [2, 14],
  "st valentine's day": [2, 14],
  "st david's day": [3, 1],
  "st patrick's day": [3, 17],
  "st paddy's day": [3, 17],
  "april fool's day": [4, 1],
  "april fool's": [4, 1],
  "st george's day": [4, 23],
  'cinco de mayo': [5, 5],
  halloween: [10, 31],
  "hallowe'en": [10, 31],
  "all hallows' eve": [10, 31],
  'guy fawkes night': [11, 5],
  'guy fawkes day': [11, 5],
  'bonfire night': [11, 5],
  "st andrew's day": [11, 30],
  'boxing day': [12, 26],
  kwanzaa: [12, 26],
  // un.org/en/observances: international days.
  "international women's day": [3, 8],
  "women's day": [3, 8],
  'pi day': [3, 14],
  'earth day': [4, 22],
  // 5 U.S.C. § 6103 and 36 U.S.C. chapter 1: the United States.
  juneteenth: [6, 19],
  'flag day': [6, 14],
  'patriot day': [9, 11],
  "veterans' day": [11, 11],
  // Cal. Gov. Code § 6721.
  'harvey milk day': [5, 22],
  // Public holidays and days of remembrance elsewhere.
  'australia day': [1, 26],
  'anzac day': [4, 25],
  'may day': [5, 1],
  'canada day': [7, 1],
  'bastille day': [7, 14],
  'armistice day': [11, 11],
  'remembrance day': [11, 11],
  // Shops'.
  "singles' day": [11, 11],
};

/** Those that are another date, or none, outside the countries that write the month first. */
export const AMERICAN_HOLIDAYS: Readonly<Record<string, readonly [number, number]>> = {
  'independence day': [7, 4],
};
