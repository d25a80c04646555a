/** The app's messages for unexpected failures, as opposed to refusals and answers. */
const GENERAL_FAULT =
  /Something went wrong|took longer than it allows|didn’t answer, so I’m not sure|took too long/;

export const isGeneralFault = (text: string) => GENERAL_FAULT.test(text);
