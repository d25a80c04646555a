/** What the app says where it failed, whatever was asked: no refusal, and no answer. */
const GENERAL_FAULT =
  /Something went wrong|took longer than it allows|didn’t answer, so I’m not sure|took too long/;

export const isGeneralFault = (said: string) => GENERAL_FAULT.test(said);
