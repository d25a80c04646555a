/** Shown on every card while the emulator is in use. */
export const EMULATOR_NOTICE = 'Practice service: nothing is published';
