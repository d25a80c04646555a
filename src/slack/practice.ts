/** Stands on every card while nothing leaves the house. */
export const PRACTICE_NOTICE = 'Practice service: nothing is published';
