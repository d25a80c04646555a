/** Matches the app's messages about unexpected failures, but not about refusals. */
const GENERAL_FAULT = /Something went wrong|took too long|didn’t answer, so I’m not sure/;

export const isGeneralFault = (text: string) => GENERAL_FAULT.test(text);
