/** Shown once on each preview, receipt, digest and notification of a publication while the emulator is in use. */
export const EMULATOR_NOTICE = 'Practice service: nothing is published';
