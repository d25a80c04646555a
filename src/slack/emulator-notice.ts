/** Shown on every card while the practice service is in use. */
export const EMULATOR_NOTICE = 'Practice service: nothing is published';
