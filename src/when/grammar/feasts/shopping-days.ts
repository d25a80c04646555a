import { daysAfter, nthOf } from './in-year.ts';

const THURSDAY = 4;

/** 5 U.S.C. § 6103: the fourth Thursday in November. */
const thanksgiving = nthOf(4, THURSDAY, 11);

/** Days that shops everywhere have taken over from the United States: they are counted from Thanksgiving there. */
export const SHOPPING_DAYS = {
  thanksgiving,
  blackFriday: daysAfter(1, thanksgiving),
  cyberMonday: daysAfter(4, thanksgiving),
} as const;
