/** Stands on every card while nothing leaves the house. */
export const PRACTICE = 'Practice service: nothing is published';
